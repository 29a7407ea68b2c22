import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../base/random.ts';
import { clopperPearsonInterval, rateEstimate, wilsonInterval } from './estimate.ts';
import { roundFigure, roundOrNull } from './round.ts';
import type { Observation } from './types.ts';

describe('wilsonInterval', () => {
  it.each([
    [0, 10, 0, 0.277533],
    [7, 10, 0.396778, 0.892209],
    [10, 10, 0.722467, 1],
    [1, 20, 0.008881, 0.236131],
    [72, 100, 0.62512, 0.798603],
    [78, 100, 0.689296, 0.849987],
  ])('%d of %d', (passed, of, low, high) => {
    const interval = wilsonInterval(passed / of, of);
    expect(interval.low).toBeCloseTo(low, 6);
    expect(interval.high).toBeCloseTo(high, 6);
  });
});

describe('clopperPearsonInterval', () => {
  it.each([
    [0, 10, 0, 0.3084971078],
    [7, 10, 0.3475471499, 0.9332604888],
    [1, 20, 0.001265089498, 0.2487327628],
    [10, 10, 0.6915028922, 1],
    [72, 100, 0.6213329953, 0.8052063725],
  ])('%d of %d', (passed, of, low, high) => {
    const interval = clopperPearsonInterval(passed, of);
    expect(interval.low).toBeCloseTo(low, 9);
    expect(interval.high).toBeCloseTo(high, 9);
  });

  it('refuses counts that cannot be', () => {
    expect(() => clopperPearsonInterval(3, 2)).toThrow(RangeError);
  });
});

function tasks(passed: readonly number[], trials: number): Observation[] {
  return passed.flatMap((count, task) =>
    Array.from({ length: trials }, (_, trial) => ({ value: trial < count ? 1 : 0, cluster: `t${task}` })),
  );
}

describe('rateEstimate', () => {
  it('is Wilson with p(1−p)/V trials and t on the degrees of V', () => {
    // V = .06, so 4 effective trials; five equal clusters, t on 4 degrees 2.776445.
    expect(rateEstimate(tasks([4, 4, 4, 0, 0], 4))).toEqual({
      value: 0.6,
      low: 0.131243616718,
      high: 0.937081952509,
      se: 0.244948974278,
      n: 20,
      clusters: 5,
      method: 'Wilson, effective n from CR2, t on Satterthwaite degrees',
    });
  });

  it('takes the number of clusters as the sample size at 0 and 1', () => {
    const none = rateEstimate(tasks([0, 0, 0, 0, 0], 4));
    expect(none).toMatchObject({ value: 0, low: 0, high: 0.606567100817, se: null, clusters: 5 });
    const all = rateEstimate(tasks([4, 4, 4, 4, 4], 4));
    expect(all).toMatchObject({
      value: 1,
      low: 0.393432899183,
      high: 1,
      se: null,
      reason: expect.stringMatching(/agree/),
    });
  });

  it('does not believe clusters that agree by luck beyond the number of trials', () => {
    const lucky = rateEstimate(tasks([2, 2, 2, 2, 2], 4));
    const { low, high } = wilsonInterval(0.5, 20, { quantile: 2.776445105198 });
    expect(lucky).toMatchObject({ value: 0.5, low: roundFigure(low), high: roundFigure(high), se: null });
  });

  it('has no interval for one cluster and no value for none', () => {
    expect(rateEstimate(tasks([3], 4))).toMatchObject({ value: 0.75, low: null, high: null, se: null });
    expect(rateEstimate([])).toEqual({ value: null, reason: 'no observations' });
  });

  it('stays in [0, 1] whatever the cluster sizes', () => {
    const lopsided = [...tasks([30], 60), { value: 1, cluster: 'other' }];
    const estimate = rateEstimate(lopsided);
    if (estimate.value === null) throw new Error('expected a value');
    expect(estimate.low).toBeGreaterThanOrEqual(0);
    expect(estimate.high).toBeLessThanOrEqual(1);
  });

  it('covers the true rate about as often as it says, where plain Wilson does not', () => {
    const random = SeededRandom.from('coverage');
    const covered = { ours: 0, plain: 0 };
    const runs = 400;
    for (let run = 0; run < runs; run += 1) {
      // 12 tasks whose rates are 0, ½ or 1 with equal chance, 8 trials each: the true rate is ½.
      const passed = Array.from({ length: 12 }, () => {
        const rate = random.integer(0, 2) / 2;
        return Array.from({ length: 8 }, () => random.chance(rate)).filter(Boolean).length;
      });
      const estimate = rateEstimate(tasks(passed, 8));
      const rate = passed.reduce((sum, count) => sum + count, 0) / 96;
      const plain = wilsonInterval(rate, 96);
      if (estimate.value !== null && (estimate.low ?? 0) <= 0.5 && (estimate.high ?? 1) >= 0.5)
        covered.ours += 1;
      if (plain.low <= 0.5 && plain.high >= 0.5) covered.plain += 1;
    }
    expect(covered.ours / runs).toBeGreaterThan(0.93);
    expect(covered.plain / runs).toBeLessThan(0.75);
  });
});

describe('roundFigure', () => {
  it('keeps 12 significant digits and one zero', () => {
    expect(roundFigure(1 / 3)).toBe(0.333333333333);
    expect(roundFigure(123456789.123456)).toBe(123456789.123);
    expect(Object.is(roundFigure(-0), 0)).toBe(true);
    expect(roundOrNull(null)).toBeNull();
    expect(() => roundFigure(Number.NaN)).toThrow(RangeError);
  });
});
