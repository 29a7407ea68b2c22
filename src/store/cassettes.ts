import { join } from 'node:path';
import { z } from 'zod';
import type { Digest } from '../base/digest.ts';
import { UsageError } from '../base/errors.ts';
import {
  type CassetteKey,
  type CassetteMode,
  type Exchange,
  type Tape,
  withCassette,
} from '../llm/cassette.ts';
import { Redaction } from '../llm/redaction.ts';
import type { ChatModel, ChatReply } from '../llm/types.ts';
import { AppendedFile, readLines } from './run-lines.ts';

const tokens = z.int().nonnegative().nullable();

const replySchema = z.strictObject({
  text: z.string(),
  calls: z.array(z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() })),
  finish: z.enum(['stop', 'tool-calls', 'length', 'refusal', 'other']),
  usage: z.strictObject({ inputTokens: tokens, outputTokens: tokens, cachedInputTokens: tokens }),
  model: z.string(),
  ignored: z.array(z.string()).optional(),
});

const exchangeSchema = z.looseObject({
  key: z.strictObject({ scenario: z.string(), trial: z.int().nonnegative() }),
  turn: z.int().nonnegative(),
  requestHash: z.string(),
  reply: replySchema,
});

/** Puts the cassette of one trial around a model; a model that is wrapped twice counts its turns anew. */
export type TrialCassette = (model: ChatModel, options?: { readonly firstTurn?: number }) => ChatModel;

/**
 * A folder of cassettes: a JSONL file for each trial, a line for each exchange, only ever appended to, so
 * that a kill loses at most the exchange in flight.
 */
export class Cassettes {
  readonly directory: string;
  readonly mode: CassetteMode;
  readonly #redaction: Redaction;

  /** `secrets` are masked in all that is written, besides what looks like a credential. */
  constructor(directory: string, mode: CassetteMode, { secrets }: { readonly secrets: Iterable<string> }) {
    this.directory = directory;
    this.mode = mode;
    this.#redaction = new Redaction(secrets);
  }

  /** The file of one trial. */
  path({ scenario, trial }: CassetteKey): string {
    return join(this.directory, `${encodeURIComponent(scenario)}.${trial}.jsonl`);
  }

  /**
   * Reads the cassette of one trial.
   * @throws UsageError with file and line for a line that is no exchange of that trial, and where nothing
   *   could be recorded
   */
  forTrial(scenario: string, trial: number): TrialCassette {
    const { mode } = this;
    const key = { scenario, trial };
    const tape = new FileTape(this.path(key), key, { isReplay: mode === 'replay' });
    const redaction = this.#redaction;
    return (model, options) => withCassette(model, { mode, key, tape, redaction, ...options });
  }
}

class FileTape implements Tape {
  /** Null where it is only replayed. */
  readonly #file: AppendedFile | null;
  readonly #replies = new Map<number, Map<Digest, ChatReply>>();

  constructor(path: string, key: CassetteKey, { isReplay }: { readonly isReplay: boolean }) {
    this.#file = isReplay ? null : new AppendedFile(path);
    for (const { value, place } of readLines(path, exchangeSchema, { repair: !isReplay, sealed: false })) {
      if (value.key.scenario !== key.scenario || value.key.trial !== key.trial) {
        const other = `${value.key.scenario}#${value.key.trial}`;
        throw new UsageError('run-file', `the exchange is one of ${other}, not of this trial`, { place });
      }
      this.#keep(value.turn, value.requestHash, value.reply as ChatReply);
    }
  }

  find(turn: number, requestHash: Digest): ChatReply | null {
    return this.#replies.get(turn)?.get(requestHash) ?? null;
  }

  has(turn?: number): boolean {
    return turn === undefined ? this.#replies.size > 0 : this.#replies.has(turn);
  }

  add(exchange: Exchange): void {
    this.#file?.add(JSON.stringify(exchange));
    this.#keep(exchange.turn, exchange.requestHash, exchange.reply);
  }

  #keep(turn: number, requestHash: Digest, reply: ChatReply): void {
    const replies = this.#replies.get(turn) ?? new Map<Digest, ChatReply>();
    this.#replies.set(turn, replies.set(requestHash, reply));
  }
}
