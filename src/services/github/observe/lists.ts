import { isJsonObject, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { itemsOf } from './places.ts';
import { inputOf, type Sight } from './sight.ts';

const PAGE_SIZE = 30;

interface PageSeen {
  readonly number: number;
  /** How many items of the page the recording left out. */
  readonly hidden: number;
  /** How many items the page had. */
  readonly length: number;
  readonly lastShown: JsonObject | undefined;
}

interface ListSeen {
  readonly pages: PageSeen[];
  /** How many items the whole list had, as far as a page tells. */
  total: number;
  /** Of these, how many the recording's own requests made. */
  made: number;
}

export interface ListWatch {
  /** Tells the list from others: pages of one list have one key. */
  readonly key: string;
  /** The member that holds the items, where they are not the answer itself. */
  readonly member?: string;
  /** The list is a part of a longer one, and is filled before it. */
  readonly isNarrow?: boolean;
  readonly isMade?: (item: JsonObject) => boolean;
  /** How many rows of the list are written. */
  readonly known: () => number;
  /** Writes a row that nothing is known of but that it stands right after another. */
  readonly fill: (after: JsonObject | undefined, index: number) => void;
}

const SEEN = new WeakMap<Sight, Map<string, ListSeen>>();

/**
 * Notes a page of a list. When all exchanges are read, as many rows are written as the list must have had
 * beside those that are known by then, each on the page that it was left out of.
 */
export function notePage(sight: Sight, exchange: RecordedExchange, watch: ListWatch): void {
  if (exchange.status !== 200) return;
  const lists = SEEN.get(sight) ?? new Map<string, ListSeen>();
  SEEN.set(sight, lists);
  const known = lists.get(watch.key);
  const list = known ?? { pages: [], total: 0, made: 0 };
  const page = pageOf(exchange, watch.member);
  if (list.pages.some(({ number }) => number === page.number)) return;
  list.pages.push(page);
  list.total = Math.max(list.total, totalOf(exchange, page, watch.member));
  const { isMade } = watch;
  if (isMade) list.made += itemsOf(exchange.response, watch.member).filter((item) => isMade(item)).length;
  if (known) return;
  lists.set(watch.key, list);
  sight.atEnd(() => fillUp(list, watch), watch.isNarrow);
}

function fillUp({ pages, total, made }: ListSeen, { known, fill }: ListWatch): void {
  let missing = total - made - known();
  const inOrder = pages.toSorted((one, other) => one.number - other.number);
  let index = 0;
  const fillAfter = (lastShown: JsonObject | undefined): void => {
    fill(lastShown, index);
    index += 1;
    missing -= 1;
  };
  for (const { hidden, lastShown } of inOrder) {
    for (let filled = 0; filled < hidden && missing > 0; filled += 1) fillAfter(lastShown);
  }
  while (missing > 0) fillAfter(inOrder.at(-1)?.lastShown);
}

function pageOf(exchange: RecordedExchange, member: string | undefined): PageSeen {
  const at = member === undefined ? '' : `/${member}`;
  const shown = itemsOf(exchange.response, member);
  const length = exchange.cut?.find((cut) => cut.at === at)?.of ?? shown.length;
  const number = Number(inputOf(exchange).page ?? 1);
  return { number, length, hidden: Math.max(0, length - shown.length), lastShown: shown.at(-1) };
}

/** By the count around the items, else by the links around the page. */
function totalOf(exchange: RecordedExchange, page: PageSeen, member: string | undefined): number {
  const { response } = exchange;
  const counted = isJsonObject(response) && member !== undefined ? response.total_count : undefined;
  if (typeof counted === 'number') return counted;
  const size = Math.min(100, Number(inputOf(exchange).per_page ?? PAGE_SIZE));
  const before = (page.number - 1) * size;
  const link = exchange.headers?.link ?? '';
  const last = /[?&]page=(\d+)[^>]*>; rel="last"/u.exec(link)?.[1];
  if (last !== undefined) return (Number(last) - 1) * size + 1;
  return before + page.length + (link.includes('rel="next"') ? 1 : 0);
}
