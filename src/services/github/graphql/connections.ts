import { base64OfText, bytesOfBase64, textOfBytes } from '../git/index.ts';
import { GraphError, type GraphValue, once } from './graph.ts';

/** Arguments of every connection. */
export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** The arguments of a connection, with the field's name, as errors speak of it. */
export interface NamedPage<Arguments extends PageArguments = PageArguments> {
  readonly args: Arguments;
  readonly name: string;
}

export function page<Arguments extends PageArguments>(args: Arguments, name: string): NamedPage<Arguments> {
  return { args, name };
}

const LARGEST_PAGE = 100;
const CURSOR = 'cursor:v2:';

interface Listed<Item> {
  /** The field's name, as errors speak of it. */
  readonly name: string;
  readonly items: () => readonly Item[];
  /** What tells an item from the others, whatever comes and goes around it. */
  readonly key: (item: Item) => number | string;
  readonly show: (item: Item) => unknown;
  readonly extra?: GraphValue;
}

/** A list as the graph gives it: page by page, with cursors. Nothing is looked up before it is asked for. */
export function connection<Item>(args: PageArguments, list: Listed<Item>): GraphValue {
  const items = once(list.items);
  const shown = once(() => pageOf(args, items(), list));
  const cursor = (at: number, item: Item): string => base64OfText(`${CURSOR}${at}:${list.key(item)}`);
  return {
    totalCount: () => items().length,
    nodes: () => shown().items.map(list.show),
    edges: () =>
      shown().items.map((item, index) => ({
        cursor: cursor(shown().start + index, item),
        node: () => list.show(item),
      })),
    pageInfo: () => {
      const { items: onPage, start } = shown();
      const first = onPage[0];
      const last = onPage.at(-1);
      return {
        hasPreviousPage: start > 0,
        hasNextPage: start + onPage.length < items().length,
        startCursor: first === undefined ? null : cursor(start, first),
        endCursor: last === undefined ? null : cursor(start + onPage.length - 1, last),
      };
    },
    ...list.extra,
  };
}

function pageOf<Item>(
  args: PageArguments,
  items: readonly Item[],
  { name, key }: Pick<Listed<Item>, 'name' | 'key'>,
): { readonly items: readonly Item[]; readonly start: number } {
  const { first, last, after, before } = args;
  if (typeof first !== 'number' && typeof last !== 'number') {
    throw new GraphError(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    );
  }
  for (const [bound, value] of Object.entries({ first, last })) checkBound(name, bound, value);
  const place = (cursor: string): number => placeOf(cursor, items, key);
  let start = typeof after === 'string' ? place(after) + 1 : 0;
  let end = typeof before === 'string' ? place(before) : items.length;
  if (typeof first === 'number') end = Math.min(end, start + first);
  if (typeof last === 'number') start = Math.max(start, end - last);
  return { items: items.slice(start, Math.max(start, end)), start };
}

function checkBound(name: string, bound: string, value: number | null | undefined): void {
  if (typeof value !== 'number') return;
  if (value < 0) {
    const message = `\`${bound}\` on the \`${name}\` connection cannot be less than zero.`;
    throw new GraphError('ARGUMENT_LIMIT', message);
  }
  if (value <= LARGEST_PAGE) return;
  const asked = `Requesting ${value} records on the \`${name}\` connection`;
  const message = `${asked} exceeds the \`${bound}\` limit of 100 records.`;
  throw new GraphError('EXCESSIVE_PAGINATION', message);
}

/** Where a cursor's item is now; where it was, if it is gone. */
function placeOf<Item>(cursor: string, items: readonly Item[], key: Listed<Item>['key']): number {
  const bytes = bytesOfBase64(cursor);
  const text = bytes === null ? '' : textOfBytes(bytes);
  const parts = /^cursor:v2:(\d+):(.*)$/su.exec(text);
  if (!parts) {
    const message = `\`${cursor}\` does not appear to be a valid cursor.`;
    throw new GraphError('INVALID_CURSOR_ARGUMENTS', message);
  }
  const [, at = '0', name = ''] = parts;
  const found = items.findIndex((item) => String(key(item)) === name);
  return found >= 0 ? found : Math.min(Number(at), items.length) - 1;
}

/** What sorts a list: `field` says by what, `direction` which way. */
export interface Order {
  readonly field: string;
  readonly direction: 'ASC' | 'DESC';
}

/** A copy of the items in this order; equal ones keep theirs. */
export function ordered<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => number | string,
  direction: Order['direction'],
): Item[] {
  const sign = direction === 'DESC' ? -1 : 1;
  return [...items].sort((one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)];
    return left === right ? 0 : left < right ? -sign : sign;
  });
}
