import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, json, moment, text } from './columns.ts';

const OF_ACCOUNT = { account_id: { table: 'accounts', onDelete: 'cascade' } } as const;

/** What belongs to people: whom they follow and block, their mails and their keys. */
export const peopleTables = {
  follows: table({
    primaryKey: ['user_id', 'target_id'],
    columns: { user_id: id, target_id: id },
    indexes: { by_user: ['user_id', 'target_id'], by_target: ['target_id', 'user_id'] },
    foreignKeys: {
      user_id: { table: 'accounts', onDelete: 'cascade' },
      target_id: { table: 'accounts', onDelete: 'cascade' },
    },
  }),
  /** Whom a person or an organisation keeps out. */
  blocks: table({
    primaryKey: ['account_id', 'user_id'],
    columns: { account_id: id, user_id: id },
    indexes: { by_account: ['account_id', 'user_id'] },
    foreignKeys: { ...OF_ACCOUNT, user_id: { table: 'accounts', onDelete: 'cascade' } },
  }),
  emails: table({
    primaryKey: ['account_id', 'email'],
    columns: {
      account_id: id,
      email: text,
      primary: z.boolean(),
      verified: z.boolean(),
      visibility: z.enum(['public', 'private']).nullable(),
      /** In the order in which they were added. */
      position: z.int(),
    },
    indexes: { by_account: ['account_id', 'position'] },
    foreignKeys: OF_ACCOUNT,
  }),
  /** Public keys: to log in with, to sign with over SSH, and of GPG. */
  user_keys: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 110_000_001 },
    columns: {
      id,
      account_id: id,
      kind: z.enum(['ssh', 'signing', 'gpg']),
      title: text,
      key: text,
      verified: z.boolean(),
      read_only: z.boolean(),
      /** Of GPG keys: what is read off the key itself. */
      details: json,
      created_at: moment,
    },
    indexes: { by_account: ['account_id', 'kind', 'id'] },
    foreignKeys: OF_ACCOUNT,
    volatile: ['id', 'details', 'created_at'],
  }),
  social_accounts: table({
    primaryKey: ['account_id', 'url'],
    columns: { account_id: id, url: text, provider: text },
    indexes: { by_account: ['account_id', 'url'] },
    foreignKeys: OF_ACCOUNT,
  }),
};

export type UserKey = RowOf<(typeof peopleTables)['user_keys']['columns']>;
export type Email = RowOf<(typeof peopleTables)['emails']['columns']>;
