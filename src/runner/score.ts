import { EFFECTS, type EffectKind, type FaultPlan, type FaultRule, type NamedPlan } from '../faults/index.ts';
import { type FaultGroup, scoreRecovery, scoreTrial, type TrialScore } from '../scoring/index.ts';
import { openSession } from '../session/index.ts';
import type { Trajectory } from '../trajectory/index.ts';
import { optionsFor, type PreparedScenario, type ReferenceRun, runReference } from './prepare.ts';

/**
 * The score of a finished trajectory of this scenario; the reference is run under the same stream seed. Of a
 * fault plan that the trajectory was under, the reference meets only what others do to the world: what is
 * expected is what a run without its faults comes to.
 */
export function scoreOf(prepared: PreparedScenario, trajectory: Trajectory, streamSeed: string): TrialScore {
  const others = addedRules(prepared, trajectory).filter(({ effect }) => effect.kind === 'concurrent-write');
  const session = openSession(optionsFor(prepared, { streamSeed, asAgent: false, others }));
  const reference = runReference(prepared, streamSeed, session);
  const score = scoreAgainst(prepared, reference, trajectory);
  const plan = planOf(prepared, trajectory);
  const { shape, freeText, scenario } = prepared;
  const faults = scoreRecovery({
    trajectory,
    shape,
    freeText,
    contract: reference.contract,
    reference: reference.calls,
    success: score.success,
    groupOf,
    ...(scenario.alternatives && { alternatives: scenario.alternatives }),
    ...(plan && { plan }),
  });
  return faults ? { ...score, faults } : score;
}

function groupOf(kind: string): FaultGroup | null {
  return Object.hasOwn(EFFECTS, kind) ? EFFECTS[kind as EffectKind].facts.group : null;
}

/** The plan that a trial was under: what its header names, without the scenario's own rules. */
function planOf(prepared: PreparedScenario, trajectory: Trajectory): NamedPlan | null {
  const { id } = (trajectory.header.faults ?? {}) as Partial<NamedPlan>;
  return id === undefined ? null : { id, rules: addedRules(prepared, trajectory) };
}

function addedRules({ scenario }: PreparedScenario, { header }: Trajectory): readonly FaultRule[] {
  const own = new Set(scenario.faults?.rules.map(({ id }) => id));
  const { rules = [] } = (header.faults ?? {}) as unknown as Partial<FaultPlan>;
  return rules.filter(({ id }) => !own.has(id));
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
