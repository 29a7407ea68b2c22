import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';
import { id, json, moment, text } from './columns.ts';

export const rulesetTables = {
  rulesets: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: '', start: 7_000_001 },
    columns: {
      id,
      repository_id: id,
      name: text,
      target: z.enum(['branch', 'tag', 'push']),
      enforcement: z.enum(['disabled', 'active', 'evaluate']),
      /** Who may pass: `[{actor_id, actor_type, bypass_mode}]`. */
      bypass_actors: json,
      /** Which refs it is for: `{ref_name: {include, exclude}}`. */
      conditions: json,
      /** `[{type, parameters}]`. */
      rules: json,
      created_at: moment,
      updated_at: moment,
    },
    indexes: { by_repository: ['repository_id', 'id'] },
    foreignKeys: { repository_id: { table: 'repositories', onDelete: 'cascade' } },
    volatile: ['id', 'created_at', 'updated_at'],
  }),
};

export type Ruleset = RowOf<(typeof rulesetTables)['rulesets']['columns']>;
