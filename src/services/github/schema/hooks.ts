import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, json, moment, text } from './columns.ts';

/** Where GitHub tells of what happens, and what it has told. */
export const hookTables = {
  hooks: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 550_000_001 },
    columns: {
      id,
      /** One of the three is set, for the kind of thing that the hook is on. */
      repository_id: id.nullable(),
      org_id: id.nullable(),
      app_id: id.nullable(),
      name: text,
      active: z.boolean(),
      events: z.array(text),
      /** `url`, `content_type`, `insecure_ssl` and, never shown, `secret`. */
      config: json,
      last_response: json,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_repository: ['repository_id', 'id'], by_org: ['org_id', 'id'], by_app: ['app_id', 'id'] },
    foreignKeys: {
      repository_id: { table: 'repositories', onDelete: 'cascade' },
      org_id: { table: 'accounts', onDelete: 'cascade' },
    },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
  hook_deliveries: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 190_000_000_001 },
    columns: {
      id,
      hook_id: id,
      guid: text,
      delivered_at: moment,
      redelivery: z.boolean(),
      duration: z.number(),
      status: text,
      status_code: z.int(),
      event: text,
      action: text.nullable(),
      installation_id: id.nullable(),
      repository_id: id.nullable(),
      /** Headers and payload as they were sent. */
      request: json,
      response: json,
    },
    indexes: { by_hook: ['hook_id', 'id'] },
    foreignKeys: { hook_id: { table: 'hooks', onDelete: 'cascade' } },
    volatile: ['id', 'guid', 'delivered_at', 'request'],
  }),
};

export type Hook = RowOf<(typeof hookTables)['hooks']['columns']>;
export type HookDelivery = RowOf<(typeof hookTables)['hook_deliveries']['columns']>;
