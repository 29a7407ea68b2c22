import { describe, expect, it } from 'vitest';
import { bcaLevels } from './bca.ts';
import { bootstrapRatio, clusterBootstrap, ratioOfSums, type Share } from './bootstrap.ts';

const share = (numerator: number, denominator: number): Share => ({ numerator, denominator });

describe('ratioOfSums', () => {
  it.each([
    [[share(1, 2), share(3, 4)], 4 / 6],
    [[share(0, 5)], 0],
    [[share(0, 0)], null],
    [[], null],
  ])('%j is %d', (shares, value) => {
    expect(ratioOfSums(shares)).toBe(value);
  });
});

describe('clusterBootstrap', () => {
  const clusters = Array.from({ length: 40 }, (_, index) => share(index % 4 === 0 ? 0 : 5, 5));

  it('has the plain value, and near enough the error that theory gives for equal clusters', () => {
    const estimate = clusterBootstrap(clusters, ratioOfSums, { seed: 'one', n: 200 });
    expect(estimate).toMatchObject({ value: 0.75, n: 200, clusters: 40 });
    // sqrt(p(1−p)/C) = sqrt(.75·.25/40) = .0685; the normal interval is .616 to .884.
    expect(estimate).toHaveProperty('se', expect.closeTo(0.0685, 2));
    expect(estimate).toHaveProperty('low', expect.closeTo(0.616, 1));
    expect(estimate).toHaveProperty('high', expect.closeTo(0.884, 1));
  });

  it('is the same for the same seed, and another for another', () => {
    const once = clusterBootstrap(clusters, ratioOfSums, { seed: 'one' });
    expect(clusterBootstrap(clusters, ratioOfSums, { seed: 'one' })).toEqual(once);
    expect(clusterBootstrap(clusters, ratioOfSums, { seed: 'two' })).not.toEqual(once);
  });

  it('ranks the values of the draws: of two clusters a half of all draws is mixed', () => {
    // Draws of {0, 1} with two clusters are 0, ½, ½ or 1 with equal chances: the 2.5 % ends are 0 and 1.
    const two = [share(0, 1), share(1, 1)];
    expect(clusterBootstrap(two, ratioOfSums, { seed: 'x' })).toMatchObject({ value: 0.5, low: 0, high: 1 });
    const narrow = clusterBootstrap(two, ratioOfSums, { seed: 'x', confidence: 0.2 });
    expect(narrow).toMatchObject({ low: 0.5, high: 0.5 });
  });

  it('has no error where all clusters agree, and no interval for one', () => {
    const alike = [share(1, 2), share(2, 4), share(3, 6)];
    expect(clusterBootstrap(alike, ratioOfSums, { seed: 'x' })).toMatchObject({ low: 0.5, high: 0.5, se: 0 });
    expect(clusterBootstrap([share(1, 2)], ratioOfSums, { seed: 'x' })).toMatchObject({
      value: 0.5,
      low: null,
      reason: expect.stringContaining('one cluster'),
    });
    expect(clusterBootstrap([], ratioOfSums, { seed: 'x' })).toEqual({
      value: null,
      reason: 'no observations',
    });
  });

  it('leaves out draws in which the statistic is undefined', () => {
    const some = [share(0, 0), share(1, 1)];
    expect(clusterBootstrap(some, ratioOfSums, { seed: 'x' })).toMatchObject({ value: 1, low: 1, high: 1 });
  });
});

describe('bootstrapRatio', () => {
  const clusters = Array.from({ length: 30 }, (_, index) => share(index % 7, 3 + (index % 5)));

  it.each(['percentiles', 'bca'] as const)('is clusterBootstrap of a ratio, by %s', (interval) => {
    const options = { seed: 'same', resamples: 500, interval };
    expect(bootstrapRatio(clusters, options)).toEqual(clusterBootstrap(clusters, ratioOfSums, options));
  });

  it('by BCa moves towards the long tail of a skewed statistic', () => {
    const skewed = [...Array(28).fill(share(0, 1)), share(1, 1), share(1, 1)];
    const plain = bootstrapRatio(skewed, { seed: 'one', resamples: 2_000 });
    const moved = bootstrapRatio(skewed, { seed: 'one', resamples: 2_000, interval: 'bca' });
    if (plain.value === null || moved.value === null) throw new Error('expected values');
    expect(moved.high ?? 0).toBeGreaterThan(plain.high ?? 1);
  });

  it('by BCa has no interval where the draws do not lie on both sides', () => {
    const alike = [share(1, 2), share(2, 4)];
    expect(bootstrapRatio(alike, { seed: 'x' })).toMatchObject({ low: 0.5, high: 0.5 });
    const never = Array(4).fill(share(0, 1));
    // Ties count half, so a statistic that never varies is at its own median: the interval is that point.
    expect(bootstrapRatio(never, { seed: 'x', interval: 'bca' })).toMatchObject({ low: 0, high: 0, se: 0 });
  });
});

describe('bcaLevels', () => {
  it('of all 27 resamples of 2, 4, 9 are the worked levels', () => {
    const data = [2, 4, 9];
    const values = data.flatMap((a) => data.flatMap((b) => data.map((c) => (a + b + c) / 3)));
    const levels = bcaLevels({ values, value: 5, jackknife: [6.5, 5.5, 3] });
    expect(levels?.bias).toBeCloseTo(0.046436, 6);
    expect(levels?.acceleration).toBeCloseTo(0.045258, 6);
    expect(levels?.low).toBeCloseTo(0.043211, 6);
    // The published level was worked from the rounded bias and acceleration.
    expect(Math.abs((levels?.high ?? 0) - 0.987878)).toBeLessThan(1e-6);
  });

  it('is undefined where every resample lies on one side', () => {
    expect(bcaLevels({ values: [2, 3], value: 1, jackknife: [1, 2] })).toBeNull();
  });
});
