import { canonicalJson } from '../../src/base/canonical.ts';
import { digestText } from '../../src/base/digest.ts';
import { shop, type TableName, type Write } from './fixture.ts';
import {
  InvariantError,
  type Json,
  type Key,
  type Row,
  type Transaction,
  type World,
} from './world-under-test.ts';

/** Columns of any table that a row may lack. */
const OPTIONAL = new Set(['code', 'rank', 'data', 'trace']);

type Parts = readonly (Json | undefined)[];

/** The tables as plain maps from key text to row, and every rule written the slow and obvious way. */
export class Model {
  readonly tables: Record<TableName, Map<string, Row>>;

  constructor(tables?: Record<TableName, Map<string, Row>>) {
    this.tables = tables ?? {
      group: new Map(),
      item: new Map(),
      line: new Map(),
      hold: new Map(),
      bucket: new Map(),
    };
  }

  copy(): Model {
    const entries = Object.entries(this.tables).map(([name, rows]) => [name, new Map(rows)]);
    return new Model(Object.fromEntries(entries) as Record<TableName, Map<string, Row>>);
  }

  /** Does one write; false, and nothing done, when a rule forbids it. */
  write(write: Write): boolean {
    const rows = this.tables[write.table];
    const key = keyText(write.table, write.row);
    const old = rows.get(key);
    if (write.op === 'insert') {
      const row = normal(write.row);
      if (old !== undefined || !this.#allowed(write.table, row, key)) return false;
      rows.set(key, row);
      return true;
    }
    if (old === undefined) return false;
    if (write.op === 'delete') return this.#delete(write.table, key);
    const changed = updated(old, write);
    if (changed === undefined || !this.#allowed(write.table, changed, key)) return false;
    rows.set(key, changed);
    return true;
  }

  /** Rows in key order, or in the order of an index with the given columns. */
  ordered(table: TableName, columns: readonly string[] = []): Row[] {
    const primary = [shop[table].primaryKey].flat() as string[];
    const parts = (row: Row): Parts => [...columns, ...primary].map((column) => row[column]);
    return [...this.tables[table].values()].sort((left, right) => compareParts(parts(left), parts(right)));
  }

  #allowed(table: TableName, row: Row, key: string): boolean {
    if (table === 'item') {
      if (row.group !== null && !this.tables.group.has(JSON.stringify([row.group]))) return false;
      const code = row.code;
      if (code === undefined || code === null) return true;
      return ![...this.tables.item].some(([other, held]) => other !== key && held.code === code);
    }
    if (table === 'line') return this.tables.item.has(JSON.stringify([row.item]));
    if (table === 'hold') return this.tables.group.has(JSON.stringify([row.group]));
    return true;
  }

  #delete(table: TableName, key: string): boolean {
    const row = this.tables[table].get(key) as Row;
    if (table === 'group') {
      if ([...this.tables.hold.values()].some((hold) => hold.group === row.id)) return false;
      for (const [other, item] of this.tables.item) {
        if (item.group === row.id) this.tables.item.set(other, { ...item, group: null });
      }
    }
    if (table === 'item') {
      for (const [other, line] of this.tables.line) {
        if (line.item === row.id) this.tables.line.delete(other);
      }
    }
    this.tables[table].delete(key);
    return true;
  }
}

/** Does the same write in a transaction; false when it is refused. */
export function writeTo(tx: Transaction, write: Write): boolean {
  const table = tx.table(`shop.${write.table}`);
  const key = keyOf(write.table, write.row);
  try {
    if (write.op === 'insert') table.insert(write.row);
    else if (write.op === 'delete') table.delete(key);
    else table.update(key, Object.fromEntries(write.columns.map((column) => [column, write.row[column]])));
    return true;
  } catch (error) {
    if (error instanceof InvariantError) return false;
    throw error;
  }
}

export function keyOf(table: TableName, row: Row): Key {
  const primary = shop[table].primaryKey;
  if (typeof primary === 'string') return row[primary] as string;
  return (primary as readonly string[]).map((column) => row[column] as string);
}

/** The content digest from nothing: the sum of the digests of all rows, by the definition. */
export function slowDigest(world: World): string {
  const lanes = new Uint32Array(8);
  for (const name of world.tableNames) {
    const spec = world.spec(name);
    if (spec.ambient) continue;
    for (const row of world.table(name).scan()) {
      const hashed = Object.fromEntries(
        Object.entries(row).filter(([column]) => !spec.unhashed?.includes(column)),
      );
      const key = keyOf(name.slice('shop.'.length) as TableName, row);
      const digest = digestText(canonicalJson([name, key as Json, hashed as Json]));
      for (let lane = 0; lane < 8; lane += 1) {
        lanes[lane] = (lanes[lane] as number) + Number.parseInt(digest.slice(lane * 8, lane * 8 + 8), 16);
      }
    }
  }
  return [...lanes].map((lane) => lane.toString(16).padStart(8, '0')).join('');
}

function updated(old: Row, write: Write & { op: 'update' }): Row | undefined {
  const primary = [shop[write.table].primaryKey].flat() as string[];
  const row: Record<string, Json | undefined> = { ...old };
  const given = normal(write.row);
  for (const column of write.columns) {
    const value = given[column];
    if (primary.includes(column)) {
      if (value !== old[column]) return undefined;
    } else if (value !== undefined) {
      row[column] = value;
    } else if (OPTIONAL.has(column)) {
      delete row[column];
    } else {
      return undefined;
    }
  }
  return row;
}

function keyText(table: TableName, row: Row): string {
  return JSON.stringify([keyOf(table, row)].flat());
}

/** `-0` as `0` and no undefined members, as the world stores it. */
function normal(row: Row): Row {
  return JSON.parse(JSON.stringify(row)) as Row;
}

/** Typed parts: null or absent < boolean < number < string. */
function compareParts(left: Parts, right: Parts): number {
  for (let index = 0; index < left.length; index += 1) {
    const order = comparePart(left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function comparePart(left: Json | undefined, right: Json | undefined): number {
  const rank = typeRank(left) - typeRank(right);
  if (rank !== 0 || left === null || left === undefined) return rank;
  return (left as string) < (right as string) ? -1 : left === right ? 0 : 1;
}

function typeRank(value: Json | undefined): number {
  if (value === null || value === undefined) return 0;
  return ['boolean', 'number', 'string'].indexOf(typeof value) + 1;
}
