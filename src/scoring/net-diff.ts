import { canonicalJson } from '../base/canonical.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { jsonEqual } from '../base/json.ts';
import type { ChangeRecord, StepRecord } from '../trajectory/types.ts';

/** What became of one row between two points of a run, and the steps that did it. */
export interface NetChange {
  readonly change: ChangeRecord;
  /** Indexes of the steps that touched the row since it last was as at the start, ascending. */
  readonly steps: readonly number[];
  /** Those that wrote a column, ascending; empty for a column that none wrote. */
  readonly writers?: (column: string) => readonly number[];
}

type Update = Extract<ChangeRecord, { op: 'update' }>;

/**
 * Composes row changes in the order in which they happened: insert then update is an insert, insert then
 * delete is nothing, an update back to the first value is nothing, delete then insert is an update.
 */
export class NetDiff {
  readonly #rows = new Map<string, NetRow>();

  /** Adds one change that happened at a step. */
  add(change: ChangeRecord, step: number): void {
    const key = `${change.table} ${canonicalJson(change.key)}`;
    const row = this.#rows.get(key);
    const composed = row ? compose(row.change, change) : withoutIdleCells(change);
    if (composed === null) {
      this.#rows.delete(key);
      return;
    }
    const next = row ?? { change: composed, steps: [], writers: new Map<string, number[]>() };
    next.change = composed;
    if (next.steps.at(-1) !== step) next.steps.push(step);
    const written = change.op === 'update' ? change.cells : change.op === 'insert' ? change.row : {};
    for (const column of Object.keys(written)) {
      const writers = next.writers.get(column);
      if (writers) writers.push(step);
      else next.writers.set(column, [step]);
    }
    this.#rows.set(key, next);
  }

  /** The rows that differ from the start, by the first step that made each differ. */
  changes(): NetChange[] {
    return [...this.#rows.values()].map(({ change, steps, writers }) => ({
      change,
      steps: [...steps],
      writers: (column) => writers.get(column) ?? [],
    }));
  }
}

interface NetRow {
  change: ChangeRecord;
  readonly steps: number[];
  readonly writers: Map<string, number[]>;
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
