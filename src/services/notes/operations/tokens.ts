import { z } from 'zod';
import { operation } from '../operation.ts';

const scope = z.enum(['read', 'write']).describe('What its holder may do; write includes read.');

export const createToken = operation({
  id: 'tokens.create',
  summary: 'Issues an access token that reads only, or reads and writes.',
  effect: 'write',
  http: { method: 'POST', path: '/tokens', status: 201 },
  input: z.strictObject({ scope }),
  output: z.strictObject({ access_token: z.string(), scope }),
  issuedTokens: ['access_token'],
  example: { scope: 'read' },
  errors: [],
  run(ctx, input) {
    const token = ctx.nextId('access_tokens');
    ctx.tx.access_tokens.insert({ token, scope: input.scope, revoked: false });
    return { access_token: token, scope: input.scope };
  },
});

export const revokeToken = operation({
  id: 'tokens.revoke',
  summary:
    'Takes an access token back: calls that show it are refused. One that is unknown is revoked already.',
  effect: 'write',
  http: { method: 'POST', path: '/tokens/revoke' },
  input: z.strictObject({ access_token: z.string() }),
  output: z.strictObject({ revoked: z.literal(true) }),
  example: { access_token: 'access_forgotten' },
  errors: [],
  run(ctx, input) {
    const known = ctx.tx.access_tokens.get(input.access_token);
    if (known) ctx.tx.access_tokens.update(known.token, { revoked: true });
    return { revoked: true as const };
  },
});

export const tokenOperations = [createToken, revokeToken];
