import { UsageError } from '../../base/errors.ts';
import { type NamedPlan, planProblems } from '../../faults/index.ts';
import { scopeOf } from '../../session/index.ts';
import { faultsOf, type PreparedScenario } from '../prepare.ts';

/**
 * Scenarios × fault plans, with each scenario as it is for a baseline before those under a plan. The faults
 * that a scenario has itself stay in force besides.
 * @throws UsageError for two plans of one name, and for a plan that could never happen in one of the
 *   scenarios as it is written.
 */
export function expand(
  scenarios: readonly PreparedScenario[],
  plans: readonly NamedPlan[],
): readonly PreparedScenario[] {
  assertDistinct(plans);
  return scenarios.flatMap((prepared) => [prepared, ...plans.map((plan) => under(prepared, plan))]);
}

function assertDistinct(plans: readonly NamedPlan[]): void {
  const known = new Set<string>();
  for (const { id } of plans) {
    if (known.has(id)) throw new UsageError('same-plan', `there are two fault plans named ${id}`);
    known.add(id);
  }
}

function under(prepared: PreparedScenario, plan: NamedPlan): PreparedScenario {
  const made = { ...prepared, plan };
  const [first] = planProblems(faultsOf(made) ?? plan, scopeOf(prepared.services, prepared.scenario));
  if (!first) return made;
  throw new UsageError(
    'bad-fault-plan',
    `the plan ${plan.id} cannot be had with ${prepared.scenario.id}: ${first.message}`,
    { hint: first.hint ?? 'name the scenarios that it is meant for in place of the bank' },
  );
}
