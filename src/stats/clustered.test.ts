import { describe, expect, it } from 'vitest';
import {
  bernoulliStandardError,
  cltStandardError,
  clusteredStandardError,
  clusterSizes,
  effectiveClusters,
  mean,
} from './clustered.ts';
import { meanEstimate } from './estimate.ts';
import { type Pair, pairedDifference, unpairedStandardError } from './paired.ts';
import { ratioEstimate } from './ratio.ts';
import type { Observation } from './types.ts';

function observed(clusters: readonly (readonly number[])[]): Observation[] {
  return clusters.flatMap((values, cluster) => values.map((value) => ({ value, cluster: `c${cluster}` })));
}

const ones = (passed: number, of: number): number[] =>
  Array.from({ length: of }, (_, index) => (index < passed ? 1 : 0));

const UNEQUAL = observed([
  [1, 1, 1, 0],
  [0, 0, 0, 1],
  [1, 1],
]);
const EQUAL = observed([1, 1, 1, 0, 0].map((value) => [value, value, value, value]));

describe('standard errors', () => {
  it.each([
    [7, 10, 0.144914, 0.152753],
    [72, 100, 0.0449, 0.045126],
    [78, 100, 0.041425, 0.041633],
  ])('%d of %d: Bernoulli and CLT', (passed, of, bernoulli, clt) => {
    expect(bernoulliStandardError(passed / of, of)).toBeCloseTo(bernoulli, 6);
    expect(cltStandardError(ones(passed, of))).toBeCloseTo(clt, 6);
  });

  it.each([
    ['unequal clusters', UNEQUAL, { naive: 0.163299, CR0: 0.172047, Miller: 0.179629, CR1: 0.210713 }],
    ['equal clusters', EQUAL, { naive: 0.11239, CR0: 0.219089, Miller: undefined, CR1: 0.244949 }],
  ] as const)('%s', (_, observations, wanted) => {
    expect(cltStandardError(observations.map(({ value }) => value))).toBeCloseTo(wanted.naive, 6);
    expect(clusteredStandardError(observations, 'CR0')).toBeCloseTo(wanted.CR0, 6);
    expect(clusteredStandardError(observations, 'CR1')).toBeCloseTo(wanted.CR1, 6);
    if (wanted.Miller) expect(clusteredStandardError(observations, 'Miller')).toBeCloseTo(wanted.Miller, 6);
  });

  it('CR1 with equal clusters is the CLT error of the cluster means, exactly', () => {
    expect(clusteredStandardError(EQUAL)).toBeCloseTo(cltStandardError([1, 1, 1, 0, 0]) ?? 0, 14);
  });

  it('are undefined, not 0, where nothing can be estimated', () => {
    expect(mean([])).toBeNull();
    expect(cltStandardError([1])).toBeNull();
    expect(bernoulliStandardError(0.5, 0)).toBeNull();
    expect(clusteredStandardError(observed([[1, 0, 1]]))).toBeNull();
    expect(clusteredStandardError([])).toBeNull();
    expect(unpairedStandardError([1], [1, 0])).toBeNull();
  });

  it('counts clusters by size', () => {
    expect(clusterSizes(UNEQUAL)).toEqual([4, 4, 2]);
    expect(effectiveClusters([4, 4, 2])).toBeCloseTo(100 / 36, 12);
    expect(effectiveClusters([])).toBe(0);
  });
});

describe('meanEstimate', () => {
  it('uses CR2 and t on its degrees: with equal clusters CR1 and C − 1', () => {
    expect(meanEstimate(EQUAL)).toEqual({
      value: 0.6,
      low: -0.0800873806583,
      high: 1.28008738066,
      se: 0.244948974278,
      n: 20,
      clusters: 5,
      method: 'mean, CR2, t on Satterthwaite degrees',
    });
    expect(meanEstimate(EQUAL, { range: { low: 0, high: 1 } })).toMatchObject({ low: 0, high: 1 });
  });

  it('never prints plus-minus 0', () => {
    expect(meanEstimate(observed([[1], [1], [1]]))).toMatchObject({
      value: 1,
      low: null,
      high: null,
      se: null,
    });
    expect(meanEstimate(observed([[1, 0]]))).toMatchObject({
      value: 0.5,
      se: null,
      reason: expect.stringMatching(/one cluster/),
    });
    expect(meanEstimate([])).toEqual({ value: null, reason: 'no observations' });
  });
});

describe('pairedDifference', () => {
  const paired = (first: readonly number[], second: readonly number[]): Pair[] =>
    first.map((value, index) => ({ first: value, second: second[index] ?? 0, cluster: `item ${index}` }));

  it('lets cancel what the arms share', () => {
    const [first, second] = [ones(7, 10), ones(5, 10)];
    expect(pairedDifference(paired(first, second))).toMatchObject({ value: 0.2, se: 0.133333333333, n: 10 });
    expect(unpairedStandardError(first, second)).toBeCloseTo(0.226078, 6);
  });

  it('72 % against 78 % of 100 unpaired items is no result', () => {
    const bernoulli = Math.hypot(
      bernoulliStandardError(0.72, 100) ?? 0,
      bernoulliStandardError(0.78, 100) ?? 0,
    );
    expect(bernoulli).toBeCloseTo(0.06109, 6);
    expect(0.06 / bernoulli).toBeCloseTo(0.982, 3);
  });

  it('clusters the differences', () => {
    const pairs = [1, 1, 1, 0, 0].flatMap((value, cluster) =>
      Array.from({ length: 4 }, () => ({ first: value, second: 0, cluster: `c${cluster}` })),
    );
    expect(pairedDifference(pairs)).toMatchObject({ value: 0.6, se: 0.244948974278, n: 20, clusters: 5 });
    expect(pairedDifference([])).toEqual({ value: null, reason: 'no pairs' });
  });
});

describe('ratioEstimate', () => {
  it('is the ratio of the sums, with the error of the linearised residuals', () => {
    // R = 6/3 = 2; x̄ = 1; residuals y − 2x: 0, −1, 1 → CR1 variance (0+1+1)/9 · 3/2 = 1/3.
    const terms = [
      { numerator: 2, denominator: 1, cluster: 'a' },
      { numerator: 1, denominator: 1, cluster: 'b' },
      { numerator: 3, denominator: 1, cluster: 'c' },
    ];
    expect(ratioEstimate(terms)).toMatchObject({ value: 2, se: 0.57735026919, n: 3, clusters: 3 });
  });

  it('is undefined when the denominator is 0', () => {
    const terms = [{ numerator: 2, denominator: 0, cluster: 'a' }];
    expect(ratioEstimate(terms)).toEqual({ value: null, reason: 'the denominator is 0' });
  });
});
