import { type Json, jsonEqual } from '../base/json.ts';
import type { CompiledIndex, ForeignKey } from './compile.ts';
import { planDelete } from './delete-plan.ts';
import { encodePart, encodeSingle } from './keys.ts';
import {
  badRow,
  checkedCell,
  checkedRow,
  hasNullPart,
  indexPrefix,
  isListed,
  keyOf,
  primaryOf,
  withoutAbsent,
} from './row.ts';
import { firstWith, NEXT, TableState } from './table.ts';
import {
  type Entry,
  entryFor,
  entryWith,
  find,
  insert,
  move,
  remove,
  replace,
  rowOf,
  type Tree,
} from './tree.ts';
import type { Key, KeyPart, Row, TableWriter } from './types.ts';

/** What a table needs to know of the transaction that it is written in. */
export interface DraftContext {
  /** The table at this position, as it stands in the draft. */
  tableAt(position: number): DraftTable;
  /** @throws InvariantError once the transaction has ended. */
  assertOpen(): void;
}

/**
 * Rules that a write must meet; `apply` checks them at its end instead, as a diff is valid only as a whole.
 */
export type Checking = 'at-once' | 'later';

/** Where a row stands in an index before and after an update; null where it has no entry. */
interface IndexMove {
  readonly position: number;
  readonly from: string | null;
  readonly to: string | null;
}

function moveEntry(tree: Tree, gone: string | undefined, entry: Entry | undefined): Tree {
  if (gone === undefined) return entry === undefined ? tree : insert(tree, entry);
  return entry === undefined ? remove(tree, gone) : move(tree, gone, entry);
}

/** A table inside a transaction: it starts as the base's trees and is replaced path by path. */
export class DraftTable extends TableState implements TableWriter<Row> {
  readonly base: TableState;
  /** The entries that the touched keys had at the start; undefined for rows that were not there. */
  readonly touched = new Map<string, Entry | undefined>();
  readonly #draft: DraftContext;

  constructor(base: TableState, draft: DraftContext) {
    super(base.table, base);
    this.base = base;
    this.#draft = draft;
  }

  insert(given: Row): Row {
    return this.insertChecked(given, 'at-once');
  }

  /** Inserts a row; with `later` neither unique indexes nor foreign keys are looked at. */
  insertChecked(given: Row, checking: Checking): Row {
    this.#draft.assertOpen();
    const row = checkedRow(this.table, given);
    const primary = this.#primary(row);
    if (find(this.root, primary) !== undefined) throw badRow(this.table, `key ${this.#show(row)} is taken`);
    const prefixes = this.table.indexes.map((index) => indexPrefix(index, row));
    if (checking === 'at-once') {
      for (const foreign of this.table.foreignKeys) this.checkForeignKey(foreign, row);
      for (let position = 0; position < prefixes.length; position += 1) {
        this.checkUnique(position, row, prefixes[position] as string);
      }
    }
    this.#touch(primary, undefined);
    this.root = insert(this.root, entryFor(primary, row));
    const trees = prefixes.length === 0 ? this.indexes : [...this.indexes];
    for (let position = 0; position < prefixes.length; position += 1) {
      if (!isListed(this.table.indexes[position] as CompiledIndex, row)) continue;
      const entry = entryFor(prefixes[position] + primary, primary);
      (trees as Tree[])[position] = insert(trees[position] ?? null, entry);
    }
    this.indexes = trees;
    this.size += 1;
    return row;
  }

  update(key: Key, changes: Readonly<Record<string, unknown>>): Row {
    return this.updateChecked(key, changes, 'at-once');
  }

  /** Updates a row; with `later` neither unique indexes nor foreign keys are looked at. */
  updateChecked(key: Key, changes: Readonly<Record<string, unknown>>, checking: Checking): Row {
    this.#draft.assertOpen();
    const primary = this.encode(key);
    const entry = find(this.root, primary);
    if (entry === undefined) throw badRow(this.table, `there is no row ${JSON.stringify(key)} to update`);
    const old = rowOf(entry);
    const row = this.#changedRow(old, changes);
    if (row === old) return old;
    const moves = this.#indexMoves(old, row);
    if (checking === 'at-once') {
      for (const foreign of this.table.foreignKeys) {
        if (row[foreign.column] !== old[foreign.column]) this.checkForeignKey(foreign, row);
      }
      for (const { position, to } of moves) if (to !== null) this.checkUnique(position, row, to);
    }
    this.#touch(primary, entry);
    this.root = replace(this.root, entryWith(entry, row));
    if (moves.length > 0) {
      const trees = [...this.indexes];
      for (const { position, from, to } of moves) {
        // The text of the key that the row is stored under is kept once.
        const moved = to === null ? undefined : entryFor(to + entry.key, entry.key);
        const gone = from === null ? undefined : from + entry.key;
        trees[position] = moveEntry(trees[position] ?? null, gone, moved);
      }
      this.indexes = trees;
    }
    return row;
  }

