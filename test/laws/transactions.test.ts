import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { anyWrites, emptyWorld, services, shop } from './fixture.ts';
import { writeTo } from './model.ts';
import {
  createWorld,
  defineTable,
  InvariantError,
  ProviderError,
  type Row,
  readTables,
  type Transaction,
  typedTables,
  UsageError,
  type World,
} from './world-under-test.ts';

const declined = new ProviderError('declined', 'no', { status: 402 });
const kept = new ProviderError('declined', 'no', { status: 402, commit: true });

test('reads and failed transactions change nothing and give back ids and random draws', () => {
  fc.assert(
    fc.property(anyWrites, anyWrites, (before, during) => {
      const world = filled(before);
      const full = world.fullDigest();
      const read = world.transact((tx) => [...tx.table('shop.item').scan()].length);
      expect(read.world).toBe(world);
      const failed = world.transact((tx) => {
        for (const write of during) writeTo(tx, write);
        tx.nextId('shop.group');
        tx.nextId('shop.item');
        tx.random.nextUint32();
        throw declined;
      });
      expect(failed.ok).toBe(false);
      expect(failed.world).toBe(world);
      expect(failed.changes).toEqual([]);
      expect(world.fullDigest()).toBe(full);
      expect(draws(failed.world as World)).toEqual(draws(world));
    }),
    { numRuns: 60 },
  );
});

function filled(writes: readonly Parameters<typeof writeTo>[1][]): World {
  return emptyWorld().transact((tx) => {
    for (const write of writes) writeTo(tx, write);
  }).world as World;
}

function draws(world: World): unknown {
  const result = world.transact((tx) => [
    tx.nextId('shop.group'),
    tx.nextId('shop.item'),
    tx.random.nextUint32(),
  ]);
  return result.ok ? result.value : undefined;
}

test('an error with `commit` keeps writes and draws', () => {
  const world = emptyWorld();
  const result = world.transact((tx) => {
    tx.table('shop.group').insert({ id: tx.nextId('shop.group'), title: 'A' });
    throw kept;
  });
  expect(result.ok).toBe(false);
  expect(result.changes).toEqual([
    { op: 'insert', table: 'shop.group', key: 'G-001', row: { id: 'G-001', title: 'A' } },
  ]);
  expect(result.world.table('shop.group').size).toBe(1);
  expect(draws(result.world as World)).not.toEqual(draws(world));
});

test('any other error, and a promise, is an InvariantError with its cause', () => {
  const cause = new TypeError('oops');
  const fails = (run: (tx: Transaction) => unknown): unknown => {
    try {
      emptyWorld().transact(run);
    } catch (error) {
      return error;
    }
    return undefined;
  };
  const wrapped = fails(() => {
    throw cause;
  });
  expect(wrapped).toBeInstanceOf(InvariantError);
  expect((wrapped as Error).cause).toBe(cause);
  expect(fails(async () => undefined)).toBeInstanceOf(InvariantError);
});

test('a transaction that has ended can write no more', () => {
  let escaped: Transaction | undefined;
  const world = emptyWorld().transact((tx) => {
    escaped = tx;
    tx.table('shop.group').insert({ id: 'g', title: 'A' });
  }).world;
  const tx = escaped as Transaction;
  expect(() => tx.table('shop.group').insert({ id: 'h', title: 'B' })).toThrow(InvariantError);
  expect(() => tx.table('shop.group').update('g', { title: 'B' })).toThrow(InvariantError);
  expect(() => tx.table('shop.group').delete('g')).toThrow(InvariantError);
  expect(() => tx.nextId('shop.group')).toThrow(InvariantError);
  expect(world.table('shop.group').size).toBe(1);
});

