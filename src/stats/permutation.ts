import { SeededRandom } from '../base/random.ts';
import type { Pair } from './paired.ts';
import { roundFigure } from './round.ts';

/** A two-sided permutation test of a paired difference. */
export interface PermutationTest {
  readonly p: number;
  /** `exact` looked at every exchange of the arms, `sampled` at this many seeded ones and the one seen. */
  readonly method: 'exact' | 'sampled';
  readonly exchanges: number;
  readonly clusters: number;
}

export interface PermutationOptions {
  /** Any text; the same text and pairs give the same p. */
  readonly seed: string;
  /** How many exchanges are sampled where there are too many to look at; 10,000 when left out. */
  readonly resamples?: number;
}

/** Up to this many clusters every one of the 2^C exchanges is looked at. */
const EXACT_CLUSTERS = 16;

/**
 * Tests whether two arms differ by exchanging them: if they do not, each cluster's sum of differences is as
 * likely with the other sign. Whole clusters change sign, so what items share stays. p is the share of
 * exchanges with a sum at least as large in size as the one seen (sampled: that one included, so never 0).
 * Clusters whose differences sum to 0 say nothing and are left out. Null where none is left.
 */
export function pairedPermutation(
  pairs: readonly Pair[],
  options: PermutationOptions,
): PermutationTest | null {
  const sums = new Map<string, number>();
  for (const { first, second, cluster } of pairs) {
    sums.set(cluster, (sums.get(cluster) ?? 0) + first - second);
  }
  const differences = Float64Array.from(sums.values()).filter((sum) => sum !== 0);
  if (differences.length === 0) return null;
  const seen = Math.abs(differences.reduce((total, difference) => total + difference, 0));
  // Sums of the same terms in another order differ in the last bits.
  const least = seen - 1e-9 * Math.max(1, seen);
  const clusters = sums.size;
  if (differences.length <= EXACT_CLUSTERS) {
    const exchanges = 2 ** differences.length;
    return {
      p: roundFigure(countExact(differences, least) / exchanges),
      method: 'exact',
      exchanges,
      clusters,
    };
  }
  const exchanges = options.resamples ?? 10_000;
  const random = SeededRandom.from(options.seed);
  let count = 1;
  for (let index = 0; index < exchanges; index += 1) {
    if (Math.abs(exchangedSum(differences, random)) >= least) count += 1;
  }
  return { p: roundFigure(count / (exchanges + 1)), method: 'sampled', exchanges, clusters };
}

/** Walks all exchanges by changing one sign at a time (Gray code). */
function countExact(differences: Float64Array, least: number): number {
  const signed = Float64Array.from(differences);
  let count = 0;
  for (let code = 1; code <= 2 ** differences.length; code += 1) {
    if (Math.abs(signed.reduce((total, value) => total + value, 0)) >= least) count += 1;
    const changed = 31 - Math.clz32(code & -code);
    if (changed < signed.length) signed[changed] = -(signed[changed] ?? 0);
  }
  return count;
}

function exchangedSum(differences: Float64Array, random: SeededRandom): number {
  let total = 0;
  let bits = 0;
  for (let index = 0; index < differences.length; index += 1) {
    if (index % 32 === 0) bits = random.nextUint32();
    total += bits & 1 ? (differences[index] as number) : -(differences[index] as number);
    bits >>>= 1;
  }
  return total;
}
