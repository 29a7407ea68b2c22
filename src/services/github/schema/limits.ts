import { z } from 'zod';
import { table } from '../../../service/index.ts';
import { count, text } from './columns.ts';

/** Bookkeeping of the door: in the full digest only. */
export const limitTables = {
  /**
   * How much of a limit an actor has used in the window that ends at `reset` (seconds since 1970), and of the
   * secondary ones: points of the minute that ends at `minute_reset`, what was made in it, and in the window.
   */
  rate_buckets: table({
    primaryKey: ['actor', 'resource'],
    columns: {
      actor: text,
      resource: text,
      used: count,
      reset: z.int(),
      minute_reset: z.int(),
      minute_points: count,
      minute_made: count,
      made: count,
    },
    volatile: ['reset', 'minute_reset'],
    ambient: true,
  }),
};