test('ids follow their patterns and are part of the full digest only', () => {
  const world = emptyWorld();
  const result = world.transact((tx) => ({
    sequence: [tx.nextId('shop.group'), tx.nextId('shop.group')],
    tokens: [tx.nextId('shop.item'), tx.nextId('shop.item')],
    listed: [tx.nextId('shop.hold'), tx.nextId('shop.hold')],
  }));
  if (!result.ok) throw result.error;
  expect(result.value.sequence).toEqual(['G-001', 'G-002']);
  expect(result.value.listed).toEqual(['h1', 'h2']);
  for (const token of result.value.tokens) expect(token).toMatch(/^it_[0-9A-Za-z]{8}$/);
  expect(new Set(result.value.tokens).size).toBe(2);
  expect(result.changes).toEqual([]);
  expect(result.world.contentDigest()).toBe(world.contentDigest());
  expect(result.world.fullDigest()).not.toBe(world.fullDigest());
  expect(() => result.world.transact((tx) => tx.nextId('shop.hold'))).toThrow(/used up/);
  expect(() => world.transact((tx) => tx.nextId('shop.line'))).toThrow(/no ids/);
});

test('reseeding starts tokens and random numbers anew and lets sequences go on', () => {
  const world = emptyWorld('one').transact((tx) => tx.nextId('shop.group')).world as World;
  const other = world.reseed('two');
  const [sequence, token, random] = draws(world) as unknown[];
  expect(draws(other)).toEqual([sequence, expect.not.stringMatching(String(token)), expect.anything()]);
  expect((draws(other) as unknown[])[2]).not.toBe(random);
  expect(draws(other.reseed('one'))).toEqual(draws(world));
  expect(other.contentDigest()).toBe(world.contentDigest());
});

test('time goes forward by whole milliseconds', () => {
  const world = emptyWorld();
  const later = world.advance(5).advance(7);
  expect(later.clockMs).toBe(12);
  expect(later.transact((tx) => tx.clockMs)).toMatchObject({ value: 12 });
  expect(later.fullDigest()).not.toBe(world.fullDigest());
  expect(later.contentDigest()).toBe(world.contentDigest());
  for (const wrong of [-1, 0.5, Number.NaN]) expect(() => world.advance(wrong)).toThrow(InvariantError);
});

test('rows that are not plain, whole or known are refused, and nothing is written', () => {
  const world = emptyWorld().transact((tx) => tx.table('shop.group').insert({ id: 'g', title: 'A' })).world;
  const attempts: [string, Record<string, unknown>][] = [
    ['shop.group', { id: 'h' }],
    ['shop.group', { id: 'h', title: 1 }],
    ['shop.group', { id: 'h', title: 'x', more: 1 }],
    ['shop.group', { id: 'h', title: 'x', ['__proto__']: 1 }],
    ['shop.group', { id: 'g', title: 'x' }],
    ['shop.item', { id: 'i', group: 'nowhere' }],
    ['shop.item', { id: 'i', group: null, data: { at: new Date(0) } }],
    ['shop.item', { id: 'i', group: null, data: [undefined] }],
    ['shop.item', { id: 'i', group: null, data: Number.NaN }],
    ['shop.item', { id: 'i', group: null, rank: Number.POSITIVE_INFINITY }],
    ['shop.item', { id: 'i', group: null, data: 1n }],
    ['shop.item', { id: 'i', group: null, data: () => 1 }],
  ];
  world.transact((tx) => {
    for (const [table, row] of attempts)
      expect(() => tx.table(table).insert(row as Row)).toThrow(InvariantError);
    const group = tx.table('shop.group');
    expect(() => group.update('g', { id: 'h' })).toThrow(/key column/);
    expect(() => group.update('g', { title: undefined })).toThrow(/removed/);
    expect(() => group.update('nobody', { title: 'x' })).toThrow(/no row/);
    expect(() => tx.table('shop.nothing')).toThrow(/no table/);
    expect(() => group.by('nothing', [])).toThrow(/no index/);
    expect(() => tx.table('shop.line').get('scalar')).toThrow(InvariantError);
  });
  expect(world.table('shop.group').size).toBe(1);
});

test('undefined members are dropped, minus zero is zero, and nothing inside JSON is lost', () => {
  const data = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "zero": -0, "10": 1, "9": 2}') as Row;
  const world = emptyWorld().transact((tx) => {
    tx.table('shop.item').insert({ id: 'i', code: undefined, group: null, rank: -0, data: data as never });
  }).world as World;
  const row = world.table('shop.item').get('i') as Row;
  expect(Object.keys(row)).toEqual(['id', 'group', 'rank', 'data']);
  expect(Object.is(row.rank, 0)).toBe(true);
  expect(JSON.stringify(row.data)).toBe('{"9":2,"10":1,"__proto__":{"a":1},"constructor":2,"zero":0}');
  const zero = world.transact((tx) => tx.table('shop.item').update('i', { rank: 0 }));
  expect(zero.changes).toEqual([]);
  const changed = world.transact((tx) =>
    tx.table('shop.item').update('i', { data: JSON.parse('{"__proto__": {"a": 2}}') as never }),
  );
  expect(changed.world.contentDigest()).not.toBe(world.contentDigest());
});

