import { UsageError } from '../../../base/errors.ts';
import { costOf, type Price, type PriceTable, priceOf } from '../../../llm/index.ts';
import type { Agent } from '../../types.ts';
import { chatAgent } from './agent.ts';
import { openModel } from './opened-model.ts';
import { type ChatSettings, USUAL } from './settings.ts';
import { RunStop } from './stop.ts';

export type { ChatSettings } from './settings.ts';

/**
 * The agent that `chat:SPEC` names: a chat model with tools. What it spends is counted, and what stops it
 * stops all its trials, from the first to the last that one agent is started for.
 * @throws UsageError for settings that do not go together, ChatError without a key that is needed
 */
export async function chatAgentNamed(spec: string, settings: ChatSettings = {}): Promise<Agent> {
  const { temperature, seed, maxOutputTokens, maxSteps } = { ...USUAL, ...settings };
  const { model, prices, cassettes } = await openModel(spec, settings);
  const price = prices === null ? null : knownPrice(prices, model.name, settings.prices ?? '');
  const stop = new RunStop();
  const loop = {
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    maxOutputTokens,
    maxSteps,
  };
  return chatAgent(model, loop, {
    modelFor: (record, trial) => stop.watch(cassettes ? cassettes.forTrial(record, trial)(model) : model),
    costOf: (usage) => costOf(usage, price),
    ...(price && { config: { price: { ...price } } }),
  });
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
