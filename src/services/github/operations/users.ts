import { z } from 'zod';
import { operation } from '../operation.ts';
import { shown } from '../output.ts';
import { scopesOf } from '../protocol/access.ts';
import { accountNamed, requireViewer, viewerOf } from '../rules/viewer.ts';
import { privateUser, publicUser } from '../views/accounts.ts';

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
    const scopes = scopesOf(ctx.actor);
    return (scopes?.includes('user') ?? true) ? privateUser(viewer) : publicUser(viewer);
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
    return viewerOf(ctx)?.id === account.id ? privateUser(account) : publicUser(account);
  },
});

export const userOperations = [getAuthenticated, getByUsername];
