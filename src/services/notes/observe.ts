import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Observer,
  type RecordedExchange,
  type Seeding,
} from '../../service/index.ts';
import type { NotesSchema, Tables } from './schema.ts';

/**
 * Answers that show notes show rows that existed before: reads as they are, and changes and deletions by
 * the id they name (its content from before is not shown, so only reads give rows).
 */
export const observe: Observer<NotesSchema> = (seeding, exchanges) => {
  for (const exchange of exchanges) seeExchange(seeding, exchange);
  return { actor: { id: 'agent' } };
};

function seeExchange(seeding: Seeding<NotesSchema>, { operation, status, response }: RecordedExchange): void {
  if (status !== 200 || !isJsonObject(response)) return;
  if (operation === 'notebooks.list') {
    for (const book of listOf(response.notebooks)) seeNotebook(seeding, book);
  }
  if (operation === 'notes.get') seeNote(seeding, response);
  if (operation === 'notes.list') for (const note of listOf(response.notes)) seeNote(seeding, note);
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(document: JsonObject, name: string): string {
  const value = document[name];
  return typeof value === 'string' ? value : '';
}

/** A view does not show everything: what it leaves out gets the value that says the least. */
const UNSEEN_MOMENT = '1970-01-01T00:00:00.000Z';

function seeNotebook({ tx }: Seeding<NotesSchema>, shown: JsonObject): void {
  const id = textOf(shown, 'id');
  const seen = { name: textOf(shown, 'name'), owner: textOf(shown, 'owner') };
  if (tx.notebooks.has(id)) tx.notebooks.update(id, seen);
  else tx.notebooks.insert({ id, ...seen, created_at: UNSEEN_MOMENT });
}

function seeNote({ tx }: Seeding<NotesSchema>, shown: JsonObject): void {
  const id = textOf(shown, 'id');
  const notebook_id = textOf(shown, 'notebook_id');
  if (!tx.notebooks.has(notebook_id)) {
    tx.notebooks.insert({ id: notebook_id, name: notebook_id, owner: '', created_at: UNSEEN_MOMENT });
  }
  seeRow(tx, { id, notebook_id, shown });
  for (const tag of Array.isArray(shown.tags) ? shown.tags : []) {
    if (!tx.tags.has([id, String(tag)])) tx.tags.insert({ note_id: id, tag: String(tag) });
  }
}

function seeRow(
  tx: Tables,
  {
    id,
    notebook_id,
    shown,
  }: { readonly id: string; readonly notebook_id: string; readonly shown: JsonObject },
): void {
  const body = shown.body;
  const known = tx.notes.get(id);
  // A list shows no bodies: what a read showed before, or nothing, stays.
  const content = typeof body === 'string' ? body : (known?.body ?? '');
  if (known) {
    tx.notes.update(id, { body: content });
    return;
  }
  const revision = shown.revision;
  tx.notes.insert({
    id,
    notebook_id,
    title: textOf(shown, 'title'),
    body: content,
    revision: typeof revision === 'number' ? revision : 1,
    ...(shown.protected === true && { pin: '' }),
    failed_attempts: 0,
    share_code: null,
    created_at: UNSEEN_MOMENT,
    updated_at: textOf(shown, 'updated_at') || UNSEEN_MOMENT,
  });
}
