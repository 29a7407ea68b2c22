import { z } from 'zod';
import type { SeededRandom } from '../../../service/index.ts';
import { PIN_ATTEMPTS, SHARE_CODE_LENGTH, TAGS_PER_NOTE } from '../limits.ts';
import { operation } from '../operation.ts';
import { fullNoteView, noteView, tagsOf, viewFullNote, viewNote } from '../views.ts';
import { noteOf } from './notes.ts';

const id = z.string().describe('Id of the note.');

export const tagNote = operation({
  id: 'notes.tag',
  summary: `Adds a tag to a note, ${TAGS_PER_NOTE} at most. A tag that is there already changes nothing.`,
  effect: 'write',
  http: { method: 'PUT', path: '/notes/{id}/tags/{tag}' },
  input: z.strictObject({ id, tag: z.string().regex(/^[a-z0-9-]{1,30}$/) }),
  output: noteView,
  example: { id: 'note_seed0001', tag: 'urgent' },
  errors: ['note_not_found', 'too_many_tags'],
  run(ctx, input) {
    const note = noteOf(ctx, input.id);
    const tags = tagsOf(ctx.tx, note.id);
    if (!tags.includes(input.tag)) {
      if (tags.length >= TAGS_PER_NOTE) ctx.fail('too_many_tags', { id: note.id, limit: TAGS_PER_NOTE });
      ctx.tx.tags.insert({ note_id: note.id, tag: input.tag });
    }
    return viewNote(ctx.tx, note);
  },
});

/** A wrong PIN is an error that keeps its write: the attempt counts. */
export const openNote = operation({
  id: 'notes.open',
  summary: `Shows a note that a PIN protects. After ${PIN_ATTEMPTS} wrong PINs it stays locked.`,
  effect: 'write',
  http: { method: 'POST', path: '/notes/{id}/open' },
  input: z.strictObject({ id, pin: z.string() }),
  output: fullNoteView,
  example: { id: 'note_seed0003', pin: '2468' },
  errors: ['note_not_found', 'wrong_pin', 'note_locked'],
  run(ctx, input) {
    const note = noteOf(ctx, input.id);
    if (note.failed_attempts >= PIN_ATTEMPTS) ctx.fail('note_locked', { id: note.id });
    if (note.pin !== undefined && note.pin !== input.pin) {
      const failed_attempts = note.failed_attempts + 1;
      ctx.tx.notes.update(note.id, { failed_attempts });
      ctx.fail('wrong_pin', { id: note.id, left: PIN_ATTEMPTS - failed_attempts }, { commit: true });
    }
    if (note.failed_attempts > 0) ctx.tx.notes.update(note.id, { failed_attempts: 0 });
    return viewFullNote(ctx.tx, note);
  },
});

export const shareNote = operation({
  id: 'notes.share',
  summary: 'Gives a note a code under which others find it; a note that has one keeps it.',
  effect: 'write',
  http: { method: 'POST', path: '/notes/{id}/share' },
  input: z.strictObject({ id }),
  output: z.strictObject({ id: z.string(), share_code: z.string() }),
  example: { id: 'note_seed0001' },
  errors: ['note_not_found'],
  run(ctx, input) {
    const note = noteOf(ctx, input.id);
    if (note.share_code !== null) return { id: note.id, share_code: note.share_code };
    const share_code = shareCode(ctx.random);
    ctx.tx.notes.update(note.id, { share_code });
    ctx.emit({ type: 'note.shared', data: { id: note.id } });
    return { id: note.id, share_code };
  },
});

const CODE_LETTERS = [...'abcdefghjkmnpqrstuvwxyz23456789'];

function shareCode(random: SeededRandom): string {
  return Array.from({ length: SHARE_CODE_LENGTH }, () => random.pick(CODE_LETTERS)).join('');
}

export const accessOperations = [tagNote, openNote, shareNote];
