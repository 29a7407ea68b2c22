import { canonicalJson } from '../base/canonical.ts';
import { type Digest, digestText } from '../base/digest.ts';
import type { Json } from '../base/json.ts';
import type { Redaction } from './redaction.ts';
import { ChatError, type ChatMessage, type ChatModel, type ChatReply, type ChatRequest } from './types.ts';

/**
 * `record` asks the model every time, `replay` never does, `auto` asks for what is not recorded yet: a run
 * that was stopped goes on where it stopped.
 */
export const CASSETTE_MODES = ['record', 'replay', 'auto'] as const;
export type CassetteMode = (typeof CASSETTE_MODES)[number];

/** The trial that a cassette belongs to. `trial` counts from 0. */
export interface CassetteKey {
  readonly scenario: string;
  readonly trial: number;
}

/** A request as it is kept: whole, or what came after the one before it, named by its hash. */
export type KeptRequest =
  | (ChatRequest & { readonly model: string })
  | { readonly after: Digest; readonly messages: readonly ChatMessage[] };

/** One request and its reply, without secrets. */
export interface Exchange {
  readonly key: CassetteKey;
  /** Counts from 0 within the trial. */
  readonly turn: number;
  readonly requestHash: Digest;
  readonly request: KeptRequest;
  readonly reply: ChatReply;
}

/** Where the exchanges of one trial are kept. */
export interface Tape {
  /** The newest reply to that request at that turn; null when there is none. */
  find(turn: number, requestHash: Digest): ChatReply | null;
  /** True when anything is recorded at that turn; without a turn, anything at all. */
  has(turn?: number): boolean;
  add(exchange: Exchange): void;
}

export interface CassetteOptions {
  readonly mode: CassetteMode;
  readonly key: CassetteKey;
  readonly tape: Tape;
  readonly redaction: Redaction;
  /** The turn of the first request, where a trial is taken up in its middle; 0 when left out. */
  readonly firstTurn?: number;
}

/**
 * A model whose exchanges are kept on a tape, and come from it again. Replies are handed on as they are
 * kept, without secrets, so that a replay takes the same way as the run that was recorded.
 * `complete` throws ChatError of kind `not-recorded` where a replay misses an exchange.
 */
export function withCassette(model: ChatModel, options: CassetteOptions): ChatModel {
  const { mode, key, tape, redaction } = options;
  const requests = new KeptRequests(model.name, redaction);
  let next = options.firstTurn ?? 0;
  return {
    name: model.name,
    config: model.config,
    async complete(request, given) {
      const turn = next;
      const asked = requests.of(request);
      const recorded = mode === 'record' ? null : tape.find(turn, asked.hash);
      if (!recorded && mode === 'replay') throw notRecorded(options, turn);
      next = turn + 1;
      if (recorded) {
        requests.keep(asked);
        return recorded;
      }
      try {
        const reply = redaction.json(await model.complete(request, given));
        tape.add({ key, turn, requestHash: asked.hash, request: requests.shortened(asked), reply });
        requests.keep(asked);
        return reply;
      } catch (error) {
        // The turn was not taken: whoever asks again asks at the same one.
        if (next === turn + 1) next = turn;
        throw error;
      }
    },
  };
}

function notRecorded({ key, tape }: CassetteOptions, turn: number): ChatError {
  const why = tape.has(turn)
    ? 'that turn was asked something else: the model, its settings, the prompt or the history differ'
    : tape.has()
      ? 'the cassette ends before it'
      : 'there is no cassette of that trial';
  return new ChatError(
    'not-recorded',
    `turn ${turn} of ${key.scenario}#${key.trial} is not recorded: ${why}`,
    {
      hint: 'the mode `auto` asks the model for what is missing',
    },
  );
}

/** A request without secrets, in parts that are each turned into text once. */
interface AskedRequest {
  readonly hash: Digest;
  readonly head: string;
  readonly messages: readonly string[];
  readonly request: ChatRequest;
}

/** Requests of one conversation, each of which mostly repeats the one before. */
class KeptRequests {
  readonly #model: string;
  readonly #redaction: Redaction;
  readonly #texts = new WeakMap<object, string>();
  #last: AskedRequest | null = null;

  constructor(model: string, redaction: Redaction) {
    this.#model = model;
    this.#redaction = redaction;
  }

  of(request: ChatRequest): AskedRequest {
    const { messages, tools, ...rest } = request;
    const head = `${this.#text({ model: this.#model, ...rest })}\n${this.#textOnce(tools)}`;
    const texts = messages.map((message) => this.#textOnce(message));
    return { hash: digestText([head, ...texts].join('\n')), head, messages: texts, request };
  }

  keep(asked: AskedRequest): void {
    this.#last = asked;
  }

  shortened({ head, messages, request }: AskedRequest): KeptRequest {
    const last = this.#last;
    const isContinued =
      last !== null &&
      last.head === head &&
      last.messages.length <= messages.length &&
      last.messages.every((text, index) => text === messages[index]);
    return isContinued
      ? { after: last.hash, messages: this.#redaction.json(request.messages.slice(last.messages.length)) }
      : this.#redaction.json({ model: this.#model, ...request });
  }

  /** Messages and tools are plain data that nobody changes. */
  #textOnce(value: object): string {
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    const text = this.#text(value);
    this.#texts.set(value, text);
    return text;
  }

  #text(value: object): string {
    return canonicalJson(this.#redaction.json(value as Json));
  }
}
