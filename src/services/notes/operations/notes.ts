import { z } from 'zod';
import type { ReadTables } from '../../../service/index.ts';
import { LARGEST_PAGE, PAGE_SIZE, TITLE_LENGTH } from '../limits.ts';
import { type Context, operation } from '../operation.ts';
import type { Note, NotesSchema, Tables } from '../schema.ts';
import { fullNoteView, momentText, noteView, viewFullNote, viewNote } from '../views.ts';

const id = z.string().describe('Id of the note, such as note_4fKa81Zq.');
const title = z.string().min(1).max(TITLE_LENGTH);

/** The note, or the error; usable from reads and writes. */
export function noteOf(ctx: Context<'note_not_found', ReadTables<NotesSchema>>, noteId: string): Note {
  return ctx.tx.notes.get(noteId) ?? ctx.fail('note_not_found', { id: noteId });
}

export const createNote = operation({
  id: 'notes.create',
  summary: 'Writes a new note into a notebook. The same request_key again gives the note it made before.',
  effect: 'write',
  http: { method: 'POST', path: '/notes', status: 201 },
  input: z.strictObject({
    notebook_id: z.string().describe('Id of the notebook, such as book_1.'),
    title,
    body: z.string(),
    pin: z
      .string()
      .regex(/^\d{4}$/)
      .optional()
      .describe('Four digits; the body is then shown to those who know them.'),
    request_key: z.string().min(1).optional().describe('A text of your own that makes repeating safe.'),
  }),
  output: noteView,
  unhashedInputs: ['request_key'],
  example: { notebook_id: 'book_1', title: 'Bus times', body: 'Line 7: every 20 minutes.' },
  errors: ['notebook_not_found'],
  run(ctx, input) {
    const { tx } = ctx;
    const known = input.request_key === undefined ? undefined : tx.request_keys.get(input.request_key);
    const earlier = known && tx.notes.get(known.note_id);
    if (earlier) return viewNote(tx, earlier);
    if (!tx.notebooks.has(input.notebook_id)) ctx.fail('notebook_not_found', { id: input.notebook_id });
    const moment = momentText(ctx.nowMs);
    const note = tx.notes.insert({
      id: ctx.nextId('notes'),
      notebook_id: input.notebook_id,
      title: input.title,
      body: input.body,
      revision: 1,
      ...(input.pin !== undefined && { pin: input.pin }),
      failed_attempts: 0,
      share_code: null,
      created_at: moment,
      updated_at: moment,
    });
    if (input.request_key !== undefined) rememberRequest(tx, input.request_key, note.id);
    return viewNote(tx, note);
  },
});

/** A key whose note is gone is used again. */
function rememberRequest(tx: Tables, key: string, noteId: string): void {
  if (tx.request_keys.has(key)) tx.request_keys.update(key, { note_id: noteId });
  else tx.request_keys.insert({ key, note_id: noteId });
}

export const getNote = operation({
  id: 'notes.get',
  summary: 'Reads one note without its body if a PIN protects it.',
  effect: 'read',
  http: { method: 'GET', path: '/notes/{id}' },
  input: z.strictObject({ id }),
  output: z.union([fullNoteView, noteView]),
  example: { id: 'note_seed0001' },
  errors: ['note_not_found'],
  run(ctx, input) {
    const note = noteOf(ctx, input.id);
    return note.pin === undefined ? viewFullNote(ctx.tx, note) : viewNote(ctx.tx, note);
  },
});

export const listNotes = operation({
  id: 'notes.list',
  summary: 'Lists notes by id, all of them or those of a notebook or with a tag, a page at a time.',
  effect: 'read',
  http: { method: 'GET', path: '/notes' },
  input: z.strictObject({
    notebook_id: z.string().optional(),
    tag: z.string().optional(),
    after: z.string().optional().describe('The next_after of the page before.'),
    limit: z
      .int()
      .min(1)
      .max(LARGEST_PAGE)
      .optional()
      .describe(`Notes per page; ${PAGE_SIZE} when left out.`),
  }),
  output: z.strictObject({ notes: z.array(noteView), next_after: z.string().nullable() }),
  example: { tag: 'home' },
  errors: [],
  run(ctx, { notebook_id, tag, after, limit = PAGE_SIZE }) {
    const notes: Note[] = [];
    for (const note of candidates(ctx.tx, { notebook_id, tag, after })) {
      if (notes.length > limit) break;
      notes.push(note);
    }
    const page = notes.slice(0, limit);
    return {
      notes: page.map((note) => viewNote(ctx.tx, note)),
      next_after: notes.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  },
});

/** The notes that fit, by id, found through the narrowest index. */
function* candidates(
  tx: ReadTables<NotesSchema>,
  filter: {
    readonly notebook_id: string | undefined;
    readonly tag: string | undefined;
    readonly after: string | undefined;
  },
): Generator<Note> {
  const { notebook_id, tag, after } = filter;
  if (tag !== undefined) {
    for (const row of tx.tags.by('by_tag', [tag])) {
      const note = tx.notes.get(row.note_id);
      if (!note || (after !== undefined && note.id <= after)) continue;
      if (notebook_id === undefined || note.notebook_id === notebook_id) yield note;
    }
    return;
  }
  const start = after === undefined ? {} : { after };
  if (notebook_id === undefined) yield* tx.notes.scan(start);
  else yield* tx.notes.by('by_notebook', [notebook_id], start);
}

export const updateNote = operation({
  id: 'notes.update',
  summary: 'Changes title or body of a note that is still at the revision you read.',
  effect: 'write',
  http: { method: 'PATCH', path: '/notes/{id}' },
  input: z.strictObject({
    id,
    revision: z.int().min(1).describe('The revision that the change is meant for.'),
    title: title.optional(),
    body: z.string().optional(),
  }),
  output: noteView,
  example: { id: 'note_seed0001', revision: 1, title: 'Shopping for Friday' },
  errors: ['note_not_found', 'revision_conflict'],
  run(ctx, input) {
    const note = noteOf(ctx, input.id);
    const { revision } = note;
    if (revision !== input.revision) {
      ctx.fail('revision_conflict', { id: note.id, revision, expected: input.revision });
    }
    const changed = ctx.tx.notes.update(note.id, {
      ...(input.title !== undefined && { title: input.title }),
      ...(input.body !== undefined && { body: input.body }),
      revision: revision + 1,
      updated_at: momentText(ctx.nowMs),
    });
    return viewNote(ctx.tx, changed);
  },
});

export const deleteNote = operation({
  id: 'notes.delete',
  summary: 'Deletes a note with its tags.',
  effect: 'write',
  http: { method: 'DELETE', path: '/notes/{id}' },
  input: z.strictObject({ id }),
  output: z.strictObject({ id: z.string(), deleted: z.literal(true) }),
  example: { id: 'note_seed0002' },
  errors: ['note_not_found'],
  run(ctx, input) {
    const note = noteOf(ctx, input.id);
    ctx.tx.notes.delete(note.id);
    ctx.emit({ type: 'note.deleted', data: { id: note.id } });
    return { id: note.id, deleted: true as const };
  },
});

export const noteOperations = [createNote, getNote, listNotes, updateNote, deleteNote];
