import { clusterSizes, mean } from './clustered.ts';
import { cr2Variance } from './cr2.ts';
import { betaQuantile, normalQuantile, tQuantile } from './distributions.ts';
import { roundFigure } from './round.ts';
import type { Estimate, Observation } from './types.ts';

/** An interval; both ends unrounded. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface EstimateOptions {
  /** Confidence, 0.95 when left out. */
  readonly confidence?: number;
  /** What a reader must know beside the figure. */
  readonly note?: string | undefined;
}

/** Next to 1 what a confidence leaves out rounds away: the largest probability below 1 stands for it. */
function upperTail(confidence: number): number {
  const tail = 1 - (1 - confidence) / 2;
  return tail === 1 ? 1 - Number.EPSILON / 2 : tail;
}

/**
 * Wilson's score interval of a proportion p with n trials, n > 0 (need not be whole). `quantile` stands in
 * for the normal quantile where the variance was itself estimated.
 */
export function wilsonInterval(
  p: number,
  n: number,
  options: { confidence?: number; quantile?: number } = {},
): Interval {
  const z = options.quantile ?? normalQuantile(upperTail(options.confidence ?? 0.95));
  const weight = (z * z) / n;
  if (!Number.isFinite(weight)) return { low: 0, high: 1 };
  const center = (p + weight / 2) / (1 + weight);
  const half = (z / (1 + weight)) * Math.sqrt((p * (1 - p)) / n + weight / (4 * n));
  return { low: p === 0 ? 0 : Math.max(0, center - half), high: p === 1 ? 1 : Math.min(1, center + half) };
}

/**
 * The exact interval of Clopper and Pearson for c successes in n trials. @throws RangeError unless 0 ≤ c ≤ n.
 */
export function clopperPearsonInterval(c: number, n: number, confidence = 0.95): Interval {
  if (!(c >= 0 && c <= n && n > 0)) throw new RangeError(`needs 0 ≤ c ≤ n and n > 0, got ${c} of ${n}`);
  const tail = (1 - confidence) / 2;
  return {
    low: c === 0 ? 0 : betaQuantile(tail, c, n - c + 1),
    high: c === n ? 1 : betaQuantile(1 - tail, c + 1, n - c),
  };
}

const ONE_CLUSTER = 'one cluster: its spread cannot be estimated';
const NO_SPREAD = 'all clusters agree: a standard error of 0 would say that nothing can vary';

/** The name of the interval of `rateEstimate`. */
const RATE_METHOD = 'Wilson, effective n from CR2, t on Satterthwaite degrees';

/**
 * A rate of clustered observations in [0, 1] (0 or 1 each, or a rate each) with its interval: Wilson's with
 * the effective sample size p(1−p)/V, V the CR2 variance, and t on its degrees of freedom in place of z. At
 * p = 0 or 1, where V is 0, the number of clusters is the sample size. The effective size is held at the
 * number of observations from above: clusters that agree by luck are worth no more than that many. Of rates
 * (a pass^k per scenario) an observation is a rate, however many trials stand behind it.
 */
export function rateEstimate(observations: readonly Observation[], options: EstimateOptions = {}): Estimate {
  const p = mean(observations.map((observation) => observation.value));
  if (p === null) return { value: null, reason: 'no observations' };
  const sizes = clusterSizes(observations);
  const shared = {
    value: roundFigure(p),
    n: observations.length,
    clusters: sizes.length,
    method: RATE_METHOD,
    ...(options.note === undefined ? {} : { note: options.note }),
  };
  const moments = cr2Variance(observations);
  if (moments === null) return { ...shared, low: null, high: null, se: null, reason: ONE_CLUSTER };
  const { variance, degrees } = moments;
  const extreme = p <= 0 || p >= 1;
  const size = extreme ? sizes.length : Math.min(observations.length, (p * (1 - p)) / variance);
  const quantile = tQuantile(upperTail(options.confidence ?? 0.95), degrees);
  const { low, high } = wilsonInterval(p, size, { quantile });
  const flat = roundFigure(Math.sqrt(variance)) < 1e-12;
  return {
    ...shared,
    low: roundFigure(low),
    high: roundFigure(high),
    se: flat ? null : roundFigure(Math.sqrt(variance)),
    ...(flat ? { reason: NO_SPREAD } : {}),
  };
}

/** The name of the interval of `meanEstimate`. */
const MEAN_METHOD = 'mean, CR2, t on Satterthwaite degrees';

/**
 * A mean of clustered observations: CR2 and t on its degrees of freedom. With `range` the interval is cut to
 * it. No interval for one cluster, nor where the clusters do not differ: the figure then says why.
 */
export function meanEstimate(
  observations: readonly Observation[],
  options: EstimateOptions & { range?: Interval } = {},
): Estimate {
  const value = mean(observations.map((observation) => observation.value));
  if (value === null) return { value: null, reason: 'no observations' };
  return clusteredInterval({ value, terms: observations, method: MEAN_METHOD }, options);
}

/** The mean of independent values with the t interval on n − 1 degrees of freedom. */
export function independentMean(
  values: readonly number[],
  options: EstimateOptions & { range?: Interval } = {},
): Estimate {
  return meanEstimate(
    values.map((value, index) => ({ value, cluster: String(index) })),
    options,
  );
}

/** A figure and the clustered terms whose mean has its error. */
export interface ClusteredFigure {
  readonly value: number;
  readonly terms: readonly Observation[];
  readonly method: string;
}

/** value ± t·(CR2 error of the mean of the terms), cut to the range. */
export function clusteredInterval(
  { value, terms, method }: ClusteredFigure,
  options: EstimateOptions & { range?: Interval } = {},
): Estimate {
  const moments = cr2Variance(terms);
  const clusters = clusterSizes(terms).length;
  const { variance = null, degrees = 1 } = moments ?? {};
  return intervalByT({ value, variance, n: terms.length, clusters, degrees, method }, options);
}

/** What `intervalByT` makes an estimate of; `variance` is null where it is undefined. */
export interface Moments {
  readonly value: number;
  readonly variance: number | null;
  readonly n: number;
  readonly clusters: number;
  readonly degrees: number;
  readonly method: string;
}

/** value ± t·sqrt(variance), cut to the range; no interval where the variance is undefined or 0. */
export function intervalByT(
  moments: Moments,
  options: EstimateOptions & { range?: Interval } = {},
): Estimate {
  const { value, variance, n, clusters, method } = moments;
  const shared = {
    value: roundFigure(value),
    n,
    clusters,
    method,
    ...(options.note === undefined ? {} : { note: options.note }),
  };
  const missing = { low: null, high: null, se: null };
  if (variance === null) return { ...shared, ...missing, reason: ONE_CLUSTER };
  const se = Math.sqrt(Math.max(0, variance));
  if (se <= 1e-12 * Math.max(1, Math.abs(value))) return { ...shared, ...missing, reason: NO_SPREAD };
  const half = tQuantile(upperTail(options.confidence ?? 0.95), moments.degrees) * se;
  const range = options.range ?? { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  return {
    ...shared,
    low: roundFigure(Math.max(range.low, value - half)),
    high: roundFigure(Math.min(range.high, value + half)),
    se: roundFigure(se),
  };
}
