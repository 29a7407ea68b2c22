import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { count, id, json, moment, text } from './columns.ts';

const ofAccount = { account_id: { table: 'accounts', onDelete: 'cascade' } } as const;

/** Apps, where they are installed, and the tokens that they and people are given. */
export const appTables = {
  apps: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 2_100_001 },
    columns: {
      id,
      slug: text,
      client_id: text,
      client_secret: text,
      name: text,
      owner_id: id,
      description: text.nullable(),
      external_url: text,
      /** What the app may do where it is installed, such as `{issues: "write"}`. */
      permissions: json,
      events: z.array(text),
      installations_count: count,
      created_at: moment,
      updated_at: moment,
    },
    unique: { by_slug: ['slug'], by_client: ['client_id'] },
    foreignKeys: { owner_id: { table: 'accounts', onDelete: 'cascade' } },
    volatile: ['id', 'client_id', 'client_secret', 'created_at', 'updated_at'],
  }),
  /** A manifest that somebody has sent, to be made an app of once. */
  app_manifests: table({
    primaryKey: 'code',
    columns: { code: text, owner_id: id, manifest: json },
    foreignKeys: { owner_id: { table: 'accounts', onDelete: 'cascade' } },
  }),
  installations: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 95_000_001 },
    columns: {
      id,
      app_id: id,
      account_id: id,
      repository_selection: z.enum(['all', 'selected']),
      repository_ids: z.array(id),
      permissions: json,
      events: z.array(text),
      single_file_name: text.nullable(),
      suspended_by_id: id.nullable(),
      suspended_at: moment.nullable(),
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_app: ['app_id', 'id'], by_account: ['account_id', 'id'] },
    foreignKeys: { app_id: { table: 'apps', onDelete: 'cascade' }, ...ofAccount },
    volatile: ['id', 'suspended_at', 'created_at', 'updated_at'],
  }),
  installation_requests: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 1_500_001 },
    columns: { id, app_id: id, account_id: id, requester_id: id, created_at: moment },
    indexes: { by_app: ['app_id', 'id'] },
    foreignKeys: { app_id: { table: 'apps', onDelete: 'cascade' }, ...ofAccount },
    volatile: ['id', 'created_at'],
  }),
  /** Tokens that operations gave out: of installations, and of people who let an app act for them. */
  issued_tokens: table({
    primaryKey: 'token',
    columns: {
      token: text,
      /** The number that the old authorisations API knew it by. */
      number: id,
      app_id: id.nullable(),
      installation_id: id.nullable(),
      account_id: id.nullable(),
      permissions: json,
      /** Null for all that the installation has. */
      repository_ids: json,
      scopes: z.array(text),
      created_at: moment,
      updated_at: moment,
      expires_at: moment.nullable(),
    },
    indexes: { by_installation: ['installation_id', 'token'], by_account: ['account_id', 'token'] },
    foreignKeys: {
      installation_id: { table: 'installations', onDelete: 'cascade' },
      ...ofAccount,
    },
    volatile: ['token', 'number', 'created_at', 'updated_at', 'expires_at'],
  }),
  marketplace_plans: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 9_001 },
    columns: {
      id,
      number: count,
      name: text,
      description: text,
      monthly_price_in_cents: count,
      yearly_price_in_cents: count,
      price_model: text,
      has_free_trial: z.boolean(),
      unit_name: text.nullable(),
      state: text,
      bullets: z.array(text),
    },
  }),
  marketplace_purchases: table({
    primaryKey: 'account_id',
    columns: {
      account_id: id,
      plan_id: id,
      billing_cycle: text,
      next_billing_date: text.nullable(),
      on_free_trial: z.boolean(),
      free_trial_ends_on: text.nullable(),
      unit_count: count.nullable(),
      pending_change: json,
      billing_email: text.nullable(),
      updated_at: text,
    },
    indexes: { by_plan: ['plan_id', 'account_id'] },
    foreignKeys: { ...ofAccount, plan_id: { table: 'marketplace_plans', onDelete: 'cascade' } },
  }),
};

export type App = RowOf<(typeof appTables)['apps']['columns']>;
export type Installation = RowOf<(typeof appTables)['installations']['columns']>;
export type IssuedToken = RowOf<(typeof appTables)['issued_tokens']['columns']>;
export type MarketplacePlan = RowOf<(typeof appTables)['marketplace_plans']['columns']>;
export type MarketplacePurchase = RowOf<(typeof appTables)['marketplace_purchases']['columns']>;
