import { logGamma } from './distributions.ts';
import type { TaskCount } from './passing.ts';
import { roundFigure } from './round.ts';

/**
 * Fisher's exact test of two counts of independent trials: the two-sided p, the sum over all tables with the
 * same margins that are no likelier than the one seen. 1 where an arm has no trials.
 * @throws RangeError unless 0 ≤ c ≤ n, whole.
 */
export function fisherExact(first: TaskCount, second: TaskCount): number {
  for (const { n, c } of [first, second]) {
    if (!(Number.isInteger(n) && Number.isInteger(c) && c >= 0 && c <= n)) {
      throw new RangeError(`needs whole counts 0 ≤ c ≤ n, got ${c} of ${n}`);
    }
  }
  const successes = first.c + second.c;
  const logMass = (c: number): number =>
    logChoose(first.n, c) + logChoose(second.n, successes - c) - logChoose(first.n + second.n, successes);
  const seen = logMass(first.c);
  let p = 0;
  const [least, most] = [Math.max(0, successes - second.n), Math.min(first.n, successes)];
  for (let c = least; c <= most; c += 1) {
    const mass = logMass(c);
    // Tables as likely as the one seen may differ from it in the last bits.
    if (mass <= seen + 1e-9) p += Math.exp(mass);
  }
  return roundFigure(Math.min(1, p));
}

function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}
