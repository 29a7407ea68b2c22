import { scoreTrial, type TrialScore } from '../scoring/index.ts';
import type { Trajectory } from '../trajectory/index.ts';
import { type PreparedScenario, type ReferenceRun, runReference } from './prepare.ts';

/** The score of a finished trajectory of this scenario; the reference is run under the same stream seed. */
export function scoreOf(prepared: PreparedScenario, trajectory: Trajectory, streamSeed: string): TrialScore {
  return scoreAgainst(prepared, runReference(prepared, streamSeed), trajectory);
}

/** The score of a trajectory against a run of the reference. */
export function scoreAgainst(
  { scenario, shape, freeText }: PreparedScenario,
  reference: ReferenceRun,
  trajectory: Trajectory,
): TrialScore {
  return scoreTrial({
    trajectory,
    shape,
    contract: reference.contract,
    milestones: scenario.milestones,
    invariants: scenario.invariants,
    graders: scenario.graders,
    reference: reference.calls,
    freeText,
  });
}
