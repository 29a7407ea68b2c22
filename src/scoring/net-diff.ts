import { canonicalJson } from '../base/canonical.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { jsonEqual } from '../base/json.ts';
import type { ChangeRecord, StepRecord } from '../trajectory/types.ts';

/** What became of one row between two points of a run, and the steps that touched it. */
export interface NetChange {
  readonly change: ChangeRecord;
  /** Indexes of the steps, ascending. */
  readonly steps: readonly number[];
}

type Update = Extract<ChangeRecord, { op: 'update' }>;

/**
 * Composes row changes in the order in which they happened: insert then update is an insert, insert then
 * delete is nothing, an update back to the first value is nothing, delete then insert is an update.
 */
export class NetDiff {
  readonly #rows = new Map<string, { change: ChangeRecord | null; steps: number[] }>();

  /** Adds one change that happened at a step. */
  add(change: ChangeRecord, step: number): void {
    const key = `${change.table} ${canonicalJson(change.key)}`;
    const row = this.#rows.get(key);
    if (!row) {
      this.#rows.set(key, { change: withoutIdleCells(change), steps: [step] });
      return;
    }
    row.change = row.change === null ? withoutIdleCells(change) : compose(row.change, change);
    if (row.steps.at(-1) !== step) row.steps.push(step);
  }

  /** The rows that differ from the start, by first step that touched them, then by table and key. */
  changes(): NetChange[] {
    const changed: NetChange[] = [];
    for (const { change, steps } of this.#rows.values()) {
      if (change !== null) changed.push({ change, steps: [...steps] });
    }
    return changed;
  }
}

/** The net diff of a run's steps. */
export function netDiff(steps: readonly StepRecord[]): NetChange[] {
  const net = new NetDiff();
  for (const step of steps) for (const change of step.diff) net.add(change, step.index);
  return net.changes();
}

const isUpdate = (change: ChangeRecord): change is Update => change.op === 'update';

function compose(first: ChangeRecord, second: ChangeRecord): ChangeRecord | null {
  if (isUpdate(first)) {
    if (isUpdate(second)) return withoutIdleCells({ ...first, cells: composeCells(first, second) });
    // The row as it was at the start is what got deleted in the end.
    return { ...second, row: undoCells(second.row, first) };
  }
  if (first.op === 'insert') {
    if (second.op === 'delete') return null;
    return { ...first, row: isUpdate(second) ? applyCells(first.row, second) : second.row };
  }
  if (second.op !== 'insert') return first;
  const { table, key } = first;
  return withoutIdleCells({ op: 'update', table, key, cells: cellsBetween(first.row, second.row) });
}

function applyCells(row: JsonObject, { cells }: Update): JsonObject {
  const result: Record<string, Json | undefined> = { ...row };
  for (const [column, cell] of Object.entries(cells)) {
    if (cell.to === undefined) delete result[column];
    else result[column] = cell.to;
  }
  return result;
}

function undoCells(row: JsonObject, { cells }: Update): JsonObject {
  const result: Record<string, Json | undefined> = { ...row };
  for (const [column, cell] of Object.entries(cells)) {
    if (cell.from === undefined) delete result[column];
    else result[column] = cell.from;
  }
  return result;
}

function composeCells(first: Update, second: Update): Update['cells'] {
  const cells: Record<string, { from?: Json; to?: Json }> = { ...first.cells };
  for (const [column, cell] of Object.entries(second.cells)) {
    const before = Object.hasOwn(first.cells, column) ? first.cells[column] : cell;
    cells[column] = cellOf(before?.from, cell.to);
  }
  return cells;
}

function cellsBetween(before: JsonObject, after: JsonObject): Update['cells'] {
  const cells: Record<string, { from?: Json; to?: Json }> = {};
  for (const column of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!jsonEqual(before[column], after[column])) cells[column] = cellOf(before[column], after[column]);
  }
  return cells;
}

function cellOf(from: Json | undefined, to: Json | undefined): { from?: Json; to?: Json } {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Null for an update that changes nothing any more. */
function withoutIdleCells(change: ChangeRecord): ChangeRecord | null {
  if (!isUpdate(change)) return change;
  const cells = Object.entries(change.cells).filter(([, cell]) => !jsonEqual(cell.from, cell.to));
  return cells.length === 0 ? null : { ...change, cells: Object.fromEntries(cells) };
}
