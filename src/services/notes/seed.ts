import type { Seeding } from '../../service/index.ts';
import { TAGS_PER_NOTE } from './limits.ts';
import type { NotesSchema } from './schema.ts';
import { momentText } from './views.ts';

/** 2025-03-03, 09:00 UTC: a Monday morning, the moment the seeds are written for. */
export const EPOCH_MS = Date.UTC(2025, 2, 3, 9);

const HOUR_MS = 3_600_000;

/**
 * Two notebooks and four notes, each different in what can be done with it: plain, shared, protected, full
 * of tags.
 */
export function seedSmall({ tx, nextId }: Seeding<NotesSchema>): void {
  const created_at = momentText(EPOCH_MS - 72 * HOUR_MS);
  const [home, work] = [nextId('notebooks'), nextId('notebooks')];
  tx.notebooks.insert({ id: home, name: 'Home', owner: 'agent', created_at });
  tx.notebooks.insert({ id: work, name: 'Work', owner: 'agent', created_at });
  const rest = { revision: 1, failed_attempts: 0, share_code: null, created_at, updated_at: created_at };
  const texts: readonly (readonly [notebook_id: string, title: string, body: string])[] = [
    [home, 'Shopping', 'Milk, flour, a new bicycle bell.'],
    [work, 'Minutes', 'Agreed: the fair is in June.'],
    [home, 'Key', 'Behind the blue book.'],
    [work, 'Office', 'Paint, shelves, lamp.'],
  ];
  for (const [index, [notebook_id, title, body]] of texts.entries()) {
    tx.notes.insert({ id: `note_seed000${index + 1}`, notebook_id, title, body, ...rest });
  }
  tx.notes.update('note_seed0003', { pin: '2468' });
  tx.notes.update('note_seed0002', { share_code: 'fairinjune' });
  tx.tags.insert({ note_id: 'note_seed0001', tag: 'home' });
  tx.tags.insert({ note_id: 'note_seed0003', tag: 'home' });
  for (let number = 1; number <= TAGS_PER_NOTE; number += 1) {
    tx.tags.insert({ note_id: 'note_seed0004', tag: `room-${number}` });
  }
}

const SUBJECTS = ['Garden', 'Bicycle', 'Books', 'Choir', 'Kitchen', 'Letters', 'Walks', 'Repairs'];
const DETAILS = ['plan', 'list', 'ideas', 'bills', 'dates', 'questions'];
const STANDARD_NOTES = 500;

/**
 * A lived-in notebook: five hundred notes over a year, drawn from word lists and the seed's own generator.
 */
export function seedStandard(seeding: Seeding<NotesSchema>): void {
  const { tx, random, nextId } = seeding;
  seedSmall(seeding);
  const notebooks = [...tx.notebooks.scan()].map((row) => row.id);
  for (let index = 0; index < STANDARD_NOTES; index += 1) {
    const moment = momentText(EPOCH_MS - random.integer(1, 365 * 24) * HOUR_MS);
    const subject = random.pick(SUBJECTS);
    const note = tx.notes.insert({
      id: nextId('notes'),
      notebook_id: random.pick(notebooks),
      title: `${subject}: ${random.pick(DETAILS)}`,
      body: `${random.integer(2, 9)} things to do.`,
      revision: random.integer(1, 4),
      failed_attempts: 0,
      share_code: null,
      created_at: moment,
      updated_at: moment,
    });
    tx.tags.insert({ note_id: note.id, tag: subject.toLowerCase() });
  }
}
