import { InvariantError } from '../base/errors.ts';
import { SeededRandom } from '../base/random.ts';
import { rowChange } from './changes.ts';
import { positionOf } from './compile.ts';
import { type DraftContext, DraftTable } from './draft-table.ts';
import { drawId } from './ids.ts';
import { TableState } from './table.ts';
import { type Entry, find, rowOf } from './tree.ts';
import type { Row, RowChange, TableWriter, Transaction } from './types.ts';
import type { WorldParts } from './world-parts.ts';

/** The entries that one key had before and after a transaction. */
export interface EntryChange {
  readonly table: number;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** What a draft came to. */
export interface DraftResult {
  /** True when neither rows nor streams differ from the base. */
  readonly same: boolean;
  readonly parts: WorldParts;
  readonly changes: readonly RowChange[];
  readonly entries: readonly EntryChange[];
}

/** The private copy that a transaction works on: tables are taken over when first written or read. */
export class Draft implements Transaction, DraftContext {
  readonly clockMs: number;
  readonly #base: WorldParts;
  readonly #tables: (DraftTable | undefined)[] = [];
  #random: SeededRandom | undefined;
  #open = true;

  constructor(base: WorldParts) {
    this.#base = base;
    this.clockMs = base.clockMs;
  }

  table(name: string): TableWriter<Row> {
    return this.tableAt(positionOf(this.#base.schema, name));
  }

  tableAt(position: number): DraftTable {
    let table = this.#tables[position];
    if (table === undefined) {
      table = new DraftTable(this.#base.tables.at(position), this);
      this.#tables[position] = table;
    }
    return table;
  }

  nextId(name: string): string {
    this.assertOpen();
    const position = positionOf(this.#base.schema, name);
    const pattern = this.#base.schema.tables[position]?.spec.ids;
    if (pattern === undefined) throw new InvariantError(`table ${name} declares no ids`);
    const table = this.tableAt(position);
    const id = drawId(name, pattern, { seed: this.#base.seed, draw: table.draws });
    table.draws += 1;
    return id;
  }

  get random(): SeededRandom {
    this.assertOpen();
    this.#random ??= new SeededRandom(this.#base.random);
    return this.#random;
  }

  assertOpen(): void {
    if (!this.#open) throw new InvariantError('the transaction has ended: its tables and streams are closed');
  }

  /** Ends the transaction and gives what it came to; nothing can be written after. */
  close(): DraftResult {
    this.#open = false;
    const changes: RowChange[] = [];
    const entries: EntryChange[] = [];
    const tables: [position: number, table: TableState][] = [];
    for (let position = 0; position < this.#tables.length; position += 1) {
      const table = this.#tables[position];
      if (table === undefined) continue;
      const { base, draws } = table;
      const count = entries.length;
      if (table.touched.size > 0) collectChanges(table, changes, entries);
      if (entries.length > count) tables.push([position, table.frozen()]);
      else if (draws !== base.draws) tables.push([position, new TableState(base.table, { ...base, draws })]);
    }
    const random = this.#random?.state ?? this.#base.random;
    const sameRandom = random.every((word, index) => word === this.#base.random[index]);
    const same = tables.length === 0 && sameRandom;
    const parts = same
      ? this.#base
      : {
          ...this.#base,
          tables: tables.length === 0 ? this.#base.tables : this.#base.tables.with(tables),
          random,
        };
    return { same, parts, changes, entries };
  }

  /** Ends the transaction; nothing of it is kept. */
  abandon(): void {
    this.#open = false;
  }
}

/** The net effect on one table, in key order; rows that ended equal, and their entries, do not appear. */
function collectChanges(table: DraftTable, changes: RowChange[], entries: EntryChange[]): void {
  const keys = [...table.touched.keys()];
  if (keys.length > 1) keys.sort();
  for (const key of keys) {
    const before = table.touched.get(key);
    const after = find(table.root, key);
    if (before === after) continue;
    const from = before && rowOf(before);
    const to = after && rowOf(after);
    const change = rowChange(table.table, from, to);
    if (change === undefined) continue;
    changes.push(change);
    entries.push({ table: table.table.position, before, after });
  }
}
