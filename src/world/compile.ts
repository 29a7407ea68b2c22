import { InvariantError, nearestName, UsageError } from '../base/errors.ts';
import { type Column, compileColumn } from './columns.ts';
import type { DeleteRule, Schema, TableSpec } from './types.ts';

/** An index ready for use; its position is its place in a table's list of index trees. */
export interface CompiledIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** Rows without a value are left out: only deletes look into it, for a value. */
  readonly sparse: boolean;
}

/** A column that refers to the rows of another table. */
export interface ForeignKey {
  readonly column: string;
  /** Position of the table that is referred to. */
  readonly target: number;
  readonly onDelete: DeleteRule;
  /** Index of the referring table whose first column is the foreign key. */
  readonly index: number;
}

/** A foreign key seen from the table that it points to. */
export interface Referrer extends ForeignKey {
  /** Position of the referring table. */
  readonly from: number;
}

/** A table ready for use. */
export interface CompiledTable {
  /** `service.table`. */
  readonly name: string;
  readonly position: number;
  readonly spec: TableSpec;
  readonly primary: readonly string[];
  readonly columns: ReadonlyMap<string, Column>;
  readonly required: readonly string[];
  /** Columns that count for the digest, sorted by code units. */
  readonly hashed: readonly string[];
  readonly indexes: readonly CompiledIndex[];
  /** Positions of the declared indexes by name. */
  readonly indexPositions: ReadonlyMap<string, number>;
  readonly foreignKeys: readonly ForeignKey[];
  readonly referrers: readonly Referrer[];
  readonly ambient: boolean;
}

/** All tables of a world, in the order of their names. */
export interface CompiledSchema {
  readonly services: Readonly<Record<string, Schema>>;
  readonly tables: readonly CompiledTable[];
  readonly names: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
}

const compiled = new WeakMap<object, CompiledSchema>();

/**
 * Checks and prepares the tables of some services. Done once for each `services` object.
 * @throws UsageError that names table and column when a declaration makes no sense.
 */
export function compileSchema(services: Readonly<Record<string, Schema>>): CompiledSchema {
  const known = compiled.get(services);
  if (known !== undefined) return known;
  const declared = new Map<string, TableSpec>();
  for (const [service, schema] of Object.entries(services)) {
    if (service === '' || service.includes('.')) {
      throw new UsageError('bad-service-name', `service name "${service}" must not be empty or hold a dot`);
    }
    for (const [table, spec] of Object.entries(schema)) declared.set(`${service}.${table}`, spec);
  }
  const names = [...declared.keys()].sort();
  const positions = new Map(names.map((name, position) => [name, position]));
  const tables = names.map((name) => compileTable(name, declared.get(name) as TableSpec, positions));
  const result = { services, names, positions, tables: linkReferrers(tables) };
  compiled.set(services, result);
  return result;
}

/** The table of this name. @throws InvariantError for an unknown name. */
export function positionOf(schema: CompiledSchema, name: string): number {
  const position = schema.positions.get(name);
  if (position !== undefined) return position;
  const near = nearestName(name, schema.names);
  throw new InvariantError(`there is no table "${name}"${near === undefined ? '' : `; is "${near}" meant?`}`);
}

function compileTable(name: string, spec: TableSpec, positions: ReadonlyMap<string, number>): CompiledTable {
  const columns = new Map<string, Column>();
  for (const [column, schema] of Object.entries(spec.columns)) {
    if (column === '__proto__') throw misuse(name, 'a column must not be called "__proto__"');
    columns.set(column, compileColumn(name, column, schema));
  }
  const primary = typeof spec.primaryKey === 'string' ? [spec.primaryKey] : [...spec.primaryKey];
  if (primary.length === 0) throw misuse(name, 'the primary key has no column');
  checkNames(name, columns, { 'primary key': primary, unhashed: spec.unhashed, redacted: spec.redacted });
  checkNames(name, columns, { volatile: spec.volatile });
  for (const column of primary) {
    const found = columns.get(column);
    if (found?.optional || found?.nullable)
      throw misuse(name, `key column ${column} may not be absent or null`);
    if (spec.unhashed?.includes(column)) throw misuse(name, `key column ${column} may not be unhashed`);
  }
  const { indexes, indexPositions } = compileIndexes(name, spec, columns);
  const foreignKeys = compileForeignKeys(name, { spec, columns, positions, indexes });
  return {
    name,
    position: positions.get(name) as number,
    spec,
    primary,
    columns,
    required: [...columns.values()].filter((column) => !column.optional).map((column) => column.name),
    hashed: [...columns.keys()].filter((column) => !spec.unhashed?.includes(column)).sort(),
    indexes,
    indexPositions,
    foreignKeys,
    referrers: [],
    ambient: spec.ambient ?? false,
  };
}

