import { APICallError } from '@ai-sdk/provider';
import { ChatError } from '../types.ts';

/** Where a request went, for messages. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
  /** The environment variable that the key is taken from. */
  readonly keyVariable: string;
}

/** Whatever a provider package throws, as the port's own error. */
export function chatErrorOf(error: unknown, endpoint: Endpoint, timedOutMs: number | null): ChatError {
  if (error instanceof ChatError) return error;
  if (timedOutMs !== null) {
    return new ChatError('timeout', `${endpoint.baseUrl} gave no answer within ${timedOutMs / 1000} s`, {
      cause: error,
    });
  }
  if (!APICallError.isInstance(error)) {
    return isNetwork(error) ? unreachable(error, endpoint) : badAnswer(error, endpoint);
  }
  const { statusCode: status } = error;
  if (status === undefined) return unreachable(error, endpoint);
  return ofStatus(status, error, endpoint);
}

function ofStatus(status: number, error: APICallError, endpoint: Endpoint): ChatError {
  const { baseUrl, model, keyVariable } = endpoint;
  const said = saidBy(error);
  if (status === 401 || status === 403) {
    return new ChatError('unauthorised', `${baseUrl} does not take the key (status ${status}): ${said}`, {
      hint: `the key is taken from ${keyVariable}`,
      cause: error,
    });
  }
  if (/model/iu.test(said) && (status === 404 || (status === 400 && isUnknown(said)))) {
    return new ChatError('unknown-model', `${baseUrl} has no model named ${model}: ${said}`, {
      cause: error,
    });
  }
  if (status === 404 || status === 405) {
    return new ChatError('bad-url', `there is no chat endpoint under ${baseUrl} (status ${status})`, {
      hint: 'a base URL ends before /chat/completions or /messages, such as http://localhost:8000/v1',
      cause: error,
    });
  }
  if (status === 429) {
    return new ChatError('rate-limited', `${baseUrl} asks to slow down: ${said}`, {
      retryAfterMs: retryAfterMs(error.responseHeaders),
      cause: error,
    });
  }
  if (status >= 500 || status === 408 || status === 409) {
    return new ChatError('overloaded', `${baseUrl} failed with status ${status}: ${said}`, {
      retryAfterMs: retryAfterMs(error.responseHeaders),
      cause: error,
    });
  }
  if (status < 400) return badAnswer(error, endpoint);
  return new ChatError('bad-request', `${baseUrl} refused the request (status ${status}): ${said}`, {
    cause: error,
  });
}

function isUnknown(said: string): boolean {
  return /not (?:found|exist)|unknown|does not exist|invalid model/iu.test(said);
}

function unreachable(error: unknown, { baseUrl }: Endpoint): ChatError {
  return new ChatError('unreachable', `${baseUrl} cannot be reached: ${causeOf(error)}`, {
    hint: 'is the server up, and the base URL right?',
    cause: error,
  });
}

function badAnswer(error: unknown, { baseUrl }: Endpoint): ChatError {
  const reason = error instanceof Error ? oneLine(error.message) : 'no reason given';
  return new ChatError('bad-answer', `${baseUrl} gave an answer that is none: ${reason}`, { cause: error });
}

function isNetwork(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const text = `${error.name} ${error.message} ${causeOf(error)}`;
  return /fetch failed|terminated|ECONN|ENOTFOUND|EAI_AGAIN|UND_ERR|socket|network/iu.test(text);
}

/** The innermost reason that has one. */
function causeOf(error: unknown): string {
  let reason = 'no reason given';
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { readonly code?: string };
    reason = code ?? (at.message || reason);
  }
  return oneLine(reason);
}

const SAID_MOST = 200;

/** The provider's own words. */
function saidBy({ message, responseBody = '' }: APICallError): string {
  const words = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/u.exec(responseBody)?.[1];
  return oneLine(words ?? message);
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, SAID_MOST);
}

/** `retry-after-ms`, or `retry-after` in seconds; null where neither says anything that can be read. */
function retryAfterMs(headers: Readonly<Record<string, string>> = {}): number | null {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}
