import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createWorld, defineTable } from './index.ts';
import type { Derivation, Row, WorldValue } from './types.ts';

const schema = {
  words: defineTable({
    primaryKey: 'id',
    columns: { id: z.int(), word: z.string() },
    indexes: { by_word: ['word'] },
  }),
};

/** How often each word stands in the rows, and how it was computed. */
function counting() {
  const made = { builds: 0, patches: 0 };
  const derivation: Derivation<Row, ReadonlyMap<string, number>> = {
    build(rows) {
      made.builds += 1;
      const counts = new Map<string, number>();
      for (const row of rows) counts.set(String(row.word), (counts.get(String(row.word)) ?? 0) + 1);
      return counts;
    },
    patch(value, changes) {
      made.patches += 1;
      const counts = new Map(value);
      for (const { before, after } of changes) {
        if (before) counts.set(String(before.word), (counts.get(String(before.word)) ?? 0) - 1);
        if (after) counts.set(String(after.word), (counts.get(String(after.word)) ?? 0) + 1);
      }
      return counts;
    },
  };
  return { made, derivation };
}

function worldOf(count: number): WorldValue {
  return createWorld({ test: schema }, 'derived').transact((tx) => {
    for (let id = 0; id < count; id += 1)
      tx.table('test.words').insert({ id, word: id % 2 === 0 ? 'even' : 'odd' });
  }).world;
}

function changed(
  world: WorldValue,
  change: (table: ReturnType<Parameters<Parameters<WorldValue['transact']>[0]>[0]['table']>) => void,
) {
  return world.transact((tx) => change(tx.table('test.words'))).world;
}

describe('what is derived of a table', () => {
  it('is computed once, then by what changed, in forks of forks and back', () => {
    const { made, derivation } = counting();
    const start = worldOf(1_000);
    const read = (world: WorldValue) => Object.fromEntries(world.table('test.words').derived(derivation));
    expect(read(start)).toEqual({ even: 500, odd: 500 });
    expect(read(start)).toEqual({ even: 500, odd: 500 });
    expect(made).toEqual({ builds: 1, patches: 0 });
    const more = changed(start, (words) => words.insert({ id: 1_000, word: 'new' }));
    const fewer = changed(more, (words) => {
      words.delete(0);
      words.update(2, { word: 'odd' });
    });
    expect(read(more)).toEqual({ even: 500, odd: 500, new: 1 });
    expect(read(fewer)).toEqual({ even: 498, odd: 501, new: 1 });
    expect(read(start)).toEqual({ even: 500, odd: 500 });
    expect(made).toEqual({ builds: 1, patches: 2 });
  });

  it('sees the writes of a transaction that is under way', () => {
    const { derivation } = counting();
    const start = worldOf(10);
    start.transact((tx) => {
      const words = tx.table('test.words');
      expect(words.derived(derivation).get('odd')).toBe(5);
      words.insert({ id: 11, word: 'odd' });
      expect(words.derived(derivation).get('odd')).toBe(6);
    });
    expect(start.table('test.words').derived(derivation).get('odd')).toBe(5);
  });

  it('is computed anew for another world, and keeps both', () => {
    const { made, derivation } = counting();
    const [small, large] = [worldOf(10), worldOf(5_000)];
    const odd = (world: WorldValue) => world.table('test.words').derived(derivation).get('odd');
    expect([odd(small), odd(large)]).toEqual([5, 2_500]);
    expect(made.builds).toBe(2);
    const [few, many] = [small, large].map((world) => changed(world, (words) => words.delete(1)));
    expect([few && odd(few), many && odd(many)]).toEqual([4, 2_499]);
    expect(made).toEqual({ builds: 2, patches: 2 });
    expect(createWorld({ test: schema }, 'empty').table('test.words').derived(derivation).size).toBe(0);
  });
});

describe('the version of a table', () => {
  it('is the same object as long as no row changes, also in a fork', () => {
    const world = worldOf(40);
    const { version } = world.table('test.words');
    expect(world.advance(1_000).table('test.words').version).toBe(version);
    const same = world.transact((tx) => tx.table('test.words').update(3, { word: 'odd' }));
    expect(same.world.table('test.words').version).toBe(version);
    world.transact((tx) => {
      const words = tx.table('test.words');
      expect(words.version).toBe(version);
      const seen = new Set<object>([version]);
      words.update(3, { word: 'three' });
      seen.add(words.version);
      words.insert({ id: 100, word: 'new' });
      seen.add(words.version);
      words.delete(100);
      seen.add(words.version);
      expect(seen.size).toBe(4);
    });
    expect(world.table('test.words').version).toBe(version);
  });
});
