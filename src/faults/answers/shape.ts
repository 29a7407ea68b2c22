import { isJsonObject, type Json } from '../../base/json.ts';
import type { Effect } from '../effects.ts';
import { placesOf, placeText, renamed, valueIn, without, withValue } from './places.ts';
import type { BodyEdit, EditedBody } from './values.ts';

/** Does the same at every place of a path, last place first so that the earlier ones stay where they are. */
function everywhere(
  body: Json,
  path: string,
  change: (body: Json, place: ReturnType<typeof placesOf>[number]) => Json | null,
): EditedBody | null {
  let edited = body;
  let found = false;
  for (const place of placesOf(body, path).toReversed()) {
    const next = place.length === 0 ? null : change(edited, place);
    if (next === null) continue;
    edited = next;
    found = true;
  }
  return found ? { body: edited, at: path } : null;
}

export const renameField: BodyEdit<'field-renamed'> = ({ path, to }, body) =>
  everywhere(body, path, (at, place) => {
    const named = typeof place.at(-1) === 'string' && place.at(-1) !== to;
    return named ? renamed(at, place, to) : null;
  });

export const removeField: BodyEdit<'field-removed'> = ({ path }, body) =>
  everywhere(body, path, (at, place) => without(at, place));

export const retypeField: BodyEdit<'field-retyped'> = ({ path, type }, body) =>
  everywhere(body, path, (at, place) => {
    const value = valueIn(at, place) ?? null;
    const retyped = retypedAs(type, value);
    return retyped === undefined ? null : withValue(at, place, retyped);
  });

/** The value as another type; undefined where it is of that type or cannot be. */
function retypedAs(type: Effect<'field-retyped'>['type'], value: Json): Json | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' || value === null ? undefined : textOf(value);
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
      return Number.isFinite(number) ? number : typeof value === 'boolean' ? Number(value) : undefined;
    }
    case 'list':
      return Array.isArray(value) ? undefined : [value];
    case 'object':
      return isJsonObject(value) ? undefined : { value };
  }
}

function textOf(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export const widenEnum: BodyEdit<'enum-widened'> = ({ path, to }, body) =>
  everywhere(body, path, (at, place) => (valueIn(at, place) === to ? null : withValue(at, place, to)));

/** Names under which an envelope says which error it is. */
const CODE_NAMES = ['code', 'errorCode', 'error_code', 'type', 'error', 'name', 'message'];

/** The envelope with another code: in the first member, outermost first, that says which error it is. */
export const renameError = ({ to }: Effect<'error-renamed'>, body: Json): EditedBody | null => {
  if (typeof body === 'string') return body === to ? null : { body: to, at: '' };
  if (!isJsonObject(body)) return null;
  for (const name of CODE_NAMES) {
    if (typeof body[name] === 'string' && body[name] !== to) {
      return { body: withValue(body, [name], to), at: placeText([name]) };
    }
  }
  for (const [name, member] of Object.entries(body)) {
    const inner = isJsonObject(member) ? renameError({ kind: 'error-renamed', to }, member) : null;
    if (inner) return { body: withValue(body, [name], inner.body), at: `${name}.${inner.at}` };
  }
  return null;
};

/** Members by which a body says that there is more. */
const CURSOR =
  /^(?:next(?:_?(?:page|cursor|token|page_?token|url|link|after|offset|start|id))?|(?:end_?)?cursor)$/iu;
const MORE = ['has_more', 'hasMore', 'has_next_page', 'hasNextPage', 'incomplete_results'];

/** What a body or its headers say of a next page, taken away; null where neither does. */
export function withoutNextPage(
  body: Json,
  headers: Readonly<Record<string, string>> | undefined,
): (EditedBody & { readonly headers?: Readonly<Record<string, string>> }) | null {
  const link = Object.keys(headers ?? {}).find((name) => name.toLowerCase() === 'link');
  const told = link === undefined ? '' : (headers?.[link] ?? '');
  if (link !== undefined && /rel="next"/u.test(told)) {
    const rest = told.split(/,\s*(?=<)/u).filter((part) => !/rel="(?:next|last)"/u.test(part));
    const { [link]: _gone, ...others } = headers ?? {};
    return { body, at: link, headers: rest.length > 0 ? { ...others, [link]: rest.join(', ') } : others };
  }
  const ended = withoutCursor(body);
  return ended && ended.at !== '' ? ended : null;
}

function withoutCursor(body: Json): EditedBody | null {
  if (!isJsonObject(body)) return null;
  let edited: Json = body;
  const at: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (CURSOR.test(name) && value !== null && value !== '') {
      edited = withValue(edited, [name], null);
      at.push(name);
    } else if (MORE.includes(name) && value === true) {
      edited = withValue(edited, [name], false);
      at.push(name);
    } else if (isJsonObject(value)) {
      const inner = withoutCursor(value);
      if (inner) {
        edited = withValue(edited, [name], inner.body);
        at.push(`${name}.${inner.at}`);
      }
    }
  }
  return at.length > 0 ? { body: edited, at: at.join(', ') } : null;
}
