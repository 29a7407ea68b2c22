import { InvariantError } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { holdsAll } from '../base/predicate.ts';
import type { SeededRandom } from '../base/random.ts';
import type { Key, Row, RowChange, WorldValue } from '../world/types.ts';
import { leavesOf, type Place, withValue } from './answers/places.ts';
import type { Effect } from './effects.ts';

/** Those of business tables: what counters and queues do is not the fault's affair. */
export function businessChanges(world: WorldValue, changes: readonly RowChange[]): readonly RowChange[] {
  return changes.filter(({ table }) => world.spec(table).ambient !== true);
}

/** The changes that take these back, last one first. */
export function undoing(changes: readonly RowChange[]): readonly RowChange[] {
  return changes.toReversed().map(undone);
}

function undone(change: RowChange): RowChange {
  if (change.op === 'insert') return { ...change, op: 'delete' };
  if (change.op === 'delete') return { ...change, op: 'insert' };
  return { ...change, cells: mapped(change.cells, ({ from, to }) => cell(to, from)) };
}

type Cells = Extract<RowChange, { op: 'update' }>['cells'];

function mapped(cells: Cells, change: (one: Cells[string]) => Cells[string]): Cells {
  return Object.fromEntries(Object.entries(cells).map(([name, one]) => [name, change(one)]));
}

function cell(from: Json | undefined, to: Json | undefined): Cells[string] {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

/** The world with these changes; null where they do not fit it, or would break one of its rules. */
export function applied(world: WorldValue, changes: readonly RowChange[]): WorldValue | null {
  try {
    return world.apply(changes);
  } catch (error) {
    // A fault never leaves a world that its service could not have: where a rule says no, it does not strike.
    if (error instanceof InvariantError) return null;
    throw error;
  }
}

/** The business rows of an earlier world with the clock, streams and counters of this one. */
export function asItWas(world: WorldValue, earlier: WorldValue): WorldValue | null {
  return applied(world, businessChanges(world, world.diff(earlier)));
}

/**
 * The world after a write of which only a part happened; null where it has no parts. The first rows stay, or
 * the last where a rule of the world wants it so; of one row some cells.
 */
export function partly(after: WorldValue, changes: readonly RowChange[], keep?: number): WorldValue | null {
  const [first] = changes;
  if (changes.length === 1 && first?.op === 'update') {
    const cells = Object.entries(first.cells);
    const kept = keep ?? Math.ceil(cells.length / 2);
    if (kept >= cells.length) return null;
    const lost = Object.fromEntries(cells.slice(kept));
    return applied(after, undoing([{ ...first, cells: lost }]));
  }
  const kept = keep ?? Math.ceil(changes.length / 2);
  if (kept >= changes.length) return null;
  return (
    applied(after, undoing(changes.slice(kept))) ??
    applied(after, undoing(changes.slice(0, changes.length - kept)))
  );
}

/** The world in which somebody else wrote; null where there is no such row, or nothing would change. */
export function writtenByOther(
  world: WorldValue,
  { table, where, set, remove }: Effect<'concurrent-write'>,
  input: Json,
): WorldValue | null {
  const tests = Object.fromEntries(
    Object.entries(where).map(([column, test]) => [column, fromInput(test, input)]),
  );
  for (const row of world.table(table).scan()) {
    if (!holdsAll(tests, row as Json)) continue;
    const key = keyOf(world, table, row);
    if (remove) return applied(world, [{ op: 'delete', table, key, row }]);
    const cells = Object.entries(set ?? {}).filter(
      ([column, to]) => JSON.stringify(row[column]) !== JSON.stringify(to),
    );
    if (cells.length === 0) return null;
    const changed = cells.map(([column, to]) => [column, cell(row[column] as Json | undefined, to)] as const);
    return applied(world, [{ op: 'update', table, key, cells: Object.fromEntries(changed) }]);
  }
  return null;
}

/** `{input: NAME}` stands for an argument of the call. */
function fromInput(test: Json, input: Json): Json {
  if (!isJsonObject(test) || typeof test.input !== 'string' || Object.keys(test).length !== 1) return test;
  const value = isJsonObject(input) && Object.hasOwn(input, test.input) ? input[test.input] : undefined;
  return value ?? null;
}

function keyOf(world: WorldValue, table: string, row: Row): Key {
  const { primaryKey } = world.spec(table);
  if (typeof primaryKey === 'string') return row[primaryKey] as Key;
  return primaryKey.map((column) => row[column]) as unknown as Key;
}

/** Neighbours of a key that are tried, on either side of it. */
const NEIGHBOURS = 3;

/**
 * Arguments that ask for another row: with the key of a neighbour in place of one of theirs, in an order that
 * the seed gives; for a number that is no key, the numbers beside it.
 */
export function neighbouringInputs(
  input: Json,
  { world, service }: { readonly world: WorldValue; readonly service: string },
  random: SeededRandom,
): readonly Json[] {
  const tables = world.tableNames.filter((name) => {
    const { primaryKey, ambient } = world.spec(name);
    return name.startsWith(`${service}.`) && typeof primaryKey === 'string' && ambient !== true;
  });
  const found: Json[] = [];
  for (const { place, value } of leavesOf(input)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const table = tables.find((name) => world.table(name).has(value));
    const others = table === undefined ? besides(value) : neighboursOf(world, table, value);
    for (const other of others) found.push(withValue(input, place as Place, other));
  }
  return random.shuffle(found);
}

function besides(value: string | number): readonly Json[] {
  if (typeof value === 'string' || !Number.isInteger(value)) return [];
  return value > 1 ? [value + 1, value - 1] : [value + 1];
}

function neighboursOf(world: WorldValue, table: string, key: string | number): readonly Json[] {
  const { primaryKey } = world.spec(table);
  const rows = (reverse: boolean): Row[] => [
    ...world.table(table).scan({ after: key as Key, limit: NEIGHBOURS, reverse }),
  ];
  return [...rows(false), ...rows(true)].map((row) => row[primaryKey as string] as Json);
}
