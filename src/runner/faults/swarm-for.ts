import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { type EffectKind, type NamedPlan, type SwarmTable, swarm } from '../../faults/index.ts';
import { scopeOf } from '../../session/index.ts';
import { type PreparedScenario, type ReferenceRun, runReference } from '../prepare.ts';

/** How many plans, from which seed, of which effects. */
export interface SwarmRequest {
  readonly seed: string;
  readonly count: number;
  /** All when left out. */
  readonly kinds?: readonly EffectKind[];
}

const ROWS_EACH = 20;
const DEEPEST = 4;

/**
 * Fault plans for these scenarios, drawn from a seed: they strike tools that the references call, at paths
 * that their answers have, and others write to rows of tables that the references change.
 * @throws UsageError where none of the kinds can be had
 */
export function swarmFor(
  scenarios: readonly PreparedScenario[],
  request: SwarmRequest,
): readonly NamedPlan[] {
  const [first] = scenarios;
  if (!first || request.count === 0) return [];
  const scopes = scenarios.map(({ services, scenario }) => scopeOf(services, scenario));
  const runs = scenarios.map((prepared) => runReference(prepared, 'swarm'));
  // A tool stands as often as there are references that call it, so that most draws are of what many call.
  const called = runs.flatMap(({ calls }) => [...new Set(calls.map(({ tool }) => tool))]).sort();
  const tools = called.filter((tool) => scopes.every((scope) => scope.tools.has(tool)));
  const bounds = scopes.flatMap(({ callsMost }) => callsMost ?? []);
  const callsMost = bounds.length === 0 ? undefined : Math.min(...bounds);
  return swarm({
    ...request,
    scope: { ...scopeOf(first.services), callsMost },
    tools,
    fields: fieldsOf(runs),
    tables: tablesOf(first, runs),
  });
}

/** Paths of scalar values in the true answers of each tool. */
function fieldsOf(runs: readonly ReferenceRun[]): Record<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { tool, outcome, response } of runs.flatMap(({ session }) => session.steps())) {
    const paths = found.get(tool) ?? new Set<string>();
    if (outcome === 'ok') collectPaths(response, '', paths);
    found.set(tool, paths);
  }
  return Object.fromEntries([...found].map(([tool, paths]) => [tool, [...paths].sort()]));
}

function collectPaths(value: Json, path: string, into: Set<string>): void {
  if (path.split('.').length > DEEPEST) return;
  const within = (name: string): string => (path === '' ? name : `${path}.${name}`);
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) collectPaths(item, within('*'), into);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      // A name with a point in it cannot be said as a path.
      if (member !== undefined && !name.includes('.')) collectPaths(member, within(name), into);
    }
  } else if (path !== '' && !path.endsWith('*')) into.add(path);
}

/** The tables that references change, with the rows that they do and a few others. */
function tablesOf({ world }: PreparedScenario, runs: readonly ReferenceRun[]): readonly SwarmTable[] {
  const changes = runs.flatMap(({ contract }) => contract.expect);
  const names = [...new Set(changes.map(({ table }) => table))].filter((name) =>
    world.tableNames.includes(name),
  );
  return names.sort().map((name) => {
    const { primaryKey } = world.spec(name);
    const key = typeof primaryKey === 'string' ? [primaryKey] : primaryKey;
    const rows: JsonObject[] = [];
    for (const row of world.table(name).scan()) {
      if (rows.length === ROWS_EACH) break;
      rows.push(row as JsonObject);
    }
    const changed = changes.flatMap((change) => {
      if (change.table !== name || change.op !== 'update') return [];
      const row = world.table(name).get(change.key as never);
      return row ? [row as JsonObject] : [];
    });
    return { name, key, rows: [...changed, ...rows] };
  });
}
