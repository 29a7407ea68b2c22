import { createHash, type Hash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { comparePythonText, isPythonFloat, pythonRepr, pythonTextRepr } from '../../service/index.ts';
import type { Row, WorldValue } from '../../world/types.ts';
import type { TauLayout } from './layout.ts';

/**
 * The text that tau-bench, version 1, hashes for a value: Python's `repr` after objects became tuples of
 * (name, value) pairs sorted by name, and lists tuples. Source: the rules in the data folder's README.
 */
export function tupleText(value: Json): string {
  if (Array.isArray(value)) return tuple(value.map(tupleText));
  if (!isJsonObject(value) || isPythonFloat(value)) return pythonRepr(value);
  return tuple(sortedEntries(value).map(([name, member]) => pairText(name, tupleText(member))));
}

/** The hash of a whole database that is not in a world: `{flights, reservations, users}` by id. */
export function hashDatabase(database: JsonObject): string {
  return createHash('sha256').update(tupleText(database)).digest('hex');
}

function sortedEntries(value: JsonObject): [string, Json][] {
  const entries = Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return entries.sort(([left], [right]) => comparePythonText(left, right));
}

function pairText(name: string, valueText: string): string {
  return `(${pythonTextRepr(name)}, ${valueText})`;
}

function tuple(items: readonly string[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
}

/** The text of one row, by its id. */
type RowText = readonly [key: string, text: string];

/** One table of the base world. */
interface BaseTable {
  readonly name: string;
  readonly fullName: string;
  readonly added: readonly string[];
  /** In Python's order of ids. */
  readonly rows: readonly RowText[];
  /** SHA-256 of everything before this table. */
  readonly before: Hash;
}

/**
 * Hashes many worlds that grew from one: texts of rows are kept, and what comes before the first changed
 * table is not hashed again. The hashed text is the recipe's, byte for byte.
 */
export class TauStateHasher {
  readonly #base: WorldValue;
  readonly #tables: readonly BaseTable[];
  readonly #texts = new WeakMap<Row, string>();
  readonly #known = new Map<string, string>();

  constructor(base: WorldValue, service: string, layout: TauLayout) {
    this.#base = base;
    const hash = createHash('sha256').update('(');
    const names = Object.keys(layout.tables).sort(comparePythonText);
    this.#tables = names.map((name, index) => {
      const fullName = `${service}.${name}`;
      const added = layout.tables[name]?.added ?? [];
      const rows = [...base.table(fullName).scan()].map((row): RowText => {
        const key = this.#keyOf(fullName, row);
        return [key, this.#rowText(key, row, added)];
      });
      rows.sort(byKey);
      const before = hash.copy();
      addTable(hash, { name, rows, leads: index === 0 });
      return { name, fullName, added, rows, before };
    });
  }

  /** The hash of a world's tables, 64 hexadecimal digits. */
  hash(world: WorldValue): string {
    // Row digests ignore member order as the recipe does, so equal content has equal hashes.
    const content = world.contentDigest();
    const known = this.#known.get(content);
    if (known !== undefined) return known;
    const changed = new Map<string, Set<string>>();
    for (const change of this.#base.diff(world)) {
      const keys = changed.get(change.table) ?? new Set();
      changed.set(change.table, keys.add(String(change.key)));
    }
    const first = this.#tables.findIndex((table) => changed.has(table.fullName));
    const start = first === -1 ? Math.max(0, this.#tables.length - 1) : first;
    const hash = this.#tables[start]?.before.copy() ?? createHash('sha256').update('(');
    for (const [offset, table] of this.#tables.slice(start).entries()) {
      const keys = changed.get(table.fullName);
      const rows = keys ? this.#patched(world, table, keys) : table.rows;
      addTable(hash, { name: table.name, rows, leads: start + offset === 0 });
    }
    const digest = hash.update(this.#tables.length === 1 ? ',)' : ')').digest('hex');
    this.#known.set(content, digest);
    return digest;
  }

  #patched(world: WorldValue, table: BaseTable, keys: ReadonlySet<string>): readonly RowText[] {
    const rows = table.rows.filter(([key]) => !keys.has(key));
    for (const key of keys) {
      const row = world.table(table.fullName).get(key);
      if (row) rows.push([key, this.#rowText(key, row, table.added)]);
    }
    return rows.sort(byKey);
  }

  #keyOf(fullName: string, row: Row): string {
    const { primaryKey } = this.#base.spec(fullName);
    return String(row[typeof primaryKey === 'string' ? primaryKey : (primaryKey[0] ?? '')]);
  }

  #rowText(key: string, row: Row, added: readonly string[]): string {
    const known = this.#texts.get(row);
    if (known !== undefined) return known;
    const members = Object.entries(row).filter(([name]) => !added.includes(name));
    const text = pairText(key, tupleText(Object.fromEntries(members)));
    this.#texts.set(row, text);
    return text;
  }
}

function byKey([left]: RowText, [right]: RowText): number {
  return comparePythonText(left, right);
}

/** Row by row: one text of the whole table would be megabytes that are thrown away at once. */
function addTable(
  hash: Hash,
  {
    name,
    rows,
    leads,
  }: { readonly name: string; readonly rows: readonly RowText[]; readonly leads: boolean },
): void {
  hash.update(`${leads ? '' : ', '}(${pythonTextRepr(name)}, (`);
  for (const [index, [, text]] of rows.entries()) hash.update(index === 0 ? text : `, ${text}`);
  hash.update(rows.length === 1 ? ',))' : '))');
}
