import { InvariantError } from '../base/errors.ts';
import type { CompiledTable } from './compile.ts';
import { Cursor, type KeyRange } from './cursor.ts';
import { derivedOf } from './derived.ts';
import { AFTER_PREFIX, encodeKey, encodeSingle, type IndexPart } from './keys.ts';
import { indexPrefix, partsPrefix } from './row.ts';
import { ceiling, type Entry, find, rowOf, type Tree } from './tree.ts';
import type { Derivation, Key, Row, ScanOptions, TableReader } from './types.ts';

/** The version of every table without rows. */
const NO_ROWS: object = Object.freeze({});

const AFTER_CODE = AFTER_PREFIX.charCodeAt(0);

/** Everything that follows a key in the order: the smallest text above it is the key and this. */
export const NEXT = '\u0000';

/** What a table consists of besides its declaration. */
export interface TableParts {
  readonly root: Tree;
  readonly indexes: readonly Tree[];
  readonly size: number;
  /** Ids drawn so far. */
  readonly draws: number;
}

/** The rows of one table: its tree, one tree for each index, the number of rows and of ids drawn. */
export class TableState implements TableReader<Row> {
  readonly table: CompiledTable;
  root: Tree;
  indexes: readonly Tree[];
  size: number;
  draws: number;

  constructor(table: CompiledTable, parts: TableParts) {
    this.table = table;
    this.root = parts.root;
    this.indexes = parts.indexes;
    this.size = parts.size;
    this.draws = parts.draws;
  }

  get(key: Key): Row | undefined {
    const entry = find(this.root, this.encode(key));
    return entry === undefined ? undefined : rowOf(entry);
  }

  has(key: Key): boolean {
    return find(this.root, this.encode(key)) !== undefined;
  }

  scan(options: ScanOptions = {}): IterableIterator<Row> {
    const after = options.after === undefined ? undefined : this.encode(options.after);
    return new RowIterator(new Cursor(this.root, rangeAfter('', after, options.reverse)), options.limit);
  }

  /**
   * `after` a row that has gone needs all parts: with fewer, its place in the index is known from the row
   * only.
   */
  by(index: string, parts: readonly IndexPart[], options: ScanOptions = {}): IterableIterator<Row> {
    const position = this.indexPosition(index);
    const compiled = this.table.indexes[position] as CompiledTable['indexes'][number];
    const prefix = partsPrefix(compiled, parts);
    let after: string | undefined;
    if (options.after !== undefined) {
      const primary = this.encode(options.after);
      after = prefix + primary;
      if (parts.length < compiled.columns.length) {
        const entry = find(this.root, primary);
        if (entry === undefined) {
          throw new InvariantError(`index ${index}: after a row that is gone, all parts must be given`);
        }
        after = indexPrefix(compiled, rowOf(entry)) + primary;
      }
    }
    const cursor = new Cursor(this.indexes[position] ?? null, rangeAfter(prefix, after, options.reverse));
    return new IndexIterator(cursor, this.root, options.limit);
  }

  unique(index: string, parts: readonly IndexPart[]): Row | undefined {
    const position = this.indexPosition(index);
    const compiled = this.table.indexes[position] as CompiledTable['indexes'][number];
    if (!compiled.unique) throw new InvariantError(`table ${this.table.name}: index ${index} is not unique`);
    if (parts.length !== compiled.columns.length) {
      throw new InvariantError(`index ${index} has ${compiled.columns.length} columns, not ${parts.length}`);
    }
    if (parts.some((part) => part === null || part === undefined)) return undefined;
    const holder = firstWith(this.indexes[position] ?? null, partsPrefix(compiled, parts));
    return holder && rowOf(find(this.root, holder.value as string) as Entry);
  }

  derived<T>(derivation: Derivation<Row, T>): T {
    return derivedOf(this, derivation);
  }

  get version(): object {
    return this.root ?? NO_ROWS;
  }

  /** The rows as they are now, whatever becomes of this. */
  frozen(): TableState {
    return new TableState(this.table, this);
  }

  /** The key as its text in the tree. */
  protected encode(key: Key): string {
    if (typeof key === 'string' && this.table.primary.length === 1) return encodeSingle(key);
    return encodeKey(key, this.table.primary.length);
  }

  protected indexPosition(index: string): number {
    const position = this.table.indexPositions.get(index);
    if (position !== undefined) return position;
    throw new InvariantError(`table ${this.table.name} has no index "${index}"`);
  }
}

/** The first entry of an index tree whose key starts with whole parts and goes on at `rest` or later. */
export function firstWith(tree: Tree, prefix: string, rest = ''): Entry | undefined {
  const entry = ceiling(tree, rest === '' ? prefix : prefix + rest);
  if (!entry?.key.startsWith(prefix)) return undefined;
  // What goes on like this only has a part that begins with the last one of these.
  return entry.key.charCodeAt(prefix.length) === AFTER_CODE ? undefined : entry;
}

/** The keys that start with a prefix, from `after` on (or down). */
export function rangeAfter(prefix: string, after: string | undefined, reverse = false): KeyRange {
  const until = prefix + AFTER_PREFIX;
  if (after === undefined) return { from: prefix, until, reverse };
  if (reverse) return { from: prefix, until: after < until ? after : until, reverse };
  return { from: after < prefix ? prefix : after + NEXT, until, reverse };
}

/** Rows of a table in the order of the tree. */
class RowIterator implements IterableIterator<Row> {
  readonly cursor: Cursor;
  left: number;

  constructor(cursor: Cursor, limit = Number.POSITIVE_INFINITY) {
    this.cursor = cursor;
    this.left = limit;
  }

  next(): IteratorResult<Row, undefined> {
    const entry = this.left > 0 ? this.cursor.next() : undefined;
    if (entry === undefined) return this.return();
    this.left -= 1;
    return { done: false, value: this.rowAt(entry) };
  }

  return(): IteratorReturnResult<undefined> {
    this.left = 0;
    return { done: true, value: undefined };
  }

  [Symbol.iterator](): this {
    return this;
  }

  protected rowAt(entry: Entry): Row {
    return rowOf(entry);
  }
}

/** Rows of a table in the order of an index. */
class IndexIterator extends RowIterator {
  readonly rows: Tree;

  constructor(cursor: Cursor, rows: Tree, limit: number | undefined) {
    super(cursor, limit);
    this.rows = rows;
  }

  protected override rowAt(entry: Entry): Row {
    return rowOf(find(this.rows, entry.value as string) as Entry);
  }
}
