import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, sha, text } from './columns.ts';

const onIssue = { issue_id: { table: 'issues', onDelete: 'cascade' } } as const;
const byUser = { user_id: { table: 'accounts', onDelete: 'set-null' } } as const;

/** What pulls have beyond issues, under the number of their row in `issues`. */
export const pullTables = {
  pulls: table({
    primaryKey: 'issue_id',
    ids: { kind: 'sequence', prefix: '', start: 2_300_000_001 },
    columns: {
      issue_id: id,
      /** The number that pulls have of their own beside the one as an issue. */
      pull_id: id,
      repository_id: id,
      /** Null once the repository that it comes from is gone. */
      head_repository_id: id.nullable(),
      /** Whose it was, also when the repository is gone. */
      head_owner_id: id.nullable(),
      /** Branch names without `refs/heads/`. */
      head_ref: text,
      head_sha: sha,
      base_ref: text,
      /** The base when the head was last pushed to, or when it was merged. */
      base_sha: sha,
      draft: z.boolean(),
      maintainer_can_modify: z.boolean(),
      auto_merge: json,
      merged_at: moment.nullable(),
      merged_by_id: id.nullable(),
      /** The commit that merged it; before that the one made to try. */
      merge_commit_sha: sha.nullable(),
      /** What came of the last try to merge it; null when that must be looked at again. */
      mergeable: z.boolean().nullable(),
      /** Milliseconds since 1970: until then what came of the try is not told. */
      tried_ms: z.number(),
    },
    indexes: { by_head: ['head_repository_id', 'head_ref'], by_base: ['repository_id', 'base_ref'] },
    unique: { by_pull_id: ['pull_id'] },
    foreignKeys: {
      ...onIssue,
      head_repository_id: { table: 'repositories', onDelete: 'set-null' },
      head_owner_id: { table: 'accounts', onDelete: 'set-null' },
      merged_by_id: { table: 'accounts', onDelete: 'set-null' },
    },
    volatile: ['pull_id', 'head_sha', 'base_sha', 'merged_at', 'merge_commit_sha', 'tried_ms'],
  }),
  /** People and teams that are asked to review. */
  review_requests: table({
    primaryKey: ['issue_id', 'kind', 'subject_id'],
    columns: { issue_id: id, kind: z.enum(['user', 'team']), subject_id: id, position: count },
    indexes: { by_position: ['issue_id', 'kind', 'position'] },
    foreignKeys: onIssue,
  }),
  pull_reviews: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 3_700_000_001 },
    columns: {
      id,
      issue_id: id,
      repository_id: id,
      user_id: id.nullable(),
      author_association: text,
      body: text,
      state: z.enum(['PENDING', 'COMMENTED', 'APPROVED', 'CHANGES_REQUESTED', 'DISMISSED']),
      commit_sha: sha,
      /** Null while it is pending. */
      submitted_at: moment.nullable(),
    },
    indexes: { by_issue: ['issue_id', 'id'] },
    foreignKeys: { ...onIssue, ...byUser },
    volatile: ['id', 'commit_sha', 'submitted_at'],
  }),
  /** Comments on lines or files of a pull. */
  review_comments: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 2_700_000_001 },
    columns: {
      id,
      review_id: id.nullable(),
      issue_id: id,
      repository_id: id,
      user_id: id.nullable(),
      author_association: text,
      body: text,
      path: text,
      subject_type: z.enum(['line', 'file']),
      diff_hunk: text,
      commit_sha: sha,
      original_commit_sha: sha,
      /** Null where the line is no longer part of the pull. */
      position: count.nullable(),
      original_position: count.nullable(),
      side: z.enum(['LEFT', 'RIGHT']),
      line: count.nullable(),
      original_line: count.nullable(),
      start_side: z.enum(['LEFT', 'RIGHT']).nullable(),
      start_line: count.nullable(),
      original_start_line: count.nullable(),
      in_reply_to_id: id.nullable(),
      created_at: moment,
      updated_at: moment,
    },
    indexes: {
      by_issue: ['issue_id', 'id'],
      by_repository: ['repository_id', 'id'],
      by_review: ['review_id', 'id'],
    },
    foreignKeys: {
      ...onIssue,
      ...byUser,
      review_id: { table: 'pull_reviews', onDelete: 'cascade' },
    },
    volatile: ['id', 'commit_sha', 'original_commit_sha', 'created_at', 'updated_at'],
  }),
};

export type Pull = RowOf<(typeof pullTables)['pulls']['columns']>;
export type PullReview = RowOf<(typeof pullTables)['pull_reviews']['columns']>;
export type ReviewComment = RowOf<(typeof pullTables)['review_comments']['columns']>;
