import { defineErrors } from '../../service/index.ts';

/**
 * Everything that GitHub says no with. What fills `{message}` stands where it is said; `errors` among the
 * details become the envelope's own.
 */
export const errors = defineErrors({
  bad_credentials: { status: 401, message: 'Bad credentials', reach: 'door' },
  requires_authentication: { status: 401, message: 'Requires authentication', reach: 'door' },
  login_required: { status: 401, message: 'Requires authentication' },
  bad_request: { status: 400, message: '{message}' },
  no_user_agent: { status: 403, message: '{message}' },
  forbidden: { status: 403, message: '{message}' },
  rate_limited: { status: 403, message: 'API rate limit exceeded for {who}. {advice}' },
  secondary_limited: { status: 403, message: '{message}' },
  throttled: { status: 429, message: '{message}', reach: 'fault' },
  unavailable: { status: 503, message: '{message}', reach: 'fault' },
  server_error: { status: 500, message: '{message}', reach: 'fault' },
  bad_gateway: { status: 502, message: '{message}', reach: 'fault' },
  not_found: { status: 404, message: 'Not Found' },
  absent: { status: 404, message: '{message}' },
  method_not_allowed: { status: 405, message: '{message}' },
  conflict: { status: 409, message: '{message}' },
  gone: { status: 410, message: '{message}' },
  /** Under another name now; a write is answered with 307. */
  moved: { status: 301, message: 'Moved Permanently' },
  invalid_request: { status: 422, message: 'Invalid request.\n\n{problem}' },
  validation_failed: { status: 422, message: 'Validation Failed' },
  unprocessable: { status: 422, message: '{message}' },
  /** Of the graph: a change that was not made is told of with 200, in a body of its own. */
  graph_errors: { status: 200, message: 'The change was not made.' },
});

export type GithubErrors = typeof errors;
export type ErrorCode = keyof GithubErrors;
