import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';

/** Query members of every list. Odd values are taken as the default, as GitHub does, never refused. */
export const PAGE = {
  page: z.union([z.int(), z.string()]).optional().describe('Page number, from 1.'),
  per_page: z.union([z.int(), z.string()]).optional().describe('Items per page, at most 100.'),
};

const PAGE_SIZE = 30;
const LARGEST_PAGE = 100;

export interface PageInput {
  readonly page?: number | string | undefined;
  readonly per_page?: number | string | undefined;
}

/** Which page is asked for: `page` from 1, `size` 1 to 100. */
export function pageOf({ page, per_page }: PageInput): { readonly page: number; readonly size: number } {
  const size = wholeOr(per_page, PAGE_SIZE);
  return { page: wholeOr(page, 1), size: Math.min(size, LARGEST_PAGE) };
}

function wholeOr(value: number | string | undefined, otherwise: number): number {
  const number = Number(value);
  return value !== undefined && Number.isSafeInteger(number) && number > 0 ? number : otherwise;
}

/** Where a list is: the path that its links name, and the inputs that stand in the path. */
export interface Listing {
  readonly path: string;
  readonly inPath?: readonly string[];
}

const IN_PATH = ['owner', 'repo', 'org', 'username', 'team_slug'];

/**
 * One page of a list, shown item by item, with the links around it. `items` are all of them; what is not on
 * the page is not shown.
 */
export function paged<Item>(
  ctx: Reading,
  input: PageInput,
  list: Listing & { readonly items: readonly Item[]; readonly show: (item: Item) => JsonObject },
): JsonObject[] {
  const { items, path, inPath = [], show } = list;
  const { from, until } = placed(ctx, input, { total: items.length, path, inPath });
  return items.slice(from, until).map((item) => show(item));
}

/** Tells the links around a page of so many items; gives where the page begins and ends among them. */
export function placed(
  ctx: Reading,
  input: PageInput,
  { total, path, inPath = [] }: Listing & { readonly total: number },
): { readonly from: number; readonly until: number } {
  const { page, size } = pageOf(input);
  const last = Math.max(1, Math.ceil(total / size));
  ctx.reply({ facts: { page: { page, last, more: page < last, path, inPath: [...IN_PATH, ...inPath] } } });
  return { from: (page - 1) * size, until: page * size };
}
