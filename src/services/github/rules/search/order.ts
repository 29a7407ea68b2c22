/** By what things are sorted: a number or text of each. */
export type SortKey<Item> = (item: Item) => number | string | null;

/** A sort as a caller asks for it; the greatest first unless `asc` is said. */
export interface Sort<Item> {
  readonly key: SortKey<Item>;
  readonly order?: 'asc' | 'desc' | undefined;
}

interface Keyed<Item> {
  readonly item: Item;
  readonly value: number | string;
}

/**
 * The first so many of things in an order, those of one key as they came. What is clearly behind them is
 * never sorted.
 */
export function firstInOrder<Item>(
  items: readonly Item[],
  { key, order = 'desc' }: Sort<Item>,
  count: number,
): Item[] {
  const sign = order === 'asc' ? 1 : -1;
  const compare = (one: Keyed<Item>, other: Keyed<Item>): number =>
    one.value === other.value ? 0 : one.value < other.value ? -sign : sign;
  let best: Keyed<Item>[] = [];
  let last: Keyed<Item> | undefined;
  const cut = (): void => {
    best = best.sort(compare).slice(0, count);
    last = best.length === count ? best.at(-1) : undefined;
  };
  for (const item of items) {
    const keyed = { item, value: key(item) ?? '' };
    if (last && compare(keyed, last) >= 0) continue;
    best.push(keyed);
    if (best.length >= 2 * count) cut();
  }
  cut();
  return best.map(({ item }) => item);
}
