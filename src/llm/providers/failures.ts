import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  TypeValidationError,
} from '@ai-sdk/provider';
import { isJsonObject, type Json } from '../../base/json.ts';
import type { Redaction } from '../redaction.ts';
import { ChatError } from '../types.ts';

/** Where a request went, for messages. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
  /** The environment variable that the key is taken from. */
  readonly keyVariable: string;
  /** Providers may quote the key. */
  readonly redaction: Redaction;
}

/** How far a request had come when it failed. */
export interface Progress {
  /** True once the answer's headers were here. */
  readonly hasBegun: boolean;
  /** The limit that was hit; null when none was. */
  readonly timedOutMs: number | null;
}

/** Whatever a provider package throws, as the port's own error. */
export function chatErrorOf(error: unknown, endpoint: Endpoint, progress: Progress): ChatError {
  const { baseUrl } = endpoint;
  const { timedOutMs, hasBegun } = progress;
  if (timedOutMs !== null) {
    return new ChatError('timeout', `${baseUrl} gave no whole answer within ${timedOutMs / 1000} s`, {
      cause: error,
    });
  }
  if (error instanceof ChatError) return error.kind === 'cut-off' ? cutOff(error, endpoint) : error;
  const answered = APICallError.isInstance(error) ? (error.statusCode ?? null) : null;
  if (isEndless(error)) return cutOff(error, endpoint);
  if (isNetwork(error) && (answered === null || answered < 400)) {
    return hasBegun || answered !== null ? cutOff(error, endpoint) : unreachable(error, endpoint);
  }
  const failure = failureOf(error);
  return failure ? ofStatus(failure, endpoint) : badAnswer(error, endpoint);
}

/** What a provider said no with. */
interface Failure {
  readonly status: number;
  readonly said: string;
  readonly retryAfterMs: number | null;
  readonly cause: unknown;
}

function failureOf(error: unknown): Failure | null {
  if (APICallError.isInstance(error)) {
    const { statusCode: status = 0, responseHeaders, message, responseBody = '' } = error;
    if (status < 400) return null;
    return {
      status,
      said: saidIn(responseBody) ?? message,
      retryAfterMs: retryAfterMs(responseHeaders),
      cause: error,
    };
  }
  // An error that came within a stream is a plain object.
  if (error instanceof Error || !isJsonObject(error)) return null;
  const status = statusOf(error);
  const said = saidOf(error) ?? 'no reason given';
  return status === null ? null : { status, said, retryAfterMs: null, cause: error };
}

/** An error within a stream has no status of its own: its type or code says what it would have been. */
function statusOf({ statusCode, code, type }: Readonly<Record<string, unknown>>): number | null {
  for (const given of [statusCode, Number(code)]) {
    if (typeof given === 'number' && given >= 400 && given < 600) return given;
  }
  const words = `${String(type)} ${String(code)}`;
  return STREAM_ERRORS.find(({ pattern }) => pattern.test(words))?.status ?? null;
}

const STREAM_ERRORS = [
  { pattern: /rate_?limit|too_many/iu, status: 429 },
  { pattern: /overload|server_error|api_error|unavailable|timeout/iu, status: 503 },
  { pattern: /authentication|api_key/iu, status: 401 },
  { pattern: /invalid_request/iu, status: 400 },
] as const;

function ofStatus(failure: Failure, endpoint: Endpoint): ChatError {
  const { status, retryAfterMs: waitMs, cause } = failure;
  const { baseUrl, model, keyVariable, redaction } = endpoint;
  const said = redaction.text(oneLine(failure.said));
  if (status === 401 || status === 403) {
    return new ChatError('unauthorised', `${baseUrl} does not take the key (status ${status}): ${said}`, {
      hint: `the key is taken from ${keyVariable}`,
      cause,
    });
  }
  if (status === 402 || /insufficient.quota|exceeded your current quota|credit balance/iu.test(said)) {
    return new ChatError('no-credit', `the account at ${baseUrl} has no credit left: ${said}`, { cause });
  }
  if (/model/iu.test(said) && (status === 404 || (status === 400 && isUnknown(said)))) {
    return new ChatError('unknown-model', `${baseUrl} has no model named ${model}: ${said}`, { cause });
  }
  if (status === 404 || status === 405) {
    return new ChatError('bad-url', `there is no chat endpoint under ${baseUrl} (status ${status})`, {
      hint: URL_HINT,
      cause,
    });
  }
  if (status === 429) {
    return new ChatError('rate-limited', `${baseUrl} asks to slow down: ${said}`, {
      retryAfterMs: waitMs,
      cause,
    });
  }
  if (status >= 500 || status === 408 || status === 409) {
    return new ChatError('overloaded', `${baseUrl} failed with status ${status}: ${said}`, {
      retryAfterMs: waitMs,
      cause,
    });
  }
  return new ChatError('bad-request', `${baseUrl} refused the request (status ${status}): ${said}`, {
    cause,
  });
}

