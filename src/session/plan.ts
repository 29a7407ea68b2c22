import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { type FaultPlan, faultRule, type PlanScope, planProblems, type ToolScope } from '../faults/index.ts';
import type { Service, Tool } from '../service/types.ts';
import type { TableSpec } from '../world/types.ts';
import { toolboxOf } from './toolbox.ts';

/** What a session needs of a rule. Ids and labels are texts here; files ask for more of them. */
const form = z.object({ rules: z.array(faultRule.extend({ id: z.string(), label: z.string() })) });

/**
 * @throws UsageError for a plan that is not of the form, which a program's may be, or could never happen as
 *   it is written, with the place within it.
 */
export function assertPlan(plan: FaultPlan, scope: PlanScope): void {
  const [issue] = form.safeParse(plan).error?.issues ?? [];
  if (issue) throw new UsageError('bad-fault-plan', `faults.${issue.path.join('.')}: ${issue.message}`);
  const [first] = planProblems(plan, scope);
  if (!first) return;
  throw new UsageError('bad-fault-plan', `faults.${first.path.join('.')}: ${first.message}`, {
    ...(first.hint !== undefined && { hint: first.hint }),
  });
}

const scopes = new WeakMap<readonly Service[], Omit<PlanScope, 'callsMost'>>();

/** What a fault plan can speak of in a world of these services. */
export function scopeOf(
  services: readonly Service[],
  { budgets }: { readonly budgets?: { readonly calls?: number | undefined } | undefined } = {},
): PlanScope {
  let scope = scopes.get(services);
  if (!scope) {
    scope = compiled(services);
    scopes.set(services, scope);
  }
  return { ...scope, callsMost: budgets?.calls };
}

function compiled(services: readonly Service[]): Omit<PlanScope, 'callsMost'> {
  const { byName, tools, operations } = toolboxOf(services);
  const tables = new Map<string, TableSpec>(
    services.flatMap(({ name, schema }) =>
      Object.entries(schema).map(([table, spec]): [string, TableSpec] => [`${name}.${table}`, spec]),
    ),
  );
  return {
    tools: new Map(
      tools.map(({ tool, callable }): [string, ToolScope] => [
        tool.name,
        { effect: callable.effect, operations: tool.operations, parameters: parametersOf(tool) },
      ]),
    ),
    operations: new Map([...operations].map(([id, { operation }]) => [id, operation.effect])),
    columnsOf: (table) => {
      const spec = tables.get(table);
      return spec ? Object.keys(spec.columns) : null;
    },
    tableNames: [...tables.keys()],
    recordedAs: (operation) => {
      const name = byName.get(operation)?.name;
      return name === operation ? undefined : name;
    },
  };
}

/** The names of a tool's arguments; null where its schema does not list them all. */
function parametersOf({ input }: Tool): readonly string[] | null {
  return input instanceof z.ZodObject && isClosed(input) ? Object.keys(input.shape) : null;
}

function isClosed({ def }: z.ZodObject): boolean {
  return def.catchall === undefined || def.catchall instanceof z.ZodNever;
}
