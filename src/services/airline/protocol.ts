import { type Protocol, plainRefusal, providerError } from '../../service/index.ts';
import { bindingText } from './arguments.ts';
import { errors } from './errors.ts';

/** Answers are text and so are refusals: the sentence alone is the body. */
export const protocol: Protocol = {
  errorBody: (error) => error.message,
  invalidInput: (issues) =>
    providerError(errors, 'invalid_arguments', { details: { text: bindingText(issues) } }),
  unknownOperation: (name) => providerError(errors, 'unknown_action', { details: { name } }),
  unauthenticated: (reason) => providerError(errors, 'unauthenticated', { details: { reason } }),
  refusal: (refusal) => {
    const { code, seconds } = plainRefusal(refusal);
    if (seconds === null) return providerError(errors, code);
    const headers = { 'retry-after': String(seconds) };
    return providerError(errors, code, { details: { seconds }, headers });
  },
};
