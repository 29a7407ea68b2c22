import { z } from 'zod';
import { SeededRandom } from '../src/base/random.ts';
import { createWorld, defineTable, type Row, type World } from '../src/world/index.ts';

export const TABLE_COUNT = 10;
export const SERVICE = 'bench';

/**
 * One of the ten tables: eighteen columns, about 550 bytes of JSON, two indexes. Times are seconds and money
 * is cents, as payment services have them.
 */
const ticket = defineTable({
  primaryKey: 'id',
  columns: {
    id: z.string(),
    number: z.int(),
    title: z.string(),
    body: z.string(),
    state: z.enum(['open', 'pending', 'closed']),
    priority: z.int().min(0).max(9),
    requester: z.string(),
    assignee: z.string().nullable(),
    labels: z.array(z.string()),
    amount: z.int(),
    currency: z.string(),
    created_at: z.int(),
    updated_at: z.int(),
    closed_at: z.int().nullable(),
    locked: z.boolean(),
    address: z.object({ city: z.string(), zip: z.string(), street: z.string() }),
    note: z.string().optional(),
    version: z.int(),
  },
  ids: { kind: 'sequence', prefix: 'TKT-', start: 1001 },
  indexes: { state: ['state', 'priority'], assignee: ['assignee'] },
});

export const services = {
  [SERVICE]: Object.fromEntries(Array.from({ length: TABLE_COUNT }, (_, index) => [`table${index}`, ticket])),
};

/** Rows of a table in the standard workload. */
export const ROWS = 500;
export const TABLE_NAMES = Array.from({ length: TABLE_COUNT }, (_, index) => `${SERVICE}.table${index}`);
export const ROW_IDS = Array.from({ length: ROWS }, (_, index) => rowId(index));
const STATES = ['open', 'pending', 'closed'] as const;

/** The id of row `index` (from 0) of any table. */
export function rowId(index: number): string {
  return `TKT-${String(1001 + index)}`;
}

/** So many single-row updates, each in its transaction and each moving the row in one index. */
export function updateSteps(
  from: World,
  count: number,
  { digest, first = 0 }: { readonly digest: boolean; readonly first?: number },
): World {
  let world = from;
  for (let index = first; index < first + count; index += 1) {
    const result = world.transact((tx) => {
      const table = tx.table(TABLE_NAMES[index % TABLE_COUNT] as string);
      const id = ROW_IDS[(index * 7919) % ROWS] as string;
      const state = table.get(id)?.state as (typeof STATES)[number];
      return table.update(id, {
        state: STATES[(STATES.indexOf(state) + 1) % 3] as string,
        updated_at: 1_702_000_000 + index,
      });
    });
    world = result.world as World;
    if (digest) world.contentDigest();
  }
  return world;
}

/** A row like those of a help desk, the same for the same generator state. */
export function makeRow(random: SeededRandom, index: number): Row {
  const words = [
    'refund',
    'late',
    'parcel',
    'customer',
    'asks',
    'again',
    'about',
    'the',
    'invoice',
    'address',
  ];
  const sentence = (length: number): string => Array.from({ length }, () => random.pick(words)).join(' ');
  return {
    id: rowId(index),
    number: index,
    title: sentence(6),
    body: sentence(19),
    state: random.pick(['open', 'pending', 'closed']),
    priority: random.integer(0, 9),
    requester: `user-${random.integer(1, 200)}`,
    assignee: random.chance(0.3) ? null : `agent-${random.integer(1, 20)}`,
    labels: [random.pick(words), random.pick(words)],
    amount: random.integer(100, 99_999),
    currency: 'EUR',
    created_at: 1_700_000_000 + random.integer(0, 1_000_000),
    updated_at: 1_701_000_000 + random.integer(0, 1_000_000),
    closed_at: null,
    locked: false,
    address: { city: 'Utrecht', zip: `3${random.integer(100, 999)} AB`, street: sentence(2) },
    note: sentence(4),
    version: 1,
  };
}

/** Ten tables with so many rows each. */
export function buildWorld(rowsPerTable: number): World {
  const random = SeededRandom.from('bench');
  let world = createWorld(services, 'bench');
  for (let table = 0; table < TABLE_COUNT; table += 1) {
    const result = world.transact((tx) => {
      const writer = tx.table(TABLE_NAMES[table] as string);
      for (let index = 0; index < rowsPerTable; index += 1) writer.insert(makeRow(random, index));
    });
    world = result.world;
  }
  return world;
}
