import { roundFigure } from './round.ts';
import type { Observation, Ratio } from './types.ts';

/** How far two labellers agree on the same items. */
export interface Agreement {
  /** Items with the same label from both ÷ items. */
  readonly observed: Ratio;
  /** Cohen's kappa: agreement beyond that of two independent labellers with these shares of labels. */
  readonly kappa: number | null;
  /** Why there is no kappa. */
  readonly reason?: string;
}

/**
 * Cohen's kappa of pairs of labels, (p_o − p_e)/(1 − p_e). Null with a reason for no items, and where both
 * gave one and the same label throughout: agreement by chance is then certain and kappa is 0/0.
 */
export function cohensKappa(pairs: readonly (readonly [first: string, second: string])[]): Agreement {
  const n = pairs.length;
  const same = pairs.filter(([first, second]) => first === second).length;
  const observed = { value: n === 0 ? null : roundFigure(same / n), numerator: same, denominator: n };
  if (n === 0) return { observed, kappa: null, reason: 'no items that both labelled' };
  const [left, right] = [
    countsOf(pairs.map(([first]) => first)),
    countsOf(pairs.map(([, second]) => second)),
  ];
  let chance = 0;
  for (const [label, count] of left) chance += (count / n) * ((right.get(label) ?? 0) / n);
  if (1 - chance < 1e-12) return { observed, kappa: null, reason: 'both gave one label to every item' };
  return { observed, kappa: roundFigure((same / n - chance) / (1 - chance)) };
}

function countsOf(labels: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** How alike observations of one cluster are, and what that costs. */
export interface IntraclassCorrelation {
  /**
   * ICC(1) from the one-way analysis of variance; below 0 where clusters differ less than chance makes
   * them.
   */
  readonly value: number;
  /** 1 + (m̄ − 1)·max(0, ICC): how many times the variance is that of as many independent observations. */
  readonly designEffect: number;
}

/**
 * The intraclass correlation of clustered observations, (MSB − MSW)/(MSB + (m₀ − 1)·MSW), with
 * m₀ = (n − Σm²/n)/(C − 1) for unequal clusters (Donner and Koval 1980). Null where it is undefined: fewer
 * than two clusters, no cluster with two observations, or no spread at all.
 */
export function intraclassCorrelation(observations: readonly Observation[]): IntraclassCorrelation | null {
  const clusters = new Map<string, { sum: number; squares: number; size: number }>();
  let total = 0;
  for (const { value, cluster } of observations) {
    const own = clusters.get(cluster) ?? { sum: 0, squares: 0, size: 0 };
    own.sum += value;
    own.squares += value * value;
    own.size += 1;
    total += value;
    clusters.set(cluster, own);
  }
  const n = observations.length;
  const count = clusters.size;
  if (count < 2 || n <= count) return null;
  const center = total / n;
  let between = 0;
  let within = 0;
  let squaredSizes = 0;
  for (const { sum, squares, size } of clusters.values()) {
    between += size * (sum / size - center) ** 2;
    within += Math.max(0, squares - (sum * sum) / size);
    squaredSizes += size * size;
  }
  const meanBetween = between / (count - 1);
  const meanWithin = within / (n - count);
  const size = (n - squaredSizes / n) / (count - 1);
  const spread = meanBetween + (size - 1) * meanWithin;
  if (spread <= 1e-15) return null;
  const value = (meanBetween - meanWithin) / spread;
  return {
    value: roundFigure(value),
    designEffect: roundFigure(1 + (n / count - 1) * Math.max(0, value)),
  };
}
