import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createWorld, defineTable } from './index.ts';
import { Slots } from './slots.ts';

const people = defineTable({ primaryKey: 'id', columns: { id: z.string() } });
const tasks = defineTable({
  primaryKey: 'id',
  columns: { id: z.string(), owner: z.string().nullable() },
  foreignKeys: { owner: { table: 'people', onDelete: 'set-null' } },
});

describe('a foreign key that may be null', () => {
  it('is found by deletes however often it was set and cleared', () => {
    let world = createWorld({ s: { people, tasks } }, 'seed');
    const change = (run: Parameters<typeof world.transact>[0]): void => {
      world = world.transact(run).world;
    };
    change((tx) => {
      for (const id of ['ada', 'bob']) tx.table('s.people').insert({ id });
      for (const id of ['1', '2', '3']) tx.table('s.tasks').insert({ id, owner: null });
    });
    change((tx) => {
      tx.table('s.tasks').update('1', { owner: 'ada' });
      tx.table('s.tasks').update('2', { owner: 'ada' });
      tx.table('s.tasks').update('2', { owner: null });
      tx.table('s.tasks').update('3', { owner: 'ada' });
      tx.table('s.tasks').update('3', { owner: 'bob' });
    });
    change((tx) => tx.table('s.people').delete('ada'));
    expect([...world.table('s.tasks').scan()]).toEqual([
      { id: '1', owner: null },
      { id: '2', owner: null },
      { id: '3', owner: 'bob' },
    ]);
    change((tx) => tx.table('s.tasks').delete('2'));
    change((tx) => tx.table('s.people').delete('bob'));
    expect([...world.table('s.tasks').scan()].map(({ owner }) => owner)).toEqual([null, null]);
  });
});

describe('slots', () => {
  it('are a list like any other, however many places differ', () => {
    const plain = Array.from({ length: 60 }, (_, place) => place);
    let slots = new Slots<number>([...plain]);
    const first = slots;
    for (let round = 0; round < 30; round += 1) {
      const changes = [round % 60, (round * 7) % 60].map((place) => [place, 100 * round + place] as const);
      for (const [place, value] of changes) plain[place] = value;
      slots = slots.with(changes);
      expect(slots.all()).toEqual(plain);
      expect(plain.map((_, place) => slots.at(place))).toEqual(plain);
    }
    expect(first.all()).toEqual(Array.from({ length: 60 }, (_, place) => place));
  });
});
