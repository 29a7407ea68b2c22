import { z } from 'zod';
import { operation, type Reading } from '../operation.ts';
import { shown } from '../output.ts';
import { scopesOf } from '../protocol/access.ts';
import { accountNamed, requireViewer, viewerOf } from '../rules/viewer.ts';
import { privateUser, publicUser } from '../views/accounts.ts';

/** Plan, disk usage and the like are for tokens with one of the scopes that read profiles. */
function seesPrivateProfile(ctx: Reading): boolean {
  const scopes = scopesOf(ctx.actor);
  return scopes?.some((scope) => scope === 'user' || scope === 'read:user') ?? false;
}

const getAuthenticated = operation({
  id: 'users/get-authenticated',
  summary: 'Reads the account that calls.',
  effect: 'read',
  http: { method: 'GET', path: '/user' },
  input: z.looseObject({}),
  output: shown('login', 'id', 'type'),
  example: {},
  run(ctx) {
    const viewer = requireViewer(ctx);
    return seesPrivateProfile(ctx) ? privateUser(viewer) : publicUser(viewer);
  },
});

const getByUsername = operation({
  id: 'users/get-by-username',
  summary: 'Reads an account by its login.',
  effect: 'read',
  http: { method: 'GET', path: '/users/{username}' },
  input: z.looseObject({ username: z.string() }),
  output: shown('login', 'id', 'type'),
  example: { username: 'mona' },
  run(ctx, { username }) {
    const account = accountNamed(ctx, username);
    if (account.type === 'Organization') return publicUser(account);
    const isOwn = viewerOf(ctx)?.id === account.id;
    return isOwn && seesPrivateProfile(ctx) ? privateUser(account) : publicUser(account);
  },
});

const getById = operation({
  id: 'users/get-by-id',
  summary: 'Reads an account by its number.',
  effect: 'read',
  http: { method: 'GET', path: '/user/{account_id}' },
  input: z.looseObject({ account_id: z.union([z.int(), z.string()]) }),
  output: shown('login', 'id', 'type'),
  example: { account_id: 190_000_001 },
  run(ctx, { account_id }) {
    const account = accountNamed(ctx, `:${account_id}`);
    return viewerOf(ctx)?.id === account.id && seesPrivateProfile(ctx)
      ? privateUser(account)
      : publicUser(account);
  },
});

export const userOperations = [getAuthenticated, getByUsername, getById];
