import { nearestName, UsageError } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import type { Contract, Invariant } from '../scoring/index.ts';
import type { Trajectory } from '../trajectory/index.ts';
import type { WorldValue } from '../world/types.ts';

// What no run could fail, or none could meet, is a slip of the pen: it is refused, with `.not` as well.

/** @throws UsageError for what is no state, or none that a run could miss. */
export function checkState(expected: unknown): asserts expected is object {
  const hint = "toReachState(scenario), toReachState({ 'notes.notes': [{ title: 'Packing list' }] })";
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) {
    throw new UsageError('bad-state', 'expected a scenario, a contract, or rows by table', { hint });
  }
  const lists = Object.values(expected);
  if (lists.every((list) => Array.isArray(list) && list.length === 0) && !('expect' in expected)) {
    throw new UsageError('bad-state', 'the expected state names no row: every run reaches it', { hint });
  }
}

/** @throws UsageError for rows of a table or a column that the world does not have, and for what is no row */
export function checkRows(expected: object, world: WorldValue): void {
  for (const [table, rows] of Object.entries(expected)) {
    checkTable(table, world.tableNames);
    if (!Array.isArray(rows) || !rows.every(isJsonObject)) {
      throw new UsageError('bad-state', `the expected rows of ${table} are no list of rows`);
    }
    const columns = Object.keys(world.spec(table).columns);
    for (const [name, test] of rows.flatMap((row) => Object.entries(row))) {
      const [column = name] = name.split('.');
      if (!columns.includes(column)) throw unknownName(`${table} has no column`, column, columns);
      checkPattern(test);
    }
  }
}

/** @throws UsageError for changes of a table that the world does not have */
export function checkChanges({ expect, allow = [] }: Partial<Contract>, tables: readonly string[]): void {
  for (const change of [...(expect ?? []), ...allow]) checkTable(change.table, tables);
}

/** @throws UsageError where a run is a trial of another scenario than it is held to */
export function checkScenario({ header }: Trajectory, id: string): void {
  const recorded = header.scenario?.id;
  if (recorded === undefined || recorded === id) return;
  throw new UsageError('other-scenario', `the run is a trial of ${recorded}, and is held to ${id}`);
}

/** @throws UsageError for what is no list of rules, and for rules on a tool that the run was not offered */
export function checkRules(rules: unknown, { header }: Trajectory): void {
  if (!Array.isArray(rules) || rules.length === 0 || !rules.every(isJsonObject)) {
    throw new UsageError('bad-rules', 'expected a scenario or a list of invariants, at least one', {
      hint: 'toKeepInvariants([{ id: "one-refund", kind: "cardinality", tool: "refund", max: 1 }])',
    });
  }
  const offered = header.tools.map(({ name }) => name);
  if (offered.length === 0) return;
  for (const rule of rules as unknown as readonly Invariant[]) {
    for (const tool of toolsOf(rule)) {
      if (!offered.includes(tool))
        throw unknownName(`${rule.id}: the run was offered no tool`, tool, offered);
    }
  }
}

function toolsOf(rule: Invariant): readonly string[] {
  const patterns = rule.kind === 'ordering' ? [rule.first, rule.then] : 'tool' in rule ? [rule] : [];
  return patterns.flatMap((pattern) => (typeof pattern?.tool === 'string' ? [pattern.tool] : []));
}

function checkTable(table: string, tables: readonly string[]): void {
  if (!tables.includes(table)) throw unknownName('there is no table', table, tables);
}

function checkPattern(test: unknown): void {
  const pattern = isJsonObject(test as never) ? (test as { readonly matches?: unknown }).matches : undefined;
  if (typeof pattern !== 'string') return;
  try {
    new RegExp(pattern, 'u');
  } catch {
    throw new UsageError('bad-pattern', `${JSON.stringify(pattern)} is no regular expression`);
  }
}

function unknownName(sentence: string, name: string, known: readonly string[]): UsageError {
  const near = nearestName(name, known);
  const hint = near === undefined ? {} : { hint: `did you mean ${near}?` };
  return new UsageError('unknown-name', `${sentence} named ${name}`, hint);
}
