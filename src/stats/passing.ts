/** A count of successes c among n trials of one task. */
export interface TaskCount {
  readonly n: number;
  readonly c: number;
}

/**
 * pass@k of one task: the chance that at least one of k trials drawn without replacement from its n
 * succeeded, 1 − C(n−c,k)/C(n,k) (Chen et al. 2021). Null when n < k: it is undefined there.
 */
export function passAtK({ n, c }: TaskCount, k: number): number | null {
  requireCounts(n, c, k);
  return n < k ? null : 1 - choiceRatio(n - c, n, k);
}

/**
 * pass^k of one task: the chance that all of k trials drawn without replacement from its n succeeded,
 * C(c,k)/C(n,k) (the estimator of tau-bench). Null when n < k: it is undefined there.
 */
export function passHatK({ n, c }: TaskCount, k: number): number | null {
  requireCounts(n, c, k);
  return n < k ? null : choiceRatio(c, n, k);
}

/**
 * The biased plug-in (c/n)^k, too high for tasks of mixed outcomes; kept under its own name for comparison.
 */
export function plugInPassHatK({ n, c }: TaskCount, k: number): number | null {
  requireCounts(n, c, k);
  return n === 0 ? null : (c / n) ** k;
}

/** C(part,k)/C(whole,k) as a product of k fractions: no large numbers. */
function choiceRatio(part: number, whole: number, k: number): number {
  if (part < k) return 0;
  let product = 1;
  for (let index = 0; index < k; index += 1) product *= (part - index) / (whole - index);
  return product;
}

function requireCounts(n: number, c: number, k: number): void {
  if (!(Number.isInteger(k) && k >= 1 && c >= 0 && c <= n)) {
    throw new RangeError(`needs a whole k ≥ 1 and 0 ≤ c ≤ n, got k ${k}, c ${c}, n ${n}`);
  }
}
