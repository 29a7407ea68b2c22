import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import { mediaTypeOf } from '../protocol/media.ts';
import type { Query } from '../rules/search/query.ts';

/** So much of a text is shown around the first match, in characters. */
const FRAGMENT_LENGTH = 200;

/** The member `text_matches`, for callers who ask for it by media type. */
export function textMatches(
  { headers, nowMs }: Reading,
  { words, phrases }: Query,
  found: {
    readonly view: JsonObject;
    readonly type: string;
    readonly properties: readonly (readonly [name: string, text: string])[];
  },
): JsonObject {
  if (!mediaTypeOf(headers.accept, nowMs).forms.includes('text-match')) return {};
  const terms = [...words, ...phrases];
  const object_url = found.view.url ?? null;
  return {
    text_matches: found.properties.flatMap(([property, text]) => {
      const fragment = fragmentOf(text, terms);
      if (fragment === null) return [];
      const matches = matchesIn(fragment, terms);
      return [{ object_url, object_type: found.type, property, fragment, matches }];
    }),
  };
}

function fragmentOf(text: string, terms: readonly string[]): string | null {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  if (places.length === 0) return null;
  const start = Math.max(0, Math.min(...places) - FRAGMENT_LENGTH / 2);
  return text.slice(start, start + FRAGMENT_LENGTH);
}

function matchesIn(fragment: string, terms: readonly string[]): JsonObject[] {
  const lower = fragment.toLowerCase();
  return terms.flatMap((term) => {
    const at = lower.indexOf(term);
    if (at < 0) return [];
    return [{ text: fragment.slice(at, at + term.length), indices: [at, at + term.length] }];
  });
}
