import { createHash } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import {
  createWorld,
  type Key,
  type Row,
  type RowChange,
  type Schema,
  type TableSpec,
  type World,
  type WorldStreams,
} from '../world/index.ts';
import { assertFile, atomically } from './world-file.ts';

const FORMAT = 1;
/** The column with the whole row as JSON: what an import reads. Lone surrogates are escaped in it. */
const ROW_COLUMN = '_row';
const META_TABLE = '_groundhog';

/** What an export says about itself. */
interface Meta {
  readonly format: number;
  readonly streams: WorldStreams;
  readonly contentDigest: string;
  readonly fullDigest: string;
  /** SHA-256 over every value of every table as SQL sees it: an edited column is noticed. */
  readonly tables: string;
  /** `service.table.column` of every column that was left out and held something. */
  readonly redacted: readonly string[];
}

/**
 * Writes a world as a SQLite file: one SQL table for each table (`"helpdesk.orders"`) with one column for
 * each column, for queries, and the row as JSON text in `_row`, from which `importSqlite` reads it back
 * without loss. Booleans are 0 and 1, objects and lists JSON text, absent values NULL. Redacted columns are
 * left out unless `secrets` is true. An existing file is replaced.
 */
export function exportSqlite(world: World, path: string, options: { readonly secrets?: boolean } = {}): void {
  const secrets = options.secrets ?? false;
  atomically(path, (temporary) => {
    const database = new DatabaseSync(temporary);
    try {
      database.exec('BEGIN');
      const redacted = world.tableNames.flatMap((name) => exportTable(database, { world, name, secrets }));
      const meta: Meta = {
        format: FORMAT,
        streams: world.streams(),
        contentDigest: world.contentDigest(),
        fullDigest: world.fullDigest(),
        tables: digestOfTables(database, world.tableNames),
        redacted,
      };
      database.exec(`CREATE TABLE "${META_TABLE}" (meta TEXT NOT NULL)`);
      database.prepare(`INSERT INTO "${META_TABLE}" VALUES (?)`).run(JSON.stringify(meta));
      database.exec('COMMIT');
    } finally {
      database.close();
    }
  });
}

/**
 * The world in a file of `exportSqlite`: rows, clock and streams. Rows are read from their `_row` texts; the
 * other columns are for queries, and a file in which any of them was edited is refused rather than read past.
 * @throws UsageError when the file is missing, no export, an export without its redacted columns, made for
 * other tables, or when its tables are not those that were exported.
 */
export function importSqlite(path: string, services: Readonly<Record<string, Schema>>): World {
  assertFile(path);
  const database = openDatabase(path);
  try {
    const meta = readMeta(database, path);
    const empty = createWorld(services, meta.streams.seed);
    const changes = readChanges(database, empty, path);
    if (digestOfTables(database, empty.tableNames) === meta.tables) {
      const world = empty.apply(changes).withStreams(meta.streams);
      if (world.contentDigest() === meta.contentDigest && world.fullDigest() === meta.fullDigest)
        return world;
    }
    throw misuse(
      path,
      ['export-changed', 'the rows of this export are not those that were written to it'],
      'import the file as it was exported; change rows in a transaction',
    );
  } finally {
    database.close();
  }
}

function digestOfTables(database: DatabaseSync, names: readonly string[]): string {
  const digest = createHash('sha256');
  for (const name of names) {
    const statement = database.prepare(`SELECT * FROM ${quote(name)} ORDER BY rowid`);
    statement.setReadBigInts(true);
    for (const row of statement.iterate()) {
      const values = Object.values(row).map((value) => (typeof value === 'bigint' ? `${value}n` : value));
      digest.update(`${JSON.stringify([name, values])}\n`);
    }
  }
  return digest.digest('hex');
}

interface TableExport {
  readonly world: World;
  readonly name: string;
  readonly secrets: boolean;
}

