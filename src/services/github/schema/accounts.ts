import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, text } from './columns.ts';

/** People, organisations and bots: one number space and one name space, as on GitHub. */
export const accountTables = {
  accounts: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 190_000_001 },
    columns: {
      id,
      login: text,
      /** The login in lower case: names are found whatever their case. */
      login_key: text,
      type: z.enum(['User', 'Organization', 'Bot']),
      site_admin: z.boolean(),
      name: text.nullable(),
      company: text.nullable(),
      blog: text.nullable(),
      location: text.nullable(),
      email: text.nullable(),
      bio: text.nullable(),
      hireable: z.boolean().nullable(),
      twitter_username: text.nullable(),
      /** Of people: whether the mail is shown; of organisations nothing. */
      public_repos: count,
      public_gists: count,
      followers: count,
      following: count,
      private_gists: count,
      total_private_repos: count,
      owned_private_repos: count,
      disk_usage: count,
      collaborators: count,
      two_factor_authentication: z.boolean(),
      plan: json,
      /**
       * What only organisations have: `description`, `is_verified`, policies for members; and what everybody
       * may have, `default_branch_name`: how the first branch of a new repository is called.
       */
      settings: json,
      created_at: moment,
      updated_at: moment,
    },
    unique: { by_login: ['login_key'] },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  org_members: table({
    primaryKey: ['org_id', 'user_id'],
    columns: {
      org_id: id,
      user_id: id,
      role: z.enum(['admin', 'member', 'billing_manager']),
      state: z.enum(['active', 'pending']),
      public: z.boolean(),
    },
    indexes: { by_user: ['user_id', 'org_id'], by_org: ['org_id', 'user_id'] },
    foreignKeys: {
      org_id: { table: 'accounts', onDelete: 'cascade' },
      user_id: { table: 'accounts', onDelete: 'cascade' },
    },
  }),
};

export type Account = RowOf<(typeof accountTables)['accounts']['columns']>;
export type OrgMember = RowOf<(typeof accountTables)['org_members']['columns']>;
