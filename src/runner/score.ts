import type { FaultPlan, FaultRule } from '../faults/index.ts';
import { scoreTrial, type TrialScore } from '../scoring/index.ts';
import { openSession } from '../session/index.ts';
import type { Trajectory } from '../trajectory/index.ts';
import { optionsFor, type PreparedScenario, type ReferenceRun, runReference } from './prepare.ts';

/**
 * The score of a finished trajectory of this scenario; the reference is run under the same stream seed. Of a
 * fault plan that the trajectory was under, the reference meets only what others do to the world: what is
 * expected is what a run without its faults comes to.
 */
export function scoreOf(prepared: PreparedScenario, trajectory: Trajectory, streamSeed: string): TrialScore {
  const others = writesOfOthers(prepared, trajectory);
  const session = openSession(optionsFor(prepared, { streamSeed, asAgent: false, others }));
  return scoreAgainst(prepared, runReference(prepared, streamSeed, session), trajectory);
}

function writesOfOthers({ scenario }: PreparedScenario, { header }: Trajectory): readonly FaultRule[] {
  const own = new Set(scenario.faults?.rules.map(({ id }) => id));
  const { rules = [] } = (header.faults ?? {}) as unknown as Partial<FaultPlan>;
  return rules.filter(({ id, effect }) => effect.kind === 'concurrent-write' && !own.has(id));
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
