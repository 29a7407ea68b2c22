import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import { repositoryAt, roleIn } from '../rules/repositories.ts';
import { accountNamed, requireViewer } from '../rules/viewer.ts';
import { countSubscribers } from '../rules/watching.ts';
import type { Account } from '../schema/accounts.ts';
import type { Subscription } from '../schema/activity.ts';
import type { Repository } from '../schema/repositories.ts';
import { simpleUser } from '../views/accounts.ts';
import { minimalRepository, numberedPath, ownerOf } from '../views/repositories.ts';
import { repositoryUrl } from '../views/urls.ts';

const PLACE = { owner: z.string(), repo: z.string() };
const example = { owner: 'octo-works', repo: 'lamp' };

const listWatchers = operation({
  id: 'activity/list-watchers-for-repo',
  summary: 'Lists who watches a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/subscribers' },
  input: z.looseObject({ ...PLACE, ...PAGE }),
  output: listOf('id', 'login'),
  example,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const items = [...ctx.tx.subscriptions.by('by_repository', [repository.id])]
      .filter(({ subscribed }) => subscribed)
      .map(({ user_id }) => ctx.tx.accounts.get(user_id))
      .filter((account) => account !== undefined);
    return paged(ctx, input, { items, path: numberedPath(repository, '/subscribers'), show: simpleUser });
  },
});

function watchedBy(
  ctx: Reading,
  { account, path }: { readonly account: Account; readonly path: string },
  input: PageInput,
): JsonObject[] {
  const items = [...ctx.tx.subscriptions.by('by_user', [account.id])]
    .filter(({ subscribed }) => subscribed)
    .map(({ repository_id }) => ctx.tx.repositories.get(repository_id))
    .filter((repository) => repository !== undefined)
    .filter((repository) => roleIn(ctx, repository) !== null);
  return paged(ctx, input, { items, path, show: (repository) => minimalRepository(ctx, repository) });
}

const listWatchedByUser = operation({
  id: 'activity/list-repos-watched-by-user',
  summary: 'Lists the repositories that somebody watches.',
  effect: 'read',
  http: { method: 'GET', path: '/users/{username}/subscriptions' },
  input: z.looseObject({ username: z.string(), ...PAGE }),
  output: listOf('id', 'full_name'),
  example: { username: 'mona' },
  run(ctx, input) {
    const account = accountNamed(ctx, input.username);
    return watchedBy(ctx, { account, path: `/user/${account.id}/subscriptions` }, input);
  },
});

const listOwnWatched = operation({
  id: 'activity/list-watched-repos-for-authenticated-user',
  summary: 'Lists the repositories that the caller watches.',
  effect: 'read',
  http: { method: 'GET', path: '/user/subscriptions' },
  input: z.looseObject(PAGE),
  output: listOf('id', 'full_name'),
  example: {},
  run: (ctx, input) => watchedBy(ctx, { account: requireViewer(ctx), path: '/user/subscriptions' }, input),
});

function subscriptionView(ctx: Reading, repository: Repository, row: Subscription): JsonObject {
  const url = repositoryUrl(ownerOf(ctx, repository), repository);
  return {
    subscribed: row.subscribed,
    ignored: row.ignored,
    reason: null,
    created_at: row.created_at,
    url: `${url}/subscription`,
    repository_url: url,
  };
}

const getSubscription = operation({
  id: 'activity/get-repo-subscription',
  summary: 'Reads whether the caller watches a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/subscription' },
  input: z.looseObject(PLACE),
  output: shown('subscribed', 'ignored'),
  example,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const row = ctx.tx.subscriptions.get([requireViewer(ctx).id, repository.id]);
    return row ? subscriptionView(ctx, repository, row) : ctx.fail('not_found');
  },
});

const setSubscription = operation({
  id: 'activity/set-repo-subscription',
  summary: 'Watches a repository, or keeps quiet about it.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/subscription' },
  input: z.looseObject({ ...PLACE, subscribed: z.boolean().optional(), ignored: z.boolean().optional() }),
  output: shown('subscribed', 'ignored'),
  example: { ...example, ignored: true },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const user_id = requireViewer(ctx).id;
    const key = [user_id, repository.id];
    const ignored = input.ignored ?? false;
    const wish = { subscribed: !ignored && (input.subscribed ?? true), ignored };
    countSubscribers(ctx, repository, { user_id, subscribed: wish.subscribed });
    const row = ctx.tx.subscriptions.has(key)
      ? ctx.tx.subscriptions.update(key, wish)
      : ctx.tx.subscriptions.insert({
          user_id,
          repository_id: repository.id,
          ...wish,
          created_at: momentText(ctx.nowMs),
        });
    return subscriptionView(ctx, repository, row);
  },
});

const deleteSubscription = operation({
  id: 'activity/delete-repo-subscription',
  summary: 'Watches a repository no longer.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/subscription', status: 204 },
  input: z.looseObject(PLACE),
  output: nothing,
  example,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const user_id = requireViewer(ctx).id;
    const key = [user_id, repository.id];
    countSubscribers(ctx, repository, { user_id, subscribed: false });
    if (ctx.tx.subscriptions.has(key)) ctx.tx.subscriptions.delete(key);
    return null;
  },
});

export const subscriptionOperations: readonly Operation[] = [
  listWatchers,
  listWatchedByUser,
  listOwnWatched,
  getSubscription,
  setSubscription,
  deleteSubscription,
];
