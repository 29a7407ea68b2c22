import { InvariantError } from '../base/errors.ts';
import { type Json, jsonEqual } from '../base/json.ts';
import { type CompiledSchema, positionOf } from './compile.ts';
import type { Draft } from './draft.ts';
import type { DraftTable } from './draft-table.ts';
import { indexPrefix } from './row.ts';
import { find, rowOf } from './tree.ts';
import type { RowChange } from './types.ts';

/**
 * Writes changes into a draft. Unique indexes and foreign keys are checked when all are written: a diff that
 * swaps two unique values is valid as a whole only.
 * @throws InvariantError when a change does not fit what is there, or the outcome breaks a rule.
 */
export function applyChanges(schema: CompiledSchema, draft: Draft, changes: readonly RowChange[]): void {
  const touched = new Set<DraftTable>();
  for (const change of changes) {
    const table = draft.tableAt(positionOf(schema, change.table));
    touched.add(table);
    applyChange(table, change);
  }
  for (const table of touched) checkRules(draft, table);
}

function applyChange(table: DraftTable, change: RowChange): void {
  if (change.op === 'insert') {
    table.insertChecked(change.row, 'later');
    return;
  }
  const row = table.get(change.key);
  if (row === undefined) throw misfit(change, 'there is no such row');
  if (change.op === 'delete') {
    if (!jsonEqual(row as Json, change.row as Json)) throw misfit(change, 'the row is another one');
    table.deleteKey(change.key);
    return;
  }
  const changed: Record<string, Json | undefined> = {};
  for (const [name, cell] of Object.entries(change.cells)) {
    const present = Object.hasOwn(row, name) ? row[name] : undefined;
    if (!jsonEqual(present, cell.from)) throw misfit(change, `column ${name} holds another value`);
    changed[name] = cell.to;
  }
  table.updateChecked(change.key, changed, 'later');
}

/** Checks the rules for all rows written, and that no row deleted is still referred to. */
function checkRules(draft: Draft, table: DraftTable): void {
  for (const [primary, before] of table.touched) {
    const entry = find(table.root, primary);
    if (entry !== undefined) {
      const row = rowOf(entry);
      table.table.indexes.forEach((index, position) => {
        table.checkUnique(position, row, indexPrefix(index, row));
      });
      for (const foreign of table.table.foreignKeys) table.checkForeignKey(foreign, row);
    } else if (before !== undefined) {
      table.checkUnreferred(draft, rowOf(before));
    }
  }
}

function misfit(change: RowChange, problem: string): InvariantError {
  return new InvariantError(`${change.op} of ${change.table} ${JSON.stringify(change.key)}: ${problem}`);
}
