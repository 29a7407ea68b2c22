import { z } from 'zod';
import { table } from '../../../service/index.ts';
import { count, text } from './columns.ts';

/** Bookkeeping of the door: in the full digest only. */
export const limitTables = {
  /** How much of a limit an actor has used in the window that ends at `reset` (seconds since 1970). */
  rate_buckets: table({
    primaryKey: ['actor', 'resource'],
    columns: { actor: text, resource: text, used: count, reset: z.int() },
    volatile: ['reset', 'used'],
    ambient: true,
  }),
};
