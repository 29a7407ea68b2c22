import { incompleteBeta, logGamma, normalCdf } from './distributions.ts';
import { roundFigure } from './round.ts';

/** McNemar's test of one trial per item in two arms: only the items on which the arms differ count. */
export interface McNemar {
  /** Two-sided exact p: X ~ Bin(b + c, ½), min(1, 2·P(X ≤ min(b, c))). */
  readonly exact: number;
  /** The exact p less P(X = min): exact tests are too careful by about that much. */
  readonly midP: number;
  /** χ² = (b − c)²/(b + c) and its p; holds for many discordant items only. */
  readonly chiSquared: { readonly statistic: number; readonly p: number };
  /** The same with the continuity correction (|b − c| − 1)². */
  readonly corrected: { readonly statistic: number; readonly p: number };
  /** `exact` below 25 discordant items, `midP` from there: the one that a report prints. */
  readonly preferred: 'exact' | 'midP';
}

/** From how many discordant items the mid-p is preferred. */
const MANY_DISCORDANT = 25;

/**
 * Tests whether two arms differ, from b items that only the first solved and c that only the second did.
 * Null for b = c = 0: nothing differs, so nothing can be tested. One trial per item is assumed; with repeats
 * use `pairedDifference` with clusters.
 * @throws RangeError unless b and c are whole and not negative.
 */
export function mcNemar(b: number, c: number): McNemar | null {
  if (!(Number.isInteger(b) && Number.isInteger(c) && b >= 0 && c >= 0)) {
    throw new RangeError(`needs whole counts b, c ≥ 0, got ${b} and ${c}`);
  }
  const discordant = b + c;
  if (discordant === 0) return null;
  const least = Math.min(b, c);
  const atLeast = binomialHalfMass(least, discordant);
  const exact = Math.min(1, 2 * binomialHalfCdf(least, discordant));
  const chi = (difference: number): { statistic: number; p: number } => {
    const statistic = (difference * difference) / discordant;
    return { statistic: roundFigure(statistic), p: roundFigure(chiSquaredTail(statistic)) };
  };
  return {
    exact: roundFigure(exact),
    midP: roundFigure(b === c ? 1 - atLeast / 2 : exact - atLeast),
    chiSquared: chi(Math.abs(b - c)),
    corrected: chi(Math.max(0, Math.abs(b - c) - 1)),
    preferred: discordant < MANY_DISCORDANT ? 'exact' : 'midP',
  };
}

/** P(X ≤ k) of X ~ Bin(n, ½). */
function binomialHalfCdf(k: number, n: number): number {
  return k >= n ? 1 : incompleteBeta(0.5, n - k, k + 1);
}

/** P(X = k) of X ~ Bin(n, ½). */
function binomialHalfMass(k: number, n: number): number {
  return Math.exp(logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) - n * Math.LN2);
}

/** P(χ²₁ > x). */
function chiSquaredTail(x: number): number {
  return 2 * (1 - normalCdf(Math.sqrt(x)));
}
