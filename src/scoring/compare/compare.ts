import { cr2Variance } from '../../stats/cr2.ts';
import {
  detectableWith,
  type Estimate,
  fisherExact,
  holm,
  mcNemar,
  type Pair,
  pairedDifference,
  pairedPermutation,
  rateEstimate,
  roundFigure,
  tCdf,
} from '../../stats/index.ts';
import { clusterLabels } from '../clusters.ts';
import type {
  ComparedTrial,
  Comparison,
  ComparisonInput,
  ComparisonVerdict,
  Passed,
  ScenarioPair,
  VoidShare,
} from './types.ts';

/** What a difference of two rates can be. */
const DIFFERENCES = { low: -1, high: 1 };

/** Below so many clusters no distribution is assumed. */
const FEW_CLUSTERS = 10;

/**
 * Compares two arms scenario by scenario: what the scenarios have in common cancels, so far smaller
 * differences show than between two separate rates. A scenario counts once, as the difference of its success
 * rates; scenarios of one cluster are one piece of evidence. Void trials count in neither arm; with aligned
 * trials the partner of a void one is left out too.
 * @throws RangeError for a value outside [0, 1], NaN included
 */
export function compareArms(input: ComparisonInput): Comparison {
  const { first, second, aligned, confidence } = input;
  for (const trial of [...first, ...second]) assertValue(trial);
  const [left, right] = counted(first, second, aligned);
  const clusters = clustersOf(first, second);
  const found = [...left.keys()].filter((scenario) => right.has(scenario));
  const pairs = pairsOf([left, right], clusters);
  const delta = pairedDifference(pairs, {
    range: DIFFERENCES,
    ...(confidence !== undefined && { confidence }),
  });
  const shares = { first: voidShare(first), second: voidShare(second) };
  const { test, p } = tested(pairs, oneTrialEach(found, left, right));
  const se = delta.value === null ? null : delta.se;
  return {
    paired: aligned ? 'trials' : 'scenarios',
    n: pairs.length,
    clusters: new Set(pairs.map(({ cluster }) => cluster)).size,
    first: rateEstimate(pairs.map((pair) => ({ value: pair.second, cluster: pair.cluster }))),
    second: rateEstimate(pairs.map((pair) => ({ value: pair.first, cluster: pair.cluster }))),
    delta,
    test,
    p,
    mde: se === null ? null : detectableWith(se),
    voids: shares,
    deltaIfVoid: bounds(first, second),
    scenarios: scenarioPairs(found, left, right),
    unpaired: unpairedOf(first, second, found),
    ...verdictOf({ delta, p, alpha: 1 - (confidence ?? 0.95) }, shares),
  };
}

function assertValue({ scenario, trial, value }: ComparedTrial): void {
  if (value >= 0 && value <= 1) return;
  throw new RangeError(`trial ${trial} of ${scenario} has the value ${value}: a value lies in [0, 1]`);
}

type Arm = ReadonlyMap<string, readonly ComparedTrial[]>;

/** The trials that count, by scenario. */
function counted(
  first: readonly ComparedTrial[],
  second: readonly ComparedTrial[],
  aligned: boolean,
): readonly [Arm, Arm] {
  const keyOf = ({ scenario, trial }: ComparedTrial): string => `${scenario}#${trial}`;
  const here = (trials: readonly ComparedTrial[]): Set<string> =>
    new Set(trials.filter((trial) => !trial.void).map(keyOf));
  const others = [here(second), here(first)] as const;
  const arm = (trials: readonly ComparedTrial[], other: ReadonlySet<string>): Arm =>
    Map.groupBy(
      trials.filter((trial) => !trial.void && (!aligned || other.has(keyOf(trial)))),
      ({ scenario }) => scenario,
    );
  return [arm(first, others[0]), arm(second, others[1])];
}

/** The cluster of every scenario, whichever arm names it. */
function clustersOf(...arms: readonly (readonly ComparedTrial[])[]): ReadonlyMap<string, string> {
  const trials = arms.flat();
  const labels = clusterLabels(trials);
  return new Map(trials.map(({ scenario }, index) => [scenario, labels[index] ?? scenario]));
}

/**
 * A pair for each scenario of both arms: the second arm's rate first, so that differences are second −
 * first.
 */
function pairsOf([left, right]: readonly [Arm, Arm], clusters: ReadonlyMap<string, string>): Pair[] {
  return [...left].flatMap(([scenario, trials]) => {
    const others = right.get(scenario);
    if (others === undefined) return [];
    return [{ first: rate(others), second: rate(trials), cluster: clusters.get(scenario) ?? scenario }];
  });
}

const passedOf = (trials: readonly ComparedTrial[]): Passed => ({
  passed: roundFigure(trials.reduce((sum, { value }) => sum + value, 0)),
  of: trials.length,
});

const rate = (trials: readonly ComparedTrial[]): number => passedOf(trials).passed / trials.length;

function oneTrialEach(scenarios: readonly string[], ...arms: readonly Arm[]): boolean {
  return scenarios.every((scenario) =>
    arms.every((arm) => {
      const trials = arm.get(scenario) ?? [];
      return trials.length === 1 && trials.every(({ value }) => value === 0 || value === 1);
    }),
  );
}

