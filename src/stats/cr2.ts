import type { Observation } from './types.ts';

/** A variance and the degrees of freedom of the t distribution that goes with it. */
export interface SmallSampleVariance {
  readonly variance: number;
  /** Satterthwaite's; need not be whole. */
  readonly degrees: number;
}

/**
 * CR2 variance of a mean of clustered observations and its degrees of freedom (Bell and McCaffrey 2002, with
 * equal independent errors as working model). A residual sum of a cluster with m of the n observations is
 * divided by sqrt(1 − m/n), which takes out the bias of CR0 whatever the cluster sizes; with equal sizes it
 * is CR1 and C − 1 degrees. Null below two clusters.
 */
export function cr2Variance(observations: readonly Observation[]): SmallSampleVariance | null {
  return cr2Difference([observations]);
}

/**
 * CR2 variance of the difference of two means and its degrees of freedom; clusters that both arms share (by
 * name) count as shared, so that what they have in common cancels. Null where an arm lies in one cluster.
 */
export function cr2DifferenceVariance(
  first: readonly Observation[],
  second: readonly Observation[],
): SmallSampleVariance | null {
  return cr2Difference([first, second]);
}

const average = (observations: readonly Observation[]): number =>
  observations.reduce((sum, observation) => sum + observation.value, 0) / observations.length;

/** What one cluster of one arm adds: its share of the estimate's error, its u and its m/n². */
interface ClusterTerms {
  error: number;
  readonly weights: number[];
  diagonal: number;
}

/**
 * One arm is a mean, two a difference. For arm a with n observations, m of them in cluster c, the adjusted
 * residual sum is S/(n·sqrt(1 − m/n)). G'G, whose eigenvalues give the degrees (Σλ)²/Σλ², has the diagonal
 * Σ_a m/n² and off it −Σ_a u_c·u_d with u = m/(n^1.5·sqrt(1 − m/n)); its trace and the sum of its squares
 * need one pass over the clusters.
 */
function cr2Difference(arms: readonly (readonly Observation[])[]): SmallSampleVariance | null {
  const clusters = new Map<string, ClusterTerms>();
  for (const [arm, observations] of arms.entries()) {
    if (!addArm(clusters, arm, observations)) return null;
  }
  let variance = 0;
  let trace = 0;
  let squares = 0;
  const products = arms.map(() => arms.map(() => 0));
  for (const { error, weights, diagonal } of clusters.values()) {
    variance += error * error;
    trace += diagonal;
    const own = weights.reduce((sum, weight) => sum + (weight ?? 0) ** 2, 0);
    squares += diagonal * diagonal - own * own;
    for (const [row, line] of products.entries()) {
      for (const column of line.keys()) {
        line[column] = (line[column] ?? 0) + (weights[row] ?? 0) * (weights[column] ?? 0);
      }
    }
  }
  for (const line of products) for (const product of line) squares += product * product;
  return clusters.size < 2 ? null : { variance, degrees: (trace * trace) / squares };
}

/** Adds an arm's terms to its clusters; false where one cluster holds the whole arm. */
function addArm(
  clusters: Map<string, ClusterTerms>,
  arm: number,
  observations: readonly Observation[],
): boolean {
  const n = observations.length;
  const center = average(observations);
  const sign = arm === 0 ? 1 : -1;
  const sums = new Map<string, { sum: number; size: number }>();
  for (const { value, cluster } of observations) {
    const own = sums.get(cluster);
    if (own === undefined) sums.set(cluster, { sum: value - center, size: 1 });
    else {
      own.sum += value - center;
      own.size += 1;
    }
  }
  for (const [cluster, { sum, size }] of sums) {
    if (size === n) return false;
    const root = Math.sqrt(1 - size / n);
    const terms = clusters.get(cluster) ?? { error: 0, weights: [], diagonal: 0 };
    terms.error += (sign * sum) / (n * root);
    terms.weights[arm] = size / (n * Math.sqrt(n) * root);
    terms.diagonal += size / (n * n);
    clusters.set(cluster, terms);
  }
  return n > 0;
}
