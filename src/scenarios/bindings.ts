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
  const candidates = fittingRows(name, binding, state);
  const random = SeededRandom.from(`${state.seed}/${name}`);
  return binding.pick === 'first' ? (candidates[0] as Row) : random.pick(candidates);
}

/** How many variants of a family are wanted, and where its file says so. */
export interface VariantDraw {
  readonly seed: string;
  readonly variants: number;
  /** Takes fewer where fewer fit; none at all is an error all the same. */
  readonly orFewer?: boolean | undefined;
  readonly place?: PlaceOf | undefined;
}

/**
 * Draws the rows of variants 1 to `variants` of a family without replacement: no two variants have the same
 * combination of rows. How many are asked for does not change which rows a variant has.
 * @throws UsageError when fewer combinations fit than variants are asked for.
 */
export function drawVariants(
  bindings: Readonly<Record<string, Binding>>,
  world: WorldValue,
  { seed, variants, orFewer = false, place }: VariantDraw,
): BoundRows[] {
  const drawing: Drawing = { world, seed, place, misfit: null };
  const drawn: BoundRows[] = [];
  for (const rows of combinations(Object.entries(bindings), { drawing, rows: {}, way: '' })) {
    if (drawn.length === variants) break;
    drawn.push(rows);
  }
  if (drawn.length === 0 && drawing.misfit) throw drawing.misfit;
  if (drawn.length >= variants || orFewer) return drawn;
  const random = Object.keys(bindings).filter((name) => bindings[name]?.pick === 'random');
  const names = random.length > 0 ? random : Object.keys(bindings);
  throw new UsageError('too-many-variants', fitText(drawn.length, names), {
    ...(place && { place: place(['bindings', names[0] ?? '']) }),
    hint: `ask for at most ${drawn.length} variants, or loosen its where`,
  });
}

function fitText(count: number, names: readonly string[]): string {
  const [one, many] = names.length === 1 ? ['row', 'rows'] : ['combination of rows', 'combinations of rows'];
  const bindings = `the ${names.length === 1 ? 'binding' : 'bindings'} ${names.join(', ')}`;
  return `only ${count} ${count === 1 ? `${one} fits` : `${many} fit`} ${bindings}`;
}

interface Drawing {
  readonly world: WorldValue;
  readonly seed: string;
  readonly place: PlaceOf | undefined;
  /** The first binding that no row fitted; it only matters when nothing fits at all. */
  misfit: UsageError | null;
}

/**
 * Every combination of rows once. Variants take turns through the rows of the first binding, so that as many
 * variants as it has rows differ in that one already; only then do the later bindings go on.
 */
function* combinations(
  bindings: readonly (readonly [string, Binding])[],
  { drawing, rows, way }: { readonly drawing: Drawing; readonly rows: BoundRows; readonly way: string },
): Generator<BoundRows> {
  const [head, ...rest] = bindings;
  if (!head) return yield rows;
  const [name] = head;
  let lanes: Generator<BoundRows>[] = [];
  for (const [index, row] of candidateOrder(head, { drawing, rows, way }).entries()) {
    const inner = { drawing, rows: { ...rows, [name]: row }, way: `${way}/${index}` };
    const lane = combinations(rest, inner);
    const first = lane.next();
    if (first.done) continue;
    yield first.value;
    lanes.push(lane);
  }
  while (lanes.length > 0) {
    const open: Generator<BoundRows>[] = [];
    for (const lane of lanes) {
      const next = lane.next();
      if (next.done) continue;
      yield next.value;
      open.push(lane);
    }
    lanes = open;
  }
}

/** The rows that a binding may take here, in the order that variants take them. */
function candidateOrder(
  [name, binding]: readonly [string, Binding],
  { drawing, rows, way }: { readonly drawing: Drawing; readonly rows: BoundRows; readonly way: string },
): Row[] {
  const { world, seed, place } = drawing;
  try {
    return placed(place, ['bindings', name], () => {
      const found = fittingRows(name, binding, { world, rows });
      if (binding.pick === 'first') return found.slice(0, 1);
      return SeededRandom.from(`${seed}${way}/${name}`).shuffle(found);
    });
  } catch (error) {
    if (!(error instanceof UsageError) || error.code !== NO_ROW) throw error;
    drawing.misfit ??= error;
    return [];
  }
}

const NO_ROW = 'no-row';

/** @throws UsageError when there is none. */
function fittingRows(
  name: string,
  binding: Binding,
  state: { readonly world: WorldValue; readonly rows: BoundRows },
): Row[] {
  const candidates = candidatesOf(name, binding, state);
  if (candidates.length > 0) return candidates;
  throw new UsageError(NO_ROW, `the binding ${name} fits no row of ${binding.from}`, {
    hint: 'loosen its where or match, or use a larger seed',
  });
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
