import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openWorldFile, readWorldBytes, writeWorldFile } from '../../src/store/world-file.ts';
import { exportSqlite, importSqlite } from '../../src/store/world-sqlite.ts';
import { anyWrites, emptyWorld, services, type Write } from './fixture.ts';
import { writeTo } from './model.ts';
import { createWorld, openPacked, packWorld, UsageError, type World } from './world-under-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'world-laws-'));
afterAll(() => rmSync(folder, { recursive: true }));

function play(writes: readonly Write[], seed = 'law'): World {
  const result = emptyWorld(seed).transact((tx) => {
    tx.nextId('shop.item');
    tx.random.nextUint32();
    for (const write of writes) writeTo(tx, write);
  });
  return (result.world as World).advance(writes.length);
}

function rowsText(world: World): string {
  return JSON.stringify(world.tableNames.map((name) => [...world.table(name).scan()]));
}

function expectEqual(read: World, world: World): void {
  expect(read.fullDigest()).toBe(world.fullDigest());
  expect(read.contentDigest()).toBe(world.contentDigest());
  expect(read.merkleRoot()).toBe(world.merkleRoot());
  expect(rowsText(read)).toBe(rowsText(world));
  expect(read.streams()).toEqual(world.streams());
  expect(world.diff(read)).toEqual([]);
  const draw = (each: World): unknown =>
    each.transact((tx) => [tx.nextId('shop.item'), tx.random.nextUint32(), tx.clockMs]);
  expect(draw(read)).toMatchObject({ value: (draw(world) as { value: unknown }).value });
}

test('packing is without loss, and equal worlds pack to equal bytes', () => {
  fc.assert(
    fc.property(anyWrites, fc.string(), (writes, seed) => {
      const world = play(writes, seed);
      const packed = packWorld(world);
      expectEqual(openPacked(packed, services), world);
      expect(packWorld(openPacked(packed, services))).toEqual(packed);
    }),
    { numRuns: 60 },
  );
});

test('SQLite export and import are without loss, lone surrogates included', () => {
  const path = join(folder, 'export.sqlite');
  fc.assert(
    fc.property(anyWrites, (writes) => {
      const world = play(writes);
      exportSqlite(world, path, { secrets: true });
      expectEqual(importSqlite(path, services), world);
    }),
    { numRuns: 15 },
  );
});

const sample = emptyWorld().transact((tx) => {
  tx.table('shop.item').insert({ id: 'i\ud800', group: null, rank: 2, data: { a: [1] }, trace: 'hush' });
  tx.table('shop.line').insert({ item: 'i\ud800', number: 1, amount: 2.5 });
}).world as World;

test('an export has typed columns, and redacted ones only when asked for', () => {
  const path = join(folder, 'typed.sqlite');
  exportSqlite(sample, path);
  const database = new DatabaseSync(path, { readOnly: true });
  expect({ ...database.prepare('SELECT amount + 1 AS more FROM "shop.line"').get() }).toEqual({ more: 3.5 });
  expect({ ...database.prepare('SELECT data ->> \'$.a[0]\' AS first FROM "shop.item"').get() }).toEqual({
    first: 1,
  });
  expect(() => database.prepare('SELECT trace FROM "shop.item"').get()).toThrow(/trace/);
  database.close();
  expect(readFileSync(path, 'latin1')).not.toContain('hush');
  expect(() => importSqlite(path, services)).toThrow(UsageError);
  expect(() => importSqlite(path, services)).toThrow(/redacted columns \(shop\.item\.trace\)/);
});

test('foreign and damaged SQLite files are refused by UsageErrors', () => {
  const path = join(folder, 'foreign.sqlite');
  writeFileSync(path, 'not a database at all');
  expect(() => importSqlite(path, services)).toThrow(UsageError);
  expect(() => importSqlite(join(folder, 'missing.sqlite'), services)).toThrow(UsageError);
  exportSqlite(sample, path, { secrets: true });
  expect(() =>
    importSqlite(path, { shop: { other: { primaryKey: 'id', columns: { id: z.string() } } } }),
  ).toThrow(/other tables/);
  const database = new DatabaseSync(path);
  database.exec(`UPDATE "shop.line" SET _row = replace(_row, '2.5', '3.5')`);
  database.close();
  expect(() => importSqlite(path, services)).toThrow(/not those/);
});

test('a world file is read page by page, from shared memory too, and leaves no part behind', () => {
  const path = join(folder, 'deep', 'world.bin');
  const world = play(fc.sample(anyWrites, { seed: 7, numRuns: 30 }).flat());
  writeWorldFile(path, world);
  writeWorldFile(path, world);
  expect(readdirSync(join(folder, 'deep'))).toEqual(['world.bin']);
  const opened = openWorldFile(path, services);
  expectEqual(opened.world, world);
  opened.close();
  opened.close();
  const closed = openWorldFile(path, services);
  closed.close();
  expect(() => rowsText(closed.world)).toThrow(/closed/);
  expectEqual(openPacked(readWorldBytes(path), services), world);
});

