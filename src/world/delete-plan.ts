import { Cursor } from './cursor.ts';
import type { DraftContext, DraftTable } from './draft-table.ts';
import { AFTER_PREFIX, encodePart } from './keys.ts';
import { badRow } from './row.ts';
import { type Entry, find, rowOf } from './tree.ts';

/** What one delete brings about, by the delete rules, worked out before anything is written. */
export interface DeletePlan {
  /** Rows that go, those that refer before those that are referred to. */
  readonly deleted: readonly { readonly table: DraftTable; readonly primary: string }[];
  /** Rows that stay but lose their reference. */
  readonly detached: readonly {
    readonly table: DraftTable;
    readonly primary: string;
    readonly column: string;
  }[];
}

/**
 * Follows the delete rules from one row on.
 * @throws InvariantError when a row that would stay refers to one that would go with the rule `restrict`.
 */
export function planDelete(draft: DraftContext, table: DraftTable, primary: string): DeletePlan {
  const deleted = [{ table, primary }];
  const doomed = new Map<DraftTable, Set<string>>([[table, new Set([primary])]]);
  const detached: { table: DraftTable; primary: string; column: string }[] = [];
  const restricted: { table: DraftTable; primary: string; column: string }[] = [];
  for (let next = 0; next < deleted.length; next += 1) {
    const current = deleted[next] as (typeof deleted)[number];
    for (const found of referring(draft, current.table, current.primary)) {
      if (found.rule === 'restrict') restricted.push(found);
      else if (found.rule === 'set-null') detached.push(found);
      else if (mark(doomed, found)) deleted.push({ table: found.table, primary: found.primary });
    }
  }
  const stays = (item: { table: DraftTable; primary: string }): boolean =>
    !doomed.get(item.table)?.has(item.primary);
  const hindrance = restricted.find(stays);
  if (hindrance !== undefined) {
    const row = JSON.stringify(hindrance.primary);
    throw badRow(
      table.table,
      `row ${row} of ${hindrance.table.table.name} still refers to the row to delete`,
    );
  }
  return { deleted: deleted.reverse(), detached: detached.filter(stays) };
}

function mark(doomed: Map<DraftTable, Set<string>>, item: { table: DraftTable; primary: string }): boolean {
  const known = doomed.get(item.table) ?? new Set();
  doomed.set(item.table, known);
  if (known.has(item.primary)) return false;
  known.add(item.primary);
  return true;
}

/** The rows that refer to a row, table by table, in index order. */
function referring(
  draft: DraftContext,
  table: DraftTable,
  primary: string,
): { table: DraftTable; primary: string; column: string; rule: string }[] {
  const row = rowOf(find(table.root, primary) as Entry);
  const value = row[table.table.primary[0] as string];
  const prefix = encodePart(value);
  return table.table.referrers.flatMap(({ from, index, column, onDelete }) => {
    const other = draft.tableAt(from);
    const range = { from: prefix, until: prefix + AFTER_PREFIX, reverse: false };
    const cursor = new Cursor(other.indexes[index] ?? null, range);
    const found: { table: DraftTable; primary: string; column: string; rule: string }[] = [];
    for (let entry = cursor.next(); entry !== undefined; entry = cursor.next()) {
      found.push({ table: other, primary: entry.value as string, column, rule: onDelete });
    }
    return found;
  });
}
