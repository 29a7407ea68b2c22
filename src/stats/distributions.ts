/**
 * Distribution functions and their inverses, to about 13 digits. Sources: Lanczos' series for the gamma
 * function, Lentz' continued fraction for the incomplete beta function, Acklam's rational start for the
 * normal quantile followed by Halley steps, bisection for the others.
 */

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** Natural logarithm of the gamma function for x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
  const shifted = x - 1;
  let sum: number = LANCZOS[0];
  for (let index = 1; index < LANCZOS.length; index += 1) sum += (LANCZOS[index] ?? 0) / (shifted + index);
  const base = shifted + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

/** Regularised incomplete beta function I_x(a, b): the distribution function of Beta(a, b) at x; a, b > 0. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const logFront = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  const front = Math.exp(logFront);
  // The fraction converges fast on one side of the mean only; the other side goes by symmetry.
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a;
  return 1 - (front * betaFraction(1 - x, b, a)) / b;
}

const SMALLEST = 1e-300;

function betaFraction(x: number, a: number, b: number): number {
  const awayFromZero = (part: number): number => (Math.abs(part) < SMALLEST ? SMALLEST : part);
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    const factor = d * c;
    result *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return result;
}

/** The p-quantile of Beta(a, b), by bisection. @throws RangeError unless 0 ≤ p ≤ 1. */
export function betaQuantile(p: number, a: number, b: number): number {
  requireProbability(p);
  let low = 0;
  let high = 1;
  for (let round = 0; round < 200; round += 1) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (incompleteBeta(middle, a, b) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Distribution function of the standard normal distribution. */
export function normalCdf(x: number): number {
  const tail = 0.5 * complementaryError(Math.abs(x) / Math.SQRT2);
  return x < 0 ? tail : 1 - tail;
}

/** erfc(x) for x ≥ 0: the series below 2, the continued fraction above. */
function complementaryError(x: number): number {
  if (x < 2) {
    let term = x;
    let sum = x;
    for (let n = 1; n < 200 && Math.abs(term) > 1e-18 * Math.abs(sum); n += 1) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
      if (term === 0) break;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let n = 120; n >= 1; n -= 1) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + fraction));
}

const ACKLAM_A = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
] as const;
const ACKLAM_B = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1,
] as const;
const ACKLAM_C = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
] as const;
const ACKLAM_D = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416] as const;

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

/** The p-quantile of the standard normal distribution. @throws RangeError unless 0 < p < 1. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a normal quantile needs 0 < p < 1, got ${p}`);
  let x = acklamStart(p);
  for (let round = 0; round < 2; round += 1) {
    const error = normalCdf(x) - p;
    const step = error * Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2);
    x -= step / (1 + (x * step) / 2);
  }
  return x;
}

function acklamStart(p: number): number {
  if (p > 0.5) return -acklamStart(1 - p);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return polynomial(ACKLAM_C, q) / polynomial([...ACKLAM_D, 1], q);
  }
  const q = p - 0.5;
  const r = q * q;
  return (polynomial(ACKLAM_A, r) * q) / polynomial([...ACKLAM_B, 1], r);
}

/** Distribution function of Student's t with `degrees` > 0 degrees of freedom (need not be whole). */
export function tCdf(t: number, degrees: number): number {
  const tail = tTail(Math.abs(t), degrees);
  return t < 0 ? tail : 1 - tail;
}

function tTail(t: number, degrees: number): number {
  return 0.5 * incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** Beyond this a t quantile says nothing: every interval made with it covers the whole range. */
const LARGEST_T = 1e100;

/**
 * The p-quantile of Student's t with `degrees` > 0 degrees of freedom (need not be whole); at most 1e100 in
 * size.
 * @throws RangeError unless 0 < p < 1 and degrees > 0.
 */
export function tQuantile(p: number, degrees: number): number {
  if (!(p > 0 && p < 1 && degrees > 0)) {
    throw new RangeError(`a t quantile needs 0 < p < 1 and degrees > 0, got ${p} and ${degrees}`);
  }
  if (p === 0.5) return 0;
  if (p < 0.5) return -tQuantile(1 - p, degrees);
  const tail = 1 - p;
  let high = 1;
  while (tTail(high, degrees) > tail && high < LARGEST_T) high *= 2;
  if (high >= LARGEST_T) return LARGEST_T;
  let low = high === 1 ? 0 : high / 2;
  for (let round = 0; round < 100; round += 1) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (tTail(middle, degrees) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function requireProbability(p: number): void {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a probability lies in [0, 1], got ${p}`);
}
