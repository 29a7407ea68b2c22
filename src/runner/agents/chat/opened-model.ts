import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import {
  Budget,
  ChatError,
  type ChatModel,
  Limiter,
  type PriceTable,
  paced,
  parsePrices,
  secretsOf,
} from '../../../llm/index.ts';
import { chatModelNamed, modelIdentity } from '../../../llm/providers/index.ts';
import { readYaml } from '../../../scenarios/index.ts';
import { Cassettes } from '../../../store/cassettes.ts';
import { readText } from '../../../store/text-files.ts';
import { assertChatSettings, type ChatSettings, USUAL } from './settings.ts';

/** A chat model as a person has set it, and what goes with it. */
export interface OpenedModel {
  /** With retries, slots and the budget of this command. */
  readonly model: ChatModel;
  /** Null without a price file. */
  readonly prices: PriceTable | null;
  /** Null without a folder of recordings. */
  readonly cassettes: Cassettes | null;
}

/**
 * The model that a person names, such as `openai:gpt-4.1-mini`.
 * @throws UsageError for settings that do not go together, ChatError without a key that is needed
 */
export async function openModel(spec: string, settings: ChatSettings): Promise<OpenedModel> {
  assertChatSettings(settings);
  const prices = settings.prices === undefined ? null : readPrices(settings.prices);
  const base = await baseModel(spec, settings);
  return { model: pacedBy(base, settings, prices), prices, cassettes: cassettesOf(settings) };
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

/** What one command may do with the model. */
function pacedBy(base: ChatModel, settings: ChatSettings, prices: PriceTable | null): ChatModel {
  const { concurrency, attempts = USUAL.attempts, budgetTokens: tokens, budgetCost: cost } = settings;
  const isLimited = tokens !== undefined || cost !== undefined;
  return paced(base, {
    attempts,
    sleep,
    ...(concurrency !== undefined && { limiter: new Limiter(concurrency) }),
    ...(isLimited && { budget: new Budget({ tokens, cost, ...(prices && { prices }) }) }),
  });
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
