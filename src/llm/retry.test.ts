import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelOf, REQUEST, replyOf } from './models.test-kit.ts';
import { growingWait, withRetries } from './retry.ts';
import { ChatError, type ChatErrorKind } from './types.ts';

const failing = (kind: ChatErrorKind, retryAfterMs: number | null = null) =>
  new ChatError(kind, `it is ${kind}`, { retryAfterMs });

/** A model that fails with these errors first, and the waits between its tries. */
function retried(errors: readonly Error[], attempts: number) {
  const waits: number[] = [];
  const inner = modelOf((_, index) => {
    const error = errors[index];
    if (error) throw error;
    return replyOf(`try ${index}`);
  });
  const sleep = async (ms: number, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted();
    waits.push(ms);
  };
  return { waits, inner, model: withRetries(inner, { attempts, sleep }) };
}

describe('a model with retries', () => {
  it('is asked again after what may pass, and the reply is the first that came', async () => {
    const { model, waits } = retried([failing('overloaded'), failing('cut-off'), failing('timeout')], 4);
    expect((await model.complete(REQUEST)).text).toBe('try 3');
    expect(waits).toHaveLength(3);
  });

  it.each([
    ...['no-key', 'unauthorised', 'no-credit', 'unknown-model', 'bad-url'],
    ...['bad-request', 'bad-answer', 'budget', 'not-recorded'],
  ] as ChatErrorKind[])('is asked once where somebody must mend it: %s', async (kind) => {
    const error = failing(kind);
    const { model, inner, waits } = retried([error], 4);
    await expect(model.complete(REQUEST)).rejects.toBe(error);
    expect([inner.asked.length, waits]).toEqual([1, []]);
  });

  it('throws what is no ChatError as it is', async () => {
    const reason = new Error('the trial is over');
    const { model, inner } = retried([reason], 4);
    await expect(model.complete(REQUEST)).rejects.toBe(reason);
    expect(inner.asked).toHaveLength(1);
  });

  it('gives up after its attempts and says so', async () => {
    const { model, inner } = retried(
      Array.from({ length: 9 }, () => failing('overloaded')),
      3,
    );
    await expect(model.complete(REQUEST)).rejects.toMatchObject({
      kind: 'overloaded',
      message: 'it is overloaded (given up after 3 attempts)',
      hint: expect.stringContaining('goes on where this one stopped'),
    });
    expect(inner.asked).toHaveLength(3);
  });

  it('waits as long as it is asked to, unless that is too long', async () => {
    const soon = retried([failing('rate-limited', 1500)], 3);
    await soon.model.complete(REQUEST);
    expect(soon.waits).toEqual([1500]);
    const late = retried([failing('rate-limited', 3_600_000)], 3);
    await expect(late.model.complete(REQUEST)).rejects.toMatchObject({
      kind: 'rate-limited',
      retryAfterMs: 3_600_000,
      message: 'it is rate-limited (given up after 1 attempt; it asks for a wait of 3600 s)',
    });
    expect(late.waits).toEqual([]);
  });

  it('stops waiting when the caller does', async () => {
    const { model, inner } = retried([failing('overloaded')], 3);
    const reason = new Error('over');
    await expect(model.complete(REQUEST, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(inner.asked).toHaveLength(1);
  });

  it('keeps the name and what fixes its answers', () => {
    const { model, inner } = retried([], 1);
    expect([model.name, model.config]).toEqual([inner.name, inner.config]);
    expect(() => retried([], 0)).toThrow(RangeError);
  });
});

describe('growing waits', () => {
  it('double, are shortened by up to half, and never exceed the most', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1, max: 100_000 }),
        fc.string(),
        (firstMs, mostMs, seed) => {
          const wait = growingWait({ firstMs, mostMs, seed });
          for (let attempt = 1; attempt <= 12; attempt += 1) {
            const longest = Math.min(firstMs * 2 ** (attempt - 1), mostMs);
            const ms = wait(attempt, failing('overloaded')) ?? Number.NaN;
            expect(ms).toBeGreaterThanOrEqual(Math.floor(longest / 2));
            expect(ms).toBeLessThanOrEqual(longest);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are the same for one seed and differ for another', () => {
    const waits = (seed: string) => {
      const wait = growingWait({ seed });
      return [1, 2, 3, 4].map((attempt) => wait(attempt, failing('timeout')));
    };
    expect(waits('a')).toEqual(waits('a'));
    expect(waits('a')).not.toEqual(waits('b'));
  });
});
