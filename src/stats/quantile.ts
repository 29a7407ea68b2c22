import { roundFigure } from './round.ts';
import type { Quantile } from './types.ts';

/** The least value that at least a share p of the values do not exceed (nearest rank); null for no values. */
export function nearestRank(values: readonly number[], p: number): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  const rank = Math.max(1, Math.ceil(roundFigure(p * sorted.length)));
  return sorted[rank - 1] ?? null;
}

/**
 * How many observations it takes until the largest lies above the p-quantile with 95 % probability: 299 for
 * .99.
 */
export function observationsNeeded(p: number, probability = 0.95): number {
  return Math.ceil(roundFigure(Math.log(1 - probability) / Math.log(p)));
}

/**
 * A nearest-rank quantile under its honest name: a p99 needs about 299 observations before even the largest
 * covers it, so below that the largest value is given and called `max of n`.
 */
export function quantileFigure(values: readonly number[], p: number, whenNone = 'no observations'): Quantile {
  const n = values.length;
  const tooFew = p > 0.5 && n < observationsNeeded(p);
  const value = nearestRank(values, tooFew ? 1 : p);
  if (value === null) return { value: null, reason: whenNone };
  return { value: roundFigure(value), n, method: tooFew ? `max of ${n}` : 'nearest rank' };
}
