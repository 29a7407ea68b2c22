import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromCents, shareOf, toCents } from './money.ts';

describe('amounts', () => {
  it('come back as they went out, for every whole number of cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (cents) => {
        expect(toCents(fromCents(cents))).toBe(cents);
        expect(toCents(Number((cents / 100).toFixed(2)))).toBe(cents);
      }),
    );
  });

  it.each([0, -1, 0.001, 1.005, 19.999, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    '%d is none',
    (amount) => {
      expect(toCents(amount)).toBeUndefined();
    },
  );

  it('are shared in whole cents, half a cent up', () => {
    expect(shareOf(10_770, 80)).toBe(8616);
    expect(shareOf(101, 50)).toBe(51);
    expect(shareOf(24_000, 100)).toBe(24_000);
    expect(shareOf(24_000, 0)).toBe(0);
  });
});
