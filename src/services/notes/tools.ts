import { z } from 'zod';
import { composedTool, type JsonObject, type Operation, type Tool, toolOf } from '../../service/index.ts';
import { accessOperations, openNote, shareNote, tagNote } from './operations/access.ts';
import { createNotebook, listNotebooks, notebookOperations } from './operations/notebooks.ts';
import {
  createNote,
  deleteNote,
  getNote,
  listNotes,
  noteOperations,
  updateNote,
} from './operations/notes.ts';
import { tokenOperations } from './operations/tokens.ts';

export const operations: readonly Operation[] = [
  ...notebookOperations,
  ...noteOperations,
  ...accessOperations,
  ...tokenOperations,
];

/** One step for the agent, several operations in it: the steps of a composition are recorded with it. */
const saveTagged = composedTool({
  name: 'save_tagged_note',
  description: 'Writes a note and tags it, in one go.',
  input: z.strictObject({
    notebook_id: z.string(),
    title: z.string().min(1),
    body: z.string(),
    tags: z.array(z.string().regex(/^[a-z0-9-]{1,30}$/)),
  }),
  operations: [createNote.id, tagNote.id],
  compose(invoke, { tags, ...note }) {
    let saved = invoke(createNote.id, note) as JsonObject;
    for (const tag of tags) saved = invoke(tagNote.id, { id: String(saved.id), tag }) as JsonObject;
    return saved;
  },
});

export const tools: readonly Tool[] = [
  toolOf(createNotebook, { name: 'create_notebook' }),
  toolOf(listNotebooks, { name: 'list_notebooks' }),
  toolOf(createNote, { name: 'create_note' }),
  toolOf(getNote, { name: 'get_note' }),
  toolOf(listNotes, { name: 'list_notes' }),
  toolOf(updateNote, { name: 'update_note' }),
  toolOf(deleteNote, { name: 'delete_note' }),
  toolOf(tagNote, { name: 'tag_note' }),
  toolOf(openNote, { name: 'open_note' }),
  toolOf(shareNote, { name: 'share_note' }),
  saveTagged,
];
