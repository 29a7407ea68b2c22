import { compareText } from '../base/json.ts';
import { meanEstimate, rateEstimate } from '../stats/estimate.ts';
import { passAtK, passHatK, type TaskCount } from '../stats/passing.ts';
import { quantileFigure } from '../stats/quantile.ts';
import { ratio, ratioEstimate } from '../stats/ratio.ts';
import type { Estimate, Ratio } from '../stats/types.ts';
import { clusterLabels } from './clusters.ts';
import { countFaults } from './recovery/resilience.ts';
import type {
  FailureSummary,
  IfVoid,
  InvariantSummary,
  QuantilePair,
  RatioFigure,
  RunMetrics,
  RunSummary,
  SummaryTrial,
} from './summary-types.ts';
import { failedChecks } from './trial.ts';
import type { Invariant } from './types.ts';

/** A trial with the cluster that its observations count under. */
type ClusteredTrial = SummaryTrial & { readonly label: string };

const UNIT = { low: 0, high: 1 } as const;

/**
 * The figures of a run. Void trials are left out of every rate; `successIfVoid`, `passAtIfVoid` and
 * `passHatIfVoid` say what they could change.
 * The order in which trials come in does not matter.
 *
 * @param options.k trials per scenario, for pass^k and pass@k
 */
export function summarise(options: { trials: readonly SummaryTrial[]; k: number }): RunSummary {
  const sorted = [...options.trials].sort(
    (one, other) => compareText(one.scenario, other.scenario) || one.trial - other.trial,
  );
  const labels = clusterLabels(sorted);
  const all = sorted.map((trial, index) => ({ ...trial, label: labels[index] ?? trial.scenario }));
  const scored = all.filter((trial) => trial.score.void === null);
  const success = successRate(scored, (trial) => trial.score.success);
  const passing = passingFigures(all, options.k);
  const faults = countFaults(scored.map(({ score }) => score));
  return {
    trials: all.length,
    k: options.k,
    void: voidCounts(all),
    success,
    successIfVoid: {
      fail: successRate(all, (trial) => passes(trial, false)),
      pass: successRate(all, (trial) => passes(trial, true)),
    },
    ...passing,
    metrics: runMetrics(scored, success),
    invariants: invariantSummaries(scored),
    failures: scored.flatMap(failuresOf),
    ...(faults && { faults }),
  };
}

function successRate(
  trials: readonly ClusteredTrial[],
  passed: (trial: ClusteredTrial) => boolean,
): Estimate {
  if (trials.length === 0) return { value: null, reason: 'every trial is void, or there is none' };
  return rateEstimate(trials.map((trial) => ({ value: passed(trial) ? 1 : 0, cluster: trial.label })));
}

function voidCounts(trials: readonly ClusteredTrial[]): RunSummary['void'] {
  const byReason: Record<string, number> = {};
  for (const { score } of trials) {
    if (score.void) byReason[score.void.reason] = (byReason[score.void.reason] ?? 0) + 1;
  }
  const count = Object.values(byReason).reduce((sum, one) => sum + one, 0);
  return { count, byReason };
}

/** Whether a trial counts as a success where every void trial counts as `ifVoid`. */
function passes({ score }: ClusteredTrial, ifVoid: boolean): boolean {
  return score.void === null ? score.success : ifVoid;
}

function passingFigures(
  trials: readonly ClusteredTrial[],
  k: number,
): Pick<RunSummary, 'passAt' | 'passHat' | 'passAtIfVoid' | 'passHatIfVoid'> {
  const scored = countsByScenario(trials, null);
  const [failed, passed] = [countsByScenario(trials, false), countsByScenario(trials, true)];
  const sizes = [...new Set([1, k])];
  const figures = (estimator: Estimator): Record<string, Estimate> =>
    Object.fromEntries(sizes.map((size) => [size, overScenarios(scored, { k: size, estimator })]));
  const bounds = (estimator: Estimator): Record<string, IfVoid> =>
    Object.fromEntries(
      sizes.map((size) => {
        const fail = overScenarios(failed, { k: size, estimator });
        return [size, { fail, pass: overScenarios(passed, { k: size, estimator }) }];
      }),
    );
  return {
    passAt: figures(passAtK),
    passHat: figures(passHatK),
    passAtIfVoid: bounds(passAtK),
    passHatIfVoid: bounds(passHatK),
  };
}

type Estimator = (count: TaskCount, k: number) => number | null;
type ScenarioCount = TaskCount & { readonly label: string };

/** Trials and successes of every scenario; with null void trials are left out, else they count as that. */
function countsByScenario(trials: readonly ClusteredTrial[], ifVoid: boolean | null): ScenarioCount[] {
  const scenarios = new Map<string, ScenarioCount>();
  for (const trial of trials) {
    const { n, c } = scenarios.get(trial.scenario) ?? { n: 0, c: 0 };
    const counted = trial.score.void === null || ifVoid !== null;
    const passed = counted && passes(trial, ifVoid ?? false);
    const count = { n: n + (counted ? 1 : 0), c: c + (passed ? 1 : 0), label: trial.label };
    scenarios.set(trial.scenario, count);
  }
  return [...scenarios.values()];
}