/** Writes one table and gives the redacted columns that held something. */
function exportTable(database: DatabaseSync, { world, name, secrets }: TableExport): string[] {
  const spec = world.spec(name);
  const hidden = new Set<string>(secrets ? [] : spec.redacted);
  const columns = Object.keys(spec.columns).filter((column) => !hidden.has(column));
  const sqlNames = uniqueNames(columns);
  const declared = columns.map(
    (column, index) => `${quote(sqlNames[index] as string)} ${affinity(spec, column)}`,
  );
  database.exec(
    `CREATE TABLE ${quote(name)} (${[...declared, `${quote(ROW_COLUMN)} TEXT NOT NULL`].join(', ')})`,
  );
  const places = Array.from({ length: columns.length + 1 }, () => '?').join(', ');
  const statement = database.prepare(`INSERT INTO ${quote(name)} VALUES (${places})`);
  const redacted = new Set<string>();
  for (const row of world.table(name).scan()) {
    const shown: Row = hidden.size === 0 ? row : withoutHidden(row, hidden, redacted);
    statement.run(...columns.map((column) => sqlValue(row[column])), JSON.stringify(shown));
  }
  return [...redacted].map((column) => `${name}.${column}`);
}

function withoutHidden(row: Row, hidden: ReadonlySet<string>, found: Set<string>): Row {
  const shown = Object.entries(row).filter(([column]) => {
    if (hidden.has(column)) found.add(column);
    return !hidden.has(column);
  });
  return Object.fromEntries(shown);
}

function readMeta(database: DatabaseSync, path: string): Meta {
  const foreign = misuse(
    path,
    ['not-an-export', 'this is not a world export'],
    'world exports are written by `groundhog world export`',
  );
  let meta: Meta;
  try {
    const [row] = database.prepare(`SELECT meta FROM "${META_TABLE}"`).all();
    meta = JSON.parse(String(row?.meta)) as Meta;
  } catch {
    throw foreign;
  }
  if (meta.format !== FORMAT) {
    throw misuse(path, ['export-version', `this export has format ${meta.format}, known is ${FORMAT}`]);
  }
  if (meta.redacted.length > 0) {
    const columns = meta.redacted.join(', ');
    throw misuse(
      path,
      ['export-redacted', `this export lacks its redacted columns (${columns}): it is no whole world`],
      'export again with --secrets',
    );
  }
  return meta;
}

function readChanges(database: DatabaseSync, world: World, path: string): RowChange[] {
  const found = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map((row) => String(row.name))
    .filter((name) => name !== META_TABLE);
  const names = [...world.tableNames];
  if (found.toSorted().join('\n') !== names.join('\n')) {
    const other = [...found, ...names].filter((name) => found.includes(name) !== names.includes(name));
    throw misuse(path, ['export-schema', `this export has other tables: ${other.join(', ')}`]);
  }
  return names.flatMap((table) => {
    const texts = database
      .prepare(`SELECT ${quote(ROW_COLUMN)} AS row FROM ${quote(table)} ORDER BY rowid`)
      .all();
    return texts.map(({ row: text }): RowChange => {
      const row = JSON.parse(String(text)) as Row;
      return { op: 'insert', table, key: keyOf(world.spec(table), row), row };
    });
  });
}

function openDatabase(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true });
  } catch {
    throw misuse(path, ['not-an-export', 'this file cannot be opened by SQLite']);
  }
}

function keyOf(spec: TableSpec, row: Row): Key {
  const parts = [spec.primaryKey].flat() as string[];
  return parts.length === 1 ? (row[parts[0] as string] as Key) : parts.map((part) => row[part] as string);
}

/** SQLite folds the case of names: of two columns that differ only by it, the second gets a number. */
function uniqueNames(columns: readonly string[]): string[] {
  const taken = new Set([ROW_COLUMN]);
  return columns.map((column) => {
    let name = column;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${column}_${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

/** A type for columns of one kind; none for all others, so that SQLite keeps each value as it is. */
function affinity(spec: TableSpec, column: string): string {
  const kinds = new Set<string>();
  let schema = spec.columns[column] as unknown as { _zod: { def: SchemaDefinition } } | undefined;
  while (schema !== undefined) {
    kinds.add(schema._zod.def.type);
    schema = schema._zod.def.innerType;
  }
  if (kinds.has('string') || kinds.has('enum')) return 'TEXT';
  if (kinds.has('boolean')) return 'INTEGER';
  return kinds.has('number') ? 'NUMERIC' : '';
}

interface SchemaDefinition {
  readonly type: string;
  readonly innerType?: { _zod: { def: SchemaDefinition } };
}

function sqlValue(value: Json | undefined): SQLInputValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function misuse(path: string, [code, message]: readonly [string, string], hint?: string): UsageError {
  return new UsageError(code, message, { place: { file: path }, ...(hint !== undefined && { hint }) });
}
