import {
  type Actor,
  type Answer,
  type Authorisation,
  type Completion,
  digestText,
  type InputIssue,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonText,
  type Protocol,
  ProviderError,
  providerError,
} from '../../service/index.ts';
import { PUBLISHED } from './coverage.ts';
import { errors } from './errors.ts';
import { exhaustedUntil, rateLimited, refusal, SECONDARY_LIMIT } from './faults.ts';
import { Kept } from './kept.ts';
import { acceptedScopesOf } from './protocol/accepted-scopes.ts';
import { permissionOf, refusalOf, scopesOf } from './protocol/access.ts';
import { deprecationHeaders } from './protocol/deprecations.ts';
import { documentationUrl } from './protocol/documentation.ts';
import { datedBody, errorHeaders } from './protocol/error-bodies.ts';
import { issuedActor } from './protocol/issued.ts';
import {
  type Bucket,
  bucketOf,
  counted,
  isAnonymous,
  limitOf,
  secondaryWaitSeconds,
  weightOf,
} from './protocol/limits.ts';
import { linkOf, type PageFacts } from './protocol/links.ts';
import { inForms } from './protocol/markup.ts';
import { isOrdinary, mediaTypeOf } from './protocol/media.ts';
import { refusalText } from './protocol/refusals.ts';

export const API_VERSION = '2022-11-28';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Who calls without a token: public things may be read. */
export const ANONYMOUS: Actor = { id: 'anonymous', attributes: { anonymous: true } };

/** Headers that change an answer where they are sent. */
const KEPT = ['if-none-match', 'if-modified-since', 'time-zone'] as const;

export const protocol: Protocol = {
  anonymous: ANONYMOUS,
  errorBody,
  invalidInput,
  unknownOperation: () => providerError(errors, 'not_found'),
  unauthenticated: (reason) =>
    providerError(errors, reason === 'missing' ? 'requires_authentication' : 'bad_credentials'),
  requestHeaders,
  authorise,
  complete,
  refusal,
};

/** `{message, errors?, documentation_url, status}`; the members that details name beside them. */
function errorBody(error: ProviderError, operation?: string): Json {
  const details = isJsonObject(error.details ?? null) ? (error.details as JsonObject) : {};
  if (error.code === 'graph_errors') return details.body ?? null;
  if (details.wordless === true) return {};
  const url = documentationUrl({ operation, status: error.status }, Number.POSITIVE_INFINITY);
  if (error.code === 'moved') {
    return { message: error.message, url: details.url ?? '', documentation_url: url };
  }
  return {
    message: error.message,
    ...(details.errors !== undefined && { errors: details.errors }),
    documentation_url: url,
    status: String(error.status),
  };
}

/** What the published schema refuses: members that are missing, and those of another kind. */
function invalidInput(issues: readonly InputIssue[], operation?: string): ProviderError {
  if (issues.some((issue) => issue.message === 'the arguments are not valid JSON')) {
    return providerError(errors, 'bad_request', { details: { message: 'Problems parsing JSON' } });
  }
  const missing = issues.filter((issue) => /received undefined/u.test(issue.message));
  const [first] = issues;
  // What should be a number in a path leads nowhere.
  const isNowhere = issues.some(({ path, received }) => received !== undefined && isInPath(operation, path));
  if (isNowhere) return providerError(errors, 'not_found');
  if (missing.length > 0) {
    const names = missing.map((issue) => `"${issue.path}"`).join(', ');
    const problem = `${names} ${missing.length === 1 ? "wasn't" : "weren't"} supplied.`;
    return providerError(errors, 'invalid_request', { details: { problem } });
  }
  if (first?.path === '') {
    return providerError(errors, 'bad_request', { details: { message: 'Body should be a JSON object' } });
  }
  const problem = first ? refusalText(first) : '';
  return providerError(errors, 'invalid_request', { details: { problem } });
}

function isInPath(operation: string | undefined, member: string): boolean {
  return PUBLISHED.get(operation ?? '')?.path.includes(`{${member}}`) ?? false;
}

function requestHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> | undefined {
  const kept: Record<string, string> = {};
  const { accept } = headers;
  if (accept !== undefined && !isOrdinary(accept)) kept.accept = accept;
  for (const name of KEPT) {
    const value = headers[name];
    if (value !== undefined) kept[name] = value;
  }
  const version = headers['x-github-api-version'];
  if (version !== undefined && version !== API_VERSION) kept['x-github-api-version'] = version;
  if (headers['user-agent'] === undefined || headers['user-agent'] === '') kept['user-agent'] = '';
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** Versions of the API that may be asked for. */
const VERSIONS: ReadonlySet<string> = new Set([API_VERSION, '2026-03-10']);

function authorise(call: Authorisation): Actor | ProviderError {
  const actor = issuedActor(call);
  return actor instanceof ProviderError ? actor : authoriseActor({ ...call, actor });
}

function authoriseActor(call: Authorisation): Actor | ProviderError {
  const { actor, operation, headers, nowMs } = call;
  if (headers['user-agent'] === '') {
    const message =
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.';
    return providerError(errors, 'no_user_agent', { details: { message } });
  }
  const version = headers['x-github-api-version'];
  if (version !== undefined && !VERSIONS.has(version)) {
    const message = `"${version}" is not a supported version.`;
    return providerError(errors, 'bad_request', { details: { message } });
  }
  const bucket = bucketOf(call.table('rate_buckets'), actor, { limit: limitOf(operation.id, actor), nowMs });
  if (operation.id !== 'rate-limit/get') {
    if (bucket.remaining === 0) return rateLimited(call, null);
    const waitSeconds = secondaryWaitSeconds(bucket, weightOf(operation), nowMs);
    if (waitSeconds !== null) return secondaryLimited(waitSeconds);
  }
  return refusalOf(call) ?? actor;
}

function secondaryLimited(waitSeconds: number): ProviderError {
  return providerError(errors, 'secondary_limited', {
    details: { message: SECONDARY_LIMIT },
    headers: { 'retry-after': String(waitSeconds) },
  });
}

/** Headers of every answer, the conditional request, and the count of the call. */
function complete(call: Completion): Answer {
  const { actor, answer, operation, nowMs, headers } = call;
  const buckets = call.table('rate_buckets');
  const before = exhausted(
    bucketOf(buckets, actor, { limit: limitOf(operation?.id ?? '', actor), nowMs }),
    call.error,
  );
  const entity = entityHeaders(call);
  const unchanged = isUnchanged(headers, entity);
  // A 304 costs those nothing who say who they are.
  const free =
    operation?.id === 'rate-limit/get' ||
    call.error?.code === 'secondary_limited' ||
    call.error?.code === 'throttled' ||
    (unchanged && !isAnonymous(actor));
  const weight = weightOf(operation);
  const bucket = free || before.remaining === 0 ? before : counted(buckets, actor, { before, weight });
  const always = { ...limitHeaders(bucket), ...commonHeaders(call, bucket) };
  if (unchanged) {
    return { status: 304, headers: { ...always, ...entity }, body: null, form: 'empty' };
  }
  const { form, type } = formOf(call);
  return {
    // A write that is sent on must be sent again as it was.
    status: call.error?.code === 'moved' && operation?.effect === 'write' ? 307 : answer.status,
    body:
      type === NOTHING_TYPE
        ? ''
        : inForms(datedBody(call, always), mediaTypeOf(headers.accept, nowMs).forms, call.table),
    form,
    headers: {
      ...(type !== null && { 'content-type': type }),
      ...always,
      ...scopeHeaders(call),
      'x-github-media-type': mediaTypeOf(headers.accept, nowMs).header,
      ...entity,
      ...errorHeaders(call),
      ...withLinks(placeHeaders(call), deprecationHeaders(call)),
      ...answer.headers,
    },
  };
}

/** The bucket as an answer shows it that says, by a fault, that it is used up. */
function exhausted(bucket: Bucket, error: ProviderError | undefined): Bucket {
  const reset = exhaustedUntil(error);
  return reset === null ? bucket : { ...bucket, used: bucket.limit, remaining: 0, reset };
}

/** In these years even nothing had a type. */
const NOTHING_TYPE = 'application/octet-stream';
const NOTHING_TYPED = { from: Date.UTC(2017, 7, 1), to: Date.UTC(2019, 8, 1) } as const;

/** The form that an answer goes out in, and its type. */
function formOf({ answer, nowMs }: Completion): {
  readonly form: Answer['form'];
  readonly type: string | null;
} {
  if (answer.status !== 204) return { form: answer.form, type: answer.form === 'empty' ? null : JSON_TYPE };
  const isTyped = nowMs >= NOTHING_TYPED.from && nowMs < NOTHING_TYPED.to;
  // What is empty goes out without a type: a text of no letters may have one.
  return isTyped ? { form: 'text', type: NOTHING_TYPE } : { form: 'empty', type: null };
}

function limitHeaders(bucket: Bucket): Record<string, string> {
  return {
    'x-ratelimit-limit': String(bucket.limit),
    'x-ratelimit-remaining': String(bucket.remaining),
    'x-ratelimit-used': String(bucket.used),
    'x-ratelimit-reset': String(bucket.reset),
    'x-ratelimit-resource': bucket.resource,
  };
}

function commonHeaders({ headers, nowMs }: Completion, bucket: Bucket): Record<string, string> {
  const asked = headers['x-github-api-version'];
  const version = asked !== undefined && VERSIONS.has(asked) ? asked : API_VERSION;
  return {
    'x-github-api-version-selected': version,
    'x-github-request-id': requestId(bucket, nowMs),
  };
}

/** Looks like GitHub's, the same in every run: no two calls of an actor have one moment and one count. */
function requestId({ used, reset }: Bucket, nowMs: number): string {
  const word = (value: number, index: number): string => {
    const mixed = Math.imul(value ^ (value / 0x1_0000_0000), 0x9e37_79b1 + 2 * index);
    return hexOf(mixed ^ (mixed >>> 15));
  };
  const [first, second] = [word(nowMs, 0).slice(0, 4), word(used, 1).slice(0, 6)];
  return `${first}:${second}:${word(reset, 2)}:${word(nowMs + used, 3)}`;
}

const HEX_OF_BYTES = Array.from({ length: 256 }, (_, byte) => hexText(byte));

function hexText(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

/** 32 bits as eight hexadecimal digits. */
function hexOf(word: number): string {
  const at = (shift: number): string => HEX_OF_BYTES[(word >>> shift) & 0xff] ?? '';
  return at(24) + at(16) + at(8) + at(0);
}

const HEADERS_KEPT = 500;
const NOTHING_ELSE: readonly unknown[] = [];
const keptScopes = new Kept<Actor, string>(HEADERS_KEPT);
const keptDates = new Kept<string, string>(HEADERS_KEPT);

function scopeHeaders({ actor, operation, facts, error }: Completion): Record<string, string> {
  if (isAnonymous(actor)) return {};
  const scopes = scopesOf(actor);
  if (scopes) {
    return {
      'x-oauth-scopes': keptScopes.of(actor, NOTHING_ELSE, () => scopes.join(', ')),
      'x-accepted-oauth-scopes': acceptedScopes({ operation, facts, error }),
    };
  }
  const permission = operation && permissionOf(operation.id, operation.effect);
  return permission ? { 'x-accepted-github-permissions': permission } : {};
}

/** What the operation accepts, unless it said otherwise of this call. */
function acceptedScopes({
  operation,
  facts,
  error,
}: Pick<Completion, 'operation' | 'facts' | 'error'>): string {
  // Paths that lead nowhere are taken for those of repositories.
  if (!operation) return 'repo';
  const usual = acceptedScopesOf(operation.id);
  const { acceptedScopes: told } = facts;
  const isTold = typeof told === 'string' && (usual === '' || error?.code !== 'not_found');
  return isTold ? told : usual;
}

const UNKEPT: ReadonlySet<string> = new Set(['rate-limit/get', 'graphql', 'graphql/query']);

/** Validators and caching of answers that show something; search and failures are never kept. */
function entityHeaders({ actor, answer, operation, error, facts }: Completion): Record<string, string> {
  const shows = !error && (answer.status === 200 || answer.status === 201) && answer.form !== 'empty';
  if (!shows || !operation) return {};
  if (operation.id.startsWith('search/') || UNKEPT.has(operation.id)) return { 'cache-control': 'no-cache' };
  const audience = isAnonymous(actor) ? 'public' : 'private';
  const tag = digestText(`${actor.id}\n${jsonText(answer.body)}`);
  return {
    'cache-control': `${audience}, max-age=60, s-maxage=60`,
    etag: answer.status === 201 ? `"${tag}"` : `W/"${tag}"`,
    ...((operation.http?.method === 'GET' || facts.modified !== undefined) &&
      lastModified(answer.body, facts)),
  };
}

/** Single things were last modified when they say so; for others the operation may say it in its facts. */
function lastModified(body: Json, facts: JsonObject): Record<string, string> {
  const shown = isJsonObject(body) ? (body.updated_at ?? body.published_at) : undefined;
  const moment = facts.modified ?? shown;
  if (typeof moment !== 'string') return {};
  return { 'last-modified': keptDates.of(moment, NOTHING_ELSE, () => new Date(moment).toUTCString()) };
}

function isUnchanged(headers: Completion['headers'], entity: Record<string, string>): boolean {
  const { etag, 'last-modified': modified } = entity;
  const asked = headers['if-none-match'];
  if (asked !== undefined) {
    if (etag === undefined) return false;
    const bare = (tag: string): string => tag.trim().replace(/^W\//u, '');
    return asked.trim() === '*' || asked.split(',').some((tag) => bare(tag) === bare(etag));
  }
  const since = headers['if-modified-since'];
  if (since === undefined || modified === undefined) return false;
  return Date.parse(modified) <= Date.parse(since);
}

/** Two sets of headers; where both have links, all of them. */
function withLinks(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): Record<string, string> {
  const links = [one.link, other.link].filter((link) => link !== undefined);
  return { ...one, ...other, ...(links.length > 0 && { link: links.join(', ') }) };
}

/** Where a new thing is, where a moved one is now, and the pages around this one. */
function placeHeaders({ answer, facts, input, error }: Completion): Record<string, string> {
  const details = error && isJsonObject(error.details ?? null) ? (error.details as JsonObject) : undefined;
  if (details && error?.code === 'moved') {
    return { location: String(details.url) };
  }
  const link = facts.page === undefined ? null : linkOf(facts.page as unknown as PageFacts, input);
  const { location } = facts;
  return {
    ...(link !== null && { link }),
    ...(typeof location === 'string' && answer.status < 400 && { location }),
  };
}
