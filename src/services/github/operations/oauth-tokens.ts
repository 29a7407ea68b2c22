import { z } from 'zod';
import { digestText, type Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import type { IssuedToken } from '../schema/apps.ts';
import { authorizationView } from '../views/apps.ts';

const TOKEN = { client_id: z.string(), access_token: z.string() };
const example = { client_id: 'lamp-keeper-client', access_token: 'gho-example-of-a-token' };
const AT = '/applications/{client_id}';

/** The token that a person gave this app; 404 for anybody else's. */
function tokenOf(ctx: Reading, input: { client_id: string; access_token: string }): IssuedToken {
  const app = ctx.tx.apps.unique('by_client', [input.client_id]) ?? ctx.fail('not_found');
  const token = ctx.tx.issued_tokens.get(input.access_token);
  return token?.app_id === app.id && token.account_id !== null ? token : ctx.fail('not_found');
}

const check = operation({
  id: 'apps/check-token',
  summary: "Says whether a person's token is good, and whose it is.",
  effect: 'read',
  http: { method: 'POST', path: `${AT}/token` },
  input: z.looseObject(TOKEN),
  output: shown('id', 'app', 'scopes', 'user'),
  example,
  run: (ctx, input) => authorizationView(ctx, tokenOf(ctx, input)),
});

const reset = operation({
  id: 'apps/reset-token',
  summary: "Gives a new token for a person's old one, which is good no longer.",
  effect: 'write',
  http: { method: 'PATCH', path: `${AT}/token` },
  input: z.looseObject(TOKEN),
  output: shown('id', 'token', 'user'),
  issuedTokens: ['token'],
  example,
  run(ctx, input) {
    const old = tokenOf(ctx, input);
    ctx.tx.issued_tokens.delete(old.token);
    const token = `gho-${digestText(`${old.token} ${ctx.nowMs}`).slice(0, 36)}`;
    const fresh = ctx.tx.issued_tokens.insert({ ...old, token, updated_at: momentText(ctx.nowMs) });
    return authorizationView(ctx, fresh);
  },
});

const deleteToken = operation({
  id: 'apps/delete-token',
  summary: "Takes a person's token back.",
  effect: 'write',
  http: { method: 'DELETE', path: `${AT}/token`, status: 204 },
  input: z.looseObject(TOKEN),
  output: nothing,
  example,
  run(ctx, input) {
    ctx.tx.issued_tokens.delete(tokenOf(ctx, input).token);
    return null;
  },
});

const deleteGrant = operation({
  id: 'apps/delete-authorization',
  summary: 'Takes back all that a person has let an app do.',
  effect: 'write',
  http: { method: 'DELETE', path: `${AT}/grant`, status: 204 },
  input: z.looseObject(TOKEN),
  output: nothing,
  example,
  run(ctx, input) {
    const { app_id, account_id } = tokenOf(ctx, input);
    for (const { token, app_id: of } of [...ctx.tx.issued_tokens.by('by_account', [account_id])]) {
      if (of === app_id) ctx.tx.issued_tokens.delete(token);
    }
    return null;
  },
});

export const oauthTokenOperations: readonly Operation[] = [check, reset, deleteToken, deleteGrant];
