import type { Json, JsonObject } from '../../../service/index.ts';

/** Which page of a list an answer is; `operation.reply` hands it to the protocol as facts. */
export interface PageFacts {
  readonly page: number;
  /** The last page, or null where the list is not counted. */
  readonly last: number | null;
  /** Whether there is a page after this one, where `last` is null. */
  readonly more: boolean;
  /** The path that the links name, with numbers in place of names: `/repositories/7/issues`. */
  readonly path: string;
  /** Members of the input that stand in the path, and are no part of the query. */
  readonly inPath: readonly string[];
}

const ORIGIN = 'https://api.github.com';

/** The `Link` header of a page, or null where one page holds everything. */
export function linkOf(facts: PageFacts, input: Json): string | null {
  const { page, last, more } = facts;
  const url = (target: number): string => `${ORIGIN}${facts.path}?${queryOf(facts, input, target)}`;
  const rels: [string, number][] = [];
  if (page > 1) rels.push(['prev', last === null ? page - 1 : Math.min(page - 1, Math.max(1, last))]);
  if (last === null ? more : page < last) rels.push(['next', page + 1]);
  if (last !== null && page < last) rels.push(['last', last]);
  if (page > 1) rels.push(['first', 1]);
  if (rels.length === 0) return null;
  return rels.map(([rel, target]) => `<${url(target)}>; rel="${rel}"`).join(', ');
}

/** The caller's query in its own order, with `page` set or appended. */
function queryOf({ inPath }: PageFacts, input: Json, page: number): string {
  const members = { ...(typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}) };
  for (const name of inPath) delete (members as Record<string, Json>)[name];
  return Object.entries({ ...(members as JsonObject), page })
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encoded(name)}=${encoded(textOf(value ?? ''))}`)
    .join('&');
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** As GitHub writes queries: spaces as `+`, the rest percent-encoded. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');
}
