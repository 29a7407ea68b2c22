import type { Comparison } from '../../scoring/index.ts';

type Tested = Pick<Comparison, 'test' | 'p'>;

/** Which test, its p and why this one; or why there is none. */
export function testWords({ test, p }: Tested): string {
  if (test.name === null) return `none: ${test.reason}`;
  return `${test.name}: p = ${p === null ? '—' : p.toPrecision(3)} (${test.reason})`;
}

/** The smallest difference that this comparison would have shown. */
export function detectableWords({ mde }: Pick<Comparison, 'mde'>): string {
  return mde === null ? '—' : `a difference of ${(100 * mde).toFixed(1)} points (80 % power)`;
}

/** `Paired by trials: 71 scenarios in 17 clusters.` */
export function pairedWords({ paired, n, clusters }: Pick<Comparison, 'paired' | 'n' | 'clusters'>): string {
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `Paired by ${paired}: ${counted(n, 'scenario')} in ${counted(clusters, 'cluster')}.`;
}

/** The verdict as words: `no difference shown`. */
export function verdictWords({ verdict }: Pick<Comparison, 'verdict'>): string {
  return verdict.replaceAll('-', ' ');
}
