import { describe, expect, it } from 'vitest';
import { clusterBootstrap, ratioOfSums, type Share } from './bootstrap.ts';

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
