import type { Tally } from './tally.ts';
import type { CorpusRecord } from './types.ts';
import { plainAddress } from './volatile.ts';

/** Headers that an answer has where the recorded one has them. */
const PRESENT = [
  'etag',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-used',
  'x-ratelimit-reset',
  'x-ratelimit-resource',
  'x-oauth-scopes',
  'x-accepted-oauth-scopes',
  'x-github-media-type',
  'x-github-api-version-selected',
  'cache-control',
  'request-id',
  'stripe-version',
  'original-request',
  'stripe-should-retry',
  'idempotency-key',
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'x-okta-request-id',
] as const;

/** Headers whose value is the same, too. */
const EQUAL: ReadonlySet<string> = new Set([
  'x-github-media-type',
  'x-accepted-oauth-scopes',
  'x-ratelimit-resource',
  'stripe-version',
]);

/** Rule 6: headers are there where they were, those that say something with the same value. */
export function compareHeaders(
  tally: Tally,
  { request, response }: CorpusRecord,
  ours: Readonly<Record<string, string>>,
): void {
  const type = response.headers['content-type'];
  if (type !== undefined) {
    const own = ours['content-type'];
    tally.check(
      { kind: 'header', at: 'content-type', expected: type, got: own },
      plainType(type) === plainType(own),
    );
  }
  for (const name of PRESENT) {
    const theirs = response.headers[name];
    // What the recorder stripped of the request may have been no token with scopes.
    if (theirs === undefined || (name === 'x-oauth-scopes' && request.auth !== 'token')) continue;
    const own = ours[name];
    tally.check(
      { kind: 'header', at: name, expected: theirs, got: own },
      own !== undefined && agrees(name, theirs, own),
    );
  }
}

function agrees(name: string, theirs: string, ours: string): boolean {
  if (name === 'link') return JSON.stringify(linksOf(theirs)) === JSON.stringify(linksOf(ours));
  return !EQUAL.has(name) || theirs.trim() === ours.trim();
}

/** Media type and charset, in one spelling. */
function plainType(text: string | undefined): string | undefined {
  return text
    ?.toLowerCase()
    .split(';')
    .map((part) => part.trim())
    .join('; ');
}

const CURSORS: ReadonlySet<string> = new Set(['before', 'after', 'cursor', 'page_token', 'since']);

/** A Link header as the sorted set of (relation, path template, query without the values of cursors). */
export function linksOf(header: string): readonly string[] {
  return [...header.matchAll(/<([^>]*)>\s*;\s*rel="?([^",;]+)"?/gu)]
    .map(([, address = '', relation = '']) => {
      const [path = '', query = ''] = address.split('?', 2);
      const members = query
        .split('&')
        .filter((part) => part !== '')
        .map((part) => (CURSORS.has(part.split('=', 1)[0] ?? '') ? part.split('=', 1)[0] : part))
        .toSorted();
      return `${relation} ${plainAddress(path)}?${members.join('&')}`;
    })
    .toSorted();
}
