import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, sha, text } from './columns.ts';

const repository = { repository_id: { table: 'repositories', onDelete: 'cascade' } } as const;

/** Small things that hang on a repository. */
export const repositoryPartTables = {
  deploy_keys: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 140_000_001 },
    columns: {
      id,
      repository_id: id,
      title: text,
      key: text,
      read_only: z.boolean(),
      verified: z.boolean(),
      /** The login of who added it. */
      added_by: text.nullable(),
      last_used: moment.nullable(),
      created_at: moment,
    },
    indexes: { by_repository: ['repository_id', 'id'] },
    foreignKeys: repository,
    volatile: ['id', 'created_at'],
  }),
  autolinks: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 9_000_001 },
    columns: {
      id,
      repository_id: id,
      key_prefix: text,
      url_template: text,
      is_alphanumeric: z.boolean(),
    },
    indexes: { by_repository: ['repository_id', 'id'] },
    unique: { by_prefix: ['repository_id', 'key_prefix'] },
    foreignKeys: repository,
    volatile: ['id'],
  }),
  /** What is turned on in a repository besides its settings. */
  repository_features: table({
    primaryKey: 'repository_id',
    columns: {
      repository_id: id,
      vulnerability_alerts: z.boolean(),
      automated_security_fixes: z.boolean(),
      immutable_releases: z.boolean(),
      /** `{limit, expires_at}`, or null where everybody may comment. */
      interaction_limit: json,
      /** Whether suites start by themselves: `[{app_id, setting}]`. */
      auto_trigger_checks: json,
      custom_properties: json,
    },
    foreignKeys: repository,
    volatile: ['interaction_limit'],
  }),
  /** Bytes of code in a language of a default branch. */
  languages: table({
    primaryKey: ['repository_id', 'name'],
    columns: { repository_id: id, name: text, bytes: count },
    indexes: { by_size: ['repository_id', 'bytes'] },
    foreignKeys: repository,
  }),
  pages_sites: table({
    primaryKey: 'repository_id',
    columns: {
      repository_id: id,
      status: text.nullable(),
      cname: text.nullable(),
      custom_404: z.boolean(),
      build_type: z.enum(['legacy', 'workflow']).nullable(),
      branch: text.nullable(),
      path: text.nullable(),
      https_enforced: z.boolean(),
    },
    foreignKeys: repository,
  }),
  pages_builds: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 600_000_001 },
    columns: {
      id,
      repository_id: id,
      status: text,
      error: text.nullable(),
      pusher_id: id.nullable(),
      commit_sha: sha.nullable(),
      duration: count,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_repository: ['repository_id', 'id'] },
    foreignKeys: { ...repository, pusher_id: { table: 'accounts', onDelete: 'set-null' } },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  /** Views and clones by day; the row without a moment is of all days together. */
  traffic: table({
    primaryKey: ['repository_id', 'kind', 'timestamp'],
    columns: {
      repository_id: id,
      kind: z.enum(['views', 'clones']),
      timestamp: moment,
      count,
      uniques: count,
    },
    foreignKeys: repository,
  }),
  /** Pages that were looked at most, and where visitors came from. */
  popular_places: table({
    primaryKey: ['repository_id', 'kind', 'name'],
    columns: {
      repository_id: id,
      kind: z.enum(['path', 'referrer']),
      name: text,
      title: text.nullable(),
      count,
      uniques: count,
    },
    indexes: { by_count: ['repository_id', 'kind', 'count'] },
    foreignKeys: repository,
  }),
};

export type DeployKey = RowOf<(typeof repositoryPartTables)['deploy_keys']['columns']>;
export type Autolink = RowOf<(typeof repositoryPartTables)['autolinks']['columns']>;
export type RepositoryFeatures = RowOf<(typeof repositoryPartTables)['repository_features']['columns']>;
export type PagesSite = RowOf<(typeof repositoryPartTables)['pages_sites']['columns']>;
export type PagesBuild = RowOf<(typeof repositoryPartTables)['pages_builds']['columns']>;
