import { ProviderError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Access, ErrorTable, InputIssue, Protocol, Refusal } from './types.ts';

/** Builds the error of a service's table; `{name}` in its message is replaced by the detail of that name. */
export function providerError(
  errors: ErrorTable,
  code: string,
  options: {
    readonly details?: JsonObject;
    readonly commit?: boolean;
    readonly headers?: Record<string, string>;
  } = {},
): ProviderError {
  const spec = errors[code];
  if (!spec) throw new TypeError(`the service declares no error named ${code}`);
  return new ProviderError(code, fillTemplate(spec.message, options.details ?? {}), {
    status: spec.status,
    ...options,
  });
}

/** Replaces `{name}` by the detail of that name; a name without a detail stays as it is written. */
function fillTemplate(template: string, details: JsonObject): string {
  return template.replace(/\{(\w+)\}/gu, (whole, name: string) => {
    const value = details[name];
    return value === undefined ? whole : typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/**
 * The protocol of a domain world, which has no vendor to imitate: errors are
 * `{error: {code, message, details?}}`, and the answers below come from the codes of `PLAIN_ERRORS`.
 */
export function plainProtocol(errors: ErrorTable): Protocol {
  return {
    errorBody: (error) => ({ error: plainBody(error) }),
    invalidInput: (issues) =>
      providerError(errors, 'invalid_input', { details: { issues: describeIssues(issues) } }),
    unknownOperation: (name) => providerError(errors, 'unknown_operation', { details: { name } }),
    unauthenticated: (reason) =>
      providerError(errors, 'unauthenticated', {
        details: { reason },
        headers: { 'www-authenticate': 'Bearer' },
      }),
    refusal: (refusal) => {
      const { code, seconds } = plainRefusal(refusal);
      if (seconds === null) return providerError(errors, code);
      const headers = { 'retry-after': String(seconds) };
      return providerError(errors, code, { details: { seconds }, headers });
    },
  };
}

/**
 * The code of `PLAIN_ERRORS` that a refusal has, and when to come again, in seconds: at once (1) where the
 * rule leaves that open, null for failures that nobody can time.
 */
export function plainRefusal({ status, retryAfterSeconds, reason }: Refusal): {
  readonly code: keyof typeof PLAIN_ERRORS;
  readonly seconds: number | null;
} {
  const isTimed = status === 429 || status === 503;
  const seconds = retryAfterSeconds ?? (isTimed ? 1 : null);
  if (reason === 'quota') return { code: 'quota_exceeded', seconds };
  return { code: reason === 'maintenance' ? 'maintenance' : PLAIN_REFUSALS[status], seconds };
}

const PLAIN_REFUSALS = {
  429: 'rate_limited',
  500: 'server_error',
  502: 'bad_gateway',
  503: 'unavailable',
} as const;

/** The errors that `plainProtocol` needs, to be spread into a service's own table. */
export const PLAIN_ERRORS = {
  invalid_input: { status: 422, message: 'The arguments are not valid: {issues}.' },
  unknown_operation: { status: 404, message: 'There is no operation named {name}.' },
  unauthenticated: { status: 401, message: 'The access token is {reason}.', reach: 'door' },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Try again in {seconds} seconds.',
    reach: 'fault',
  },
  unavailable: {
    status: 503,
    message: 'The service is not available. Try again in {seconds} seconds.',
    reach: 'fault',
  },
  quota_exceeded: {
    status: 429,
    message: 'The quota is used up. Try again in {seconds} seconds.',
    reach: 'fault',
  },
  maintenance: {
    status: 503,
    message: 'The service is under maintenance. Try again in {seconds} seconds.',
    reach: 'fault',
  },
  server_error: { status: 500, message: 'Something went wrong on our side.', reach: 'fault' },
  bad_gateway: { status: 502, message: 'The service did not get an answer in time.', reach: 'fault' },
} as const satisfies ErrorTable;

/** How a domain world is reached: a bearer token in a variable of its own, a host that nobody else has. */
export function plainAccess(name: string): Access {
  return {
    hosts: [`api.${name}.example`],
    environment: [`${name.toUpperCase()}_TOKEN`],
    token: { prefix: `${name}_`, length: 32 },
    places: [{ in: 'authorization', scheme: 'Bearer' }],
  };
}

/** One line for all issues: `amount: expected number; reason: required`. */
export function describeIssues(issues: readonly InputIssue[]): string {
  return issues.map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message)).join('; ');
}

function plainBody(error: ProviderError): Json {
  const body = { code: error.code, message: error.message };
  return error.details === undefined ? body : { ...body, details: error.details };
}
