import { roundOrNull } from '../stats/round.ts';
import type { Ratio } from '../stats/types.ts';
import type { EndRecord } from '../trajectory/types.ts';
import { runGraders } from './graders.ts';
import { checkInvariants } from './invariants.ts';
import { trialMetrics } from './metrics.ts';
import type { ScoringInput, TrialScore, VoidReason, Witness } from './types.ts';
import { isVacuousList } from './vacuous.ts';

/**
 * Scores one trial from recorded data alone.
 *
 * Success: the episode ended properly (by an answer, or by its user), no required grader failed, and at least
 * one passed. Void, which is neither success nor failure: a step met an unmodelled route; a grader could not
 * run or had nothing to go on; the list of graders passes for an agent that does nothing; the trajectory was
 * cut short. Never throws for what a trajectory may hold.
 */
export function scoreTrial(input: ScoringInput): TrialScore {
  const { trajectory } = input;
  const invariants = checkInvariants(input.invariants, trajectory);
  const graders = runGraders(input, invariants);
  const metrics = trialMetrics(input);
  const voided = voidOf(input, { graders, invariants });
  const required = graders.filter((grader) => grader.required);
  const success =
    voided === null &&
    isProperEnd(trajectory.end) &&
    required.every((grader) => grader.verdict === 'pass' || grader.verdict === 'skipped') &&
    required.some((grader) => grader.verdict === 'pass');
  const { reason, detail } = trajectory.end ?? {};
  const end = reason === undefined ? null : { reason, ...(detail === undefined ? {} : { detail }) };
  const score: Omit<TrialScore, 'firstFailure'> = {
    success,
    void: voided,
    graders,
    invariants,
    precision: metrics.precision,
    recall: metrics.recall,
    redundant: metrics.redundant,
    redundantSinceWrite: metrics.redundantSinceWrite,
    recovery: {
      met: metrics.metError,
      recovered: metrics.metError && success && metrics.duplicate === null,
    },
    steps: trajectory.steps.length,
    cost: roundOrNull(trajectory.end?.usage.cost ?? null),
    end,
    calls: metrics.witnesses,
  };
  const [first] = failedChecks(score);
  const firstFailure = first
    ? { step: first.witness.steps[0] ?? null, check: first.check, message: first.witness.message }
    : null;
  return { ...score, firstFailure };
}

/** The score of a trial that never gave a trajectory to score, such as one whose worker died. */
export function voidScore(reason: VoidReason, detail: string): TrialScore {
  const none: Ratio = { value: null, numerator: 0, denominator: 0 };
  return {
    success: false,
    void: { reason, detail },
    graders: [],
    invariants: [],
    precision: none,
    recall: none,
    redundant: none,
    redundantSinceWrite: none,
    recovery: { met: false, recovered: false },
    steps: 0,
    cost: null,
    firstFailure: null,
    end: null,
    calls: [],
  };
}

/** A check that a trial failed, with its first witness. */
export interface FailedCheck {
  /** `contract`, `milestones`, `answer`, `reads`, `invariant ID` or `end REASON`. */
  readonly check: string;
  readonly witness: Witness;
}

/**
 * Every check that failed, the earliest step first; those that name no step come last, in the order of the
 * score. Optional graders are left out; invariants are all in, as a broken one counts whatever the graders
 * say.
 */
export function failedChecks(score: Omit<TrialScore, 'firstFailure'>): FailedCheck[] {
  const failed: FailedCheck[] = [];
  for (const { id, verdict, witnesses } of score.invariants) {
    if (verdict === 'fail') failed.push({ check: `invariant ${id}`, witness: earliest(witnesses) });
  }
  for (const { kind, required, verdict, witnesses } of score.graders) {
    if (required && verdict === 'fail' && kind !== 'invariants') {
      failed.push({ check: kind, witness: earliest(witnesses) });
    }
  }
  if (score.end && !isProperEnd(score.end)) {
    const { reason, detail } = score.end;
    const message = `the run ended by ${reason}${detail === undefined ? '' : `: ${detail}`}`;
    const steps = score.steps > 0 ? [score.steps - 1] : [];
    failed.push({ check: `end ${reason}`, witness: { steps, message, expected: 'answer', got: reason } });
  }
  const stepOf = (one: FailedCheck): number => one.witness.steps[0] ?? Number.POSITIVE_INFINITY;
  return failed.sort((one, other) => (stepOf(one) === stepOf(other) ? 0 : stepOf(one) - stepOf(other)));
}

/** Witnesses come sorted by step. */
function earliest(witnesses: readonly Witness[]): Witness {
  return witnesses[0] ?? { steps: [], message: 'failed' };
}

/** Every other end is the agent's failure: it crashed, hung, stopped or ran out of budget. */
function isProperEnd(end: Pick<EndRecord, 'reason'> | null): boolean {
  return end?.reason === 'answer' || end?.reason === 'user-ended';
}

function voidOf(
  input: ScoringInput,
  { graders, invariants }: Pick<TrialScore, 'graders' | 'invariants'>,
): TrialScore['void'] {
  const { trajectory } = input;
  const unmodelled = trajectory.steps.find((step) => step.outcome === 'unmodelled');
  if (unmodelled) {
    const detail = `step ${unmodelled.index} (${unmodelled.tool}) met something that is not modelled`;
    return { reason: 'unmodelled', detail };
  }
  if (trajectory.end === null) return { reason: 'infrastructure', detail: 'the trajectory was cut short' };
  const broken = [...invariants, ...graders].find((result) => result.verdict === 'error');
  if (broken) return { reason: 'grader', detail: broken.witnesses[0]?.message ?? `${broken.kind} failed` };
  const blind = graders.find((grader) => grader.required && grader.verdict === 'not-run');
  if (blind) return { reason: 'grader', detail: `${blind.kind}: the trajectory does not say enough` };
  if (isVacuousList(input.graders, input)) {
    return { reason: 'grader', detail: 'no required grader demands anything of the agent' };
  }
  return null;
}
