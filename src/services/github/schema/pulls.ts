import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, json, moment, sha, text } from './columns.ts';

/** What pulls have beyond issues, under the number of their row in `issues`. */
export const pullTables = {
  pulls: table({
    primaryKey: 'issue_id',
    columns: {
      issue_id: id,
      repository_id: id,
      /** Null once the repository that it comes from is gone. */
      head_repository_id: id.nullable(),
      /** Branch names without `refs/heads/`. */
      head_ref: text,
      head_sha: sha,
      base_ref: text,
      base_sha: sha,
      draft: z.boolean(),
      maintainer_can_modify: z.boolean(),
      auto_merge: json,
      merged_at: moment.nullable(),
      merged_by_id: id.nullable(),
      merge_commit_sha: sha.nullable(),
    },
    indexes: { by_head: ['head_repository_id', 'head_ref'], by_base: ['repository_id', 'base_ref'] },
    foreignKeys: {
      issue_id: { table: 'issues', onDelete: 'cascade' },
      head_repository_id: { table: 'repositories', onDelete: 'set-null' },
      merged_by_id: { table: 'accounts', onDelete: 'set-null' },
    },
    volatile: ['head_sha', 'base_sha', 'merged_at', 'merge_commit_sha'],
  }),
};

export type Pull = RowOf<(typeof pullTables)['pulls']['columns']>;
