import { roundFigure } from './round.ts';

/**
 * Holm's step-down adjustment: adjusted p-values in the order given. Comparing each with α keeps the
 * chance of
 * any false alarm among all of them at α, whatever their dependence (Holm 1979).
 * @throws RangeError for a p outside [0, 1].
 */
export function holm(ps: readonly number[]): number[] {
  let highest = 0;
  return adjusted(ps, 'ascending', (p, rank) => {
    highest = Math.max(highest, Math.min(1, (ps.length - rank) * p));
    return highest;
  });
}

/**
 * The adjustment of Benjamini and Hochberg (1995): comparing each with q keeps the expected share of false
 * alarms among the alarms at q, for independent or positively dependent tests.
 * @throws RangeError for a p outside [0, 1].
 */
export function benjaminiHochberg(ps: readonly number[]): number[] {
  let lowest = 1;
  return adjusted(ps, 'descending', (p, rank) => {
    lowest = Math.min(lowest, (ps.length / (rank + 1)) * p);
    return lowest;
  });
}

/** Adjusts in order of size; `rank` counts from the smallest p, from 0. */
function adjusted(
  ps: readonly number[],
  direction: 'ascending' | 'descending',
  adjust: (p: number, rank: number) => number,
): number[] {
  const ascending = ps.map((p, index) => ({ p, index }));
  for (const { p } of ascending) {
    if (!(p >= 0 && p <= 1)) throw new RangeError(`a p-value lies in [0, 1], got ${p}`);
  }
  ascending.sort((left, right) => left.p - right.p || left.index - right.index);
  const ranked = ascending.map((entry, rank) => ({ ...entry, rank }));
  const result = new Array<number>(ps.length).fill(0);
  for (const { p, index, rank } of direction === 'ascending' ? ranked : ranked.toReversed()) {
    result[index] = roundFigure(adjust(p, rank));
  }
  return result;
}
