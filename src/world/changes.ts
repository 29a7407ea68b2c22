import { type Json, jsonEqual } from '../base/json.ts';
import type { CompiledTable } from './compile.ts';
import { keyOf } from './row.ts';
import type { CellChange, Row, RowChange } from './types.ts';

/** The change between two states of a row; undefined when they are equal. */
export function rowChange(
  table: CompiledTable,
  before: Row | undefined,
  after: Row | undefined,
): RowChange | undefined {
  if (before === after) return undefined;
  if (before === undefined) {
    const row = after as Row;
    return { op: 'insert', table: table.name, key: keyOf(table, row), row };
  }
  if (after === undefined) return { op: 'delete', table: table.name, key: keyOf(table, before), row: before };
  const cells = changedCells(before, after);
  return cells && { op: 'update', table: table.name, key: keyOf(table, before), cells };
}

/** Changed cells: those of the old row in its order, then the added ones. */
function changedCells(before: Row, after: Row): Readonly<Record<string, CellChange>> | undefined {
  let cells: Record<string, CellChange> | undefined;
  const names = Object.keys(before);
  let gone = 0;
  for (const name of names) {
    const from = before[name] as Json;
    // Equal scalars come first, as most cells are; a column may be called like a member of Object.
    if (after[name] === from) continue;
    const to = Object.hasOwn(after, name) ? after[name] : undefined;
    if (to === undefined) gone += 1;
    else if (typeof to === 'object' && jsonEqual(from, to)) continue;
    cells ??= {};
    cells[name] = to === undefined ? { from } : { from, to };
  }
  const namesAfter = Object.keys(after);
  if (namesAfter.length === names.length - gone) return cells;
  for (const name of namesAfter) {
    if (Object.hasOwn(before, name)) continue;
    cells ??= {};
    cells[name] = { to: after[name] as Json };
  }
  return cells;
}
