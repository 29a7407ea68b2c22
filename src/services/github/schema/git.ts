import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { gitObjects } from '../git/index.ts';
import { count, id, json, moment, sha, text } from './columns.ts';

const inRepository = { repository_id: { table: 'repositories', onDelete: 'cascade' } } as const;

export const gitTables = {
  git_objects: gitObjects,
  /** Whose account a commit's e-mail address belongs to; addresses in lower case. */
  commit_authors: table({
    primaryKey: 'email',
    columns: { email: text, account_id: id },
    indexes: { by_account: ['account_id'] },
    foreignKeys: { account_id: { table: 'accounts', onDelete: 'cascade' } },
  }),
  /** What was found when the signature of a commit or tag was checked. */
  commit_verifications: table({
    primaryKey: 'sha',
    columns: { sha, verified: z.boolean(), reason: text, verified_at: moment.nullable() },
    volatile: ['sha', 'verified_at'],
  }),
  commit_comments: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 150_000_001 },
    columns: {
      id,
      repository_id: id,
      commit_sha: sha,
      path: text.nullable(),
      position: count.nullable(),
      line: count.nullable(),
      user_id: id.nullable(),
      author_association: text,
      body: text,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_repository: ['repository_id', 'id'], by_commit: ['repository_id', 'commit_sha', 'id'] },
    foreignKeys: { ...inRepository, user_id: { table: 'accounts', onDelete: 'set-null' } },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  /** Rules of protected branches, as they were set. */
  branch_protections: table({
    primaryKey: ['repository_id', 'branch'],
    columns: {
      repository_id: id,
      branch: text,
      /** Null where checks need not pass; else `{strict, checks: [{context, app_id}]}`. */
      status_checks: json,
      /** Null where reviews are not asked for; else how many and which. */
      reviews: json,
      /** Null where everybody may push; else `{users, teams, apps}`: logins and slugs. */
      restrictions: json,
      /** `enforce_admins`, `required_signatures`, `allow_deletions` and the other switches that are on. */
      switches: z.array(text),
    },
    foreignKeys: { repository_id: { table: 'repositories', onDelete: 'cascade' } },
  }),
};

export type CommitComment = RowOf<(typeof gitTables)['commit_comments']['columns']>;
export type BranchProtection = RowOf<(typeof gitTables)['branch_protections']['columns']>;
