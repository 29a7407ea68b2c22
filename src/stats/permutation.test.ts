import { describe, expect, it } from 'vitest';
import type { Pair } from './paired.ts';
import { pairedPermutation } from './permutation.ts';

const paired = (differences: readonly number[], items = 1): Pair[] =>
  differences.flatMap((first, cluster) =>
    Array.from({ length: items }, () => ({ first, second: 0, cluster: `c${cluster}` })),
  );

describe('pairedPermutation', () => {
  it('looks at every exchange of few clusters', () => {
    // Of the 8 signs of 1, 2, 3 only +++ and −−− sum to 6 in size.
    expect(pairedPermutation(paired([1, 2, 3]), { seed: 'x' })).toEqual({
      p: 0.25,
      method: 'exact',
      exchanges: 8,
      clusters: 3,
    });
    // Sums of at least 4 in size: ±6 and ±4 (−1 + 2 + 3), 4 of 8.
    expect(pairedPermutation(paired([-1, 2, 3]), { seed: 'x' })?.p).toBe(0.5);
  });

  it('with equal differences is the sign test, exact McNemar', () => {
    const p = pairedPermutation(paired([...Array(9).fill(1), -1, -1]), { seed: 'x' })?.p;
    expect(p).toBeCloseTo(0.06543, 6);
  });

  it('moves whole clusters, so repeats of an item do not count as evidence', () => {
    const once = pairedPermutation(paired([1, 1, 1, -1]), { seed: 'x' });
    expect(pairedPermutation(paired([1, 1, 1, -1], 50), { seed: 'x' })).toEqual(once);
  });

  it('samples exchanges of many clusters by its seed, and comes near the exact p', () => {
    const many = paired([...Array(20).fill(1), ...Array(8).fill(-1)]);
    const test = pairedPermutation(many, { seed: 'x', resamples: 20_000 });
    expect(test).toMatchObject({ method: 'sampled', exchanges: 20_000 });
    expect(Math.abs((test?.p ?? 1) - 0.035698)).toBeLessThan(0.005);
    expect(pairedPermutation(many, { seed: 'x', resamples: 20_000 })).toEqual(test);
    expect(pairedPermutation(many, { seed: 'y', resamples: 20_000 })).not.toEqual(test);
  });

  it('is never 0 when sampled, and undefined where the arms never differ', () => {
    expect(pairedPermutation(paired(Array(40).fill(1)), { seed: 'x', resamples: 99 })?.p).toBe(0.01);
    expect(pairedPermutation(paired([0, 0]), { seed: 'x' })).toBeNull();
    expect(pairedPermutation([], { seed: 'x' })).toBeNull();
  });
});
