import { nearestName, UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { holdsAll, valueAt } from '../base/predicate.ts';
import { SeededRandom } from '../base/random.ts';
import type { Key, Row, WorldValue } from '../world/types.ts';
import { type PlaceOf, placed } from './placed.ts';
import type { BoundRows } from './template.ts';
import type { Binding } from './types.ts';

/**
 * Picks the rows of a family's bindings from the seeded world, in declared order: later ones may match
 * columns of earlier ones. The same seed picks the same rows.
 * @throws UsageError when a table is unknown or no row fits.
 */
export function pickRows(
  bindings: Readonly<Record<string, Binding>>,
  world: WorldValue,
  { seed, place }: { readonly seed: string; readonly place?: PlaceOf | undefined },
): BoundRows {
  const rows: Record<string, Row> = {};
  for (const [name, binding] of Object.entries(bindings)) {
    rows[name] = placed(place, ['bindings', name], () => pickRow(name, binding, { world, rows, seed }));
  }
  return rows;
}

function pickRow(
  name: string,
  binding: Binding,
  state: { readonly world: WorldValue; readonly rows: BoundRows; readonly seed: string },
): Row {
  const candidates = candidatesOf(name, binding, state);
  if (candidates.length === 0) {
    throw new UsageError('no-row', `the binding ${name} fits no row of ${binding.from}`, {
      hint: 'loosen its where or match, or use a larger seed',
    });
  }
  const random = SeededRandom.from(`${state.seed}/${name}`);
  return binding.pick === 'first' ? (candidates[0] as Row) : random.pick(candidates);
}

function candidatesOf(
  name: string,
  binding: Binding,
  state: { readonly world: WorldValue; readonly rows: BoundRows },
): Row[] {
  const { world, rows } = state;
  if (!world.tableNames.includes(binding.from)) {
    const near = nearestName(binding.from, world.tableNames);
    throw new UsageError(
      'unknown-table',
      `the binding ${name} picks from ${binding.from}, which is not there`,
      {
        hint: near ? `did you mean ${near}?` : `tables are ${world.tableNames.join(', ')}`,
      },
    );
  }
  const taken = (binding.distinctFrom ?? []).map((other) =>
    keyOf(world, rows, { name: other, from: binding.from }),
  );
  const joins = Object.entries(binding.match ?? {}).map(([column, path]) => [
    column,
    valueAt(rows as Json, path),
  ]);
  const found: Row[] = [];
  for (const row of world.table(binding.from).scan()) {
    if (joins.some(([column, value]) => value === undefined || row[column as string] !== value)) continue;
    if (binding.where && !holdsAll(binding.where, row)) continue;
    if (taken.includes(keyText(world, binding.from, row))) continue;
    found.push(row);
  }
  return found;
}

function keyOf(
  world: WorldValue,
  rows: BoundRows,
  { name, from }: { readonly name: string; readonly from: string },
): string {
  const row = rows[name];
  if (!row) throw new UsageError('unknown-binding', `distinctFrom names ${name}, which is not bound before`);
  return keyText(world, from, row);
}

function keyText(world: WorldValue, table: string, row: Row): string {
  const { primaryKey } = world.spec(table);
  const columns = typeof primaryKey === 'string' ? [primaryKey] : primaryKey;
  return JSON.stringify(columns.map((column) => row[column] ?? null));
}

/** The primary key of a row as the engine takes it. */
export function primaryKeyOf(world: WorldValue, table: string, row: Row): Key {
  const { primaryKey } = world.spec(table);
  if (typeof primaryKey === 'string') return row[primaryKey] as Key;
  return primaryKey.map((column) => row[column]) as unknown as Key;
}
