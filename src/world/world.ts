import { type Digest, digestText } from '../base/digest.ts';
import { InvariantError, ProviderError } from '../base/errors.ts';
import { seedRandom } from '../base/random.ts';
import { applyChanges } from './apply.ts';
import { type CompiledSchema, compileSchema, positionOf } from './compile.ts';
import { treeDigest } from './digests.ts';
import { Draft } from './draft.ts';
import { Slots } from './slots.ts';
import { addPending, type Sums, settle, ZERO_SUMS } from './sums.ts';
import { TableState } from './table.ts';
import { diffTables } from './tree-diff.ts';
import type {
  Row,
  RowChange,
  Schema,
  TableReader,
  TableSpec,
  Transaction,
  TransactionResult,
  WorldStreams,
  WorldValue,
} from './types.ts';
import type { WorldParts } from './world-parts.ts';

/** The world as `WorldValue` says, with its persistent trees. Make one with `createWorld` or `openPacked`. */
export class World implements WorldValue {
  /** For the other files of this folder. */
  readonly parts: WorldParts;
  #sums: Sums;
  #merkle: Digest | undefined;

  constructor(parts: WorldParts, sums: Sums) {
    this.parts = parts;
    this.#sums = sums;
  }

  get tableNames(): readonly string[] {
    return this.parts.schema.names;
  }

  get clockMs(): number {
    return this.parts.clockMs;
  }

  /** The seed of the id and random streams. */
  get seed(): string {
    return this.parts.seed;
  }

  /** The services that the world was made with. */
  get services(): Readonly<Record<string, Schema>> {
    return this.parts.schema.services;
  }

  table(name: string): TableReader<Row> {
    return this.parts.tables.at(positionOf(this.parts.schema, name));
  }

  spec(name: string): TableSpec {
    return this.parts.tables.at(positionOf(this.parts.schema, name)).table.spec;
  }

  transact<T>(run: (tx: Transaction) => T): TransactionResult<T> & { readonly world: World } {
    const draft = new Draft(this.parts);
    let value: T;
    try {
      value = run(draft);
      if (isPromise(value))
        throw new InvariantError('a transaction must be synchronous: it gave back a promise');
    } catch (error) {
      if (!(error instanceof ProviderError)) {
        draft.abandon();
        throw asInvariantError(error);
      }
      if (error.commit) return { ok: false, error, ...this.#after(draft) };
      draft.abandon();
      return { ok: false, world: this, error, changes: [] };
    }
    return { ok: true, value, ...this.#after(draft) };
  }

  advance(durationMs: number): World {
    if (!Number.isSafeInteger(durationMs) || durationMs < 0) {
      throw new InvariantError(`time goes forward by whole milliseconds, not by ${durationMs}`);
    }
    if (durationMs === 0) return this;
    return this.#with({ ...this.parts, clockMs: this.parts.clockMs + durationMs });
  }

  /**
   * Token ids and random numbers start anew from the seed. Sequences and lists go on where they are: their
   * ids do not depend on the seed, and those drawn before belong to rows that are still there.
   */
  reseed(seed: string): World {
    return this.#with({ ...this.parts, seed, random: seedRandom(seed) });
  }

  contentDigest(): Digest {
    return this.settledSums().content;
  }

  /**
   * Not kept: a recorded world is asked once, and of 10,000 sessions every step would keep its text. Over the
   * JSON of `[content, ambient, clock, seed, draws, random]`, put together by hand: this is in every step.
   */
  fullDigest(): Digest {
    const { schema, tables, random, clockMs, seed } = this.parts;
    const { content, ambient } = this.settledSums();
    const names = quotedNames(schema);
    let drawn = '';
    for (const { table, draws } of tables.all()) {
      if (draws > 0) drawn += `${drawn === '' ? '' : ','}[${names[table.position]},${draws}]`;
    }
    const streams = `${clockMs},${JSON.stringify(seed)},[${drawn}],[${random.join(',')}]`;
    return digestText(`["${content}","${ambient}",${streams}]`);
  }

  merkleRoot(): Digest {
    this.#merkle ??= digestText(
      this.parts.tables
        .all()
        .filter((state) => !state.table.ambient)
        .map((state) => `${JSON.stringify(state.table.name)}:${treeDigest(state.table, state.root)}`)
        .join('\n'),
    );
    return this.#merkle;
  }

  diff(other: WorldValue): readonly RowChange[] {
    if (!(other instanceof World) || !sameTables(this.parts.schema, other.parts.schema)) {
      throw new InvariantError('only two worlds with the same tables can be compared');
    }
    return diffTables(this.parts.tables, other.parts.tables);
  }

  apply(changes: readonly RowChange[]): World {
    const draft = new Draft(this.parts);
    applyChanges(this.parts.schema, draft, changes);
    return this.#after(draft).world;
  }

  /** Clock and streams as plain JSON, for exports: a world with the same rows and these is the same world. */
  streams(): WorldStreams {
    const { tables, clockMs, seed, random } = this.parts;
    const draws = Object.fromEntries(tables.all().map((state) => [state.table.name, state.draws]));
    return { clockMs, seed, random, draws };
  }

  /** The same rows with this clock and these streams. */
  withStreams(streams: WorldStreams): World {
    const { clockMs, seed, random } = streams;
    const changed = this.parts.tables.all().flatMap((state): [number, TableState][] => {
      const draws = streams.draws[state.table.name] ?? 0;
      if (draws === state.draws) return [];
      return [[state.table.position, new TableState(state.table, { ...state, draws })]];
    });
    const tables = changed.length === 0 ? this.parts.tables : this.parts.tables.with(changed);
    return this.#with({ ...this.parts, tables, clockMs, seed, random });
  }

  /** The sums of row digests, with nothing left to add. */
  settledSums(): Sums {
    this.#sums = settle(this.parts.schema, this.#sums);
    return this.#sums;
  }

  #after(draft: Draft): { world: World; changes: readonly RowChange[] } {
    const { same, parts, changes, entries } = draft.close();
    if (same) return { world: this, changes };
    if (entries.length === 0) return { world: this.#with(parts), changes };
    return { world: new World(parts, addPending(parts.schema, this.#sums, entries)), changes };
  }

  /** The same rows with other streams or another time. */
  #with(parts: WorldParts): World {
    const world = new World(parts, this.#sums);
    world.#merkle = this.#merkle;
    return world;
  }
}

/** An empty world at time 0 over the tables of these services; full table names are `service.table`. */
export function createWorld(services: Readonly<Record<string, Schema>>, seed: string): World {
  const schema = compileSchema(services);
  const tables = schema.tables.map(
    (table) =>
      new TableState(table, { root: null, indexes: table.indexes.map(() => null), size: 0, draws: 0 }),
  );
  const parts = { schema, tables: new Slots(tables), clockMs: 0, seed, random: seedRandom(seed) };
  return new World(parts, ZERO_SUMS);
}

const quoted = new WeakMap<CompiledSchema, readonly string[]>();

/** The table names as JSON texts. */
function quotedNames(schema: CompiledSchema): readonly string[] {
  let names = quoted.get(schema);
  if (!names) {
    names = schema.names.map((name) => JSON.stringify(name));
    quoted.set(schema, names);
  }
  return names;
}

function sameTables(left: CompiledSchema, right: CompiledSchema): boolean {
  return left === right || left.names.join() === right.names.join();
}

function isPromise(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

function asInvariantError(error: unknown): InvariantError {
  if (error instanceof InvariantError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new InvariantError(`a transaction failed: ${message}`, { cause: error });
}