function compileIndexes(
  table: string,
  spec: TableSpec,
  columns: ReadonlyMap<string, Column>,
): { indexes: CompiledIndex[]; indexPositions: Map<string, number> } {
  const indexes: CompiledIndex[] = [];
  const indexPositions = new Map<string, number>();
  for (const [unique, group] of [
    [false, spec.indexes],
    [true, spec.unique],
  ] as const) {
    for (const [name, parts] of Object.entries(group ?? {})) {
      checkNames(table, columns, { [`index ${name}`]: parts });
      if (parts.length === 0) throw misuse(table, `index ${name} has no column`);
      if (indexPositions.has(name)) throw misuse(table, `there are two indexes called ${name}`);
      indexPositions.set(name, indexes.length);
      indexes.push({ name, columns: [...parts], unique, sparse: false });
    }
  }
  return { indexes, indexPositions };
}

/** Adds an unnamed index for each foreign key that no declared index starts with: deletes look there. */
function compileForeignKeys(
  name: string,
  parts: {
    spec: TableSpec;
    columns: ReadonlyMap<string, Column>;
    positions: ReadonlyMap<string, number>;
    indexes: CompiledIndex[];
  },
): ForeignKey[] {
  const { spec, columns, positions, indexes } = parts;
  const service = name.slice(0, name.indexOf('.'));
  return Object.entries(spec.foreignKeys ?? {}).map(([column, rule]) => {
    checkNames(name, columns, { 'foreign key': [column] });
    const target = positions.get(`${service}.${rule?.table}`);
    if (rule === undefined || target === undefined) {
      throw misuse(name, `column ${column} refers to a table "${rule?.table}" that ${service} does not have`);
    }
    const found = columns.get(column);
    if (rule.onDelete === 'set-null' && !found?.optional && !found?.nullable) {
      throw misuse(name, `column ${column} can be neither null nor absent, so set-null can't work`);
    }
    let index = indexes.findIndex((candidate) => candidate.columns[0] === column);
    if (index < 0)
      index =
        indexes.push({ name: `foreign key ${column}`, columns: [column], unique: false, sparse: true }) - 1;
    return { column, target, onDelete: rule.onDelete, index };
  });
}

function linkReferrers(tables: readonly CompiledTable[]): readonly CompiledTable[] {
  return tables.map((table) => {
    const referrers = tables.flatMap((other) =>
      other.foreignKeys
        .filter((foreign) => foreign.target === table.position)
        .map((foreign) => ({ ...foreign, from: other.position })),
    );
    if (referrers.length > 0 && table.primary.length > 1) {
      throw misuse(table.name, "a table with a key of several columns can't be the target of a foreign key");
    }
    return { ...table, referrers };
  });
}

function checkNames(
  table: string,
  columns: ReadonlyMap<string, Column>,
  lists: Readonly<Record<string, readonly string[] | undefined>>,
): void {
  for (const [what, names] of Object.entries(lists)) {
    for (const name of names ?? []) {
      if (!columns.has(name)) throw misuse(table, `${what} names column "${name}", which is not declared`);
    }
  }
}

function misuse(table: string, problem: string): UsageError {
  return new UsageError('bad-table', `table ${table}: ${problem}`);
}
