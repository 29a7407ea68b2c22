import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, sha, text } from './columns.ts';

/** What somebody may do with a repository, the least first. */
export const ROLES = ['read', 'triage', 'write', 'maintain', 'admin'] as const;
export type RepositoryRole = (typeof ROLES)[number];

export const repositoryTables = {
  repositories: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 990_000_001 },
    columns: {
      id,
      owner_id: id,
      name: text,
      /** The name in lower case. */
      name_key: text,
      description: text.nullable(),
      homepage: text.nullable(),
      visibility: z.enum(['public', 'private', 'internal']),
      fork: z.boolean(),
      parent_id: id.nullable(),
      source_id: id.nullable(),
      template_id: id.nullable(),
      default_branch: text,
      language: text.nullable(),
      /** Kilobytes, as GitHub counts them from time to time. */
      size: count,
      archived: z.boolean(),
      disabled: z.boolean(),
      is_template: z.boolean(),
      has_issues: z.boolean(),
      has_projects: z.boolean(),
      has_downloads: z.boolean(),
      has_wiki: z.boolean(),
      has_pages: z.boolean(),
      has_discussions: z.boolean(),
      allow_forking: z.boolean(),
      web_commit_signoff_required: z.boolean(),
      /** `allow_squash_merge` and its like: how pulls may be merged. */
      merging: json,
      license_key: text.nullable(),
      topics: z.array(text),
      mirror_url: text.nullable(),
      stargazers: count,
      watchers: count,
      forks: count,
      /** How many people are told of everything that happens there. */
      subscribers: count,
      /** Open issues and pulls together. */
      open_issues: count,
      /** `security_and_analysis` as set, or null where nobody may see it. */
      security: json,
      /** The number that the next issue or pull is given. */
      next_number: count,
      created_at: moment,
      updated_at: moment,
      pushed_at: moment.nullable(),
    },
    indexes: { by_owner: ['owner_id', 'name_key'], by_parent: ['parent_id'] },
    unique: { by_name: ['owner_id', 'name_key'] },
    foreignKeys: { owner_id: { table: 'accounts', onDelete: 'cascade' } },
    volatile: ['id', 'created_at', 'updated_at', 'pushed_at'],
  }),
  /** Names that repositories had: requests to them are sent on. */
  repository_names: table({
    primaryKey: ['owner_id', 'name_key'],
    columns: { owner_id: id, name_key: text, repository_id: id },
    foreignKeys: { repository_id: { table: 'repositories', onDelete: 'cascade' } },
  }),
  /** Who may do what besides owners, members and teams. */
  collaborators: table({
    primaryKey: ['repository_id', 'user_id'],
    columns: { repository_id: id, user_id: id, role: z.enum(ROLES) },
    indexes: { by_user: ['user_id', 'repository_id'], by_repository: ['repository_id', 'user_id'] },
    foreignKeys: {
      repository_id: { table: 'repositories', onDelete: 'cascade' },
      user_id: { table: 'accounts', onDelete: 'cascade' },
    },
  }),
  /** Who has commits in a repository's default branch, and how many. */
  contributions: table({
    primaryKey: ['repository_id', 'user_id'],
    columns: { repository_id: id, user_id: id, contributions: count },
    foreignKeys: {
      repository_id: { table: 'repositories', onDelete: 'cascade' },
      user_id: { table: 'accounts', onDelete: 'cascade' },
    },
  }),
  /** Branches, tags and all other refs, by full name such as `refs/heads/main`. */
  git_refs: table({
    primaryKey: ['repository_id', 'ref'],
    columns: { repository_id: id, ref: text, sha },
    foreignKeys: { repository_id: { table: 'repositories', onDelete: 'cascade' } },
    volatile: ['sha'],
  }),
};

export type Repository = RowOf<(typeof repositoryTables)['repositories']['columns']>;