test('delete rules: cascade deletes, set-null detaches, restrict forbids', () => {
  const world = emptyWorld().transact((tx) => {
    tx.table('shop.group').insert({ id: 'g1', title: '' });
    tx.table('shop.group').insert({ id: 'g2', title: '' });
    tx.table('shop.item').insert({ id: 'i', group: 'g1' });
    tx.table('shop.line').insert({ item: 'i', number: 1, amount: 1 });
    tx.table('shop.hold').insert({ number: 1, group: 'g2' });
  }).world as World;
  const detached = world.transact((tx) => tx.table('shop.group').delete('g1'));
  expect(detached.changes).toMatchObject([
    { op: 'delete', table: 'shop.group', key: 'g1' },
    { op: 'update', table: 'shop.item', key: 'i', cells: { group: { from: 'g1', to: null } } },
  ]);
  const cascaded = world.transact((tx) => tx.table('shop.item').delete('i'));
  expect(cascaded.changes.map((change) => change.key)).toEqual(['i', ['i', 1]]);
  expect(() => world.transact((tx) => tx.table('shop.group').delete('g2'))).toThrow(/still refers/);
});

test('schemas that would change a value are refused, with table and column', () => {
  const schemas = {
    default: z.string().default('x'),
    catch: z.string().catch('x'),
    coerce: z.coerce.number(),
    transform: z.string().transform((text) => text.length),
    preprocess: z.preprocess((value) => value, z.string()),
    trim: z.string().trim(),
    nested: z.object({ list: z.array(z.string().toLowerCase()) }),
    lazy: z.lazy(() => z.string().default('x')),
    union: z.union([z.string(), z.coerce.number()]),
    date: z.date(),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const declared = { t: { primaryKey: 'id', columns: { id: z.string(), [name]: schema } } };
    const make = (): unknown => createWorld({ s: declared }, 'x');
    expect(make).toThrow(UsageError);
    expect(make).toThrow(new RegExp(`s\\.t, column ${name}`));
  }
});

test('declarations that make no sense are refused', () => {
  const columns = { id: z.string(), maybe: z.string().optional() };
  const wrong = [
    { primaryKey: 'nothing', columns },
    { primaryKey: 'maybe', columns },
    { primaryKey: 'id', columns, indexes: { x: ['nothing'] } },
    { primaryKey: 'id', columns, indexes: { x: ['id'] }, unique: { x: ['maybe'] } },
    { primaryKey: 'id', columns, foreignKeys: { maybe: { table: 'nothing', onDelete: 'cascade' } } },
    { primaryKey: 'id', columns, foreignKeys: { id: { table: 't', onDelete: 'set-null' } } },
    { primaryKey: 'id', columns, unhashed: ['id'] },
  ];
  for (const spec of wrong) expect(() => createWorld({ s: { t: spec as never } }, 'x')).toThrow(UsageError);
});

test('types: columns are inferred, and lists of columns are checked', () => {
  const world = emptyWorld();
  world.transact((tx) => {
    const tables = typedTables(tx, 'shop', shop);
    expect(tables.group).toBe(tx.table('shop.group'));
    expectTypeOf(tables.line.insert)
      .parameter(0)
      .toEqualTypeOf<Readonly<{ item: string; number: number; amount: number }>>();
    // @ts-expect-error: a title is text
    expect(() => tables.group.insert({ id: 'g', title: 1 })).toThrow(InvariantError);
  });
  const tables = readTables(world, 'shop', shop);
  expect(tables.group.size).toBe(0);
  // @ts-expect-error: there is no such column
  defineTable({ primaryKey: 'id', columns: { id: z.string() }, indexes: { x: ['nothing'] } });
  expect(Object.keys(services)).toEqual(['shop']);
});
