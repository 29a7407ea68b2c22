import { isJsonObject, type Json } from '../base/json.ts';
import type { Compared } from './compare.ts';
import { collapsed, pointerParts, valueAt } from './pointers.ts';
import type { Tally } from './tally.ts';
import type { Answered, CorpusRecord, Cut } from './types.ts';

/** Follows the pointer of a list in a check of how many items it has. */
export const ITEMS = ' (items)';

/**
 * Rule 7 for lists: as many items as recorded, and those that the scenario made in the same order. Gives the
 * body with its lists cut as the recorded ones are.
 */
export function compareLists(tally: Tally, compared: Compared, answer: Answered): Json {
  const { record, body } = compared;
  for (const pointer of listsOf(record)) {
    const theirs = valueAt(record.response.body, pointer) as readonly Json[];
    const ours = valueAt(body, pointer);
    const expected = cutOf(record.response.cuts, pointer)?.of ?? theirs.length;
    const got = Array.isArray(ours) ? (cutOf(answer.cuts, pointer)?.of ?? ours.length) : undefined;
    const at = collapsed(record.response.body, pointer);
    if (compared.context.counts !== false) {
      tally.check({ kind: 'determined', at: `${at}${ITEMS}`, expected, got }, expected === got);
    }
    if (Array.isArray(ours)) compareOrder(tally, compared, { at, theirs, ours });
  }
  const cuts = record.response.cuts.filter(({ why }) => why === 'array');
  return cuts.reduce<Json>((value, { at, kept = 3 }) => cutAt(value, pointerParts(at), kept), body);
}

function cutOf(cuts: readonly Cut[] | undefined, pointer: string): Cut | undefined {
  return cuts?.find(({ at, why }) => at === pointer && why === 'array');
}

/** The lists of an answer: the whole of it, or the members of the object around a page. */
function listsOf({ response }: CorpusRecord): readonly string[] {
  const { body } = response;
  if (Array.isArray(body)) return [''];
  if (!isJsonObject(body) || !Object.hasOwn(body, 'total_count')) return [];
  return Object.keys(body)
    .filter((name) => Array.isArray(body[name]))
    .map((name) => `/${name}`);
}

function compareOrder(
  tally: Tally,
  { context }: Compared,
  {
    at,
    theirs,
    ours,
  }: { readonly at: string; readonly theirs: readonly Json[]; readonly ours: readonly Json[] },
): void {
  const expected = theirs.flatMap((item) => {
    const id = identityOf(item);
    return id !== undefined && context.created.has(id) ? [context.identifiers.valueFor(id, 'id')] : [];
  });
  if (expected.length < 2) return;
  const wanted = new Set<Json>(expected);
  const got = ours.flatMap((item) => {
    const id = identityOf(item);
    return id !== undefined && wanted.has(id) ? [id] : [];
  });
  tally.check(
    { kind: 'determined', at: `${at} (order)`, expected, got },
    JSON.stringify(expected) === JSON.stringify(got),
  );
}

function identityOf(item: Json): Json | undefined {
  if (!isJsonObject(item)) return undefined;
  return item.id ?? item.node_id ?? item.sha;
}

function cutAt(value: Json, parts: readonly string[], kept: number): Json {
  const [part, ...rest] = parts;
  if (part === undefined) return Array.isArray(value) ? value.slice(0, kept) : value;
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item, index) =>
      String(index) === part ? cutAt(item, rest, kept) : item,
    );
  }
  if (!isJsonObject(value)) return value;
  const member = Object.hasOwn(value, part) ? value[part] : undefined;
  return member === undefined ? value : { ...value, [part]: cutAt(member, rest, kept) };
}
