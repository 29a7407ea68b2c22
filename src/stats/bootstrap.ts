import { SeededRandom } from '../base/random.ts';
import { nearestRank } from './quantile.ts';
import { roundFigure } from './round.ts';
import type { Estimate } from './types.ts';

/** The name of the interval of `clusterBootstrap`. */
const BOOTSTRAP_METHOD = 'cluster bootstrap, percentiles';

export interface BootstrapOptions {
  /** Any text; the same text, clusters and resamples give the same interval. */
  readonly seed: string;
  /** 1,000 when left out. */
  readonly resamples?: number;
  /** Confidence, 0.95 when left out. */
  readonly confidence?: number;
  /** How many observations stand behind the figure; the number of clusters when left out. */
  readonly n?: number;
}

/**
 * Any statistic of clustered data with the percentile interval of the cluster bootstrap: B times as many
 * whole clusters are drawn with replacement as there are, and the statistic is taken of each draw. The
 * interval runs from the ⌈B·α/2⌉-th to the ⌈B·(1−α/2)⌉-th smallest of those values, the standard error is
 * their sample deviation (Efron and Tibshirani 1993, §6.2 and §13.3; whole clusters as in Davison and Hinkley
 * 1997, §3.8). Draws in which the statistic is undefined (null) are left out. No interval for a single
 * cluster.
 */
export function clusterBootstrap<Cluster>(
  clusters: readonly Cluster[],
  statistic: (sample: readonly Cluster[]) => number | null,
  options: BootstrapOptions,
): Estimate {
  const value = statistic(clusters);
  if (value === null) return { value: null, reason: 'no observations' };
  const { resamples = 1_000, confidence = 0.95, n = clusters.length } = options;
  const shared = { value: roundFigure(value), n, clusters: clusters.length, method: BOOTSTRAP_METHOD };
  if (clusters.length < 2) {
    const reason = 'one cluster: its spread cannot be estimated';
    return { ...shared, low: null, high: null, se: null, reason };
  }
  const values = resampledValues(clusters, statistic, { resamples, seed: options.seed });
  const tail = (1 - confidence) / 2;
  const ranked = (share: number): number => nearestRank(values, share) ?? value;
  const center = values.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - center) * (one - center), 0);
  return {
    ...shared,
    low: roundFigure(ranked(tail)),
    high: roundFigure(ranked(1 - tail)),
    se: roundFigure(Math.sqrt(squares / Math.max(1, values.length - 1))),
  };
}

/** The statistic of every draw, sorted. */
function resampledValues<Cluster>(
  clusters: readonly Cluster[],
  statistic: (sample: readonly Cluster[]) => number | null,
  { resamples, seed }: { readonly resamples: number; readonly seed: string },
): readonly number[] {
  const random = SeededRandom.from(seed);
  const values: number[] = [];
  for (let draw = 0; draw < resamples; draw += 1) {
    const value = statistic(clusters.map(() => random.pick(clusters)));
    if (value !== null) values.push(value);
  }
  return values.toSorted((left, right) => left - right);
}

/** What a cluster adds to a ratio of sums. */
export interface Share {
  readonly numerator: number;
  readonly denominator: number;
}

/** Σ numerators / Σ denominators; null where the denominators sum to 0. */
export function ratioOfSums(shares: readonly Share[]): number | null {
  let numerator = 0;
  let denominator = 0;
  for (const share of shares) {
    numerator += share.numerator;
    denominator += share.denominator;
  }
  return denominator === 0 ? null : numerator / denominator;
}
