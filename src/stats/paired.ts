import { cltStandardError, clusteredVariance, clusterSizes, mean } from './clustered.ts';
import { type EstimateOptions, intervalByT } from './estimate.ts';
import type { Estimate } from './types.ts';

/** The same item measured for two arms. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly cluster: string;
}

/** The name of the interval of `pairedDifference`. */
const PAIRED_METHOD = 'paired difference, CR1, t on C−1';

/**
 * Mean of first − second over the items, with the error of the differences (CR1; for a cluster per item that
 * is the plain paired error): what the arms share cancels.
 */
export function pairedDifference(pairs: readonly Pair[], options: EstimateOptions = {}): Estimate {
  const differences = pairs.map(({ first, second, cluster }) => ({ value: first - second, cluster }));
  const value = mean(differences.map((difference) => difference.value));
  if (value === null) return { value: null, reason: 'no pairs' };
  const clusters = clusterSizes(differences).length;
  const variance = clusteredVariance(differences, 'CR1');
  return intervalByT(
    { value, variance, n: pairs.length, clusters, degrees: clusters - 1, method: PAIRED_METHOD },
    options,
  );
}

/**
 * Standard error of a difference of means of independent groups; null when either has fewer than two values.
 */
export function unpairedStandardError(first: readonly number[], second: readonly number[]): number | null {
  const left = cltStandardError(first);
  const right = cltStandardError(second);
  return left === null || right === null ? null : Math.sqrt(left * left + right * right);
}