/** Chooses the test by what the pairs are, not by what it gives. */
function tested(pairs: readonly Pair[], single: boolean): Pick<Comparison, 'test' | 'p'> {
  const clusters = new Set(pairs.map(({ cluster }) => cluster)).size;
  if (pairs.length === 0) return { test: { name: null, reason: 'no scenario is in both arms' }, p: null };
  if (pairs.every(({ first, second }) => first === second)) {
    return { test: { name: null, reason: 'no scenario differs: there is nothing to test' }, p: null };
  }
  if (single && clusters === pairs.length) return byMcNemar(pairs);
  const differences = pairs.map(({ first, second, cluster }) => ({ value: first - second, cluster }));
  const moments = cr2Variance(differences);
  if (clusters < FEW_CLUSTERS || moments === null || moments.variance < 1e-24) {
    const test = pairedPermutation(pairs, { seed: 'comparison' });
    const reason = `${clusters} clusters: too few, or too much alike, to assume a distribution`;
    return { test: { name: 'paired permutation, exact', reason }, p: test?.p ?? null };
  }
  const value = differences.reduce((sum, one) => sum + one.value, 0) / differences.length;
  const t = Math.abs(value) / Math.sqrt(moments.variance);
  const reason = single ? 'scenarios share clusters' : 'several trials of each scenario, as one difference';
  return { test: { name: 'paired t, CR2', reason }, p: roundFigure(2 * (1 - tCdf(t, moments.degrees))) };
}

function byMcNemar(pairs: readonly Pair[]): Pick<Comparison, 'test' | 'p'> {
  const gained = pairs.filter(({ first, second }) => first > second).length;
  const lost = pairs.filter(({ first, second }) => first < second).length;
  const test = mcNemar(gained, lost);
  const name = test?.preferred === 'midP' ? 'McNemar mid-p' : 'McNemar exact';
  const reason = `one trial of each scenario in both arms, ${gained + lost} of them differ`;
  return { test: { name, reason }, p: test?.[test.preferred] ?? null };
}

function scenarioPairs(scenarios: readonly string[], left: Arm, right: Arm): ScenarioPair[] {
  const pairs = scenarios.map((scenario) => {
    const first = passedOf(left.get(scenario) ?? []);
    const second = passedOf(right.get(scenario) ?? []);
    const whole = Number.isInteger(first.passed) && Number.isInteger(second.passed);
    const p = whole ? fisherExact({ n: first.of, c: first.passed }, { n: second.of, c: second.passed }) : 1;
    return { scenario, first, second, p };
  });
  const adjusted = holm(pairs.map(({ p }) => p));
  return pairs.map((pair, index) => ({ ...pair, adjusted: adjusted[index] ?? 1 }));
}

function unpairedOf(
  first: readonly ComparedTrial[],
  second: readonly ComparedTrial[],
  found: readonly string[],
): string[] {
  const paired = new Set(found);
  const all = new Set([...first, ...second].map(({ scenario }) => scenario));
  return [...all].filter((scenario) => !paired.has(scenario));
}

function voidShare(trials: readonly ComparedTrial[]): VoidShare {
  return { count: trials.filter((trial) => trial.void).length, of: trials.length };
}

/** The difference of the scenario means with every void decided against the second arm, and for it. */
function bounds(
  first: readonly ComparedTrial[],
  second: readonly ComparedTrial[],
): Comparison['deltaIfVoid'] {
  const decided = (trials: readonly ComparedTrial[], value: number): ComparedTrial[] =>
    trials.map((trial) => (trial.void ? { ...trial, void: false, value } : trial));
  const difference = (inFirst: number, inSecond: number): number | null => {
    const arms = counted(decided(first, inFirst), decided(second, inSecond), false);
    return pairedDifference(pairsOf(arms, clustersOf(first, second))).value;
  };
  return { worst: difference(1, 0), best: difference(0, 1) };
}

/** That the arms have other shares of void trials, as a sentence; null where they have not. */
export function voidsDiffer({ first, second }: Comparison['voids']): string | null {
  if (first.count * second.of === second.count * first.of) return null;
  return `void shares differ: ${first.count} of ${first.of} against ${second.count} of ${second.of} trials`;
}

function verdictOf(
  { delta, p, alpha }: { readonly delta: Estimate; readonly p: number | null; readonly alpha: number },
  shares: Comparison['voids'],
): { readonly verdict: ComparisonVerdict; readonly reason: string } {
  const differ = voidsDiffer(shares);
  if (differ !== null) return { verdict: 'inconclusive', reason: differ };
  if (delta.value === null) return { verdict: 'inconclusive', reason: delta.reason };
  const { value, low, high } = delta;
  if (low === null || high === null) {
    const reason = delta.reason ?? 'no interval';
    if (value === 0) return { verdict: 'no-difference-shown', reason };
    // Scenarios that all moved alike have no spread for an interval; the permutation test needs none.
    if (p === null || p > alpha) return { verdict: 'inconclusive', reason };
    return { verdict: value > 0 ? 'better' : 'worse', reason: `every cluster moved alike, p = ${p}` };
  }
  const [from, to] = [low, high].map((end) => `${Number((100 * end).toFixed(1))}`);
  const interval = `the interval of the difference is ${from} to ${to} points`;
  if (low > 0) return { verdict: 'better', reason: `${interval}, above 0` };
  if (high < 0) return { verdict: 'worse', reason: `${interval}, below 0` };
  return { verdict: 'no-difference-shown', reason: `${interval}, with 0 inside` };
}
