import { isJsonObject, type Json } from '../base/json.ts';
import { pointerPart } from './pointers.ts';
import type { Cut } from './types.ts';

const TEXT_MOST = 300;
const ITEMS_MOST = 3;

/** A body as a corpus keeps it: long texts and lists of objects cut, and what was cut. */
export function cutBody(body: Json): { readonly body: Json; readonly cuts: readonly Cut[] } {
  const cuts: Cut[] = [];
  const visit = (value: Json, at: string): Json => {
    if (typeof value === 'string') {
      if (value.length <= TEXT_MOST) return value;
      cuts.push({ at, why: 'text', kept: TEXT_MOST, of: value.length });
      return value.slice(0, TEXT_MOST).toWellFormed();
    }
    if (Array.isArray(value)) {
      const items = value as readonly Json[];
      const isCut = items.length > ITEMS_MOST && items.some(isJsonObject);
      if (isCut) cuts.push({ at, why: 'array', kept: ITEMS_MOST, of: items.length });
      return (isCut ? items.slice(0, ITEMS_MOST) : items).map((item, index) => visit(item, `${at}/${index}`));
    }
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        member === undefined ? member : visit(member, `${at}/${pointerPart(name)}`),
      ]),
    );
  };
  return { body: visit(body, ''), cuts };
}
