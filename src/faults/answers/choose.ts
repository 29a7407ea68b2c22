import type { Json } from '../../base/json.ts';
import type { SeededRandom } from '../../base/random.ts';
import { type Leaf, leavesOf, nameAt, placesOf, valueIn } from './places.ts';

const MONEY = /amount|price|total|cost|balance|fee|refund|paid|charge|credit|fare/iu;
const NUMBER_OF = /count|size|number/iu;
const COUNT = /count|total|size|number_of|remaining/iu;
const ID = /(?:^|_)(?:id|ids|number|sku|sha|login|code|key|node_id)$|[a-z]Id$/u;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?$/u;
const WORDS = /\p{L}{2,}\s+\p{L}{2,}/u;

export function isMoney({ place, value }: Leaf): boolean {
  const name = nameAt(place);
  return typeof value === 'number' && value !== 0 && MONEY.test(name) && !NUMBER_OF.test(name);
}

export function isCount({ place, value }: Leaf): boolean {
  return typeof value === 'number' && Number.isInteger(value) && COUNT.test(nameAt(place));
}

export function isMoment({ value }: Leaf): boolean {
  return typeof value === 'string' && MOMENT.test(value);
}

export function isId({ place, value }: Leaf): boolean {
  return (typeof value === 'string' || typeof value === 'number') && value !== '' && ID.test(nameAt(place));
}

/** Words of a person, no id, name or address. */
export function isProse({ value }: Leaf): boolean {
  return typeof value === 'string' && WORDS.test(value) && !value.includes('://');
}

/** The value that an edit is about: at the path where one is given, else one that fits, by the seed. */
export function chosen(
  body: Json,
  { path, fits }: { readonly path: string | undefined; readonly fits: (leaf: Leaf) => boolean },
  random: SeededRandom,
): Leaf | null {
  if (path === undefined) return oneOf(leavesOf(body).filter(fits), random);
  const places = placesOf(body, path);
  const leaves = places.flatMap((place): Leaf[] => {
    const value = valueIn(body, place);
    const isLeaf = value !== undefined && (typeof value !== 'object' || value === null);
    return isLeaf ? [{ place, value: value as Leaf['value'] }] : [];
  });
  return oneOf(leaves, random);
}

/** One of them, by the seed; null where there is none. */
export function oneOf<Item>(items: readonly Item[], random: SeededRandom): Item | null {
  return items.length === 0 ? null : (items[random.integer(0, items.length - 1)] ?? null);
}
