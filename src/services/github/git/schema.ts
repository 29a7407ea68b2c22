import { z } from 'zod';
import { type RowOf, table } from '../../../service/index.ts';

const signature = z.object({ name: z.string(), email: z.string(), date: z.string() });

/**
 * Git objects of all repositories, by hash: equal content is one row, so a fork of a repository costs none.
 * Blobs that are UTF-8 stand as text, others as base64; trees as lines `mode type sha<tab>name`. A row that
 * was told and not computed may hold less than its hash says.
 */
export const gitObjects = table({
  primaryKey: 'sha',
  columns: {
    sha: z.string(),
    kind: z.enum(['blob', 'tree', 'commit', 'tag']),
    text: z.string().optional(),
    base64: z.string().optional(),
    size: z.int().min(0).optional(),
    entries: z.string().optional(),
    commit: z
      .object({
        tree: z.string(),
        parents: z.array(z.string()),
        author: signature,
        committer: signature,
        message: z.string(),
        signature: z.string().optional(),
      })
      .optional(),
    tag: z
      .object({
        object: z.string(),
        type: z.enum(['blob', 'tree', 'commit', 'tag']),
        tag: z.string(),
        tagger: signature.nullable(),
        message: z.string(),
      })
      .optional(),
  },
  volatile: ['sha', 'commit', 'tag'],
});

export type GitObjectRow = RowOf<(typeof gitObjects)['columns']>;
