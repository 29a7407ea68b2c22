import type { Writing } from '../operation.ts';
import type { GithubSchema } from '../schema.ts';

/** The next number of a table that no row of it has. */
export function freshId(ctx: Writing, table: keyof GithubSchema & string): number {
  const rows = ctx.tx[table];
  for (;;) {
    const id = Number(ctx.nextId(table));
    if (!rows.has(id)) return id;
  }
}

/** A number as paths and queries bring it; 0, which nothing has, for whatever is none. */
export function idOf(value: unknown): number {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
