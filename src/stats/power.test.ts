import { describe, expect, it } from 'vitest';
import { detectableWith, minimumDetectableEffect, pilotSpread, scenariosNeeded } from './power.ts';

const spread = (within: number, k: number) => ({
  between: 1 / 9,
  within: [within, within] as const,
  trials: [k, k] as const,
});

describe('power of a paired comparison', () => {
  it.each([
    [0, 1, 968.997],
    [1 / 6, 1, 3875.99],
    [1 / 6, 10, 1259.7],
  ])('within-variance %d and %d trials need the scenarios of the published formula', (within, k, n) => {
    expect(scenariosNeeded(0.03, spread(within, k))).toBeCloseTo(n, 2);
  });

  it.each([
    [1, 0.132733],
    [4, 0.0877948],
    [10, 0.07567],
  ])('198 scenarios with %d trials show a difference of %d', (k, effect) => {
    expect(minimumDetectableEffect(198, spread(1 / 6, k))).toBeCloseTo(effect, 6);
  });

  it('the two are inverse', () => {
    const n = scenariosNeeded(0.05, spread(0.2, 4), { alpha: 0.01, power: 0.9 });
    expect(minimumDetectableEffect(n, spread(0.2, 4), { alpha: 0.01, power: 0.9 })).toBeCloseTo(0.05, 10);
    // z.975 + z.8 = 2.801585.
    expect(detectableWith(0.1)).toBeCloseTo(0.2801585, 6);
  });

  it('refuses what cannot be', () => {
    expect(() => scenariosNeeded(0, spread(0, 1))).toThrow(RangeError);
    expect(() => scenariosNeeded(Number.NaN, spread(0, 1))).toThrow(RangeError);
    expect(() => minimumDetectableEffect(0, spread(0, 1))).toThrow(RangeError);
    expect(() => scenariosNeeded(0.1, spread(-1, 1))).toThrow(RangeError);
    expect(() => scenariosNeeded(0.1, spread(0.1, 0))).toThrow(RangeError);
  });
});

describe('pilotSpread', () => {
  it('takes the noise of trials out of the spread of scenario differences', () => {
    // Differences 1, 0, −1: variance 1. Within: 0, ½, 0 and 0, ½, 0 → 1/6 each; noise (1/6 + 1/6)/2 = 1/6.
    const pilot = [
      { first: [1, 1], second: [0, 0] },
      { first: [1, 0], second: [0, 1] },
      { first: [0, 0], second: [1, 1] },
    ];
    const found = pilotSpread(pilot);
    expect(found?.within).toEqual([1 / 6, 1 / 6]);
    expect(found?.between).toBeCloseTo(1 - 1 / 6, 12);
  });

  it('never goes below 0, and is undefined for one scenario', () => {
    expect(
      pilotSpread([
        { first: [1, 0], second: [0, 1] },
        { first: [0, 1], second: [1, 0] },
      ])?.between,
    ).toBe(0);
    expect(pilotSpread([{ first: [1], second: [0] }])).toBeNull();
    expect(
      pilotSpread([
        { first: [1], second: [] },
        { first: [1], second: [0] },
      ]),
    ).toBeNull();
  });
});
