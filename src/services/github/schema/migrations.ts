import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, json, text } from './columns.ts';

/** Repositories packed up to be taken elsewhere. */
export const migrationTables = {
  migrations: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 1_700_001 },
    columns: {
      id,
      account_id: id,
      guid: text,
      /** `exported` from `ready_ms` on, where that is given. */
      state: text,
      ready_ms: z.number().nullable(),
      has_archive: z.boolean(),
      /** What was asked to be left out, by the names of the request. */
      options: json,
      repository_ids: z.array(id),
      locked_ids: z.array(id),
      created_at: text,
      updated_at: text,
    },
    indexes: { by_account: ['account_id', 'id'] },
    foreignKeys: { account_id: { table: 'accounts', onDelete: 'cascade' } },
    volatile: ['id', 'guid', 'ready_ms', 'created_at', 'updated_at'],
  }),
};

export type Migration = RowOf<(typeof migrationTables)['migrations']['columns']>;
