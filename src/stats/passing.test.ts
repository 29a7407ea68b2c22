import { describe, expect, it } from 'vitest';
import { passAtK, passHatK, plugInPassHatK } from './passing.ts';
import { nearestRank, observationsNeeded, quantileFigure } from './quantile.ts';

describe('pass@k and pass^k', () => {
  it.each([
    [5, 2, [2 / 5, 7 / 10, 9 / 10, 1], [2 / 5, 1 / 10, 0, 0], 0.16],
    [8, 4, [1 / 2, 11 / 14, 13 / 14, 69 / 70], [1 / 2, 3 / 14, 1 / 14, 1 / 70], 0.25],
    [8, 6, [3 / 4, 27 / 28, 1, 1], [3 / 4, 15 / 28, 5 / 14, 3 / 14], 0.5625],
    [10, 1, [1 / 10, 1 / 5, 3 / 10, 2 / 5], [1 / 10, 0, 0, 0], 0.01],
  ])('%d trials, %d successes', (n, c, passAt, passHat, plugIn) => {
    for (const [index, wanted] of passAt.entries())
      expect(passAtK({ n, c }, index + 1)).toBeCloseTo(wanted, 12);
    for (const [index, wanted] of passHat.entries())
      expect(passHatK({ n, c }, index + 1)).toBeCloseTo(wanted, 12);
    expect(plugInPassHatK({ n, c }, 2)).toBeCloseTo(plugIn, 12);
  });

  it('are undefined with fewer than k trials', () => {
    expect(passAtK({ n: 3, c: 3 }, 4)).toBeNull();
    expect(passHatK({ n: 3, c: 3 }, 4)).toBeNull();
    expect(plugInPassHatK({ n: 0, c: 0 }, 1)).toBeNull();
  });

  it('refuse counts that cannot be', () => {
    expect(() => passAtK({ n: 3, c: 4 }, 1)).toThrow(RangeError);
    expect(() => passHatK({ n: 3, c: 1 }, 0)).toThrow(RangeError);
  });

  it('reproduce the published four-trial figures from the counts of successes', () => {
    // 50 tasks of 4 trials: 14 with none, 12 with one, 10 with two, 4 with three, 10 with all.
    const counts = [14, 12, 10, 4, 10].flatMap((tasks, c) =>
      Array.from({ length: tasks }, () => ({ n: 4, c })),
    );
    const average = (of: (count: { n: number; c: number }) => number | null): number =>
      counts.reduce((sum, count) => sum + (of(count) ?? Number.NaN), 0) / counts.length;
    for (const [k, hat, at] of [
      [1, 0.42, 0.42],
      [2, 0.273333, 0.566667],
      [3, 0.22, 0.66],
      [4, 0.2, 0.72],
    ] as const) {
      expect(average((count) => passHatK(count, k))).toBeCloseTo(hat, 6);
      expect(average((count) => passAtK(count, k))).toBeCloseTo(at, 6);
    }
    expect(average((count) => plugInPassHatK(count, 4))).toBeCloseTo(0.23875, 6);
  });

  it('tasks that differ pass all of k more often than their mean rate says', () => {
    const rates = [1, 1, 0.5, 0];
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, one) => sum + one, 0) / values.length;
    expect(mean(rates.map((rate) => rate ** 4))).toBeCloseTo(0.515625, 12);
    expect(mean(rates) ** 4).toBeCloseTo(0.152588, 6);
    // The unbiased estimator of many trials comes near the first, never the second.
    const counts = rates.map((rate) => ({ n: 1_000, c: rate * 1_000 }));
    expect(mean(counts.map((count) => passHatK(count, 4) ?? 0))).toBeCloseTo(0.515625, 3);
  });
});

describe('quantiles', () => {
  it('take the nearest rank', () => {
    expect(nearestRank([3, 1, 2, 4], 0.5)).toBe(2);
    expect(nearestRank([3, 1, 2], 0.5)).toBe(2);
    expect(nearestRank([7], 0.99)).toBe(7);
    expect(nearestRank([], 0.5)).toBeNull();
    // 0.07 × 100 is 7.000000000000001 in binary: the rank is 7 all the same.
    expect(
      nearestRank(
        Array.from({ length: 100 }, (_, index) => index + 1),
        0.07,
      ),
    ).toBe(7);
  });

  it('call a p99 of few observations what it is', () => {
    expect(observationsNeeded(0.99)).toBe(299);
    const few = Array.from({ length: 298 }, (_, index) => index);
    expect(quantileFigure(few, 0.99)).toEqual({ value: 297, n: 298, method: 'max of 298' });
    expect(quantileFigure([...few, 298], 0.99)).toEqual({ value: 296, n: 299, method: 'nearest rank' });
    expect(quantileFigure([5, 1], 0.5)).toEqual({ value: 1, n: 2, method: 'nearest rank' });
    expect(quantileFigure([], 0.5, 'no trial succeeded')).toEqual({
      value: null,
      reason: 'no trial succeeded',
    });
  });
});
