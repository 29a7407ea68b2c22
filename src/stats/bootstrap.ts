import { SeededRandom } from '../base/random.ts';
import { bcaLevels } from './bca.ts';
import { nearestRank } from './quantile.ts';
import { roundFigure } from './round.ts';
import type { Estimate } from './types.ts';

export interface BootstrapOptions {
  /** Any text; the same text, clusters and resamples give the same interval. */
  readonly seed: string;
  /** 1,000 when left out; a published interval wants 2,000 at least. */
  readonly resamples?: number;
  /** Confidence, 0.95 when left out. */
  readonly confidence?: number;
  /** How many observations stand behind the figure; the number of clusters when left out. */
  readonly n?: number;
  /**
   * `percentiles` when left out. `bca` shifts the ranks for bias and for an error that changes with the value
   * (Efron 1987).
   */
  readonly interval?: 'percentiles' | 'bca';
}

/**
 * Any statistic of clustered data with an interval of the cluster bootstrap: B times as many whole clusters
 * are drawn with replacement as there are, and the statistic is taken of each draw. The interval of
 * percentiles runs from the ⌈B·α/2⌉-th to the ⌈B·(1−α/2)⌉-th smallest of those values, the standard error is
 * their sample deviation (Efron and Tibshirani 1993, §6.2 and §13.3; whole clusters as in Davison and Hinkley
 * 1997, §3.8). Draws in which the statistic is undefined (null) are left out. No interval for a single
 * cluster.
 */
export function clusterBootstrap<Cluster>(
  clusters: readonly Cluster[],
  statistic: (sample: readonly Cluster[]) => number | null,
  options: BootstrapOptions,
): Estimate {
  const draws = new Uint32Array(clusters.length);
  return bootstrap(options, {
    clusters: clusters.length,
    value: statistic(clusters),
    draw: (random) => {
      random.fillBelow(clusters.length, draws);
      return statistic(Array.from(draws, (index) => clusters[index] as Cluster));
    },
    without: (left) => statistic(clusters.toSpliced(left, 1)),
  });
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

/**
 * The interval of `clusterBootstrap` for a ratio of sums (a mean, with counts as denominators), on flat
 * arrays: 10,000 resamples of 10,000 clusters take well under a second.
 */
export function bootstrapRatio(shares: readonly Share[], options: BootstrapOptions): Estimate {
  const numerators = Float64Array.from(shares, ({ numerator }) => numerator);
  const denominators = Float64Array.from(shares, ({ denominator }) => denominator);
  const draws = new Uint32Array(shares.length);
  const [numerator, denominator] = [sum(numerators), sum(denominators)];
  const ratio = (over: number, under: number): number | null => (under === 0 ? null : over / under);
  return bootstrap(options, {
    clusters: shares.length,
    value: ratio(numerator, denominator),
    draw: (random) => {
      random.fillBelow(shares.length, draws);
      let [over, under] = [0, 0];
      for (const index of draws) {
        over += numerators[index] as number;
        under += denominators[index] as number;
      }
      return ratio(over, under);
    },
    without: (left) =>
      ratio(numerator - (numerators[left] as number), denominator - (denominators[left] as number)),
  });
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

/** A statistic as a bootstrap needs it. */
interface Resampled {
  readonly clusters: number;
  readonly value: number | null;
  /** The statistic of one draw. */
  readonly draw: (random: SeededRandom) => number | null;
  /** The statistic without one cluster, for the jackknife. */
  readonly without: (left: number) => number | null;
}

function bootstrap(options: BootstrapOptions, resampled: Resampled): Estimate {
  const { clusters, value } = resampled;
  if (value === null) return { value: null, reason: 'no observations' };
  const { resamples = 1_000, confidence = 0.95, n = clusters, interval = 'percentiles' } = options;
  const shared = { value: roundFigure(value), n, clusters, method: `cluster bootstrap, ${interval}` };
  if (clusters < 2) {
    const reason = 'one cluster: its spread cannot be estimated';
    return { ...shared, low: null, high: null, se: null, reason };
  }
  const random = SeededRandom.from(options.seed);
  const values: number[] = [];
  for (let index = 0; index < resamples; index += 1) {
    const drawn = resampled.draw(random);
    if (drawn !== null) values.push(drawn);
  }
  values.sort((left, right) => left - right);
  const tail = (1 - confidence) / 2;
  const levels = interval === 'bca' ? skewedLevels(resampled, { values, tail }) : [tail, 1 - tail];
  if (levels === null) {
    const reason = 'the draws do not spread on both sides of the value';
    return { ...shared, low: null, high: null, se: null, reason };
  }
  const [low, high] = levels.map((level) => nearestRank(values, level) ?? value);
  const center = values.reduce((total, one) => total + one, 0) / values.length;
  const squares = values.reduce((total, one) => total + (one - center) * (one - center), 0);
  return {
    ...shared,
    low: roundFigure(low ?? value),
    high: roundFigure(high ?? value),
    se: roundFigure(Math.sqrt(squares / Math.max(1, values.length - 1))),
  };
}

function skewedLevels(
  { clusters, value, without }: Resampled,
  { values, tail }: { readonly values: readonly number[]; readonly tail: number },
): readonly number[] | null {
  const jackknife: number[] = [];
  for (let left = 0; left < clusters; left += 1) {
    const rest = without(left);
    if (rest !== null) jackknife.push(rest);
  }
  const levels = bcaLevels({ values, value: value ?? 0, jackknife, confidence: 1 - 2 * tail });
  return levels === null ? null : [levels.low, levels.high];
}
