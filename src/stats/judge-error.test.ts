import { describe, expect, it } from 'vitest';
import { correctedRate, type JudgedRate } from './judge-error.ts';

const judged = (p: number, n: number, rates: readonly [number, number, number, number]): JudgedRate => ({
  p,
  n,
  positives: { rate: rates[0], n: rates[1] },
  negatives: { rate: rates[2], n: rates[3] },
});

describe('correctedRate', () => {
  it.each([
    [judged(0.8, 500, [0.95, 100, 0.7, 50]), 0.769231, 0.044182],
    [judged(0.7, 200, [0.9, 100, 0.8, 100]), 0.714286, 0.057849],
  ])('corrects with an error that counts the labels', (input, value, se) => {
    const estimate = correctedRate(input);
    if (estimate.value === null) throw new Error(estimate.reason);
    expect(estimate.value).toBeCloseTo(value, 6);
    expect(estimate.se).toBeCloseTo(se, 6);
    expect(estimate.low).toBeCloseTo(value - 1.959963984540054 * se, 5);
    expect(estimate.high).toBeCloseTo(Math.min(1, value + 1.959963984540054 * se), 5);
  });

  it('cuts what lies outside [0, 1], and says so', () => {
    expect(correctedRate(judged(0.05, 100, [0.9, 100, 0.9, 100]))).toMatchObject({
      value: 0,
      low: 0,
      note: 'the plain value -0.0625 was cut to [0, 1]',
    });
  });

  it('refuses a judge that says yes to everything, and one that is not shown to be better than chance', () => {
    for (const rates of [
      [0.99, 300, 0, 100],
      [0.6, 20, 0.6, 20],
      [0.4, 100, 0.4, 100],
      [0.5, 10, 0.5, 10],
    ] as const) {
      expect(correctedRate(judged(0.7, 400, rates))).toEqual({
        value: null,
        reason: expect.stringContaining('not identified'),
      });
    }
  });

  it('refuses rates and counts that cannot be', () => {
    expect(() => correctedRate(judged(1.2, 10, [0.9, 10, 0.9, 10]))).toThrow(RangeError);
    expect(() => correctedRate(judged(Number.NaN, 10, [0.9, 10, 0.9, 10]))).toThrow(RangeError);
    expect(() => correctedRate(judged(0.5, 10, [0.9, 0, 0.9, 10]))).toThrow(RangeError);
  });
});