test('a large table is packed in pages, of which a look-up reads a few', () => {
  const world = emptyWorld().transact((tx) => {
    const table = tx.table('shop.item');
    for (let index = 0; index < 3000; index += 1)
      table.insert({ id: `i${index}`, group: null, rank: index % 70 });
  }).world as World;
  const packed = packWorld(world);
  let bytesRead = 0;
  const counted = openPacked(
    {
      length: packed.length,
      read: (offset, length) => {
        bytesRead += length;
        return packed.slice(offset, offset + length);
      },
    },
    services,
  );
  expect(counted.table('shop.item').get('i1234')).toEqual({ id: 'i1234', group: null, rank: 1234 % 70 });
  expect(counted.table('shop.item').by('rank', [3]).next().value).toMatchObject({ rank: 3 });
  const changed = counted.transact((tx) => tx.table('shop.item').update('i7', { rank: 'x' })).world as World;
  expect(counted.diff(changed)).toHaveLength(1);
  expect(bytesRead).toBeLessThan(packed.length / 8);
  expect(openPacked(packed, services).diff(openPacked(packed, services))).toEqual([]);
  expectEqual(openPacked(packed, services), world);
  expect(changed.merkleRoot()).toBe(world.apply(counted.diff(changed)).merkleRoot());
  const emptied = changed.transact((tx) => {
    for (const row of tx.table('shop.item').scan()) tx.table('shop.item').delete(row.id as string);
  });
  expect(emptied.changes).toHaveLength(3000);
  expect(emptied.world.merkleRoot()).toBe(emptyWorld().merkleRoot());
  expect(emptied.world.contentDigest()).toBe(emptyWorld().contentDigest());
});

test('worker threads share one buffer', async () => {
  const path = join(folder, 'shared.bin');
  writeWorldFile(path, sample);
  const bytes = readWorldBytes(path);
  const moduleText = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const modules = [import(${moduleText('./fixture.ts')}), import(${moduleText('./world-under-test.ts')})];
    Promise.all(modules)
      .then(([fixture, world]) => {
        const opened = world.openPacked(new Uint8Array(workerData), fixture.services);
        parentPort.postMessage([opened.table('shop.line').size, opened.merkleRoot()]);
      });`;
  const worker = new Worker(code, { eval: true, workerData: bytes.buffer });
  const answer = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await worker.terminate();
  expect(answer).toEqual([1, sample.merkleRoot()]);
});

test('a damaged or foreign packed world gives a UsageError, wherever the damage is', () => {
  const packed = packWorld(play(fc.sample(anyWrites, { seed: 5, numRuns: 5 }).flat()));
  const intact = rowsText(openPacked(packed, services));
  const readAll = (bytes: Uint8Array): string => {
    const world = openPacked(bytes, services);
    for (const name of ['rank', 'groupRank', 'code']) for (const _ of world.table('shop.item').by(name, []));
    return rowsText(world);
  };
  expect(readAll(packed)).toBe(intact);
  fc.assert(
    fc.property(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), (place, flip) => {
      const spoiled = packed.slice();
      spoiled[place] = (spoiled[place] as number) ^ flip;
      expect(() => readAll(spoiled)).toThrow(UsageError);
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.nat(packed.length - 1), (length) => {
      expect(() => readAll(packed.slice(0, length))).toThrow(UsageError);
    }),
  );
  for (const foreign of [
    new Uint8Array(0),
    new TextEncoder().encode('{"not": "a world", "but": "some JSON text"}'),
  ]) {
    expect(() => openPacked(foreign, services)).toThrow(/not a packed world/);
  }
});

test('a packed world of other declarations is refused', () => {
  const make = (spec: object): Record<string, Record<string, never>> => ({
    s: { t: { primaryKey: 'id', columns: { id: z.string(), a: z.string().optional() }, ...spec } as never },
  });
  const packed = packWorld(createWorld(make({}), 'x'));
  expect(openPacked(packed, make({})).tableNames).toEqual(['s.t']);
  for (const spec of [
    { indexes: { a: ['a'] } },
    { ambient: true },
    { unhashed: ['a'] },
    { primaryKey: ['id', 'a'] },
  ]) {
    if ('primaryKey' in spec) continue;
    expect(() => openPacked(packed, make(spec))).toThrow(/declared differently/);
  }
  expect(() => openPacked(packed, services)).toThrow(/other tables/);
});