function overScenarios(
  scenarios: readonly ScenarioCount[],
  { k, estimator }: { readonly k: number; readonly estimator: Estimator },
): Estimate {
  const observations = scenarios.flatMap((scenario) => {
    const value = estimator(scenario, k);
    return value === null ? [] : [{ value, cluster: scenario.label }];
  });
  const left = scenarios.length - observations.length;
  const which = `${left} of ${scenarios.length} scenarios`;
  const why = `undefined for ${which}: fewer than ${k} trials that are not void`;
  if (observations.length === 0) return { value: null, reason: scenarios.length === 0 ? 'no trials' : why };
  return rateEstimate(observations, { note: left === 0 ? undefined : why });
}

function runMetrics(trials: readonly ClusteredTrial[], success: Estimate): RunMetrics {
  const winners = trials.filter((trial) => trial.score.success);
  const met = trials.filter((trial) => trial.score.recovery.met);
  const recovered = met.filter((trial) => trial.score.recovery.recovered);
  const recovery: Estimate =
    met.length === 0
      ? { value: null, reason: 'no trial met a tool error' }
      : rateEstimate(
          met.map(({ score, label }) => ({ value: score.recovery.recovered ? 1 : 0, cluster: label })),
        );
  return {
    success,
    precision: ratioFigure(trials, (trial) => trial.score.precision),
    recall: ratioFigure(trials, (trial) => trial.score.recall),
    redundant: ratioFigure(trials, (trial) => trial.score.redundant),
    redundantSinceWrite: ratioFigure(trials, (trial) => trial.score.redundantSinceWrite),
    recovery: { ...recovery, pooled: ratio(recovered.length, met.length) },
    steps: quantilePair(
      winners.map((trial) => trial.score.steps),
      'no trial succeeded',
    ),
    costPerSuccess: costPerSuccess(trials),
    wallClockMs: wallClock(winners),
  };
}

function ratioFigure(
  trials: readonly ClusteredTrial[],
  ratioOf: (trial: ClusteredTrial) => Ratio,
): RatioFigure {
  let [numerator, denominator] = [0, 0];
  const observations = trials.flatMap((trial) => {
    const { value, numerator: above, denominator: below } = ratioOf(trial);
    numerator += above;
    denominator += below;
    return value === null ? [] : [{ value, cluster: trial.label }];
  });
  const left = trials.length - observations.length;
  const pooled = ratio(numerator, denominator);
  if (observations.length === 0) {
    const reason = trials.length === 0 ? 'no trials' : 'the denominator is 0 in every trial';
    return { value: null, reason, pooled };
  }
  const note = left === 0 ? undefined : `undefined in ${left} of ${trials.length} trials: denominator 0`;
  return { ...meanEstimate(observations, { range: UNIT, note }), pooled };
}

function costPerSuccess(trials: readonly ClusteredTrial[]): Estimate {
  const unknown = trials.filter((trial) => trial.score.cost === null).length;
  if (trials.length === 0) return { value: null, reason: 'no trials' };
  if (unknown > 0) {
    return { value: null, reason: `the cost of ${unknown} of ${trials.length} trials is not known` };
  }
  const terms = trials.map(({ score, label }) => ({
    numerator: score.cost ?? 0,
    denominator: score.success ? 1 : 0,
    cluster: label,
  }));
  if (terms.every((term) => term.denominator === 0)) return { value: null, reason: 'no trial succeeded' };
  return ratioEstimate(terms, { range: { low: 0, high: Number.POSITIVE_INFINITY } });
}

function quantilePair(values: readonly number[], whenNone: string): QuantilePair {
  return { p50: quantileFigure(values, 0.5, whenNone), p99: quantileFigure(values, 0.99, whenNone) };
}

function wallClock(winners: readonly ClusteredTrial[]): QuantilePair {
  const times = winners.flatMap(({ wallClockMs }) => (wallClockMs === undefined ? [] : [wallClockMs]));
  if (times.length < winners.length) {
    const reason = `not measured in ${winners.length - times.length} of ${winners.length} successful trials`;
    return { p50: { value: null, reason }, p99: { value: null, reason } };
  }
  return quantilePair(times, 'no trial succeeded');
}

function invariantSummaries(trials: readonly ClusteredTrial[]): InvariantSummary[] {
  const found = new Map<string, InvariantSummary>();
  for (const { scenario, trial, score } of trials) {
    for (const { id, kind, verdict, witnesses } of score.invariants) {
      if (verdict === 'not-run' || verdict === 'error') continue;
      const before = found.get(`${kind} ${id}`) ?? emptySummary(id, kind);
      const broke = verdict === 'fail';
      const first = { scenario, trial, step: witnesses[0]?.steps[0] ?? null };
      found.set(`${kind} ${id}`, {
        ...before,
        broken: before.broken + (broke ? 1 : 0),
        of: before.of + 1,
        skipped: before.skipped + (verdict === 'skipped' ? 1 : 0),
        first: before.first ?? (broke ? first : null),
      });
    }
  }
  return [...found.values()].sort(
    (one, other) => compareText(one.id, other.id) || compareText(one.kind, other.kind),
  );
}

function emptySummary(id: string, kind: Invariant['kind']): InvariantSummary {
  return { id, kind, broken: 0, of: 0, skipped: 0, first: null };
}

function failuresOf({ scenario, trial, score }: ClusteredTrial): FailureSummary[] {
  return failedChecks(score).map(({ check, witness }) => ({
    scenario,
    trial,
    step: witness.steps[0] ?? null,
    check,
    expected: witness.expected ?? null,
    got: witness.got ?? null,
    message: witness.message,
  }));
}
