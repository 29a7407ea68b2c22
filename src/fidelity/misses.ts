import type { Json } from '../base/json.ts';
import { ITEMS } from './compare-lists.ts';
import type { ExchangeResult, Miss } from './types.ts';

/** Exchanges that fail for the same reason at the same endpoint. */
export interface MissGroup {
  /** Such as `strict /has_wiki at POST /user/repos`. */
  readonly cause: string;
  readonly kind: Miss['kind'];
  readonly at: string;
  readonly endpoint: string;
  /** How many exchanges have it. */
  readonly count: number;
  /** In how many of them it is the only one: what they would gain from it alone. */
  readonly alone: number;
  readonly example: { readonly exchange: string; readonly expected: Json; readonly got: Json };
}

/** Groups what did not hold by kind, place and endpoint; the most frequent first. */
export function missGroups(results: readonly ExchangeResult[]): readonly MissGroup[] {
  const groups = new Map<string, Mutable>();
  for (const { record, comparison } of results) {
    const endpoint = record.endpoint ?? `${record.request.method} (no endpoint)`;
    const causes = causesOf(comparison.misses);
    for (const miss of causes) {
      const key = `${miss.kind} ${miss.at} ${endpoint}`;
      const known = groups.get(key) ?? {
        cause: `${miss.kind}${miss.at === '' ? '' : ` ${miss.at}`} at ${endpoint}`,
        kind: miss.kind,
        at: miss.at,
        endpoint,
        count: 0,
        alone: 0,
        example: { exchange: record.id, expected: miss.expected, got: miss.got },
      };
      known.count += 1;
      if (causes.length === 1) known.alone += 1;
      groups.set(key, known);
    }
  }
  return [...groups.values()].toSorted(
    (left, right) =>
      right.count - left.count || right.alone - left.alone || (left.cause < right.cause ? -1 : 1),
  );
}

/** What the others follow from: another status, an empty list, a missing member before what it holds. */
function causesOf(misses: readonly Miss[]): readonly Miss[] {
  const status = misses.find(({ kind }) => kind === 'status');
  if (status) return [{ ...status, at: `${numberOf(status.got)} in place of ${numberOf(status.expected)}` }];
  const missing = new Set<string>();
  const empty = new Set<string>();
  for (const { kind, at, got } of misses) {
    if (kind === 'presence') missing.add(at);
    if (kind === 'determined' && at.endsWith(ITEMS) && got === 0)
      empty.add(`${at.slice(0, -ITEMS.length)}/*`);
  }
  return misses.filter(({ kind, at }) => {
    if (kind !== 'presence' && kind !== 'strict') return true;
    return !hasAncestor(at, empty) && (kind === 'strict' || !hasAncestor(at, missing));
  });
}

/** The number of a status that is told with a message. */
function numberOf(status: Json): string {
  return String(status).split(' ', 1)[0] ?? '';
}

function hasAncestor(pointer: string, among: ReadonlySet<string>): boolean {
  let at = pointer.slice(0, pointer.lastIndexOf('/'));
  while (at !== '') {
    if (among.has(at)) return true;
    at = at.slice(0, at.lastIndexOf('/'));
  }
  return false;
}

type Mutable = { -readonly [Name in keyof MissGroup]: MissGroup[Name] };
