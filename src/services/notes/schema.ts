import { z } from 'zod';
import { defineSchema, type RowOf, table, type WriteTables } from '../../service/index.ts';

const text = z.string();
/** A moment, ISO 8601 in UTC with milliseconds. */
const moment = z.iso.datetime();

/**
 * Notebooks hold notes, notes carry tags. `request_keys` and `access_tokens` are ambient: bookkeeping of a
 * door, no business of the notes, so they are in the full digest only.
 */
export const schema = defineSchema({
  notebooks: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: 'book_', start: 1 },
    columns: { id: text, name: text, owner: text, created_at: moment },
    unique: { by_name: ['owner', 'name'] },
    volatile: ['id', 'created_at'],
  }),
  notes: table({
    primaryKey: 'id',
    ids: { kind: 'token', prefix: 'note_', length: 8 },
    columns: {
      id: text,
      notebook_id: text,
      title: text,
      body: text,
      revision: z.int().min(1),
      pin: text.optional(),
      failed_attempts: z.int().min(0),
      share_code: text.nullable(),
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_notebook: ['notebook_id'] },
    unique: { by_share_code: ['share_code'] },
    foreignKeys: { notebook_id: { table: 'notebooks', onDelete: 'restrict' } },
    redacted: ['pin'],
    volatile: ['id', 'share_code', 'created_at', 'updated_at'],
  }),
  tags: table({
    primaryKey: ['note_id', 'tag'],
    columns: { note_id: text, tag: text },
    indexes: { by_note: ['note_id', 'tag'], by_tag: ['tag'] },
    foreignKeys: { note_id: { table: 'notes', onDelete: 'cascade' } },
  }),
  request_keys: table({
    primaryKey: 'key',
    columns: { key: text, note_id: text },
    volatile: ['note_id'],
    ambient: true,
  }),
  access_tokens: table({
    primaryKey: 'token',
    ids: { kind: 'token', prefix: 'access_', length: 16 },
    columns: { token: text, scope: z.enum(['read', 'write']), revoked: z.boolean() },
    redacted: ['token'],
    volatile: ['token'],
    ambient: true,
  }),
});

export type NotesSchema = typeof schema;
export type Tables = WriteTables<NotesSchema>;
export type Note = RowOf<NotesSchema['notes']['columns']>;
export type Notebook = RowOf<NotesSchema['notebooks']['columns']>;
