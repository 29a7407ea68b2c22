import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';
import type { Json, JsonObject } from '../base/json.ts';
import {
  EFFECTS,
  type EffectKind,
  type FaultEffect,
  type FaultPlan,
  type FaultRule,
  planProblems,
} from '../faults/index.ts';
import type { Service } from '../service/types.ts';
import { scopeOf } from '../session/index.ts';
import type { WorldValue } from '../world/types.ts';
import { arbitraryInput } from './arbitrary.ts';
import { poolsOf } from './pools.ts';

const KINDS = Object.keys(EFFECTS) as EffectKind[];
const RULES_MOST = 6;
const STEPS_MOST = 12;

/**
 * Fault plans of every kind of effect for a service, with tools, tables and columns that it has; those that a
 * session would refuse are left out.
 */
export function arbitraryPlan(service: Service, world: WorldValue): Arbitrary<FaultPlan> {
  const rules = fc.array(
    fc.constantFrom(...KINDS).chain((kind) => arbitraryRule(kind, service, world)),
    { minLength: 1, maxLength: RULES_MOST },
  );
  const scope = scopeOf([service]);
  return rules.map((drawn) => {
    const kept: FaultRule[] = [];
    for (const [index, rule] of drawn.entries()) {
      const next = [...kept, { ...rule, id: `rule-${index}` }];
      if (planProblems({ rules: next }, scope).length === 0) kept.push(...next.slice(kept.length));
    }
    return { rules: kept };
  });
}

/** Rules with an effect of this kind. */
export function arbitraryRule(kind: EffectKind, service: Service, world: WorldValue): Arbitrary<FaultRule> {
  const { schema } = EFFECTS[kind];
  const parameters = arbitraryInput(schema as z.ZodType, world).filter(
    (drawn) => schema.safeParse(drawn).success,
  );
  const effect = fc
    .tuple(
      parameters,
      fc.constantFrom(...toolNames(service)),
      arbitraryWrite(service, world),
      arbitraryPath(service),
    )
    .map(([drawn, tool, write, path]): FaultEffect => {
      const { tables, until, ...rest } = drawn as JsonObject;
      return {
        ...rest,
        kind,
        ...('tool' in rest && { tool }),
        ...('path' in rest && { path }),
        ...(until !== undefined && { until: tool }),
        ...(tables !== undefined && { tables: [write.table] }),
        ...(kind === 'concurrent-write' && write),
        ...(kind === 'parameter-untyped' && { name: parameterOf(service, tool) ?? 'none' }),
      } as unknown as FaultEffect;
    });
  return fc.record({
    id: fc.constant('rule'),
    match: arbitraryMatch(service),
    effect,
    hits: fc.constantFrom(undefined, 1, 2, 'all' as const),
    label: fc.constant(kind),
  });
}

function arbitraryMatch(service: Service): Arbitrary<FaultRule['match']> {
  const tool = fc.constantFrom(...toolNames(service));
  return fc.oneof(
    { arbitrary: fc.constant({}), weight: 4 },
    { arbitrary: fc.record({ tool }), weight: 2 },
    { arbitrary: fc.record({ step: fc.nat(STEPS_MOST) }), weight: 2 },
    { arbitrary: fc.record({ occurrence: fc.integer({ min: 1, max: 3 }) }), weight: 1 },
    { arbitrary: fc.record({ clockMs: fc.record({ from: fc.nat(2_000) }) }), weight: 1 },
  );
}

/** Somebody else's write to a row that there is: with a value that the column has elsewhere, or removed. */
function arbitraryWrite(service: Service, world: WorldValue): Arbitrary<{ readonly table: string }> {
  const tables = world.tableNames.filter((name) => {
    return name.startsWith(`${service.name}.`) && world.table(name).size > 0;
  });
  return fc
    .tuple(fc.constantFrom(...tables), fc.nat(), fc.nat(), fc.boolean())
    .map(([table, column, pick, remove]) => {
      const columns = Object.keys(world.spec(table).columns);
      const name = columns[column % columns.length] ?? '';
      const values = poolsOf(world).get(name) ?? ['other'];
      const set: Record<string, Json> = { [name]: values[pick % values.length] ?? null };
      return remove ? { table, where: {}, remove: true as const } : { table, where: {}, set };
    });
}

/** A member that answers of this service have somewhere, at the top or in the items of a list. */
function arbitraryPath(service: Service): Arbitrary<string> {
  const names = service.operations.flatMap(({ output }) => membersOf(output));
  return fc.constantFrom(...(names.length > 0 ? names : ['id']));
}

function membersOf(schema: unknown): readonly string[] {
  const { shape, element } = schema as { readonly shape?: object; readonly element?: unknown };
  if (element !== undefined) return membersOf(element).map((name) => `*.${name}`);
  return shape ? Object.keys(shape) : [];
}

/** The first argument of a tool; undefined where its schema lists none. */
function parameterOf({ tools }: Service, name: string): string | undefined {
  const input = tools.find((tool) => tool.name === name)?.input;
  return input instanceof z.ZodObject ? Object.keys(input.shape)[0] : undefined;
}

function toolNames(service: Service): readonly string[] {
  return service.tools.map(({ name }) => name);
}