  delete(key: Key): void {
    this.#draft.assertOpen();
    const primary = this.encode(key);
    if (find(this.root, primary) === undefined) {
      throw badRow(this.table, `there is no row ${JSON.stringify(key)} to delete`);
    }
    if (this.table.referrers.length === 0) {
      this.deleteEncoded(primary);
      return;
    }
    const plan = planDelete(this.#draft, this, primary);
    for (const { table, column, primary: referring } of plan.detached) table.detach(referring, column);
    for (const { table, primary: doomed } of plan.deleted) table.deleteEncoded(doomed);
  }

  /** Deletes one row that exists, by its key, whatever refers to it. */
  deleteKey(key: Key): void {
    this.deleteEncoded(this.encode(key));
  }

  /** @throws InvariantError when a row refers to this one, which is gone. */
  checkUnreferred(draft: DraftContext, gone: Row): void {
    for (const { from, index } of this.table.referrers) {
      const other = draft.tableAt(from);
      const prefix = encodePart(gone[this.table.primary[0] as string]);
      if (firstWith(other.indexes[index] ?? null, prefix) === undefined) continue;
      throw badRow(this.table, `row ${this.#show(gone)} is gone, but ${other.table.name} refers to it`);
    }
  }

  /** Deletes one row that exists, whatever refers to it. */
  deleteEncoded(primary: string): void {
    const entry = find(this.root, primary) as Entry;
    const row = rowOf(entry);
    this.#touch(primary, entry);
    this.root = remove(this.root, primary);
    this.indexes = this.indexes.map((tree, position) => {
      const index = this.table.indexes[position] as CompiledIndex;
      return isListed(index, row) ? remove(tree, indexPrefix(index, row) + primary) : tree;
    });
    this.size -= 1;
  }

  /** Sets a foreign key column to null, or removes it where null does not fit. */
  detach(primary: string, column: string): void {
    const row = rowOf(find(this.root, primary) as Entry);
    const value = this.table.columns.get(column)?.nullable ? null : undefined;
    this.updateChecked(keyOf(this.table, row), { [column]: value }, 'later');
  }

  /** @throws InvariantError when another row holds the same parts of a unique index. */
  checkUnique(position: number, row: Row, prefix: string): void {
    const index = this.table.indexes[position];
    if (!index?.unique || hasNullPart(index, row)) return;
    const tree = this.indexes[position] ?? null;
    const own = this.#primary(row);
    let holder = firstWith(tree, prefix);
    if (holder?.value === own) holder = firstWith(tree, prefix, own + NEXT);
    if (holder === undefined) return;
    const other = rowOf(find(this.root, holder.value as string) as Entry);
    throw badRow(this.table, `unique index ${index.name} is taken by row ${this.#show(other)}`);
  }

  /** @throws InvariantError when the column points to a row that is not there. */
  checkForeignKey(foreign: ForeignKey, row: Row): void {
    const value = row[foreign.column];
    if (value === undefined || value === null) return;
    const target = this.#draft.tableAt(foreign.target);
    const scalar = typeof value === 'string' || typeof value === 'number';
    if (scalar && find(target.root, encodeSingle(value as KeyPart)) !== undefined) return;
    // A row may refer to itself, also while it is being inserted.
    if (target === this && scalar && encodeSingle(value as KeyPart) === this.#primary(row)) return;
    const shown = JSON.stringify(value);
    throw badRow(this.table, `column ${foreign.column}: ${target.table.name} has no row ${shown}`);
  }

  #touch(primary: string, entry: Entry | undefined): void {
    if (!this.touched.has(primary)) this.touched.set(primary, entry);
  }

  #primary(row: Row): string {
    return primaryOf(this.table, row);
  }

  #show(row: Row): string {
    return JSON.stringify(keyOf(this.table, row));
  }

  /** The row with the changes; the very same row when they change nothing. */
  #changedRow(old: Row, changes: Readonly<Record<string, unknown>>): Row {
    let row: Record<string, Json | undefined> | undefined;
    let removed = false;
    for (const name of Object.keys(changes)) {
      const value = changes[name];
      const before = Object.hasOwn(old, name) ? old[name] : undefined;
      if (value === before && before !== undefined) continue;
      if (value === undefined) {
        const column = this.table.columns.get(name);
        if (column === undefined) throw badRow(this.table, `there is no column "${name}"`);
        if (before === undefined) continue;
        if (!column.optional) throw badRow(this.table, `column ${name} may not be removed`);
        removed = true;
      }
      const cell = value === undefined ? undefined : checkedCell(this.table, name, value);
      if (typeof cell === 'object' && jsonEqual(cell, before)) continue;
      if (cell === before) continue;
      if (this.table.primary.includes(name)) throw badRow(this.table, `key column ${name} may not change`);
      row ??= { ...old };
      row[name] = cell;
    }
    if (row === undefined) return old;
    return Object.freeze(removed ? (withoutAbsent(row) as Row) : row);
  }

  #indexMoves(old: Row, row: Row): IndexMove[] {
    const moves: IndexMove[] = [];
    const indexes = this.table.indexes;
    for (let position = 0; position < indexes.length; position += 1) {
      const index = indexes[position] as CompiledIndex;
      if (index.columns.every((column) => row[column] === old[column])) continue;
      const prefixOf = (of: Row): string | null => (isListed(index, of) ? indexPrefix(index, of) : null);
      moves.push({ position, from: prefixOf(old), to: prefixOf(row) });
    }
    return moves.filter((move) => move.from !== move.to);
  }
}
