import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, moment, text } from './columns.ts';

/** Which product keeps a secret; each has names of its own. */
export const SECRET_APPS = ['actions', 'agents', 'codespaces', 'dependabot'] as const;
export type SecretApp = (typeof SECRET_APPS)[number];

const HOME = {
  app: z.enum(SECRET_APPS),
  /** `repo:7`, `org:7`, `user:7` or `env:7/production`: where the name is unique. */
  scope: text,
  repository_id: id.nullable(),
  account_id: id.nullable(),
  /** In capitals: names are found whatever their case. */
  name: text,
  /** Of an organisation's: which of its repositories get it. */
  visibility: z.enum(['all', 'private', 'selected']).nullable(),
  selected_repository_ids: z.array(id),
  created_at: moment,
  updated_at: moment,
};
const INSIDE = {
  repository_id: { table: 'repositories', onDelete: 'cascade' },
  account_id: { table: 'accounts', onDelete: 'cascade' },
} as const;

/** Secrets and variables of repositories, environments, organisations and people. */
export const secretTables = {
  secrets: table({
    primaryKey: ['app', 'scope', 'name'],
    columns: {
      ...HOME,
      /** As it was sent, sealed: nobody is ever shown it. */
      encrypted_value: text,
      key_id: text,
    },
    indexes: { by_scope: ['app', 'scope', 'name'] },
    foreignKeys: INSIDE,
    volatile: ['scope', 'created_at', 'updated_at'],
  }),
  variables: table({
    primaryKey: ['app', 'scope', 'name'],
    columns: { ...HOME, value: text },
    indexes: { by_scope: ['app', 'scope', 'name'] },
    foreignKeys: INSIDE,
    volatile: ['scope', 'created_at', 'updated_at'],
  }),
};

export type Secret = RowOf<(typeof secretTables)['secrets']['columns']>;
export type Variable = RowOf<(typeof secretTables)['variables']['columns']>;
