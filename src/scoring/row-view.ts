import { canonicalJson } from '../base/canonical.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { ChangeRecord } from '../trajectory/types.ts';
import type { NetChange } from './net-diff.ts';
import type { TableRules } from './rules.ts';

/** An inserted row as it is compared. */
export interface RowView {
  readonly table: string;
  readonly key: Json;
  /** The compared columns; references to inserted rows are still the ids of their own side. */
  readonly columns: JsonObject;
  /** Canonical text of table and compared columns, each reference to an inserted row blanked out. */
  readonly skeleton: string;
  /** The blanked references, in the order of the skeleton: positions among the inserted rows of the same side. */
  readonly references: readonly number[];
  readonly steps: readonly number[];
  readonly change: ChangeRecord;
}

/** One side of a comparison: its inserted rows, and a way to blank references to them out of any cell. */
export interface InsertedSide {
  readonly rows: readonly RowView[];
  /** The value of a cell as text, blanked, and the references taken out of it. */
  readonly cell: (table: string, column: string, value: Json | undefined) => BlankedCell;
}

export interface BlankedCell {
  readonly text: string;
  readonly references: readonly number[];
}

type RulesOf = (table: string) => TableRules;

/**
 * Views of the inserted rows among some changes. An id drawn by the world differs between two runs that do the same,
 * so a drawn id is compared as "the row that was inserted", both in declared foreign keys and wherever else the same
 * text stands as a whole value.
 */
export function insertedSide(changes: readonly NetChange[], rulesOf: RulesOf): InsertedSide {
  const inserted = changes.filter(({ change }) => change.op === 'insert' && !rulesOf(change.table).ambient);
  const byTable = new Map<string, Map<string, number>>();
  const drawn = new Map<string, number>();
  inserted.forEach(({ change }, index) => {
    const rows = byTable.get(change.table) ?? new Map<string, number>();
    byTable.set(change.table, rows.set(canonicalJson(change.key), index));
    if (typeof change.key === 'string' && rulesOf(change.table).generatedKey) drawn.set(change.key, index);
  });
  const targetOf = (table: string, column: string, value: Json): number | undefined => {
    const target = rulesOf(table).foreignKeys[column];
    if (target === undefined) return typeof value === 'string' ? drawn.get(value) : undefined;
    const rows = byTable.get(target) ?? byTable.get(`${table.split('.')[0]}.${target}`);
    return rows?.get(canonicalJson(value));
  };
  const blankCell = (table: string, column: string, value: Json | undefined): BlankedCell => {
    const references: number[] = [];
    const blanked = blank(value, (leaf) => {
      const target = targetOf(table, column, leaf);
      if (target !== undefined) references.push(target);
      return target;
    });
    return { text: canonicalJson(blanked), references };
  };
  return { rows: inserted.map((change) => viewOf(change, rulesOf, blankCell)), cell: blankCell };
}

function viewOf({ change, steps }: NetChange, rulesOf: RulesOf, blankCell: InsertedSide['cell']): RowView {
  const rules = rulesOf(change.table);
  const row = change.op === 'update' ? {} : change.row;
  const columns: Record<string, Json | undefined> = {};
  const texts: string[] = [];
  const references: number[] = [];
  for (const column of Object.keys(row).sort()) {
    if (rules.ignored(column) || row[column] === undefined) continue;
    const cell = blankCell(change.table, column, row[column]);
    const refers = rules.foreignKeys[column] !== undefined && cell.references.length > 0;
    if (rules.volatile(column) && !refers) continue;
    columns[column] = row[column];
    texts.push(`${JSON.stringify(column)}:${cell.text}`);
    references.push(...cell.references);
  }
  const skeleton = `${change.table} ${texts.join(',')}`;
  return { table: change.table, key: change.key, columns, skeleton, references, steps, change };
}

/** A copy with members sorted and every leaf that `find` knows replaced by a blank. */
function blank(value: Json | undefined, find: (leaf: Json) => number | undefined): Json {
  if (value === undefined) return null;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => blank(item, find));
  if (isJsonObject(value)) {
    const members = Object.keys(value).sort();
    return Object.fromEntries(members.map((name) => [name, blank(value[name], find)]));
  }
  return value !== null && find(value) !== undefined ? { inserted: true } : value;
}
