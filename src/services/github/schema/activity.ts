import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, json, moment, text } from './columns.ts';

const OF_BOTH = {
  user_id: { table: 'accounts', onDelete: 'cascade' },
  repository_id: { table: 'repositories', onDelete: 'cascade' },
} as const;

/** What people like and watch, and what is told of what they do. */
export const activityTables = {
  stars: table({
    primaryKey: ['user_id', 'repository_id'],
    columns: { user_id: id, repository_id: id, starred_at: moment },
    indexes: {
      by_user: ['user_id', 'starred_at', 'repository_id'],
      by_repository: ['repository_id', 'starred_at', 'user_id'],
    },
    foreignKeys: OF_BOTH,
    volatile: ['starred_at'],
  }),
  subscriptions: table({
    primaryKey: ['user_id', 'repository_id'],
    columns: {
      user_id: id,
      repository_id: id,
      subscribed: z.boolean(),
      ignored: z.boolean(),
      created_at: moment,
    },
    indexes: { by_user: ['user_id', 'repository_id'], by_repository: ['repository_id', 'user_id'] },
    foreignKeys: OF_BOTH,
    volatile: ['created_at'],
  }),
  /** What happened, as it was told at the time: payloads do not change with what they tell of. */
  events: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 45_000_000_001 },
    columns: {
      id,
      type: text,
      actor_id: id.nullable(),
      repository_id: id.nullable(),
      org_id: id.nullable(),
      payload: json,
      public: z.boolean(),
      created_at: moment,
    },
    indexes: {
      by_actor: ['actor_id', 'created_at', 'id'],
      by_repository: ['repository_id', 'created_at', 'id'],
      by_org: ['org_id', 'created_at', 'id'],
    },
    foreignKeys: {
      actor_id: { table: 'accounts', onDelete: 'set-null' },
      repository_id: { table: 'repositories', onDelete: 'cascade' },
      org_id: { table: 'accounts', onDelete: 'set-null' },
    },
    volatile: ['id', 'created_at'],
  }),
};

export type Star = RowOf<(typeof activityTables)['stars']['columns']>;
export type Subscription = RowOf<(typeof activityTables)['subscriptions']['columns']>;
export type FeedEvent = RowOf<(typeof activityTables)['events']['columns']>;
