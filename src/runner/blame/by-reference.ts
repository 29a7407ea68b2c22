import type { TrialScore } from '../../scoring/index.ts';
import type { Session } from '../../session/index.ts';
import type { StepRecord, Trajectory } from '../../trajectory/index.ts';
import { type PreparedScenario, type ReferenceRun, runReference } from '../prepare.ts';
import { recordedEpisode } from '../recorded-episode.ts';
import { scoreAgainst } from '../score.ts';
import { decide } from './decide.ts';
import { failureOf } from './failure.ts';
import { type Progress, RemainingReference } from './remaining-reference.ts';
import type { Blame, ContinuedPoint } from './types.ts';

/** So many reference calls a write is tried in the place of. */
const STAND_INS_TRIED = 20;

/**
 * Blames by the reference: at every point of a recorded trial, the reference calls that are not made yet are
 * played and the end is judged with the reference's own answer. A write that equals no reference call may
 * stand in for one, where the rest then still succeeds. The record is replayed once; points are forks of it.
 * @throws UsageError when the record does not replay here.
 */
export function blameByReference(prepared: PreparedScenario, trajectory: Trajectory): Blame {
  const reference = runReference(prepared, trajectory.header.world.streamSeed);
  const setting: Setting = {
    prepared,
    reference,
    remaining: new RemainingReference(prepared, reference),
    session: recordedEpisode(prepared, trajectory),
  };
  let here = continued(setting, 0, setting.remaining.start());
  const points: ContinuedPoint[] = [pointAt(0, here.score)];
  for (const step of trajectory.steps) {
    here = isForGood(setting, here.score, step.index) ? here : pastStep(setting, here, step);
    points.push(pointAt(step.index + 1, here.score));
  }
  return decide(trajectory, scoreAgainst(prepared, reference, trajectory), points);
}

interface Setting {
  readonly prepared: PreparedScenario;
  readonly reference: ReferenceRun;
  readonly remaining: RemainingReference;
  /** Stands after the last step of the record. */
  readonly session: Session;
}

/** A continuation that was played: from where it stood in the reference, and what came of it. */
interface Continued {
  readonly progress: Progress;
  readonly trajectory: Trajectory;
  readonly score: TrialScore;
}

/** The continuation from after a step, given the one from before it. */
function pastStep(setting: Setting, before: Continued, step: StepRecord): Continued {
  const progress = setting.remaining.after(before.progress, step);
  const next = before.trajectory.steps[step.index];
  // The continuation made this very call, and all steps before it are the record's: it goes on as it did.
  if (next && JSON.stringify(next) === JSON.stringify(step)) return { ...before, progress };
  const plain = continued(setting, step.index + 1, progress);
  if (plain.score.success || !before.score.success || progress !== before.progress) return plain;
  return standIn(setting, progress, step) ?? plain;
}

/** The continuation without the reference call that a write stands in for; null when there is none. */
function standIn(setting: Setting, progress: Progress, step: StepRecord): Continued | null {
  if (step.outcome !== 'ok' || step.before === step.after) return null;
  for (const number of setting.remaining.replaceable(progress, step.tool).slice(0, STAND_INS_TRIED)) {
    const without = setting.remaining.standIn(progress, number, step);
    const found = continued(setting, step.index + 1, without);
    if (found.score.success) return found;
  }
  return null;
}

function continued(setting: Setting, at: number, progress: Progress): Continued {
  const { prepared, reference, remaining, session } = setting;
  const fork = session.fork(at);
  remaining.play(fork, progress);
  const { answer } = prepared.scenario.reference;
  const trajectory = fork.finish(fork.ended ? { reason: fork.ended } : { reason: 'answer', answer });
  return { progress, trajectory, score: scoreAgainst(prepared, reference, trajectory) };
}

/**
 * Whether what a continuation breaks was broken within the first `at` steps, by a rule that no later call can
 * meet again: then all that follows fails by it too.
 */
function isForGood({ prepared }: Setting, { invariants }: TrialScore, at: number): boolean {
  const { graders } = prepared.scenario;
  if (!graders.some(({ kind, required }) => kind === 'invariants' && required)) return false;
  return invariants.some(
    ({ kind, verdict, witnesses }) =>
      verdict === 'fail' &&
      kind !== 'termination' &&
      kind !== 'grounding' &&
      witnesses.some(({ steps }) => steps.length > 0 && steps.every((step) => step < at)),
  );
}

function pointAt(step: number, score: TrialScore): ContinuedPoint {
  const pass = score.void ? null : score.success ? 1 : 0;
  return { step, value: pass, success: null, passes: [pass], failure: failureOf(score) };
}
