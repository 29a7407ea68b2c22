import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyWrites, emptyWorld, type Write } from './fixture.ts';
import { slowDigest, writeTo } from './model.ts';
import { InvariantError, type Json, type Row, type RowChange, type World } from './world-under-test.ts';

function play(world: World, writes: readonly Write[]): World {
  return world.transact((tx) => {
    for (const write of writes) writeTo(tx, write);
  }).world;
}

/** Everything that can be read of a world, as text. */
function everything(world: World): string {
  const tables = world.tableNames.map((name) => {
    const indexes = { ...world.spec(name).indexes, ...world.spec(name).unique };
    const table = world.table(name);
    return [
      name,
      table.size,
      [...table.scan()],
      Object.keys(indexes).map((index) => [...table.by(index, [])]),
    ];
  });
  return JSON.stringify([
    tables,
    world.clockMs,
    world.contentDigest(),
    world.fullDigest(),
    world.merkleRoot(),
  ]);
}

test('forks see nothing of each other, nor the parent of them', () => {
  fc.assert(
    fc.property(anyWrites, anyWrites, anyWrites, (before, left, right) => {
      const parent = play(emptyWorld(), before);
      const shown = everything(parent);
      const one = play(parent, left);
      const oneShown = everything(one);
      const two = play(parent, right);
      expect(everything(parent)).toBe(shown);
      expect(everything(one)).toBe(oneShown);
      expect(everything(play(parent, right))).toBe(everything(two));
    }),
    { numRuns: 60 },
  );
});

test('going back to an earlier world is exact', () => {
  fc.assert(
    fc.property(fc.array(anyWrites, { minLength: 1, maxLength: 5 }), (batches) => {
      const worlds = [emptyWorld()];
      for (const batch of batches) worlds.push(play(worlds.at(-1) as World, batch));
      const shown = worlds.map(everything);
      for (const [index, world] of worlds.entries()) {
        expect(everything(world)).toBe(shown[index]);
        const next = batches[index];
        if (next !== undefined) expect(everything(play(world, next))).toBe(shown[index + 1]);
      }
    }),
    { numRuns: 40 },
  );
});

test('no reference that is handed out, or was handed in, can change a row', () => {
  fc.assert(
    fc.property(anyWrites, (writes) => {
      const given = structuredClone(writes) as Write[];
      const handedOut: unknown[] = [];
      const result = emptyWorld().transact((tx) => {
        for (const write of given) writeTo(tx, write);
        for (const name of ['shop.item', 'shop.line']) handedOut.push(...tx.table(name).scan());
      });
      const world = result.world;
      const shown = everything(world);
      const changes = JSON.stringify(result.changes);
      handedOut.push(...world.tableNames.flatMap((name) => [...world.table(name).scan()]));
      handedOut.push(...result.changes.flatMap((change) => (change.op === 'update' ? [] : [change.row])));
      for (const write of given) spoil(write.row);
      for (const row of handedOut) expect(spoil(row)).toBe(0);
      expect(everything(world)).toBe(shown);
      expect(JSON.stringify(result.changes)).toBe(changes);
    }),
    { numRuns: 60 },
  );
});

/** Tries to change everything inside a value, and counts how often that worked. */
function spoil(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let spoiled = Object.values(value).reduce((count: number, member) => count + spoil(member), 0);
  for (const name of [...Object.keys(value), 'added']) {
    if (Reflect.set(value, name, 'spoiled')) spoiled += 1;
    if (Reflect.deleteProperty(value, name) && name !== 'added') spoiled += 1;
  }
  return spoiled;
}

