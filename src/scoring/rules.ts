import type { Json, JsonObject } from '../base/json.ts';
import { holdsAll } from '../base/predicate.ts';
import type { ChangeRecord, StepRecord } from '../trajectory/types.ts';
import type { AllowedChange, TableShape, WorldShape } from './types.ts';

/** What of a table is compared, and how. */
export interface TableRules {
  readonly ambient: boolean;
  readonly primaryKey: readonly string[];
  readonly foreignKeys: Readonly<Record<string, string>>;
  /** True when ids of this table are drawn, so that they are compared up to renaming. */
  readonly generatedKey: boolean;
  /** Not compared at all. */
  readonly ignored: (column: string) => boolean;
  /** Not compared unless it refers to a row that the run inserted. */
  readonly volatile: (column: string) => boolean;
}

const UNKNOWN_TABLE: TableShape = {
  primaryKey: [],
  foreignKeys: {},
  volatile: [],
  unhashed: [],
  ambient: false,
};

/** The rules of every table under a shape and a list of masked columns (`service.table.column`). */
export function tableRules(shape: WorldShape, mask: readonly string[]): (table: string) => TableRules {
  const masked = new Set(mask);
  const known = new Map<string, TableRules>();
  return (table) => {
    const found = known.get(table);
    if (found) return found;
    const spec = Object.hasOwn(shape, table) ? (shape[table] ?? UNKNOWN_TABLE) : UNKNOWN_TABLE;
    const rules: TableRules = {
      ambient: spec.ambient,
      primaryKey: spec.primaryKey,
      foreignKeys: spec.foreignKeys,
      generatedKey: spec.primaryKey.some((column) => spec.volatile.includes(column)),
      ignored: (column) => spec.unhashed.includes(column) || masked.has(`${table}.${column}`),
      volatile: (column) => spec.volatile.includes(column),
    };
    known.set(table, rules);
    return rules;
  };
}

/**
 * The key columns and what is known of the row after the change: all of an insert, the changed cells of an
 * update.
 */
function knownRow(change: ChangeRecord, rules: TableRules): JsonObject {
  const parts = Array.isArray(change.key) ? (change.key as readonly Json[]) : [change.key];
  const key = Object.fromEntries(rules.primaryKey.map((column, index) => [column, parts[index]]));
  if (change.op !== 'update') return { ...key, ...change.row };
  const cells = Object.entries(change.cells).map(([column, cell]) => [column, cell.to]);
  return { ...key, ...Object.fromEntries(cells) };
}

/**
 * True when a contract leaves a whole insert or delete, or one changed cell (`column`) of an update, free.
 */
export function isAllowed(
  change: ChangeRecord,
  allow: readonly AllowedChange[],
  options: { rules: TableRules; column?: string },
): boolean {
  return allow.some((entry) => {
    if (entry.table !== change.table || (entry.op ?? change.op) !== change.op) return false;
    if (entry.columns && (options.column === undefined || !entry.columns.includes(options.column)))
      return false;
    return entry.where === undefined || holdsAll(entry.where, knownRow(change, options.rules));
  });
}

/**
 * Whether a step changed something that counts: a row of a table that is not ambient, in a column that is
 * neither volatile nor masked, outside what the contract allows as extras.
 */
export function hasEffect(
  step: StepRecord,
  allow: readonly AllowedChange[],
  rulesOf: (table: string) => TableRules,
): boolean {
  return step.diff.some((change) => {
    const rules = rulesOf(change.table);
    if (rules.ambient) return false;
    if (change.op !== 'update') return !isAllowed(change, allow, { rules });
    return comparedColumns(change, rules).some((column) => !isAllowed(change, allow, { rules, column }));
  });
}

/** The changed columns that a contract compares as plain values. */
export function comparedColumns(
  change: Extract<ChangeRecord, { op: 'update' }>,
  rules: TableRules,
): string[] {
  return Object.keys(change.cells).filter((column) => !rules.ignored(column) && !rules.volatile(column));
}

/**
 * Whether a successful call changed the state. A trace of another tool has no diffs (and null for
 * `breaches`): there the tool's declared effect decides.
 */
export function changedState(
  step: StepRecord,
  shape: WorldShape,
  effects: ReadonlyMap<string, 'read' | 'write'>,
): boolean {
  const breaches: StepRecord['breaches'] | null = step.breaches;
  if (breaches === null) return step.outcome === 'ok' && effects.get(step.tool) === 'write';
  return step.diff.some((change) => !(Object.hasOwn(shape, change.table) && shape[change.table]?.ambient));
}

/** Text of a table and key for messages: `helpdesk.refunds "RF-1"`. */
export function rowName(change: ChangeRecord): string {
  return `${change.table} ${JSON.stringify(change.key)}`;
}
