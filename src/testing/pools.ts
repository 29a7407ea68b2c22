import { isJsonObject, type Json } from '../base/json.ts';
import type { WorldValue } from '../world/types.ts';

/** A value that can stand for an id or another cell. */
export type Cell = string | number;

/** Values that occur in a world, by the name of the member they occur under; `''` holds all primary keys. */
export type Pools = ReadonlyMap<string, readonly Cell[]>;

const known = new WeakMap<WorldValue, Pools>();

/**
 * The values of a world by member name, nested documents included. The key of table `notes` is also found
 * under `id`, `note_id` and `note`, as inputs name it.
 */
export function poolsOf(world: WorldValue): Pools {
  const cached = known.get(world);
  if (cached) return cached;
  const sets = new Map<string, Set<Cell>>();
  for (const fullName of world.tableNames) {
    const { primaryKey } = world.spec(fullName);
    for (const row of world.table(fullName).scan()) {
      collect(sets, '', row as Json);
      if (typeof primaryKey !== 'string') continue;
      const key = row[primaryKey];
      if (typeof key !== 'string' && typeof key !== 'number') continue;
      for (const name of namesOfKey(fullName)) add(sets, name, key);
    }
  }
  const pools = new Map([...sets].map(([name, values]) => [name, [...values]]));
  known.set(world, pools);
  return pools;
}

function namesOfKey(fullName: string): string[] {
  const table = fullName.slice(fullName.indexOf('.') + 1);
  const singular = table.replace(/ies$/u, 'y').replace(/s$/u, '');
  return ['', 'id', singular, `${singular}_id`, `${singular}Id`];
}

function collect(sets: Map<string, Set<Cell>>, name: string, value: Json | undefined): void {
  if (typeof value === 'string' || typeof value === 'number') {
    if (name !== '') add(sets, name, value);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(sets, name.replace(/s$/u, ''), item as Json);
  } else if (isJsonObject(value)) {
    for (const [member, inner] of Object.entries(value)) collect(sets, member, inner);
  }
}

function add(sets: Map<string, Set<Cell>>, name: string, value: Cell): void {
  const values = sets.get(name) ?? new Set();
  sets.set(name, values.add(value));
}

/** A place in a generated input that is filled from the world as it is when the call is made. */
export class Pick {
  readonly member: string;
  readonly index: number;

  constructor(member: string, index: number) {
    this.member = member;
    this.index = index;
  }

  /** The value; an arbitrary text where the world has nothing of that name. */
  from(pools: Pools): Cell {
    const values = pools.get(this.member) ?? pools.get('') ?? [];
    return values[this.index % Math.max(1, values.length)] ?? `no-${this.member}`;
  }
}

/** A generated input with every `Pick` filled in. */
export function filled(value: unknown, pools: Pools): Json {
  if (value instanceof Pick) return value.from(pools);
  if (Array.isArray(value)) return value.map((item) => filled(item, pools));
  if (!isJsonObject(value)) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, pools)]));
}
