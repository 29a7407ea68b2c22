import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../base/random.ts';
import { seedWorld } from '../../service/seed.ts';
import { openSession } from '../../session/index.ts';
import { createWorld, typedTables } from '../../world/index.ts';
import { notes } from './index.ts';
import { observe } from './observe.ts';
import { schema } from './schema.ts';

describe('observe', () => {
  it('rebuilds what the answers of reads show, and no more', () => {
    const session = openSession({
      services: [notes],
      world: seedWorld([{ service: notes, seed: 'small' }]),
      seeds: { notes: 'small' },
      streamSeed: 'test',
      epochMs: notes.epochMs,
      behaviour: { engine: '', services: {} },
    });
    const exchanges = [
      { operation: 'notes.list', input: { tag: 'home' } },
      { operation: 'notes.get', input: { id: 'note_seed0001' } },
      { operation: 'notebooks.list', input: {} },
      { operation: 'notes.get', input: { id: 'note_nowhere' } },
      { operation: 'notes.share', input: { id: 'note_seed0001' } },
    ].map(({ operation, input }) => {
      const { status, body } = session.call({ tool: operation, input });
      return { operation, input, status, response: body };
    });
    const seen = createWorld({ notes: schema }, 'seen').transact((tx) => {
      const seeding = {
        tx: typedTables(tx, 'notes', schema),
        random: SeededRandom.from(''),
        nextId: () => '',
      };
      expect(observe(seeding, exchanges)).toEqual({ actor: { id: 'agent' } });
    }).world;
    const rows = (table: string) => [...seen.table(`notes.${table}`).scan()];
    expect(rows('notebooks')).toMatchObject([
      { id: 'book_1', name: 'Home', owner: 'agent' },
      { id: 'book_2', name: 'Work', owner: 'agent' },
    ]);
    expect(rows('notes')).toMatchObject([
      { id: 'note_seed0001', title: 'Shopping', body: 'Milk, flour, a new bicycle bell.', share_code: null },
      { id: 'note_seed0003', title: 'Key', body: '', pin: '' },
    ]);
    expect(rows('tags')).toHaveLength(2);
  });
});
