import { isJsonObject, type Json } from '../../base/json.ts';
import type { SeededRandom } from '../../base/random.ts';
import type { Effect, EffectKind } from '../effects.ts';
import { chosen, isCount, isId, isMoment, isMoney, isProse, oneOf } from './choose.ts';
import { type Leaf, leavesOf, listsOf, nameAt, type Place, placeText, withValue } from './places.ts';

/** A body after an edit, and the place of the edit. */
export interface EditedBody {
  readonly body: Json;
  readonly at: string;
}

/** An edit of a body; null where there is nothing in it that the effect could change. */
export type BodyEdit<Kind extends EffectKind> = (
  effect: Effect<Kind>,
  body: Json,
  random: SeededRandom,
) => EditedBody | null;

function put(body: Json, place: Place, value: Json): EditedBody {
  return { body: withValue(body, place, value), at: placeText(place) };
}

export const swapIds: BodyEdit<'ids-swapped'> = (_effect, body, random) => {
  const ids = leavesOf(body).filter(isId);
  const pairs = ids.flatMap((one, at) =>
    ids
      .slice(at + 1, at + 1 + PARTNERS_MOST)
      .flatMap((other) => (areSwappable(one, other) ? [[one, other] as const] : [])),
  );
  const pair = oneOf(pairs, random);
  if (!pair) return null;
  const [one, other] = pair;
  const half = withValue(body, one.place, other.value);
  return {
    body: withValue(half, other.place, one.value),
    at: `${placeText(one.place)}, ${placeText(other.place)}`,
  };
};

/** How far apart in an answer two ids may stand, in ids. */
const PARTNERS_MOST = 40;

/** Ids of one kind: the same name in two items, or two names of one object. */
function areSwappable(one: Leaf, other: Leaf): boolean {
  if (one.value === other.value || typeof one.value !== typeof other.value) return false;
  if (nameAt(one.place) === nameAt(other.place)) return true;
  const sameObject = placeText(one.place.slice(0, -1)) === placeText(other.place.slice(0, -1));
  return sameObject && String(one.value).length === String(other.value).length;
}

export const truncateList: BodyEdit<'list-truncated'> = ({ keep }, body) => {
  const longest = listsOf(body).reduce<ReturnType<typeof listsOf>[number] | null>(
    (best, list) => (best === null || list.items.length > best.items.length ? list : best),
    null,
  );
  if (!longest) return null;
  const kept = keep ?? Math.floor(longest.items.length / 2);
  if (kept >= longest.items.length) return null;
  const body_ = withValue(body, longest.place, longest.items.slice(0, kept));
  return { body: body_, at: placeText(longest.place) };
};

export const wrongTotal: BodyEdit<'total-wrong'> = ({ path, by }, body, random) => {
  const leaf = chosen(body, { path, fits: isCount }, random);
  if (typeof leaf?.value !== 'number') return null;
  const off = by ?? (random.integer(0, 1) === 0 && leaf.value > 1 ? -1 : 1) * random.integer(1, 3);
  return off === 0 ? null : put(body, leaf.place, leaf.value + off);
};

const HUNDREDFOLD = 100;
const HOUR_MS = 3_600_000;

export const wrongUnit: BodyEdit<'unit-wrong'> = ({ path, factor, hours }, body, random) => {
  if (hours !== undefined) {
    const leaf = chosen(body, { path, fits: isMoment }, random);
    const shifted = typeof leaf?.value === 'string' ? shiftedMoment(leaf.value, hours) : null;
    return leaf && shifted !== null && shifted !== leaf.value ? put(body, leaf.place, shifted) : null;
  }
  const leaf = chosen(body, { path, fits: isMoney }, random);
  if (typeof leaf?.value !== 'number' || leaf.value === 0 || factor === 1) return null;
  // Divided where that is exact, so that a hundredth of 12.50 is written as a person would.
  const by = factor ?? HUNDREDFOLD;
  const value = by < 1 ? leaf.value / (1 / by) : leaf.value * by;
  const rounded = Math.round(value * 1e6) / 1e6;
  // Beyond the largest number JSON has none to say; a factor next to 1 changes nothing.
  return Number.isFinite(rounded) && rounded !== leaf.value ? put(body, leaf.place, rounded) : null;
};

/** The moment so many hours later in the form in which it is written; null for what is no moment. */
function shiftedMoment(text: string, hours: number): string | null {
  const parsed = Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/u.test(text) ? text : `${text}Z`);
  const shifted = new Date(parsed + hours * HOUR_MS);
  // Beyond what a date can hold there is no other time zone either.
  if (Number.isNaN(shifted.getTime()) || shifted.getUTCFullYear() > 9999) return null;
  const iso = shifted.toISOString();
  const tail = /(?:Z|[+-]\d{2}:\d{2})$/u.exec(text)?.[0] ?? '';
  const body = text.slice(0, text.length - tail.length);
  return iso.slice(0, Math.min(body.length, 23)) + (tail === '' ? '' : 'Z');
}

export const flipFlag: BodyEdit<'flag-flipped'> = ({ path }, body, random) => {
  const leaf = chosen(body, { path, fits: ({ value }) => typeof value === 'boolean' }, random);
  return typeof leaf?.value === 'boolean' ? put(body, leaf.place, !leaf.value) : null;
};

export const nullField: BodyEdit<'field-nulled'> = ({ path }, body, random) => {
  const fits = ({ value, place }: Leaf): boolean => value !== null && typeof place.at(-1) === 'string';
  const leaf = chosen(body, { path, fits }, random);
  return leaf && leaf.value !== null && leaf.place.length > 0 ? put(body, leaf.place, null) : null;
};

export const alterText: BodyEdit<'text-altered'> = ({ path, to }, body, random) => {
  const leaf = chosen(body, { path, fits: isProse }, random);
  if (typeof leaf?.value !== 'string') return null;
  const text = to ?? withWordsExchanged(leaf.value, random);
  return text === leaf.value ? null : put(body, leaf.place, text);
};

function withWordsExchanged(text: string, random: SeededRandom): string {
  const parts = text.split(/(\s+)/u);
  const words = parts.flatMap((part, at) => (at % 2 === 0 && part !== '' ? [at] : []));
  const pairs = words.slice(1).flatMap((at, index) => {
    const before = words[index];
    return before !== undefined && parts[before] !== parts[at] ? [[before, at] as const] : [];
  });
  const pair = oneOf(pairs, random);
  if (!pair) return text;
  const [one, other] = pair;
  return parts.map((part, at) => (at === one ? parts[other] : at === other ? parts[one] : part)).join('');
}

export const plantText: BodyEdit<'text-planted'> = ({ path, text }, body, random) => {
  const prose = chosen(body, { path, fits: isProse }, random);
  const leaf = prose ?? (path === undefined ? oneOf(leavesOf(body).filter(isPlainText), random) : null);
  return typeof leaf?.value === 'string' ? put(body, leaf.place, `${leaf.value}\n\n${text}`) : null;
};

function isPlainText(leaf: Leaf): boolean {
  return typeof leaf.value === 'string' && leaf.value.length > 0 && !isId(leaf) && !isMoment(leaf);
}

/** A secret stands in a text where there is one to put it behind, else in a member of its own. */
export const plantSecret: BodyEdit<'secret-planted'> = ({ path, text }, body, random) => {
  const planted = plantText(
    { kind: 'text-planted', text, ...(path !== undefined && { path }) },
    body,
    random,
  );
  if (planted || path !== undefined || !isJsonObject(body)) return planted;
  return { body: { ...body, note: text }, at: 'note' };
};
