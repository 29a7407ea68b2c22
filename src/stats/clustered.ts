import type { Observation } from './types.ts';

/** The arithmetic mean; null for no values. */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard error of the mean of independent values, sqrt(Σ(s−s̄)²/(n(n−1))); null below two values. */
export function cltStandardError(values: readonly number[]): number | null {
  const center = mean(values);
  const n = values.length;
  if (center === null || n < 2) return null;
  const squares = values.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return Math.sqrt(squares / (n * (n - 1)));
}

/** Standard error of a proportion of n independent trials, sqrt(p(1−p)/n); null for n = 0. */
export function bernoulliStandardError(p: number, n: number): number | null {
  return n === 0 ? null : Math.sqrt((p * (1 - p)) / n);
}

/** Which clustered standard error: they differ, so a report names the one it prints. */
export type ClusteredForm = 'CR0' | 'CR1' | 'Miller';

/**
 * Standard error of a mean whose observations share clusters; null below two clusters (it is undefined there,
 * not 0).
 *
 * - `CR0`: sqrt(Σ_c(Σ_{i∈c}(s_i−s̄))²)/n.
 * - `CR1`: CR0's variance times C/(C−1); with equal cluster sizes the CLT error of the cluster means. Ours.
 * - `Miller`: the CLT variance plus the products of pairs within a cluster over n² (Miller 2024, equation 4);
 *   null as well where that sum is negative.
 */
export function clusteredStandardError(
  observations: readonly Observation[],
  form: ClusteredForm = 'CR1',
): number | null {
  const variance = clusteredVariance(observations, form);
  return variance === null || variance < 0 ? null : Math.sqrt(variance);
}

/** The square of `clusteredStandardError`; null below two clusters. */
export function clusteredVariance(observations: readonly Observation[], form: ClusteredForm): number | null {
  const values = observations.map((observation) => observation.value);
  const center = mean(values);
  const n = values.length;
  if (center === null) return null;
  const sums = new Map<string, number>();
  let squares = 0;
  for (const { value, cluster } of observations) {
    sums.set(cluster, (sums.get(cluster) ?? 0) + value - center);
    squares += (value - center) ** 2;
  }
  if (sums.size < 2) return null;
  const between = [...sums.values()].reduce((total, sum) => total + sum * sum, 0);
  if (form === 'Miller') return squares / (n * (n - 1)) + (between - squares) / (n * n);
  const robust = between / (n * n);
  return form === 'CR0' ? robust : (robust * sums.size) / (sums.size - 1);
}

/** How many observations each cluster holds, in order of first appearance. */
export function clusterSizes(observations: readonly Observation[]): number[] {
  const sizes = new Map<string, number>();
  for (const { cluster } of observations) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  return [...sizes.values()];
}

/** (Σn)²/Σn²: the number of clusters of equal size that weigh as much as these do; 0 for none. */
export function effectiveClusters(sizes: readonly number[]): number {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const squares = sizes.reduce((sum, size) => sum + size * size, 0);
  return squares === 0 ? 0 : (total * total) / squares;
}
