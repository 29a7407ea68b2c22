import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, moment, text } from './columns.ts';

export const releaseTables = {
  releases: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 310_000_001 },
    columns: {
      id,
      repository_id: id,
      author_id: id.nullable(),
      tag_name: text,
      target_commitish: text,
      name: text.nullable(),
      body: text.nullable(),
      draft: z.boolean(),
      prerelease: z.boolean(),
      /** The number of the discussion that was opened for it. */
      discussion_number: count.nullable(),
      /** Whether somebody marked it as the latest. */
      marked_latest: z.boolean(),
      /** Whether somebody marked it as not to be the latest. */
      never_latest: z.boolean(),
      /** When its commit was made. */
      created_at: moment,
      updated_at: moment,
      published_at: moment.nullable(),
    },
    indexes: { by_repository: ['repository_id', 'id'], by_tag: ['repository_id', 'tag_name'] },
    foreignKeys: {
      repository_id: { table: 'repositories', onDelete: 'cascade' },
      author_id: { table: 'accounts', onDelete: 'set-null' },
    },
    volatile: ['id', 'updated_at', 'published_at'],
  }),
  release_assets: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 360_000_001 },
    columns: {
      id,
      release_id: id,
      uploader_id: id.nullable(),
      name: text,
      label: text.nullable(),
      state: z.enum(['uploaded', 'open']),
      content_type: text,
      size: count,
      /** `sha256:…`; null of what was uploaded before such were kept. */
      digest: text.nullable(),
      download_count: count,
      /** The file in base64; null where a recording tells its size alone. */
      content: text.nullable(),
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_release: ['release_id', 'id'] },
    unique: { by_name: ['release_id', 'name'] },
    foreignKeys: {
      release_id: { table: 'releases', onDelete: 'cascade' },
      uploader_id: { table: 'accounts', onDelete: 'set-null' },
    },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
};

export type Release = RowOf<(typeof releaseTables)['releases']['columns']>;
export type ReleaseAsset = RowOf<(typeof releaseTables)['release_assets']['columns']>;
