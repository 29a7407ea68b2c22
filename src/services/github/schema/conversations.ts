import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, text } from './columns.ts';

const inRepository = { repository_id: { table: 'repositories', onDelete: 'cascade' } } as const;
const byUser = { user_id: { table: 'accounts', onDelete: 'set-null' } } as const;

/** Discussions, projects, and what is said of the threads of reviews: things that only the graph shows. */
export const conversationTables = {
  discussion_categories: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 40_000_001 },
    columns: {
      id,
      repository_id: id,
      name: text,
      slug: text,
      emoji: text,
      description: text,
      is_answerable: z.boolean(),
      created_at: moment,
    },
    unique: { by_slug: ['repository_id', 'slug'] },
    foreignKeys: inRepository,
    volatile: ['id', 'created_at'],
  }),
  discussions: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 8_500_001 },
    columns: {
      id,
      repository_id: id,
      category_id: id,
      /** Of the same sequence as issues and pulls. */
      number: count,
      title: text,
      body: text,
      user_id: id.nullable(),
      author_association: text,
      state_reason: text.nullable(),
      answer_id: id.nullable(),
      answer_chosen_at: moment.nullable(),
      answer_chosen_by_id: id.nullable(),
      created_at: moment,
      updated_at: moment,
      closed_at: moment.nullable(),
    },
    unique: { by_number: ['repository_id', 'number'] },
    foreignKeys: {
      ...inRepository,
      ...byUser,
      category_id: { table: 'discussion_categories', onDelete: 'cascade' },
    },
    volatile: ['id', 'created_at', 'updated_at', 'closed_at', 'answer_chosen_at'],
  }),
  discussion_comments: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 12_500_001 },
    columns: {
      id,
      discussion_id: id,
      repository_id: id,
      reply_to_id: id.nullable(),
      user_id: id.nullable(),
      author_association: text,
      body: text,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_discussion: ['discussion_id', 'id'], by_parent: ['reply_to_id', 'id'] },
    foreignKeys: {
      ...byUser,
      discussion_id: { table: 'discussions', onDelete: 'cascade' },
      reply_to_id: { table: 'discussion_comments', onDelete: 'cascade' },
    },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  /** Threads of review comments that somebody settled, by their first comment. */
  resolved_threads: table({
    primaryKey: 'comment_id',
    columns: { comment_id: id, user_id: id.nullable() },
    foreignKeys: { ...byUser, comment_id: { table: 'review_comments', onDelete: 'cascade' } },
  }),
  /** What kinds of issues an organisation has. */
  issue_types: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 24_000_001 },
    columns: {
      id,
      org_id: id,
      name: text,
      description: text.nullable(),
      color: text.nullable(),
      is_enabled: z.boolean(),
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_org: ['org_id', 'id'] },
    foreignKeys: { org_id: { table: 'accounts', onDelete: 'cascade' } },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  projects: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 17_000_001 },
    columns: {
      id,
      owner_id: id,
      number: count,
      title: text,
      short_description: text.nullable(),
      readme: text.nullable(),
      public: z.boolean(),
      creator_id: id.nullable(),
      repository_id: id.nullable(),
      created_at: moment,
      updated_at: moment,
      closed_at: moment.nullable(),
    },
    unique: { by_number: ['owner_id', 'number'] },
    foreignKeys: {
      owner_id: { table: 'accounts', onDelete: 'cascade' },
      repository_id: { table: 'repositories', onDelete: 'set-null' },
    },
    volatile: ['id', 'created_at', 'updated_at', 'closed_at'],
  }),
  project_fields: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 210_000_001 },
    columns: {
      id,
      project_id: id,
      name: text,
      data_type: z.enum(['TITLE', 'TEXT', 'NUMBER', 'DATE', 'SINGLE_SELECT', 'ITERATION']),
      /** Of a single select: `[{id, name, color, description}]`. */
      options: json,
    },
    indexes: { by_project: ['project_id', 'id'] },
    foreignKeys: { project_id: { table: 'projects', onDelete: 'cascade' } },
    volatile: ['id'],
  }),
  project_items: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 150_000_001 },
    columns: {
      id,
      project_id: id,
      /** The issue or pull; null for a draft, whose words are its own. */
      issue_id: id.nullable(),
      title: text.nullable(),
      body: text.nullable(),
      creator_id: id.nullable(),
      is_archived: z.boolean(),
      /** Values by the number of their field. */
      values: json,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_project: ['project_id', 'id'], by_issue: ['issue_id', 'id'] },
    foreignKeys: {
      project_id: { table: 'projects', onDelete: 'cascade' },
      issue_id: { table: 'issues', onDelete: 'cascade' },
    },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
};

export type Discussion = RowOf<(typeof conversationTables)['discussions']['columns']>;
export type DiscussionCategory = RowOf<(typeof conversationTables)['discussion_categories']['columns']>;
export type DiscussionComment = RowOf<(typeof conversationTables)['discussion_comments']['columns']>;
export type IssueType = RowOf<(typeof conversationTables)['issue_types']['columns']>;
export type Project = RowOf<(typeof conversationTables)['projects']['columns']>;
export type ProjectField = RowOf<(typeof conversationTables)['project_fields']['columns']>;
export type ProjectItem = RowOf<(typeof conversationTables)['project_items']['columns']>;
