import { describe, expect, it } from 'vitest';
import { fisherExact } from './fisher.ts';

describe('fisherExact', () => {
  it.each([
    // 1 of 10 against 9 of 10: 2·(1 + 100)/C(20,10) = .0010934.
    [{ n: 10, c: 1 }, { n: 10, c: 9 }, 202 / 184_756],
    [{ n: 3, c: 3 }, { n: 3, c: 0 }, 2 / 20],
    [{ n: 4, c: 2 }, { n: 4, c: 2 }, 1],
    [{ n: 2, c: 0 }, { n: 6, c: 0 }, 1],
    [{ n: 0, c: 0 }, { n: 6, c: 3 }, 1],
  ])('%j against %j', (first, second, p) => {
    expect(fisherExact(first, second)).toBeCloseTo(p, 10);
    expect(fisherExact(second, first)).toBeCloseTo(p, 10);
  });

  it('adds tables of other probability than the one seen only where they are less likely', () => {
    // Margins 8 and 4, 6 successes: masses by c of the first arm, of C(12,6) = 924: 2→28, 3→224, 4→420,
    // 5→224, 6→28.
    expect(fisherExact({ n: 8, c: 3 }, { n: 4, c: 3 })).toBeCloseTo((28 + 224 + 224 + 28) / 924, 10);
    expect(fisherExact({ n: 8, c: 2 }, { n: 4, c: 4 })).toBeCloseTo(56 / 924, 10);
  });

  it('refuses counts that cannot be', () => {
    expect(() => fisherExact({ n: 1, c: 2 }, { n: 1, c: 0 })).toThrow(RangeError);
    expect(() => fisherExact({ n: 1.5, c: 1 }, { n: 1, c: 0 })).toThrow(RangeError);
  });
});
