import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, text } from './columns.ts';

/** What somebody is told of: one thread for each thing that they follow. */
export const notificationTables = {
  notifications: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 14_000_000_001 },
    columns: {
      id,
      user_id: id,
      repository_id: id,
      /** `{title, url, latest_comment_url, type}` as it is shown. */
      subject: json,
      /** The issue or pull that it is about, where the world has it. */
      issue_id: id.nullable(),
      reason: text,
      unread: z.boolean(),
      /** Its place in the list: what happened last is the highest. */
      position: count,
      updated_at: moment,
      last_read_at: moment.nullable(),
    },
    indexes: { by_user: ['user_id', 'position'], by_issue: ['issue_id', 'user_id'] },
    foreignKeys: {
      user_id: { table: 'accounts', onDelete: 'cascade' },
      repository_id: { table: 'repositories', onDelete: 'cascade' },
      issue_id: { table: 'issues', onDelete: 'cascade' },
    },
    volatile: ['id', 'subject', 'updated_at', 'last_read_at'],
  }),
  thread_subscriptions: table({
    primaryKey: 'thread_id',
    columns: { thread_id: id, ignored: z.boolean(), created_at: moment },
    foreignKeys: { thread_id: { table: 'notifications', onDelete: 'cascade' } },
    volatile: ['created_at'],
  }),
};

export type Notification = RowOf<(typeof notificationTables)['notifications']['columns']>;
