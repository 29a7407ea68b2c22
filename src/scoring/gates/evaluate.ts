import { compareArms } from '../compare/compare.ts';
import type { ComparedTrial, Comparison, ComparisonInput, Passed } from '../compare/types.ts';
import { summarise } from '../summary.ts';
import type { SummaryTrial } from '../summary-types.ts';
import { budgetChecks } from './budgets.ts';
import { differenceChecks, NO_BASELINE } from './difference.ts';
import { floorChecks } from './floors.ts';
import { invariantChecks } from './invariant-checks.ts';
import { judgeChecks } from './judge-check.ts';
import type { GateCheck, GateInput, GateProfile, GateResult, GateVerdict } from './types.ts';

/** A trial as a comparison takes it. */
export function comparedTrial({ scenario, cluster, trial, score }: SummaryTrial): ComparedTrial {
  return { scenario, cluster, trial, value: score.success ? 1 : 0, void: score.void !== null };
}

/**
 * Holds two runs against a profile. Every check passes, fails, or is inconclusive, with a sentence; the
 * verdict is that of the worst, a failure before what is open.
 */
export function evaluateGate(profile: GateProfile, input: GateInput): GateResult {
  const { candidate, baseline, aligned, stepwise, judged } = input;
  const compare =
    baseline === null
      ? () => null
      : comparing({ first: baseline.map(comparedTrial), second: candidate.map(comparedTrial), aligned });
  const compareSteps =
    stepwise === undefined
      ? () => null
      : comparing({ first: stepwise.baseline, second: stepwise.candidate, aligned: stepwise.aligned });
  const comparison = compare((profile.noninferiority ?? profile.harm)?.confidence ?? 0.95);
  const { checks: judgements, shown } =
    profile.judge && judged ? judgeChecks(profile.judge, judged) : { checks: [], shown: [] };
  const checks = [
    ...differenceChecks('step-wise ', profile.stepwise ?? {}, compareSteps),
    ...differenceChecks('', profile, compare),
    ...scenarioChecks(profile, comparison),
    ...floorChecks(profile.floors ?? [], candidate),
    ...invariantChecks(profile.invariants ?? {}, candidate, baseline),
    ...(profile.budgets === undefined
      ? []
      : budgetChecks(profile.budgets, summarise({ trials: candidate, k: 1 }))),
    ...judgements,
  ];
  return { verdict: worst(checks), checks, ...(shown.length > 0 && { shown }), comparison };
}

/** The comparison at a confidence; rules of the same confidence share one. */
function comparing(arms: ComparisonInput): (confidence: number) => Comparison {
  const made = new Map<number, Comparison>();
  return (confidence) => {
    const known = made.get(confidence) ?? compareArms({ ...arms, confidence });
    made.set(confidence, known);
    return known;
  };
}

function worst(checks: readonly GateCheck[]): GateVerdict {
  const has = (verdict: GateVerdict): boolean => checks.some((check) => check.verdict === verdict);
  if (has('fail')) return 'fail';
  return has('inconclusive') || checks.length === 0 ? 'inconclusive' : 'pass';
}

const rate = ({ passed, of }: Passed): number => passed / of;
const shown = ({ passed, of }: Passed): string => `${passed} of ${of}`;

function scenarioChecks({ scenarios }: GateProfile, comparison: Comparison | null): GateCheck[] {
  if (scenarios === undefined) return [];
  if (comparison === null) return [{ check: 'scenarios', verdict: 'inconclusive', reason: NO_BASELINE }];
  const worse = comparison.scenarios.filter(
    ({ first, second, adjusted }) => rate(second) < rate(first) && adjusted <= scenarios.alpha,
  );
  if (worse.length === 0) {
    const level = `${Number((100 * scenarios.alpha).toPrecision(3))} % level (Holm over ${comparison.n})`;
    return [{ check: 'scenarios', verdict: 'pass', reason: `no scenario got worse at the ${level}` }];
  }
  return worse.map(({ scenario, first, second, adjusted }) => ({
    check: `scenario ${scenario}`,
    verdict: 'fail' as const,
    scenario,
    reason: `solved ${shown(first)} before and ${shown(second)} now, p = ${adjusted} by Holm`,
  }));
}
