import { cltStandardError, mean } from './clustered.ts';
import { clusteredInterval, type EstimateOptions, type Interval } from './estimate.ts';
import type { Estimate } from './types.ts';

/** The same item measured for two arms. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly cluster: string;
}

/** The name of the interval of `pairedDifference`. */
const PAIRED_METHOD = 'paired difference, CR2, t on Satterthwaite degrees';

/**
 * Mean of first − second over the items, with the CR2 error of the differences (for a cluster per item that
 * is the plain paired error, with n − 1 degrees of freedom): what the arms share cancels.
 */
export function pairedDifference(
  pairs: readonly Pair[],
  options: EstimateOptions & { range?: Interval } = {},
): Estimate {
  const differences = pairs.map(({ first, second, cluster }) => ({ value: first - second, cluster }));
  const value = mean(differences.map((difference) => difference.value));
  if (value === null) return { value: null, reason: 'no pairs' };
  return clusteredInterval({ value, terms: differences, method: PAIRED_METHOD }, options);
}

/**
 * Standard error of a difference of means of independent groups; null when either has fewer than two values.
 */
export function unpairedStandardError(first: readonly number[], second: readonly number[]): number | null {
  const left = cltStandardError(first);
  const right = cltStandardError(second);
  return left === null || right === null ? null : Math.sqrt(left * left + right * right);
}
