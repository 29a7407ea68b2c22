import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, text } from './columns.ts';

export const oauthTables = {
  /** What apps wait for: a code of the web flow to be redeemed, or one of a device to be entered. */
  oauth_grants: table({
    primaryKey: 'code',
    columns: {
      code: text,
      kind: z.enum(['web', 'device']),
      app_id: id,
      /** Who has let the app act for them; null while nobody has. */
      account_id: id.nullable(),
      denied: z.boolean(),
      scopes: z.array(text),
      redirect_uri: text.nullable(),
      /** What a person enters on the page of the device flow, such as `ABCD-1234`. */
      user_code: text.nullable(),
      /** Milliseconds since 1970. */
      expires_ms: z.number(),
      polled_ms: z.number().nullable(),
      /** Between two polls of a device, at least. */
      interval_seconds: z.int(),
    },
    unique: { by_user_code: ['user_code'] },
    foreignKeys: {
      app_id: { table: 'apps', onDelete: 'cascade' },
      account_id: { table: 'accounts', onDelete: 'cascade' },
    },
    volatile: ['code', 'user_code', 'expires_ms', 'polled_ms'],
  }),
};

export type OauthGrant = RowOf<(typeof oauthTables)['oauth_grants']['columns']>;
