import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, json, moment, sha, text } from './columns.ts';

const repository = { repository_id: { table: 'repositories', onDelete: 'cascade' } } as const;

export const checkTables = {
  commit_statuses: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 38_000_000_001 },
    columns: {
      id,
      repository_id: id,
      sha,
      creator_id: id.nullable(),
      state: z.enum(['error', 'failure', 'pending', 'success']),
      context: text,
      description: text.nullable(),
      target_url: text.nullable(),
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_commit: ['repository_id', 'sha', 'id'] },
    foreignKeys: { ...repository, creator_id: { table: 'accounts', onDelete: 'set-null' } },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  check_suites: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 42_000_000_001 },
    columns: {
      id,
      repository_id: id,
      head_branch: text.nullable(),
      head_sha: sha,
      before_sha: sha.nullable(),
      status: text,
      conclusion: text.nullable(),
      /** The app that made it, as it shows itself. */
      app: json,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_commit: ['repository_id', 'head_sha', 'id'] },
    foreignKeys: repository,
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  check_runs: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 47_000_000_001 },
    columns: {
      id,
      repository_id: id,
      suite_id: id,
      head_sha: sha,
      name: text,
      external_id: text,
      details_url: text.nullable(),
      status: text,
      conclusion: text.nullable(),
      title: text.nullable(),
      summary: text.nullable(),
      text: text.nullable(),
      annotations: json,
      actions: json,
      started_at: moment.nullable(),
      completed_at: moment.nullable(),
    },
    indexes: { by_commit: ['repository_id', 'head_sha', 'id'], by_suite: ['suite_id', 'id'] },
    foreignKeys: { ...repository, suite_id: { table: 'check_suites', onDelete: 'cascade' } },
    volatile: ['id', 'started_at'],
  }),
};

export type CommitStatus = RowOf<(typeof checkTables)['commit_statuses']['columns']>;
export type CheckSuite = RowOf<(typeof checkTables)['check_suites']['columns']>;
export type CheckRun = RowOf<(typeof checkTables)['check_runs']['columns']>;