test('digests depend on content alone, not on history', () => {
  fc.assert(
    fc.property(anyWrites, fc.integer(), (writes, turn) => {
      const world = play(emptyWorld(), writes);
      const names = ['shop.group', 'shop.item', 'shop.line', 'shop.hold', 'shop.bucket'];
      const rebuilt = emptyWorld().transact((tx) => {
        for (const name of names) {
          const rows = [...world.table(name).scan()];
          const cut = rows.length === 0 ? 0 : Math.abs(turn) % rows.length;
          for (const row of [...rows.slice(cut), ...rows.slice(0, cut)]) {
            tx.table(name).insert(Object.fromEntries(Object.entries(row).toReversed()) as Row);
          }
        }
      }).world;
      expect(rebuilt.contentDigest()).toBe(world.contentDigest());
      expect(rebuilt.fullDigest()).toBe(world.fullDigest());
      expect(rebuilt.merkleRoot()).toBe(world.merkleRoot());
      expect(world.contentDigest()).toBe(slowDigest(world));
      expect(rebuilt.diff(world)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('any changed cell changes content digest and Merkle root, but for unhashed columns', () => {
  fc.assert(
    fc.property(anyWrites, anyWrites, (before, after) => {
      const old = play(emptyWorld(), before);
      const world = play(old, after);
      const business = old
        .diff(world)
        .filter((change) => change.table !== 'shop.bucket' && !onlyTrace(change));
      expect(world.contentDigest() === old.contentDigest()).toBe(business.length === 0);
      expect(world.merkleRoot() === old.merkleRoot()).toBe(business.length === 0);
      const ambient = old.diff(world).some((change) => change.table === 'shop.bucket');
      expect(world.fullDigest() === old.fullDigest()).toBe(business.length === 0 && !ambient);
    }),
    { numRuns: 100 },
  );
});

function onlyTrace(change: RowChange): boolean {
  return change.op === 'update' && Object.keys(change.cells).every((column) => column === 'trace');
}

test('a diff leads to the other world and back, and equals the changes of the transaction', () => {
  fc.assert(
    fc.property(anyWrites, anyWrites, (before, after) => {
      const old = play(emptyWorld(), before);
      const result = old.transact((tx) => {
        for (const write of after) writeTo(tx, write);
      });
      const world = result.world as World;
      const diff = old.diff(world);
      expect(JSON.stringify(result.changes)).toBe(JSON.stringify(diff));
      for (const [from, to] of [
        [old, world],
        [world, old],
      ] as const) {
        const led = from.apply(from.diff(to));
        expect(led.contentDigest()).toBe(to.contentDigest());
        expect(led.merkleRoot()).toBe(to.merkleRoot());
        expect(led.fullDigest()).toBe(to.fullDigest());
        expect(indexOrder(led)).toEqual(indexOrder(to));
        expect(led.diff(to)).toEqual([]);
      }
    }),
    { numRuns: 100 },
  );
});

function indexOrder(world: World): Json[] {
  return ['rank', 'groupRank', 'code'].map((index) =>
    [...world.table('shop.item').by(index, [])].map((row) => row.id as string),
  );
}

test('a change that does not fit is refused', () => {
  const world = emptyWorld().transact((tx) => tx.table('shop.group').insert({ id: 'g1', title: 'A' }))
    .world as World;
  const row = { id: 'g1', title: 'B' };
  const place = { table: 'shop.group', key: 'g1' };
  const misfits: RowChange[] = [
    { op: 'insert', ...place, row },
    { op: 'delete', ...place, row },
    { op: 'update', ...place, cells: { title: { from: 'B', to: 'C' } } },
    { op: 'update', ...place, key: 'g2', cells: { title: { from: 'A', to: 'C' } } },
    { op: 'insert', table: 'shop.line', key: ['i', 1], row: { item: 'i', number: 1, amount: 1 } },
  ];
  for (const change of misfits) expect(() => world.apply([change])).toThrow(InvariantError);
});

test('a diff may swap two values of a unique index', () => {
  const world = emptyWorld().transact((tx) => {
    tx.table('shop.item').insert({ id: 'a', group: null, code: 'c1' });
    tx.table('shop.item').insert({ id: 'b', group: null, code: 'c2' });
  }).world as World;
  const swapped = world.transact((tx) => {
    const item = tx.table('shop.item');
    item.update('a', { code: null });
    item.update('b', { code: 'c1' });
    item.update('a', { code: 'c2' });
  }).world;
  const applied = world.apply(world.diff(swapped));
  expect(applied.contentDigest()).toBe(swapped.contentDigest());
  expect(applied.table('shop.item').unique('code', ['c1'])).toEqual({ id: 'b', group: null, code: 'c1' });
  const taken: RowChange = {
    op: 'update',
    table: 'shop.item',
    key: 'b',
    cells: { code: { from: 'c2', to: 'c1' } },
  };
  expect(() => world.apply([taken])).toThrow(/unique/);
  const other: RowChange = {
    op: 'update',
    table: 'shop.item',
    key: 'a',
    cells: { code: { from: 'c1', to: 'c2' } },
  };
  expect(() => world.apply([other])).toThrow(/unique/);
});
