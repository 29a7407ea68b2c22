import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, sha, text } from './columns.ts';

const ofGist = { gist_id: { table: 'gists', onDelete: 'cascade' } } as const;

/** Gists: a few files with a history. */
export const gistTables = {
  gists: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 1 },
    columns: {
      id: text,
      owner_id: id.nullable(),
      description: text.nullable(),
      public: z.boolean(),
      comments: count,
      /** The gist that this one was forked from. */
      parent_id: text.nullable(),
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_owner: ['owner_id', 'updated_at', 'id'], by_parent: ['parent_id', 'id'] },
    foreignKeys: { owner_id: { table: 'accounts', onDelete: 'cascade' } },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  gist_revisions: table({
    primaryKey: ['gist_id', 'position'],
    columns: {
      gist_id: text,
      position: count,
      version: sha,
      user_id: id.nullable(),
      additions: count,
      deletions: count,
      /** Contents by file name. */
      files: json,
      committed_at: moment,
    },
    indexes: { by_gist: ['gist_id', 'position'] },
    foreignKeys: { ...ofGist, user_id: { table: 'accounts', onDelete: 'set-null' } },
    volatile: ['gist_id', 'version', 'committed_at'],
  }),
  gist_comments: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 5_400_001 },
    columns: {
      id,
      gist_id: text,
      user_id: id.nullable(),
      body: text,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_gist: ['gist_id', 'id'] },
    foreignKeys: { ...ofGist, user_id: { table: 'accounts', onDelete: 'set-null' } },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  gist_stars: table({
    primaryKey: ['user_id', 'gist_id'],
    columns: { user_id: id, gist_id: text },
    indexes: { by_user: ['user_id', 'gist_id'] },
    foreignKeys: { ...ofGist, user_id: { table: 'accounts', onDelete: 'cascade' } },
    volatile: ['gist_id'],
  }),
};

export type Gist = RowOf<(typeof gistTables)['gists']['columns']>;
export type GistRevision = RowOf<(typeof gistTables)['gist_revisions']['columns']>;
export type GistComment = RowOf<(typeof gistTables)['gist_comments']['columns']>;
