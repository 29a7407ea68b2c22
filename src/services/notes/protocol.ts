import { type Authorisation, plainProtocol, providerError } from '../../service/index.ts';
import { errors } from './errors.ts';

/**
 * Notes has no vendor to imitate: the kit's plain envelope, `{error: {code, message, details?}}`. A call that
 * shows an access token may do what the token's scope says, until it is revoked.
 */
export const protocol = {
  ...plainProtocol(errors),
  authorise({ actor, credential, operation, table }: Authorisation) {
    if (credential === undefined) return actor;
    const token = table('access_tokens').get(credential);
    if (!token || token.revoked === true) return providerError(errors, 'token_revoked');
    if (token.scope === 'read' && operation.effect === 'write') {
      return providerError(errors, 'missing_scope', { details: { scope: 'read' } });
    }
    return actor;
  },
};
