import binomialCdf from '@stdlib/stats-base-dists-binomial-cdf';
import { describe, expect, it } from 'vitest';
import { mcNemar } from './mcnemar.ts';

describe('mcNemar', () => {
  it.each([
    [9, 2, 0.06543, 0.038574],
    [5, 0, 0.0625, 0.03125],
    [20, 8, 0.035698, 0.02412],
  ])('%d against %d: exact and mid-p', (b, c, exact, midP) => {
    expect(mcNemar(b, c)?.exact).toBeCloseTo(exact, 6);
    expect(mcNemar(b, c)?.midP).toBeCloseTo(midP, 6);
    expect(mcNemar(c, b)).toEqual(mcNemar(b, c));
  });

  it('has both χ² forms beside it', () => {
    const { chiSquared, corrected } = mcNemar(9, 2) ?? {};
    expect(corrected?.statistic).toBeCloseTo(3.2727, 4);
    expect(corrected?.p).toBeCloseTo(0.07044, 6);
    expect(chiSquared?.statistic).toBeCloseTo(4.4545, 4);
    expect(chiSquared?.p).toBeCloseTo(0.034808, 6);
  });

  it('agrees with an independent binomial for every split of up to 60 items', () => {
    for (let n = 1; n <= 60; n += 7) {
      for (let b = 0; b <= n; b += 1) {
        const least = Math.min(b, n - b);
        const tail = binomialCdf(least, n, 0.5);
        const mass = tail - (least === 0 ? 0 : binomialCdf(least - 1, n, 0.5));
        expect(mcNemar(b, n - b)?.exact).toBeCloseTo(Math.min(1, 2 * tail), 9);
        const midP = 2 * b === n ? 1 - mass / 2 : 2 * tail - mass;
        expect(mcNemar(b, n - b)?.midP).toBeCloseTo(midP, 9);
      }
    }
  });

  it('prefers the exact p below 25 discordant items', () => {
    expect(mcNemar(12, 12)).toMatchObject({ preferred: 'exact', exact: 1 });
    expect(mcNemar(13, 12)).toMatchObject({ preferred: 'midP' });
  });

  it('says nothing of arms that never differ, and refuses counts that cannot be', () => {
    expect(mcNemar(0, 0)).toBeNull();
    expect(() => mcNemar(-1, 2)).toThrow(RangeError);
    expect(() => mcNemar(1.5, 2)).toThrow(RangeError);
    expect(() => mcNemar(Number.NaN, 2)).toThrow(RangeError);
  });
});