const URL_HINT = 'a base URL ends before /chat/completions or /messages, such as http://localhost:8000/v1';

function isUnknown(said: string): boolean {
  return /(?:invalid|unknown) model|model.{0,80}(?:not (?:found|exist)|unknown)/iu.test(said);
}

function unreachable(cause: unknown, { baseUrl }: Endpoint): ChatError {
  return new ChatError('unreachable', `${baseUrl} cannot be reached: ${causeOf(cause)}`, {
    hint: 'is the server up, and the base URL right?',
    cause,
  });
}

function cutOff(cause: unknown, { baseUrl }: Endpoint): ChatError {
  return new ChatError('cut-off', `${baseUrl} broke off its answer before the end`, { cause });
}

function badAnswer(cause: unknown, { baseUrl, redaction }: Endpoint): ChatError {
  if (APICallError.isInstance(cause) && isWebPage(cause.responseHeaders)) return webPage(baseUrl, cause);
  const reason = redaction.text(oneLine(faultOf(cause)));
  return new ChatError('bad-answer', `${baseUrl} gave an answer that is none: ${reason}`, { cause });
}

/** What is wrong with an answer. The packages' own words quote all of it. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return saidOf(error) ?? 'no reason given';
  if (JSONParseError.isInstance(error) || /^Expected a normalized/u.test(error.message)) {
    return 'it is no JSON';
  }
  if (TypeValidationError.isInstance(error)) return 'its JSON is no chat reply';
  return error.cause instanceof Error ? faultOf(error.cause) : error.message;
}

export function isWebPage(headers: Readonly<Record<string, string>> = {}): boolean {
  return (headers['content-type'] ?? '').startsWith('text/html');
}

export function webPage(baseUrl: string, cause?: unknown): ChatError {
  return new ChatError('bad-url', `${baseUrl} answers with a web page, which no model does`, {
    hint: URL_HINT,
    cause,
  });
}

/** A stream in good order that lacks its end, or an answer with nothing in it. */
function isEndless(error: unknown): boolean {
  if (InvalidResponseDataError.isInstance(error)) return /without a finish reason/iu.test(error.message);
  if (!APICallError.isInstance(error)) return false;
  const { statusCode = 0, responseBody } = error;
  return statusCode >= 200 && statusCode < 300 && responseBody?.trim() === '';
}

function isNetwork(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    // Quotes the answer, which may speak of anything.
    if (JSONParseError.isInstance(at) || TypeValidationError.isInstance(at)) return false;
    const { code = '' } = at as { readonly code?: unknown };
    if (NETWORK.test(`${code} ${at.message}`)) return true;
  }
  return false;
}

const NETWORK = new RegExp(
  [
    '^(?:ECONN|EHOST|ENET|EPIPE|ENOTFOUND|EAI_AGAIN|UND_ERR|ERR_SSL|CERT_)',
    String.raw`fetch failed|connect to API|\bterminated\b|other side closed|certificate`,
  ].join('|'),
  'iu',
);

/** The innermost reason that has one. */
function causeOf(error: unknown): string {
  let reason = 'no reason given';
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { readonly code?: string };
    reason = code ?? (at.message || reason);
  }
  return oneLine(reason);
}

/** The provider's own words in a body of JSON; undefined for any other. */
function saidIn(body: string): string | undefined {
  try {
    return saidOf(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function saidOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { error, message, detail } = value;
  for (const said of [error, message, detail] satisfies (Json | undefined)[]) {
    if (typeof said === 'string') return said;
  }
  return saidOf(error);
}

const SAID_MOST = 200;

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, SAID_MOST);
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date; null where neither can be read. */
function retryAfterMs(headers: Readonly<Record<string, string>> = {}): number | null {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const given = headers['retry-after'] ?? '';
  if (/^\s*\d+(?:\.\d+)?\s*$/u.test(given)) return Number(given) * 1000;
  const at = Date.parse(given);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
