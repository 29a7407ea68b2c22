import { canonicalJson } from '../base/canonical.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { NetChange } from './net-diff.ts';
import type { TableRules } from './rules.ts';

/** An inserted row as it is compared. */
export interface RowView extends NetChange {
  readonly table: string;
  readonly key: Json;
  /** The compared columns; references to inserted rows are still the ids of their own side. */
  readonly columns: JsonObject;
  /** Canonical text of table and compared columns, each reference to an inserted row blanked out. */
  readonly skeleton: string;
  /**
   * The blanked references, in the order of the skeleton: positions among the inserted rows of the same side.
   */
  readonly references: readonly number[];
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
 * Views of the inserted rows among some changes. An id drawn by the world differs between two runs that do
 * the same, so a drawn id is compared as "the row that was inserted": in declared foreign keys, and where it
 * stands in another column as a value or as a token of a text (`Refund RF-1004 was booked`).
 */
export function insertedSide(changes: readonly NetChange[], rulesOf: RulesOf): InsertedSide {
  const inserted = changes.filter(({ change }) => change.op === 'insert' && !rulesOf(change.table).ambient);
  const byTable = new Map<string, Map<string, number>>();
  const drawn = new Map<string, number>();
  inserted.forEach(({ change }, index) => {
    const rows = byTable.get(change.table) ?? new Map<string, number>();
    byTable.set(change.table, rows.set(canonicalJson(change.key), index));
    const { key } = change;
    if (isTelling(key) && rulesOf(change.table).generatedKey) drawn.set(key, index);
  });
  const declared = (target: string, table: string, value: Json): number | undefined => {
    const rows = byTable.get(target) ?? byTable.get(`${table.split('.')[0]}.${target}`);
    return rows?.get(canonicalJson(value));
  };
  const blankCell = (table: string, column: string, value: Json | undefined): BlankedCell => {
    const references: number[] = [];
    const refer = (target: number | undefined): boolean => {
      if (target !== undefined) references.push(target);
      return target !== undefined;
    };
    const target = rulesOf(table).foreignKeys[column];
    const blanked = blank(value, (leaf) => {
      if (target !== undefined) return refer(declared(target, table, leaf)) ? BLANK : leaf;
      if (typeof leaf !== 'string' || drawn.size === 0) return leaf;
      if (refer(drawn.get(leaf))) return BLANK;
      return leaf.replace(TOKEN, (token) => (refer(drawn.get(token)) ? '\u0000' : token));
    });
    return { text: canonicalJson(blanked), references };
  };
  return { rows: inserted.map((change) => viewOf(change, rulesOf, blankCell)), cell: blankCell };
}

function viewOf(net: NetChange, rulesOf: RulesOf, blankCell: InsertedSide['cell']): RowView {
  const { change } = net;
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
  return { ...net, table: change.table, key: change.key, columns, skeleton, references };
}

/** What stands for a reference in a skeleton. */
const BLANK: Json = { inserted: true };

/** Only an id that looks like one is looked for in columns that declare no reference: `1` may be anything. */
function isTelling(key: Json): key is string {
  return typeof key === 'string' && /\p{L}/u.test(key) && /\d/.test(key);
}

/** What may be an id inside a text: a run of letters, digits, underscores and inner hyphens. */
const TOKEN = /[\p{L}\d_]+(?:-[\p{L}\d_]+)*/gu;

/** A copy with members sorted and every leaf as `replace` gives it. */
function blank(value: Json | undefined, replace: (leaf: Json) => Json): Json {
  if (value === undefined) return null;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => blank(item, replace));
  if (isJsonObject(value)) {
    const members = Object.keys(value).sort();
    return Object.fromEntries(members.map((name) => [name, blank(value[name], replace)]));
  }
  return replace(value);
}
