import { UsageError } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import type { ChatUsage } from './types.ts';

/** What a model costs, in one currency for a million tokens each. */
export interface Price {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Input tokens that the provider had cached; the price of the others when left out. */
  readonly cachedInputPerMillion?: number;
}

/** Prices by model: `gpt-4.1-mini`, or `openai:gpt-4.1-mini` where protocols differ. */
export type PriceTable = ReadonlyMap<string, Price>;

/** The price of a model by any of its names, the first that the table knows; null for an unknown model. */
export function priceOf(prices: PriceTable, names: readonly string[]): Price | null {
  for (const name of names.flatMap(spellings)) {
    const price = prices.get(name);
    if (price) return price;
  }
  return null;
}

/** With its protocol, and without. */
function spellings(name: string): string[] {
  const bare = name.replace(/^(?:openai|anthropic):/u, '');
  return bare === name ? [name] : [name, bare];
}

/** Cost of a reply in the currency of the price; null without a price, or where tokens were not counted. */
export function costOf(usage: ChatUsage, price: Price | null): number | null {
  const { inputTokens, outputTokens, cachedInputTokens } = usage;
  if (price === null || inputTokens === null || outputTokens === null) return null;
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion = inputPerMillion } = price;
  const cached = Math.min(cachedInputTokens ?? 0, inputTokens);
  const parts = [
    (inputTokens - cached) * inputPerMillion,
    cached * cachedInputPerMillion,
    outputTokens * outputPerMillion,
  ];
  return parts.reduce((sum, part) => sum + part, 0) / 1_000_000;
}

const MEMBERS = ['inputPerMillion', 'outputPerMillion', 'cachedInputPerMillion'] as const;

/**
 * A price table as a file has it: `{MODEL: {inputPerMillion, outputPerMillion, cachedInputPerMillion?}}`.
 * @throws UsageError that names the model and member which are wrong; `file` is where they stand.
 */
export function parsePrices(value: Json, file: string): PriceTable {
  if (!isJsonObject(value)) throw badPrice(file, 'prices are an object by model');
  return new Map(Object.entries(value).map(([model, price]) => [model, parsePrice(model, price, file)]));
}

function parsePrice(model: string, value: Json | undefined, file: string): Price {
  if (!isJsonObject(value)) throw badPrice(file, `the price of ${model} is no object`);
  const unknown = Object.keys(value).find((member) => !MEMBERS.some((known) => known === member));
  if (unknown !== undefined) throw badPrice(file, `the price of ${model} has no member ${unknown}`);
  const amount = (member: (typeof MEMBERS)[number]): number => {
    const given = value[member];
    if (typeof given === 'number' && given >= 0 && Number.isFinite(given)) return given;
    throw badPrice(file, `${member} of ${model} is no amount`);
  };
  return {
    inputPerMillion: amount('inputPerMillion'),
    outputPerMillion: amount('outputPerMillion'),
    ...(value.cachedInputPerMillion !== undefined && {
      cachedInputPerMillion: amount('cachedInputPerMillion'),
    }),
  };
}

function badPrice(file: string, message: string): UsageError {
  return new UsageError('bad-prices', message, {
    place: { file },
    hint: 'such as {"gpt-4.1-mini": {"inputPerMillion": 0.4, "outputPerMillion": 1.6}}',
  });
}
