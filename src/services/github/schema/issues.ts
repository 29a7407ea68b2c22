import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, text } from './columns.ts';

const inRepository = { repository_id: { table: 'repositories', onDelete: 'cascade' } } as const;
const onIssue = { issue_id: { table: 'issues', onDelete: 'cascade' } } as const;

/** Issues and pulls share numbers, comments, labels, assignees and milestones: one row each in `issues`. */
export const issueTables = {
  labels: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 8_000_000_001 },
    columns: {
      id,
      repository_id: id,
      name: text,
      name_key: text,
      color: text,
      is_default: z.boolean(),
      description: text.nullable(),
      updated_at: moment,
    },
    indexes: { by_repository: ['repository_id'] },
    unique: { by_name: ['repository_id', 'name_key'] },
    foreignKeys: inRepository,
    volatile: ['id', 'updated_at'],
  }),
  milestones: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 14_000_001 },
    columns: {
      id,
      repository_id: id,
      number: count,
      title: text,
      description: text.nullable(),
      state: z.enum(['open', 'closed']),
      creator_id: id.nullable(),
      due_on: moment.nullable(),
      open_issues: count,
      closed_issues: count,
      created_at: moment,
      updated_at: moment,
      closed_at: moment.nullable(),
    },
    unique: { by_number: ['repository_id', 'number'] },
    foreignKeys: { ...inRepository, creator_id: { table: 'accounts', onDelete: 'set-null' } },
    volatile: ['id', 'created_at', 'updated_at', 'closed_at'],
  }),
  issues: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 3_400_000_001 },
    columns: {
      id,
      repository_id: id,
      number: count,
      kind: z.enum(['issue', 'pull']),
      title: text,
      body: text.nullable(),
      user_id: id.nullable(),
      author_association: text,
      state: z.enum(['open', 'closed']),
      state_reason: text.nullable(),
      locked: z.boolean(),
      active_lock_reason: text.nullable(),
      milestone_id: id.nullable(),
      comments: count,
      closed_by_id: id.nullable(),
      /** The issue that this one is a part of, and its place among the parts. */
      parent_id: id.nullable(),
      position: count,
      /** An organisation's type of issue, such as Bug, as it is shown; null for none. */
      type: json,
      created_at: moment,
      updated_at: moment,
      closed_at: moment.nullable(),
    },
    indexes: {
      by_state: ['repository_id', 'state', 'number'],
      by_author: ['user_id', 'state'],
      by_milestone: ['milestone_id', 'number'],
      by_parent: ['parent_id', 'position'],
    },
    unique: { by_number: ['repository_id', 'number'] },
    foreignKeys: {
      ...inRepository,
      user_id: { table: 'accounts', onDelete: 'set-null' },
      closed_by_id: { table: 'accounts', onDelete: 'set-null' },
      milestone_id: { table: 'milestones', onDelete: 'set-null' },
      parent_id: { table: 'issues', onDelete: 'set-null' },
    },
    volatile: ['id', 'created_at', 'updated_at', 'closed_at'],
  }),
  issue_labels: table({
    primaryKey: ['issue_id', 'label_id'],
    columns: { issue_id: id, label_id: id },
    indexes: { by_issue: ['issue_id', 'label_id'], by_label: ['label_id', 'issue_id'] },
    foreignKeys: { ...onIssue, label_id: { table: 'labels', onDelete: 'cascade' } },
  }),
  issue_assignees: table({
    primaryKey: ['issue_id', 'user_id'],
    columns: { issue_id: id, user_id: id, position: count },
    indexes: { by_position: ['issue_id', 'position'], by_user: ['user_id', 'issue_id'] },
    foreignKeys: { ...onIssue, user_id: { table: 'accounts', onDelete: 'cascade' } },
  }),
  issue_comments: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 3_500_000_001 },
    columns: {
      id,
      issue_id: id,
      repository_id: id,
      user_id: id.nullable(),
      author_association: text,
      body: text,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_issue: ['issue_id', 'id'], by_repository: ['repository_id', 'id'] },
    foreignKeys: { ...onIssue, user_id: { table: 'accounts', onDelete: 'set-null' } },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  /** What happened to an issue or pull, as its timeline tells it. */
  issue_events: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 18_000_000_001 },
    columns: {
      id,
      issue_id: id,
      repository_id: id,
      event: text,
      actor_id: id.nullable(),
      commit_id: text.nullable(),
      /** Members of this kind of event alone: `label`, `rename`, `assignee_id`. */
      details: json,
      created_at: moment,
    },
    indexes: { by_issue: ['issue_id', 'id'], by_repository: ['repository_id', 'id'] },
    foreignKeys: { ...onIssue, actor_id: { table: 'accounts', onDelete: 'set-null' } },
    volatile: ['id', 'created_at', 'commit_id'],
  }),
  /** Reactions to anything: `subject` is its kind, `subject_id` its number. */
  reactions: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 400_000_001 },
    columns: {
      id,
      subject: z.enum([
        'issue',
        'issue-comment',
        'commit-comment',
        'review-comment',
        'release',
        'discussion',
      ]),
      subject_id: id,
      repository_id: id,
      user_id: id,
      content: text,
      created_at: moment,
    },
    indexes: { by_subject: ['subject', 'subject_id', 'id'] },
    unique: { by_user: ['subject', 'subject_id', 'user_id', 'content'] },
    foreignKeys: { ...inRepository, user_id: { table: 'accounts', onDelete: 'cascade' } },
    volatile: ['id', 'created_at'],
  }),
};

export type Label = RowOf<(typeof issueTables)['labels']['columns']>;
export type Milestone = RowOf<(typeof issueTables)['milestones']['columns']>;
export type Issue = RowOf<(typeof issueTables)['issues']['columns']>;
export type IssueLabel = RowOf<(typeof issueTables)['issue_labels']['columns']>;
export type IssueAssignee = RowOf<(typeof issueTables)['issue_assignees']['columns']>;
export type IssueComment = RowOf<(typeof issueTables)['issue_comments']['columns']>;
export type IssueEvent = RowOf<(typeof issueTables)['issue_events']['columns']>;
export type Reaction = RowOf<(typeof issueTables)['reactions']['columns']>;
export type ReactionSubject = Reaction['subject'];
