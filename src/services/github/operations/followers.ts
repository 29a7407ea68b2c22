import { z } from 'zod';
import type { Operation } from '../../../service/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing } from '../output.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { accountNamed, findAccount, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import { simpleUser } from '../views/accounts.ts';
import { blockedBy } from './org-settings.ts';

const PERSON = { username: z.string() };
type Side = 'followers' | 'following';

function peopleAround(ctx: Reading, { id }: Account, side: Side): readonly Account[] {
  const rows =
    side === 'followers' ? ctx.tx.follows.by('by_target', [id]) : ctx.tx.follows.by('by_user', [id]);
  return [...rows]
    .map(({ user_id, target_id }) => ctx.tx.accounts.get(side === 'followers' ? user_id : target_id))
    .filter((account) => account !== undefined);
}

function listsOf(side: Side): readonly Operation[] {
  const what = side === 'followers' ? 'who follows' : 'whom follows';
  return [
    operation({
      id:
        side === 'followers'
          ? 'users/list-followers-for-authenticated-user'
          : 'users/list-followed-by-authenticated-user',
      summary: `Lists ${what} the caller.`,
      effect: 'read',
      http: { method: 'GET', path: `/user/${side}` },
      input: z.looseObject(PAGE),
      output: listOf('id', 'login'),
      example: {},
      run(ctx, input) {
        const items = peopleAround(ctx, requireViewer(ctx), side);
        return paged(ctx, input, { items, path: `/user/${side}`, show: simpleUser });
      },
    }),
    operation({
      id: `users/list-${side}-for-user`,
      summary: `Lists ${what} an account.`,
      effect: 'read',
      http: { method: 'GET', path: `/users/{username}/${side}` },
      input: z.looseObject({ ...PERSON, ...PAGE }),
      output: listOf('id', 'login'),
      example: { username: 'hubert' },
      run(ctx, input) {
        const account = accountNamed(ctx, input.username);
        const items = peopleAround(ctx, account, side);
        return paged(ctx, input, { items, path: `/user/${account.id}/${side}`, show: simpleUser });
      },
    }),
  ];
}

function follows(ctx: Reading, user: Account, target: string): boolean {
  const account = findAccount(ctx, target);
  return account !== undefined && ctx.tx.follows.has([user.id, account.id]);
}

const checkOwn = operation({
  id: 'users/check-person-is-followed-by-authenticated',
  summary: 'Says whether the caller follows somebody.',
  effect: 'read',
  http: { method: 'GET', path: '/user/following/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { username: 'hubert' },
  run: (ctx, { username }) => (follows(ctx, requireViewer(ctx), username) ? null : ctx.fail('not_found')),
});

const checkOther = operation({
  id: 'users/check-following-for-user',
  summary: 'Says whether one account follows another.',
  effect: 'read',
  http: { method: 'GET', path: '/users/{username}/following/{target_user}', status: 204 },
  input: z.looseObject({ ...PERSON, target_user: z.string() }),
  output: nothing,
  example: { username: 'mona', target_user: 'hubert' },
  run: (ctx, { username, target_user }) =>
    follows(ctx, accountNamed(ctx, username), target_user) ? null : ctx.fail('not_found'),
});

const follow = operation({
  id: 'users/follow',
  summary: 'Follows somebody.',
  effect: 'write',
  http: { method: 'PUT', path: '/user/following/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { username: 'ines' },
  run: (ctx, { username }) => setFollowing(ctx, accountNamed(ctx, username), true),
});

const unfollow = operation({
  id: 'users/unfollow',
  summary: 'Follows somebody no longer.',
  effect: 'write',
  http: { method: 'DELETE', path: '/user/following/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { username: 'hubert' },
  run: (ctx, { username }) => setFollowing(ctx, accountNamed(ctx, username), false),
});

function setFollowing(ctx: Writing, target: Account, wanted: boolean): null {
  const viewer = requireViewer(ctx);
  const key = [viewer.id, target.id];
  if (ctx.tx.follows.has(key) === wanted || viewer.id === target.id) return null;
  if (wanted) ctx.tx.follows.insert({ user_id: viewer.id, target_id: target.id });
  else ctx.tx.follows.delete(key);
  const by = wanted ? 1 : -1;
  ctx.tx.accounts.update(viewer.id, { following: Math.max(0, viewer.following + by) });
  ctx.tx.accounts.update(target.id, { followers: Math.max(0, target.followers + by) });
  return null;
}

const listBlocked = operation({
  id: 'users/list-blocked-by-authenticated-user',
  summary: 'Lists whom the caller keeps out.',
  effect: 'read',
  http: { method: 'GET', path: '/user/blocks' },
  input: z.looseObject(PAGE),
  output: listOf('id', 'login'),
  example: {},
  run(ctx, input) {
    const items = blockedBy(ctx, requireViewer(ctx));
    return paged(ctx, input, { items, path: '/user/blocks', show: simpleUser });
  },
});

const checkBlocked = operation({
  id: 'users/check-blocked',
  summary: 'Says whether the caller keeps somebody out.',
  effect: 'read',
  http: { method: 'GET', path: '/user/blocks/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { username: 'rowan' },
  run(ctx, { username }) {
    const account = findAccount(ctx, username);
    return account && ctx.tx.blocks.has([requireViewer(ctx).id, account.id]) ? null : ctx.fail('not_found');
  },
});

function setBlocked(ctx: Writing, target: Account, wanted: boolean): null {
  const account_id = requireViewer(ctx).id;
  const key = [account_id, target.id];
  if (ctx.tx.blocks.has(key) === wanted) return null;
  if (wanted) ctx.tx.blocks.insert({ account_id, user_id: target.id });
  else ctx.tx.blocks.delete(key);
  return null;
}

const block = operation({
  id: 'users/block',
  summary: 'Keeps somebody out.',
  effect: 'write',
  http: { method: 'PUT', path: '/user/blocks/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { username: 'ines' },
  run: (ctx, { username }) => setBlocked(ctx, accountNamed(ctx, username), true),
});

const unblock = operation({
  id: 'users/unblock',
  summary: 'Lets somebody in again.',
  effect: 'write',
  http: { method: 'DELETE', path: '/user/blocks/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { username: 'rowan' },
  run: (ctx, { username }) => setBlocked(ctx, accountNamed(ctx, username), false),
});

export const followerOperations: readonly Operation[] = [
  ...listsOf('followers'),
  ...listsOf('following'),
  checkOwn,
  checkOther,
  follow,
  unfollow,
  listBlocked,
  checkBlocked,
  block,
  unblock,
];
