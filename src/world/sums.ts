import type { Digest } from '../base/digest.ts';
import type { CompiledSchema, CompiledTable } from './compile.ts';
import { addRow, lanesFrom, lanesText, subtractRow } from './digests.ts';
import type { EntryChange } from './draft.ts';

/** Changes not yet in the sums, newest first. */
interface Pending {
  readonly entries: readonly EntryChange[];
  readonly count: number;
  readonly older: Pending | undefined;
}

/**
 * The sums of the row digests of all business tables and of all ambient tables, in hexadecimal, and what is
 * still to be added. The text is the digest that callers get, so a world keeps it once.
 */
export interface Sums {
  readonly content: Digest;
  readonly ambient: Digest;
  readonly pending: Pending | undefined;
}

const ZERO = '0'.repeat(64);

export const ZERO_SUMS: Sums = Object.freeze({
  content: ZERO,
  ambient: ZERO,
  pending: undefined,
});

/** So many changes may wait: a long run that asks for no digest must not keep all its old rows alive. */
const MOST_PENDING = 64;

/**
 * Notes changed rows. Their digests are computed when a digest is asked for, so a world that nobody looks at
 * costs no hashing, and a row that a transaction writes ten times is hashed once.
 */
export function addPending(schema: CompiledSchema, sums: Sums, entries: readonly EntryChange[]): Sums {
  const count = entries.length + (sums.pending?.count ?? 0);
  const waiting = { ...sums, pending: { entries, count, older: sums.pending } };
  return count > MOST_PENDING ? settle(schema, waiting) : waiting;
}

/** The sums with all noted changes added. */
export function settle(schema: CompiledSchema, sums: Sums): Sums {
  if (sums.pending === undefined) return sums;
  let content: number[] | undefined;
  let ambient: number[] | undefined;
  for (let batch: Pending | undefined = sums.pending; batch !== undefined; batch = batch.older) {
    for (const { table: position, before, after } of batch.entries) {
      const table = schema.tables[position] as CompiledTable;
      let lanes: number[];
      if (table.ambient) {
        ambient ??= lanesFrom(sums.ambient);
        lanes = ambient;
      } else {
        content ??= lanesFrom(sums.content);
        lanes = content;
      }
      if (before !== undefined) subtractRow(lanes, table, before);
      if (after !== undefined) addRow(lanes, table, after);
    }
  }
  return {
    content: content === undefined ? sums.content : lanesText(content),
    ambient: ambient === undefined ? sums.ambient : lanesText(ambient),
    pending: undefined,
  };
}
