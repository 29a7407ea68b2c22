import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, sha, text } from './columns.ts';

const repository = { repository_id: { table: 'repositories', onDelete: 'cascade' } } as const;

/** What code scanning has looked at, and what it found. */
export const scanningTables = {
  scanning_analyses: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 420_000_001 },
    columns: {
      id,
      repository_id: id,
      ref: text,
      commit_sha: sha,
      analysis_key: text,
      environment: text,
      category: text,
      error: text,
      warning: text,
      results_count: count,
      rules_count: count,
      sarif_id: text,
      tool: json,
      created_at: moment,
    },
    indexes: { by_repository: ['repository_id', 'created_at', 'id'] },
    foreignKeys: repository,
    volatile: ['id', 'commit_sha', 'sarif_id', 'created_at'],
  }),
  scanning_alerts: table({
    primaryKey: ['repository_id', 'number'],
    columns: {
      repository_id: id,
      number: count,
      state: z.enum(['open', 'dismissed', 'fixed']),
      fixed_at: moment.nullable(),
      dismissed_by_id: id.nullable(),
      dismissed_at: moment.nullable(),
      dismissed_reason: text.nullable(),
      dismissed_comment: text.nullable(),
      rule: json,
      tool: json,
      /** Where it stands, as of the latest analysis. */
      instance: json,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_repository: ['repository_id', 'number'] },
    foreignKeys: { ...repository, dismissed_by_id: { table: 'accounts', onDelete: 'set-null' } },
    volatile: ['fixed_at', 'dismissed_at', 'created_at', 'updated_at'],
  }),
  sarif_uploads: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 1 },
    columns: { id: text, repository_id: id, processing_status: text, errors: json, created_at: moment },
    foreignKeys: repository,
    volatile: ['id', 'created_at'],
  }),
  scanning_setups: table({
    primaryKey: 'repository_id',
    columns: {
      repository_id: id,
      state: z.enum(['configured', 'not-configured']),
      languages: z.array(text),
      query_suite: text,
      threat_model: text,
      updated_at: moment.nullable(),
    },
    foreignKeys: repository,
    volatile: ['updated_at'],
  }),
};

export type ScanningAnalysis = RowOf<(typeof scanningTables)['scanning_analyses']['columns']>;
export type ScanningAlert = RowOf<(typeof scanningTables)['scanning_alerts']['columns']>;
