import type { Reading } from '../operation.ts';

/**
 * 404 for what the path leads to. GitHub finds that out before it knows what the operation wants of a token:
 * `x-accepted-oauth-scopes` then names what any path wants.
 */
export function unfound(ctx: Reading): never {
  ctx.reply({ facts: { acceptedScopes: 'repo' } });
  return ctx.fail('not_found');
}
