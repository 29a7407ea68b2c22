import { UsageError } from '../../base/errors.ts';
import { faultPlanFile, type NamedPlan, planProblems } from '../../faults/index.ts';
import { type PlacedYaml, readYaml } from '../../scenarios/index.ts';
import { scopeOf } from '../../session/index.ts';
import { readText } from '../../store/text-files.ts';
import { faultsOf, type PreparedScenario } from '../prepare.ts';

/** What a plan is called whose file gives it no name. */
const UNNAMED = 'plan';

/**
 * The fault plans of a file, held against the scenarios that they are for.
 * @throws UsageError with file:line:column for a file that is not of the form, two plans of one name, and a
 *   rule that could never happen as it is written.
 */
export function readPlans(file: string, scenarios: readonly PreparedScenario[]): readonly NamedPlan[] {
  const { value, place } = readYaml(readText(file), file, faultPlanFile) as PlacedYaml<PlanFile>;
  const several = 'plans' in value;
  const plans = several ? value.plans : [{ ...value, id: value.id ?? UNNAMED }];
  for (const [index, plan] of plans.entries()) {
    const root = several ? ['plans', index] : [];
    if (plans.findIndex(({ id }) => id === plan.id) < index) {
      throw new UsageError('same-plan', `there is a fault plan named ${plan.id} already`, {
        place: place([...root, 'id']),
        hint: 'trials are named by their plan: give it a name of its own',
      });
    }
    const found = firstProblem(plan, scenarios);
    if (!found) continue;
    throw new UsageError('bad-fault-plan', found.message, {
      place: place([...root, ...found.path]),
      ...(found.hint !== undefined && { hint: found.hint }),
    });
  }
  return plans;
}

type PlanFile = { readonly plans: readonly NamedPlan[] } | (Omit<NamedPlan, 'id'> & { readonly id?: string });

interface FoundProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint?: string;
}

/** The first thing wrong with a plan for one of the scenarios; the path leads into the plan itself. */
function firstProblem(plan: NamedPlan, scenarios: readonly PreparedScenario[]): FoundProblem | null {
  for (const prepared of scenarios) {
    const { scenario, services } = prepared;
    const own = scenario.faults?.rules.length ?? 0;
    const [problem] = planProblems(faultsOf({ scenario, plan }) ?? plan, scopeOf(services, scenario));
    if (!problem) continue;
    const [, number, ...rest] = problem.path;
    const message = scenarios.length > 1 ? `${problem.message} (in ${scenario.id})` : problem.message;
    return { ...problem, message, path: ['rules', Number(number) - own, ...rest] };
  }
  return null;
}
