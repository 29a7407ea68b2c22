import { isJsonObject, type Json } from '../../base/json.ts';

/** A value with every string that has another form in its place. The value itself where none has. */
export function withStrings(value: Json, forms: ReadonlyMap<string, string> | null): Json {
  if (forms === null || forms.size === 0) return value;
  if (typeof value === 'string') return forms.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item: Json) => withStrings(item, forms));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, Json | undefined] => [
    key,
    member === undefined ? undefined : withStrings(member, forms),
  ]);
  return Object.fromEntries(members);
}
