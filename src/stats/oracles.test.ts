import betaOracle from '@stdlib/stats-base-dists-beta-quantile';
import tOracle from '@stdlib/stats-base-dists-t-quantile';
import { jStat } from 'jstat';
import { describe, expect, it } from 'vitest';
import { betaQuantile, incompleteBeta, tCdf, tQuantile } from './distributions.ts';

/**
 * Packages that nobody here wrote, over a grid: what they agree on to so many digits must be what we give.
 */
const TAILS = [0.001, 0.025, 0.1, 0.5, 0.8, 0.975, 0.9995];
const DEGREES = [1, 1.5, 2, 4, 9, 49, 173.4];
const SHAPES = [0.5, 1, 2, 7.5, 40, 300];

const relative = (value: number, wanted: number): number =>
  Math.abs(value - wanted) / Math.max(1e-12, Math.abs(wanted));

describe('against packages', () => {
  it('t quantiles', () => {
    for (const p of TAILS) {
      for (const degrees of DEGREES) {
        if (p === 0.5) continue;
        expect(relative(tQuantile(p, degrees), tOracle(p, degrees))).toBeLessThan(1e-9);
        expect(relative(tQuantile(p, degrees), jStat.studentt.inv(p, degrees))).toBeLessThan(1e-6);
      }
    }
  });

  it('t distribution function', () => {
    for (const t of [-4, -1, 0, 0.3, 2, 11]) {
      for (const degrees of DEGREES) {
        expect(Math.abs(tCdf(t, degrees) - jStat.studentt.cdf(t, degrees))).toBeLessThan(1e-7);
      }
    }
  });

  it('beta quantiles and distribution function', () => {
    for (const p of TAILS) {
      for (const a of SHAPES) {
        for (const b of SHAPES) {
          expect(relative(betaQuantile(p, a, b), betaOracle(p, a, b))).toBeLessThan(1e-7);
          expect(Math.abs(incompleteBeta(p, a, b) - jStat.beta.cdf(p, a, b))).toBeLessThan(1e-7);
        }
      }
    }
  });
});
