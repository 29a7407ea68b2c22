import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benjaminiHochberg, holm } from './multiplicity.ts';

const probabilities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

describe('holm', () => {
  it('multiplies the smallest by m, the next by m − 1, and never goes down', () => {
    // .01·4, .02·3 = .06, .03·2 = .06, .04·1 → held at .06.
    expect(holm([0.04, 0.01, 0.03, 0.02])).toEqual([0.06, 0.04, 0.06, 0.06]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});

describe('benjaminiHochberg', () => {
  it('multiplies each by m over its rank, from the largest down', () => {
    // .005·4/1 = .02, .009·4/2 = .018 → both .018; .05·4/3 = .066667; .5.
    expect(benjaminiHochberg([0.5, 0.009, 0.05, 0.005])).toEqual([0.5, 0.018, 0.0666666666667, 0.018]);
  });
});

describe('both', () => {
  it('keep the order of the p-values, lie between p and 1, and Holm is the stricter', () => {
    fc.assert(
      fc.property(probabilities, (ps) => {
        const [strict, lenient] = [holm(ps), benjaminiHochberg(ps)];
        for (const [index, p] of ps.entries()) {
          expect(strict[index]).toBeLessThanOrEqual(1);
          expect(lenient[index]).toBeGreaterThanOrEqual(p * (1 - 1e-11));
          expect(strict[index]).toBeGreaterThanOrEqual((lenient[index] ?? 0) * (1 - 1e-11));
          for (const [other, q] of ps.entries()) {
            if (p > q) expect(strict[index]).toBeGreaterThanOrEqual(strict[other] ?? 0);
          }
        }
      }),
    );
  });

  it.each([[Number.NaN], [-0.1], [1.1]])('refuse %d', (p) => {
    expect(() => holm([0.5, p])).toThrow(RangeError);
    expect(() => benjaminiHochberg([p])).toThrow(RangeError);
  });
});
