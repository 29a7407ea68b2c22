import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyWrites, emptyWorld, services, shop, type TableName, type Write } from './fixture.ts';
import { Model, slowDigest, writeTo } from './model.ts';
import { openPacked, packWorld, type Row, type World } from './world-under-test.ts';

function play(world: World, model: Model, writes: readonly Write[]): World {
  return world.transact((tx) => {
    for (const write of writes) expect(writeTo(tx, write)).toBe(model.write(write));
  }).world;
}

function expectSame(world: World, model: Model): void {
  for (const name of Object.keys(shop) as TableName[]) {
    const table = world.table(`shop.${name}`);
    const rows = model.ordered(name);
    // As text, so that the order of members and members called `__proto__` count.
    expect(JSON.stringify([...table.scan()])).toBe(JSON.stringify(rows));
    expect([...table.scan({ reverse: true })]).toEqual(rows.toReversed());
    expect(table.size).toBe(rows.length);
    const indexes: Record<string, readonly string[]> = { ...shop[name].indexes, ...shop[name].unique };
    for (const [index, columns] of Object.entries(indexes)) {
      const ordered = model.ordered(name, columns);
      expect([...table.by(index, [])]).toEqual(ordered);
      for (const row of ordered) expectLookup(table.by.bind(table), { index, columns, row, ordered });
    }
  }
  for (const row of model.tables.item.values()) {
    if (typeof row.code !== 'string') continue;
    expect(world.table('shop.item').unique('code', [row.code])).toEqual(row);
  }
}

function expectLookup(
  by: ReturnType<World['table']>['by'],
  wanted: { index: string; columns: readonly string[]; row: Row; ordered: readonly Row[] },
): void {
  const parts = wanted.columns.map((column) => (wanted.row[column] ?? null) as never);
  for (let count = 1; count <= parts.length; count += 1) {
    const same = wanted.ordered.filter((other) =>
      wanted.columns.slice(0, count).every((column, index) => (other[column] ?? null) === parts[index]),
    );
    expect([...by(wanted.index, parts.slice(0, count))]).toEqual(same);
    expect([...by(wanted.index, parts.slice(0, count), { reverse: true })]).toEqual(same.toReversed());
  }
}

test('a world behaves as plain maps do, in one transaction and in many', () => {
  fc.assert(
    fc.property(fc.array(anyWrites, { maxLength: 4 }), (batches) => {
      const model = new Model();
      let world = emptyWorld();
      for (const batch of batches) {
        world = play(world, model, batch);
        expect(world.contentDigest()).toBe(slowDigest(world));
      }
      expectSame(world, model);
    }),
    { numRuns: 150 },
  );
});

test('a packed world behaves as the one it was packed from, also when it is written', () => {
  fc.assert(
    fc.property(anyWrites, anyWrites, (before, after) => {
      const model = new Model();
      const world = play(emptyWorld(), model, before);
      const opened = openPacked(packWorld(world), services);
      expectSame(opened, model);
      const written = play(opened, model, after);
      expectSame(written, model);
      expect(written.contentDigest()).toBe(slowDigest(written));
    }),
    { numRuns: 60 },
  );
});

test('paging by `after` and `limit` gives every row once', () => {
  fc.assert(
    fc.property(anyWrites, fc.integer({ min: 1, max: 5 }), fc.boolean(), (writes, limit, reverse) => {
      const world = play(emptyWorld(), new Model(), writes);
      const table = world.table('shop.item');
      for (const list of [
        (options: object) => table.scan(options),
        (options: object) => table.by('rank', [], options),
      ]) {
        const paged: Row[] = [];
        for (let page = [...list({ limit, reverse })]; page.length > 0; ) {
          paged.push(...page);
          page = [...list({ limit, reverse, after: paged.at(-1)?.id })];
        }
        expect(paged).toEqual([...list({ reverse })]);
      }
    }),
    { numRuns: 60 },
  );
});

test('an iterator goes over the rows as they were when it was made', () => {
  fc.assert(
    fc.property(anyWrites, anyWrites, (writes, more) => {
      const world = play(emptyWorld(), new Model(), writes);
      const all = [...world.table('shop.item').by('rank', [])];
      const seen: Row[] = [];
      world.transact((tx) => {
        let next = 0;
        for (const row of tx.table('shop.item').by('rank', [])) {
          seen.push(row);
          const write = more[next++];
          if (write !== undefined) writeTo(tx, write);
        }
      });
      expect(seen).toEqual(all);
    }),
    { numRuns: 60 },
  );
});
