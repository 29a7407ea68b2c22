import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import {
  Budget,
  ChatError,
  type ChatModel,
  costOf,
  Limiter,
  type PriceTable,
  parsePrices,
  priceOf,
  secretsOf,
  withBudget,
  withConcurrency,
  withRetries,
} from '../../llm/index.ts';
import { chatModelNamed, modelIdentity } from '../../llm/providers/index.ts';
import { readYaml } from '../../scenarios/index.ts';
import { MOST_EXAMPLES } from '../../scoring/index.ts';
import { Cassettes } from '../../store/cassettes.ts';
import { readText } from '../../store/text-files.ts';
import { assertChatSettings, type ChatSettings } from '../agents/chat/settings.ts';
import { RunStop } from '../agents/chat/stop.ts';
import { Judge } from './judge.ts';
import type { SealedGuard } from './sealed-guard.ts';
import { VerdictCache } from './verdict-cache.ts';

export interface NamedJudgeOptions {
  /** As for a model agent; steps and temperature of an agent left aside, 0 is the usual temperature. */
  readonly chat: ChatSettings;
  /** JSONL of verdicts that were given before. */
  readonly cache: string | null;
  readonly fewShot: number;
  readonly guard: SealedGuard;
}

/** What a judge has in a folder of cassettes: one file, as its questions hang on no trial. */
const CASSETTE = 'judge';
const USUAL = { attempts: 5, concurrency: 4 } as const;
const PREFIX = 'chat:';

/**
 * The judge that `chat:SPEC` names.
 * @throws UsageError for settings that are none, ChatError without a key that is needed
 */
export async function judgeNamed(spec: string, options: NamedJudgeOptions): Promise<Judge> {
  const { chat, cache, fewShot, guard } = options;
  assertChatSettings(chat);
  if (!spec.startsWith(PREFIX)) {
    throw new UsageError('unknown-judge', `${JSON.stringify(spec)} is no judge`, {
      hint: 'a judge is a chat model, such as chat:openai:gpt-4.1-mini',
    });
  }
  if (fewShot > MOST_EXAMPLES) {
    throw new UsageError('bad-option', `there are ${MOST_EXAMPLES} worked examples, not ${fewShot}`);
  }
  const prices: PriceTable =
    chat.prices === undefined
      ? new Map()
      : parsePrices(readYaml(readText(chat.prices), chat.prices, z.json()).value, chat.prices);
  const base = guard.watch(await modelOf(spec.slice(PREFIX.length), chat));
  // An outage ends the questions that wait, too.
  const model = new RunStop().watch(paced(base, chat, prices));
  const cassette = cassettesOf(chat)?.forTrial(CASSETTE, 0);
  const { temperature, seed, maxOutputTokens } = chat;
  return new Judge({
    model,
    settings: {
      fewShot,
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && { seed }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    },
    cache: new VerdictCache(cache),
    // Each question is a conversation of its own, which begins with turn 0.
    ...(cassette && { modelFor: () => cassette(model) }),
    costOf: (usage, answeredBy) => costOf(usage, priceOf(prices, [base.name, answeredBy])),
  });
}

/** The model itself; one that is only replayed needs neither key nor package. */
async function modelOf(spec: string, chat: ChatSettings): Promise<ChatModel> {
  if (chat.cassetteMode === 'replay') {
    const { name, config } = modelIdentity(spec, chat);
    const missing = new ChatError('not-recorded', `${name} is only replayed, and was asked for a reply`);
    return { name, config: { ...config }, complete: () => Promise.reject(missing) };
  }
  const { baseUrl, protocol, keyVariable, requestTimeoutMs: timeoutMs } = chat;
  return await chatModelNamed(spec, { baseUrl, protocol, keyVariable, timeoutMs, environment: process.env });
}

/**
 * All questions are put at once and wait for a slot, so the budget is looked at within it: looked at before,
 * it would let all of them pass.
 */
function paced(base: ChatModel, chat: ChatSettings, prices: PriceTable): ChatModel {
  const { budgetTokens: tokens, budgetCost: cost, attempts = USUAL.attempts } = chat;
  const within =
    tokens === undefined && cost === undefined
      ? base
      : withBudget(base, new Budget({ tokens, cost, prices }));
  const slots = new Limiter(chat.concurrency ?? USUAL.concurrency);
  return withRetries(withConcurrency(within, slots), { attempts, sleep });
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(ms, undefined, { ...(signal && { signal }) });
  } catch (error) {
    throw signal?.reason ?? error;
  }
}

function cassettesOf({ cassettes, cassetteMode, keyVariable }: ChatSettings): Cassettes | null {
  if (cassettes === undefined) return null;
  const secrets = secretsOf(process.env, keyVariable === undefined ? [] : [keyVariable]);
  return new Cassettes(cassettes, cassetteMode ?? 'auto', { secrets });
}
