import type { Json } from '../base/json.ts';

/** What stands in place of a value that no two worlds have alike. */
export const TOKEN = '·';

const VOLATILE: readonly RegExp[] = [
  /(?:^|_)(?:id|sha|oid|date|ts|created|updated|etag)$/u,
  /_at$|(?:^|_)token/u,
  /^(?:avatar_url|gravatar_id|request_log_url)$/u,
  /(?:Id|At|Date|Updated)$/u,
  /^(?:time|lastLogin|passwordChanged|kid|fingerprint|client_secret)$/u,
];

/** Whether the value of a member of this name differs between worlds by its nature: ids, moments, tokens. */
export function isVolatile(name: string): boolean {
  return VOLATILE.some((pattern) => pattern.test(name));
}

/** Whether the member counts other things: comparable only where all of them were made in the scenario. */
export function isCount(name: string): boolean {
  return name.endsWith('_count');
}

const REDACTED: readonly RegExp[] = [
  /REDACTED|^Redacted [0-9a-f]{4}$/u,
  /^user-[0-9a-f]{6}$|^Person [0-9a-f]{4}$/u,
  /@example\.com\b|\b(?:192\.0\.2|203\.0\.113)\.\d{1,3}\b/u,
];

/** Whether a recorded text holds a stand-in for what was private. */
export function isRedacted(text: string): boolean {
  return REDACTED.some((pattern) => pattern.test(text));
}

const HEX = /\b[0-9a-f]{40}\b/gu;
const LONG_NUMBER = /\b\d{4,}\b/gu;

/** A message with ids and hashes replaced. */
export function plainMessage(text: string): string {
  return text.replaceAll(HEX, TOKEN).replaceAll(LONG_NUMBER, TOKEN);
}

/** Where documentation is: host, language and old prefixes dropped, as pages moved. */
export function plainDocumentation(text: string): string {
  return text
    .replace(/^https?:\/\/[^/]*/u, '')
    .replace(/^\/en(?=\/|$)/u, '')
    .replace(/\/v3(?=\/|$)/u, '')
    .replace(/\/reference(?=\/|$)/u, '');
}

const URL_START = /^(?:https?|git|ssh|wss?):\/\/[^/?#]*/u;

/** Whether a text is an address. */
export function isAddress(text: string): boolean {
  return URL_START.test(text);
}

/** An address as its path template and the names of its query: host and ids dropped. */
export function plainAddress(text: string): string {
  const path = text.replace(URL_START, '').replace(/^\/_groundhog\/s\/[^/]+\/[^/]+/u, '');
  const [before = '', query = ''] = path.split('#', 1)[0]?.split('?', 2) ?? [];
  const names = query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => part.split('=', 1)[0] ?? '');
  const plain = before.split('/').map(plainSegment).join('/');
  return names.length === 0 ? plain : `${plain}?${names.toSorted().join('&')}`;
}

function plainSegment(segment: string): string {
  // What follows an id stays: a template's query, and the ending of a repository's address.
  const base = segment.replace(/(?:\.git)?(?:\{.*)?$/u, '');
  const rest = segment.slice(base.length);
  return `${isId(base) ? TOKEN : base}${rest}`;
}

function isId(segment: string): boolean {
  if (/^\d+$/u.test(segment) || /^[0-9a-f]{20,}$/u.test(segment) || isRedacted(segment)) return true;
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/u.test(segment)) return true;
  return /^(?:[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}|[A-Z]{1,5}_[A-Za-z0-9_-]{6,})$/u.test(segment);
}

/**
 * A leaf as it is compared in strict mode, or undefined for one that is not: volatile by its name, redacted,
 * or a count that others have a part in.
 */
export function comparableLeaf(name: string, value: Json, options: LeafOptions): Json | undefined {
  if (isVolatile(name)) return undefined;
  if (isCount(name) && !options.countsOwn) return undefined;
  if (name === 'size' && options.sizesDiffer) return undefined;
  if (typeof value !== 'string') return value;
  if (name === 'documentation_url') return options.exactDocumentation ? value : plainDocumentation(value);
  if (isRedacted(value) && !isAddress(value)) return undefined;
  if (isAddress(value)) return plainAddress(value);
  return value.replaceAll(HEX, TOKEN);
}

export interface LeafOptions {
  /** Whether the object around the leaf was made in the scenario, and so all that it counts. */
  readonly countsOwn: boolean;
  /** Whether content was redacted, so that sizes cannot agree. */
  readonly sizesDiffer: boolean;
  readonly exactDocumentation: boolean;
}
