import { describe, expect, it } from 'vitest';
import { cohensKappa, intraclassCorrelation } from './agreement.ts';

function pairs(counts: Readonly<Record<string, number>>): (readonly [string, string])[] {
  return Object.entries(counts).flatMap(([both, count]) =>
    Array.from({ length: count }, () => [both.charAt(0), both.charAt(1)] as const),
  );
}

describe('cohensKappa', () => {
  it.each([
    ['rules', { yy: 200, yn: 100, ny: 0, nn: 100 }, 0.75, 0.5],
    ['an outcome judge', { yy: 184, yn: 116, ny: 33, nn: 67 }, 0.6275, 0.2219],
    ['a step judge', { yy: 257, yn: 43, ny: 0, nn: 100 }, 0.8925, 0.7493],
    ['the judge that says yes', { yy: 297, yn: 3, ny: 100, nn: 0 }, 0.7425, -0.0148],
  ])('%s', (_, counts, observed, kappa) => {
    const agreement = cohensKappa(pairs(counts));
    expect(agreement.observed.value).toBeCloseTo(observed, 12);
    expect(agreement.kappa).toBeCloseTo(kappa, 4);
  });

  it('has a reason, not a number, where it is 0 ÷ 0', () => {
    expect(cohensKappa([])).toMatchObject({ kappa: null, reason: 'no items that both labelled' });
    expect(cohensKappa(pairs({ yy: 5 }))).toMatchObject({
      observed: { value: 1 },
      kappa: null,
      reason: 'both gave one label to every item',
    });
  });
});

describe('intraclassCorrelation', () => {
  const observed = (clusters: readonly (readonly number[])[]) =>
    clusters.flatMap((values, index) => values.map((value) => ({ value, cluster: `c${index}` })));

  it('is 1 where clusters agree inside and differ between, and the design effect is their size', () => {
    expect(
      intraclassCorrelation(
        observed([
          [1, 1, 1],
          [0, 0, 0],
        ]),
      ),
    ).toEqual({ value: 1, designEffect: 3 });
  });

  it('follows the analysis of variance, also for unequal clusters', () => {
    // n 10, C 3, Σm² 36: m₀ = (10 − 3.6)/2 = 3.2. MSB = (4·.0225 + 4·.1225 + 2·.16)/2 = .45, MSW = 1.5/7.
    const value = (0.45 - 1.5 / 7) / (0.45 + (2.2 * 1.5) / 7);
    const found = intraclassCorrelation(
      observed([
        [1, 1, 1, 0],
        [0, 0, 0, 1],
        [1, 1],
      ]),
    );
    expect(found?.value).toBeCloseTo(value, 10);
    expect(found?.designEffect).toBeCloseTo(1 + (10 / 3 - 1) * value, 10);
  });

  it('may be below 0, which costs nothing', () => {
    const found = intraclassCorrelation(
      observed([
        [1, 0],
        [0, 1],
        [1, 0],
      ]),
    );
    expect(found?.value).toBeCloseTo(-1, 12);
    expect(found?.designEffect).toBe(1);
  });

  it.each([
    ['one cluster', [[1, 0, 1]]],
    ['clusters of one', [[1], [0], [1]]],
    [
      'no spread',
      [
        [1, 1],
        [1, 1],
      ],
    ],
    ['nothing', []],
  ])('is undefined for %s', (_, clusters) => {
    expect(intraclassCorrelation(observed(clusters))).toBeNull();
  });
});
