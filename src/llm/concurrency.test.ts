import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Limiter, withConcurrency } from './concurrency.ts';
import { modelOf, REQUEST, replyOf } from './models.test-kit.ts';

/** Tasks that end when they are told to. */
function heldModel() {
  const held: (() => void)[] = [];
  const model = modelOf(
    (_, index) =>
      new Promise((resolve, reject) => {
        held.push(() => (index % 3 === 2 ? reject(new Error(`no ${index}`)) : resolve(replyOf(`${index}`))));
      }),
  );
  return { held, model };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('models that share slots', () => {
  it('never run more at once than there are, and all in the order in which they came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 20 }),
        fc.infiniteStream(fc.nat()),
        async (most, count, draws) => {
          const { held, model } = heldModel();
          const limiter = new Limiter(most);
          const limited = withConcurrency(model, limiter);
          const order: number[] = [];
          const all = Array.from({ length: count }, (_, index) =>
            limited.complete({ ...REQUEST, seed: index }).catch(() => null),
          );
          for (let ended = 0; ended < count; ended += 1) {
            await settled();
            expect(limiter.running).toBe(Math.min(most, count - ended));
            expect(limiter.waiting).toBe(Math.max(0, count - ended - most));
            const [end] = held.splice((draws.next().value ?? 0) % held.length, 1);
            end?.();
          }
          await Promise.all(all);
          order.push(...model.asked.map(({ seed }) => seed ?? -1));
          expect(order).toEqual(order.map((_, index) => index));
          expect([limiter.running, limiter.waiting, order.length]).toEqual([0, 0, count]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('give up their place in the queue when the caller does, and lose no slot', async () => {
    const { held, model } = heldModel();
    const limiter = new Limiter(1);
    const limited = withConcurrency(model, limiter);
    const first = limited.complete(REQUEST);
    const controller = new AbortController();
    const second = limited.complete(REQUEST, { signal: controller.signal });
    const third = limited.complete(REQUEST);
    const reason = new Error('over');
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    held[0]?.();
    await first;
    await settled();
    held[1]?.();
    expect((await third).text).toBe('1');
    await expect(limited.complete(REQUEST, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect([limiter.running, limiter.waiting, model.asked.length]).toEqual([0, 0, 2]);
  });

  it('lose nobody who waits when a caller ends what runs already', async () => {
    const { held, model } = heldModel();
    const limiter = new Limiter(1);
    const limited = withConcurrency(model, limiter);
    const first = limited.complete(REQUEST);
    const controller = new AbortController();
    const second = limited.complete(REQUEST, { signal: controller.signal });
    const third = limited.complete(REQUEST).catch((error: Error) => error.message);
    await settled();
    held[0]?.();
    await first;
    await settled();
    controller.abort(new Error('over'));
    expect([limiter.running, limiter.waiting]).toEqual([1, 1]);
    held[1]?.();
    await second;
    await settled();
    held[2]?.();
    expect(await third).toBe('no 2');
  });

  it('need at least one slot', () => {
    for (const most of [0, -1, 1.5, Number.NaN]) expect(() => new Limiter(most)).toThrow(RangeError);
  });
});
