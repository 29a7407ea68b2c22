import { type Protocol, providerError } from '../../service/index.ts';
import { bindingText } from './arguments.ts';
import { errors } from './errors.ts';

/** Answers are text and so are refusals: the sentence alone is the body. */
export const protocol: Protocol = {
  errorBody: (error) => error.message,
  invalidInput: (issues) =>
    providerError(errors, 'invalid_arguments', { details: { text: bindingText(issues) } }),
  unknownOperation: (name) => providerError(errors, 'unknown_action', { details: { name } }),
  unauthenticated: (reason) => providerError(errors, 'unauthenticated', { details: { reason } }),
  refusal: (status, retryAfterSeconds) =>
    providerError(errors, status === 429 ? 'rate_limited' : 'unavailable', {
      details: { seconds: retryAfterSeconds },
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),
};
