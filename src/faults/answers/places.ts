import { isJsonObject, type Json } from '../../base/json.ts';

/** Where in a JSON value something stands: member names and list positions, outermost first. */
export type Place = readonly (string | number)[];

export interface Leaf {
  readonly place: Place;
  readonly value: string | number | boolean | null;
}

/** Values that are looked at; beyond, an answer is too large to be chosen from. */
const LEAVES_MOST = 20_000;

/** Every value of an answer that is no list and no object, in order. */
export function leavesOf(body: Json): readonly Leaf[] {
  const found: Leaf[] = [];
  const walk = (value: Json, place: Place): void => {
    if (found.length >= LEAVES_MOST) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item as Json, [...place, index]);
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) walk((member ?? null) as Json, [...place, name]);
    } else found.push({ place, value: value as Leaf['value'] });
  };
  walk(body, []);
  return found;
}

/** Every list of an answer with its place, outermost first. */
export function listsOf(body: Json): readonly { readonly place: Place; readonly items: readonly Json[] }[] {
  const found: { place: Place; items: readonly Json[] }[] = [];
  const walk = (value: Json, place: Place): void => {
    if (Array.isArray(value)) {
      found.push({ place, items: value });
      for (const [index, item] of value.entries()) walk(item as Json, [...place, index]);
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) walk((member ?? null) as Json, [...place, name]);
    }
  };
  walk(body, []);
  return found;
}

/** The member name that a place ends with; that of the list for an item of one; empty for the whole. */
export function nameAt(place: Place): string {
  return place.findLast((part): part is string => typeof part === 'string') ?? '';
}

/** A place as people write it: `items.0.price`. */
export function placeText(place: Place): string {
  return place.join('.');
}

/** The places that a dotted path names in this value; `*` stands for every item of a list. */
export function placesOf(body: Json, path: string): readonly Place[] {
  let found: { readonly place: Place; readonly value: Json }[] = [{ place: [], value: body }];
  for (const part of path.split('.')) found = found.flatMap((at) => within(at, part));
  return found.map(({ place }) => place);
}

function within(
  { place, value }: { readonly place: Place; readonly value: Json },
  part: string,
): { readonly place: Place; readonly value: Json }[] {
  if (Array.isArray(value)) {
    if (part === '*') return value.map((item: Json, index) => ({ place: [...place, index], value: item }));
    const index = Number(part);
    const item = value[index] as Json | undefined;
    return item === undefined ? [] : [{ place: [...place, index], value: item }];
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, part)) return [];
  return [{ place: [...place, part], value: (value[part] ?? null) as Json }];
}

/** The value at a place; undefined where there is none. */
export function valueIn(body: Json, place: Place): Json | undefined {
  let current: Json | undefined = body;
  for (const part of place) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Array.isArray(current)
      ? (current[Number(part)] as Json | undefined)
      : (current as Record<string, Json>)[part];
  }
  return current;
}

/** The same answer with another value at a place. */
export function withValue(body: Json, place: Place, value: Json): Json {
  return withMembers(body, place, (members, last) => members.map(([n, v]) => [n, n === last ? value : v]));
}

/** The same answer without the member, or item, at a place. */
export function without(body: Json, place: Place): Json {
  return withMembers(body, place, (members, last) => members.filter(([name]) => name !== last));
}

/** The same answer in which a member has another name, at the same position. */
export function renamed(body: Json, place: Place, to: string): Json {
  return withMembers(body, place, (members, last) =>
    members.filter(([name]) => name !== to).map(([name, value]) => [name === last ? to : name, value]),
  );
}

type Members = readonly (readonly [string | number, Json])[];

function withMembers(
  body: Json,
  place: Place,
  change: (members: Members, last: string | number) => Members,
): Json {
  const [first, ...rest] = place;
  if (first === undefined) return change([['', body]], '')[0]?.[1] ?? null;
  const members: Members = Array.isArray(body)
    ? body.map((item: Json, index) => [index, item] as const)
    : Object.entries(body as Record<string, Json>);
  const changed =
    rest.length === 0
      ? change(members, first)
      : members.map(
          ([name, value]) => [name, name === first ? withMembers(value, rest, change) : value] as const,
        );
  if (Array.isArray(body)) return changed.map(([, value]) => value);
  return Object.fromEntries(changed as [string, Json][]);
}
