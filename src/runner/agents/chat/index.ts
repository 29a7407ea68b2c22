import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import {
  Budget,
  ChatError,
  type ChatModel,
  costOf,
  Limiter,
  type Price,
  type PriceTable,
  parsePrices,
  priceOf,
  secretsOf,
  withBudget,
  withConcurrency,
  withRetries,
} from '../../../llm/index.ts';
import { chatModelNamed, modelIdentity } from '../../../llm/providers/index.ts';
import { readYaml } from '../../../scenarios/index.ts';
import { Cassettes } from '../../../store/cassettes.ts';
import { readText } from '../../../store/text-files.ts';
import type { Agent } from '../../types.ts';
import { chatAgent } from './agent.ts';
import { assertChatSettings, type ChatSettings, USUAL } from './settings.ts';
import { RunStop } from './stop.ts';

export type { ChatSettings } from './settings.ts';

/**
 * The agent that `chat:SPEC` names: a chat model with tools. What it spends is counted, and what stops it
 * stops all its trials, from the first to the last that one agent is started for.
 * @throws UsageError for settings that do not go together, ChatError without a key that is needed
 */
export async function chatAgentNamed(spec: string, settings: ChatSettings = {}): Promise<Agent> {
  assertChatSettings(settings);
  const { temperature, seed, maxOutputTokens, maxSteps } = { ...USUAL, ...settings };
  const prices = settings.prices === undefined ? null : readPrices(settings.prices);
  const base = await baseModel(spec, settings);
  const price = prices === null ? null : knownPrice(prices, base.name, settings.prices ?? '');
  const model = paced(base, settings, prices);
  const stop = new RunStop();
  const cassettes = cassettesOf(settings);
  const loop = {
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    maxOutputTokens,
    maxSteps,
  };
  return chatAgent(base, loop, {
    modelFor: (record, trial) => stop.watch(cassettes ? cassettes.forTrial(record, trial)(model) : model),
    costOf: (usage) => costOf(usage, price),
    ...(price && { config: { price: { ...price } } }),
  });
}

/** The model itself; one that is only replayed needs neither key nor package. */
async function baseModel(spec: string, settings: ChatSettings): Promise<ChatModel> {
  if (settings.cassetteMode === 'replay') {
    const { name, config } = modelIdentity(spec, settings);
    const missing = new ChatError('not-recorded', `${name} is only replayed, and was asked for a reply`);
    return { name, config: { ...config }, complete: () => Promise.reject(missing) };
  }
  const { baseUrl, protocol, keyVariable, requestTimeoutMs: timeoutMs } = settings;
  return await chatModelNamed(spec, {
    baseUrl,
    protocol,
    keyVariable,
    timeoutMs,
    environment: process.env,
  });
}

/**
 * Retries stand around the slots, so that nobody waits in one, and the budget around both: a request that is
 * refused is not tried again.
 */
function paced(base: ChatModel, settings: ChatSettings, prices: PriceTable | null): ChatModel {
  const { concurrency, attempts = USUAL.attempts, budgetTokens: tokens, budgetCost: cost } = settings;
  const slotted = concurrency === undefined ? base : withConcurrency(base, new Limiter(concurrency));
  const tried = withRetries(slotted, { attempts, sleep });
  if (tokens === undefined && cost === undefined) return tried;
  return withBudget(tried, new Budget({ tokens, cost, ...(prices && { prices }) }));
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

function readPrices(file: string): PriceTable {
  return parsePrices(readYaml(readText(file), file, z.json()).value, file);
}

/** @throws UsageError for a model without a price: its cost would silently be none. */
function knownPrice(prices: PriceTable, model: string, file: string): Price {
  const price = priceOf(prices, [model]);
  if (price) return price;
  throw new UsageError('no-price', `there is no price of ${model}`, {
    place: { file },
    hint: `the file has ${[...prices.keys()].join(', ') || 'none'}; without --prices cost is unknown`,
  });
}
