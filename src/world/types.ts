import type { z } from 'zod';
import type { Digest } from '../base/digest.ts';
import type { ProviderError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import type { RandomState, SeededRandom } from '../base/random.ts';

/**
 * The columns of a table: each a zod schema that checks and never transforms. Optional columns may be absent.
 */
export type ColumnShape = Readonly<Record<string, z.ZodType>>;

/** The type of a row with these columns. */
export type RowOf<Columns extends ColumnShape> = Readonly<z.infer<z.ZodObject<Columns>>>;

/** Any row: plain, frozen JSON. */
export type Row = Readonly<Record<string, Json | undefined>>;

/** One part of a key. */
export type KeyPart = string | number;

/** A primary key: a scalar, or the list of its parts in declared order when the key has several columns. */
export type Key = KeyPart | readonly KeyPart[];

/** How the ids of a table are drawn from its id stream: see `nextId`. */
export type IdPattern =
  /** `prefix` and a running number from `start`, padded with zeros to `width` digits: `TKT-1001`. */
  | { readonly kind: 'sequence'; readonly prefix: string; readonly start: number; readonly width?: number }
  /** `prefix` and `length` characters of `alphabet`, a hash of world seed, stream and draw: `re_4fK…`. */
  | { readonly kind: 'token'; readonly prefix: string; readonly length: number; readonly alphabet?: string }
  /** Fixed ids in order; drawing past the last is an InvariantError unless `next` gives more. */
  | { readonly kind: 'list'; readonly ids: readonly string[]; readonly next?: (draw: number) => string };

/** What happens to the rows that refer to a deleted row. */
export type DeleteRule = 'restrict' | 'cascade' | 'set-null';

/** A reference to a row of another table of the same service, and what its deletion does here. */
export interface ForeignKey {
  readonly table: string;
  readonly onDelete: DeleteRule;
}

/**
 * A declared table. Column names in every list must be columns of the table: `defineTable` checks that by
 * type.
 */
export interface TableSpec<Columns extends ColumnShape = ColumnShape> {
  readonly primaryKey: string | readonly string[];
  readonly columns: Columns;
  readonly ids?: IdPattern;
  /**
   * Secondary indexes by name: the columns, in order; entries are `[parts…, primary key]`. Absent or null
   * parts sort first.
   */
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
  /** Unique indexes by name; rows with an absent or null part are not held unique. */
  readonly unique?: Readonly<Record<string, readonly string[]>>;
  /**
   * Columns whose value is the primary key of a row of another table of the same service (or null or absent).
   */
  readonly foreignKeys?: Readonly<Record<string, ForeignKey>>;
  /** In neither digest, such as a client's random idempotency key. */
  readonly unhashed?: readonly string[];
  /** Left out of exports unless secrets are asked for. */
  readonly redacted?: readonly string[];
  /** Fed from `now`, `nextId` or `random`: contracts mask them. */
  readonly volatile?: readonly string[];
  /**
   * True for tables of the ambient part (rate buckets, idempotency keys, queues): in the full digest only.
   */
  readonly ambient?: boolean;
}

/** What `defineTable` takes: a table whose every column name is one of its columns. */
export type TableDeclaration<Columns extends ColumnShape> = TableSpec<Columns> & {
  readonly primaryKey: (keyof Columns & string) | readonly (keyof Columns & string)[];
  readonly indexes?: Readonly<Record<string, readonly (keyof Columns & string)[]>>;
  readonly unique?: Readonly<Record<string, readonly (keyof Columns & string)[]>>;
  readonly foreignKeys?: Readonly<Partial<Record<keyof Columns & string, ForeignKey>>>;
  readonly unhashed?: readonly (keyof Columns & string)[];
  readonly redacted?: readonly (keyof Columns & string)[];
  readonly volatile?: readonly (keyof Columns & string)[];
};

/** The tables of one service by name. */
export type Schema = Readonly<Record<string, TableSpec>>;

/**
 * Options of a scan. `after` is an exclusive start at a primary key; order is by key, typed parts, code
 * units.
 */
export interface ScanOptions {
  readonly after?: Key;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** One row that differs between two states of a table. */
export interface DerivedChange<R> {
  readonly before?: R;
  readonly after?: R;
}

/**
 * Something computed of all rows of a table, such as an index of words: a pure function of the rows, however
 * it comes about. Values are shared between worlds and must not be changed.
 */
export interface Derivation<R, T> {
  build(rows: Iterable<R>): T;
  /** The value for the rows after these changes. */
  patch(value: T, changes: readonly DerivedChange<R>[]): T;
}

/** A table to read. Every row handed out is frozen and belongs to the world: it can't be changed. */
export interface TableReader<R> {
  get(key: Key): R | undefined;
  has(key: Key): boolean;
  readonly size: number;
  scan(options?: ScanOptions): IterableIterator<R>;
  /**
   * Rows whose index starts with these parts, in index order. @throws InvariantError for an unknown index.
   */
  by(index: string, parts: readonly (KeyPart | boolean | null)[], options?: ScanOptions): IterableIterator<R>;
  /** The one row of a unique index with exactly these parts. */
  unique(index: string, parts: readonly (KeyPart | boolean | null)[]): R | undefined;
  /**
   * What a derivation makes of the rows. Computed once for a table, then for each change by what changed;
   * the same derivation object must be given each time.
   */
  derived<T>(derivation: Derivation<R, T>): T;
  /**
   * Stands for the rows as they are now: the same object as long as none changes, in other sessions too. It
   * shows that what was made of these rows is still as it was.
   */
  readonly version: object;
}

/**
 * A table to write inside a transaction. Rows are checked against the columns; bad rows are InvariantErrors.
 */
export interface TableWriter<R> extends TableReader<R> {
  /** @throws InvariantError when the key, or a unique index, is taken or a foreign key points nowhere. */
  insert(row: R): R;
  /**
   * Sets the named columns; a member that is `undefined` removes an optional column. Member order is kept.
   */
  update(key: Key, changes: Partial<R>): R;
  /** Follows the delete rules. @throws InvariantError when there is no such row. */
  delete(key: Key): void;
}

export type ReadTables<S extends Schema> = { readonly [T in keyof S]: TableReader<RowOf<S[T]['columns']>> };
export type WriteTables<S extends Schema> = { readonly [T in keyof S]: TableWriter<RowOf<S[T]['columns']>> };

/** One changed cell; a side that is absent means that the column was not there. */
export interface CellChange {
  readonly from?: Json;
  readonly to?: Json;
}

/** One row of a diff. Table names are `service.table`. */
export type RowChange =
  | { readonly op: 'insert'; readonly table: string; readonly key: Key; readonly row: Row }
  | { readonly op: 'delete'; readonly table: string; readonly key: Key; readonly row: Row }
  | {
      readonly op: 'update';
      readonly table: string;
      readonly key: Key;
      readonly cells: Readonly<Record<string, CellChange>>;
    };

/** What a transaction function works with. */
export interface Transaction {
  /** A table by its full name `service.table`. @throws InvariantError for an unknown name. */
  table(name: string): TableWriter<Row>;
  /** The next id of a table's declared stream, skipping none; part of the world, given back on failure. */
  nextId(table: string): string;
  /** The world's own generator; its state is part of the world. */
  readonly random: SeededRandom;
  /** Virtual time in milliseconds since the session's epoch. */
  readonly clockMs: number;
}

/** How a transaction ended. On `rejected` without `commit` the world is the one it started from. */
export type TransactionResult<T> =
  | {
      readonly ok: true;
      readonly world: WorldValue;
      readonly value: T;
      readonly changes: readonly RowChange[];
    }
  | {
      readonly ok: false;
      readonly world: WorldValue;
      readonly error: ProviderError;
      readonly changes: readonly RowChange[];
    };

/** What of a world is not in its rows. */
export interface WorldStreams {
  /** Virtual time in milliseconds. */
  readonly clockMs: number;
  readonly seed: string;
  readonly random: RandomState;
  /** Ids drawn so far, by full table name. */
  readonly draws: Readonly<Record<string, number>>;
}

/**
 * A world: an immutable value. Keeping it is a checkpoint, using it twice is a fork, going back to it is a
 * rollback; each costs nothing.
 */
export interface WorldValue {
  /** Full table names, sorted. */
  readonly tableNames: readonly string[];
  readonly clockMs: number;
  table(name: string): TableReader<Row>;
  spec(name: string): TableSpec;
  /**
   * Runs `run` against a private draft. Returns → committed. A ProviderError → nothing happened, or, with
   * `commit`, its writes are kept. Anything else is thrown on as an InvariantError and nothing happened.
   */
  transact<T>(run: (tx: Transaction) => T): TransactionResult<T>;
  /** The same world, later by so many whole milliseconds. */
  advance(durationMs: number): WorldValue;
  /** The same rows with id and random streams started anew from this seed. */
  reseed(seed: string): WorldValue;
  /** Over the rows of the business tables: O(1), the additive sum kept in the root. */
  contentDigest(): Digest;
  /** Over the ambient part too: clock, streams, ambient tables. */
  fullDigest(): Digest;
  /** Merkle root over the business tables: equal content, equal root, whatever the history. O(change). */
  merkleRoot(): Digest;
  /**
   * The changes that lead from this world to another of the same schema: O(change), ordered by table and key.
   */
  diff(other: WorldValue): readonly RowChange[];
  /** This world with changes applied. @throws InvariantError when a change does not fit. */
  apply(changes: readonly RowChange[]): WorldValue;
  /** Clock and streams as plain JSON: a world with the same rows and these is the same world. */
  streams(): WorldStreams;
  /** The same rows with this clock and these streams. */
  withStreams(streams: WorldStreams): WorldValue;
}
