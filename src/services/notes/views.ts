import { z } from 'zod';
import type { ReadTables } from '../../service/index.ts';
import type { Note, Notebook, NotesSchema } from './schema.ts';

/** A note as clients see it: never its PIN, and its body only to those who may read it. */
export const noteView = z.strictObject({
  id: z.string(),
  notebook_id: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  revision: z.int(),
  protected: z.boolean(),
  updated_at: z.string(),
});

export const fullNoteView = noteView.extend({ body: z.string() });

export const notebookView = z.strictObject({ id: z.string(), name: z.string(), owner: z.string() });

export function viewNote(tx: ReadTables<NotesSchema>, note: Note): z.infer<typeof noteView> {
  return {
    id: note.id,
    notebook_id: note.notebook_id,
    title: note.title,
    tags: tagsOf(tx, note.id),
    revision: note.revision,
    protected: note.pin !== undefined,
    updated_at: note.updated_at,
  };
}

export function viewFullNote(tx: ReadTables<NotesSchema>, note: Note): z.infer<typeof fullNoteView> {
  return { ...viewNote(tx, note), body: note.body };
}

export function viewNotebook({ id, name, owner }: Notebook): z.infer<typeof notebookView> {
  return { id, name, owner };
}

/** The tags of a note, sorted: they are the second part of the key. */
export function tagsOf(tx: ReadTables<NotesSchema>, noteId: string): string[] {
  return [...tx.tags.by('by_note', [noteId])].map((row) => row.tag);
}

/** An ISO moment of a virtual time in milliseconds. */
export function momentText(ms: number): string {
  return new Date(ms).toISOString();
}
