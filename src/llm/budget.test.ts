import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { Budget, withBudget } from './budget.ts';
import { Limiter } from './concurrency.ts';
import { modelOf, REQUEST, replyOf } from './models.test-kit.ts';
import { paced } from './paced.ts';
import { costOf, parsePrices, priceOf } from './prices.ts';
import { ChatError } from './types.ts';

const PRICES = parsePrices(
  {
    'some-model': { inputPerMillion: 2, outputPerMillion: 10 },
    'anthropic:some-model': { inputPerMillion: 3, outputPerMillion: 15, cachedInputPerMillion: 0.3 },
  },
  'prices.json',
);

describe('prices', () => {
  it('give the cost of a reply, cached tokens apart', () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 900_000 };
    expect(costOf(usage, priceOf(PRICES, ['anthropic:some-model']))).toBeCloseTo(0.3 + 0.27 + 1.5, 10);
    expect(costOf(usage, priceOf(PRICES, ['openai:some-model']))).toBeCloseTo(2 + 1, 10);
  });

  it('are null for a model that nobody priced, and for tokens that nobody counted', () => {
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: null };
    expect(priceOf(PRICES, ['openai:other'])).toBeNull();
    expect(costOf(usage, null)).toBeNull();
    expect(costOf({ ...usage, outputTokens: null }, priceOf(PRICES, ['some-model']))).toBeNull();
    expect(costOf({ ...usage, inputTokens: null }, priceOf(PRICES, ['some-model']))).toBeNull();
  });

  it('are looked up by the first name that has one', () => {
    expect(priceOf(PRICES, ['openai:alias', 'some-model'])?.outputPerMillion).toBe(10);
    expect(priceOf(PRICES, ['anthropic:some-model'])?.outputPerMillion).toBe(15);
  });

  it.each([
    [[], 'prices are an object by model'],
    [{ m: 3 }, 'the price of m is no object'],
    [{ m: { inputPerMillion: 1 } }, 'outputPerMillion of m is no amount'],
    [{ m: { inputPerMillion: -1, outputPerMillion: 1 } }, 'inputPerMillion of m is no amount'],
    [
      { m: { inputPerMillion: 1, outputPerMillion: 1, cachedInputPerMillion: '1' } },
      'cachedInputPerMillion of m is no amount',
    ],
    [{ m: { inputPerMillion: 1, outputPerMillion: 1, perCall: 1 } }, 'the price of m has no member perCall'],
  ])('say what is wrong with them: %j', (value, message) => {
    expect(() => parsePrices(value, 'prices.json')).toThrow(message);
    expect(() => parsePrices(value, 'prices.json')).toThrow(UsageError);
  });
});

describe('a budget', () => {
  it('refuses the request after the reply that used it up, before it is sent', async () => {
    const inner = modelOf(() => replyOf('ok'));
    const model = withBudget(inner, new Budget({ tokens: 40 }));
    for (let turn = 0; turn < 3; turn += 1) await model.complete(REQUEST);
    const error = await model.complete(REQUEST).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      kind: 'budget',
      message: 'the budget of 40 tokens is used up: 45 in 3 replies',
    });
    expect((error as ChatError).isTransient).toBe(false);
    expect(inner.asked).toHaveLength(3);
  });

  it('of cost is counted in the currency of the prices', async () => {
    const inner = modelOf(() => replyOf('ok', { inputTokens: 100_000, outputTokens: 10_000 }));
    const budget = new Budget({ cost: 0.5, prices: PRICES });
    const model = withBudget(inner, budget);
    await model.complete(REQUEST);
    expect(budget.spent.cost).toBeCloseTo(0.3, 10);
    await model.complete(REQUEST);
    await expect(model.complete(REQUEST)).rejects.toMatchObject({ kind: 'budget' });
    expect(inner.asked).toHaveLength(2);
  });

  it('of cost needs a price', () => {
    const other = modelOf(() => replyOf('ok'), 'openai:other');
    expect(() => withBudget(other, new Budget({ cost: 1, prices: PRICES }))).toThrow(
      /price of openai:other/u,
    );
    expect(() => withBudget(other, new Budget({ cost: 1 }))).toThrow(UsageError);
    expect(withBudget(other, new Budget({ tokens: 1 })).name).toBe('openai:other');
  });

  it('goes on from what was spent before', async () => {
    const spent = { replies: 3, tokens: 100, cost: 0, estimated: 0 };
    const model = withBudget(
      modelOf(() => replyOf('ok')),
      new Budget({ tokens: 100 }, spent),
    );
    await expect(model.complete(REQUEST)).rejects.toMatchObject({ kind: 'budget' });
  });

  it('takes an upper bound where tokens were not counted, and says how often', async () => {
    const inner = modelOf(() => replyOf('ok', { inputTokens: null, outputTokens: null }));
    const budget = new Budget({ tokens: 1000 });
    await withBudget(inner, budget).complete(REQUEST);
    expect(budget.spent.estimated).toBe(1);
    expect(budget.spent.tokens).toBeGreaterThan(REQUEST.maxOutputTokens + REQUEST.system.length);
  });

  it('is not charged for what failed', async () => {
    const budget = new Budget({ tokens: 1000 });
    const model = withBudget(
      modelOf(() => {
        throw new ChatError('overloaded', 'no');
      }),
      budget,
    );
    await expect(model.complete(REQUEST)).rejects.toMatchObject({ kind: 'overloaded' });
    expect(budget.spent).toEqual({ replies: 0, tokens: 0, cost: 0, estimated: 0 });
  });

  it('that trials share is exceeded by no more than the replies in flight', async () => {
    const tokensEach = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 8 }),
        tokensEach,
        async (tokens, most, sizes) => {
          const budget = new Budget({ tokens });
          const inner = modelOf(async (request) => {
            for (let turn = 0; turn <= (request.seed ?? 0) % 4; turn += 1) await Promise.resolve();
            return replyOf('ok', { inputTokens: 0, outputTokens: sizes[request.seed ?? 0] ?? 1 });
          });
          const limiter = new Limiter(most);
          const model = paced(inner, { budget, limiter, attempts: 2, sleep: () => Promise.resolve() });
          const ends = await Promise.allSettled(sizes.map((_, seed) => model.complete({ ...REQUEST, seed })));
          const largest = Math.max(...sizes);
          expect(budget.spent.tokens).toBeLessThan(tokens + most * largest);
          const refused = ends.filter(({ status }) => status === 'rejected').length;
          expect(budget.spent.replies).toBe(sizes.length - refused);
          expect(refused > 0 ? budget.spent.tokens >= tokens : true).toBe(true);
          expect(inner.asked).toHaveLength(budget.spent.replies);
        },
      ),
      { numRuns: 60 },
    );
  });
});
