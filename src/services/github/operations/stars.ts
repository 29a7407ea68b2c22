import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing } from '../output.ts';
import { mediaTypeOf } from '../protocol/media.ts';
import { recordEvent } from '../rules/events.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import { repositoryAt, roleIn } from '../rules/repositories.ts';
import { accountNamed, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Star } from '../schema/activity.ts';
import { simpleUser } from '../views/accounts.ts';
import { minimalRepository, numberedPath } from '../views/repositories.ts';

const PLACE = { owner: z.string(), repo: z.string() };
const example = { owner: 'octo-works', repo: 'handbook' };

/** Asked for it, lists say when a star was given. */
function showsMoments(ctx: Reading): boolean {
  return mediaTypeOf(ctx.headers.accept, ctx.nowMs).forms.includes('star');
}

const listStargazers = operation({
  id: 'activity/list-stargazers-for-repo',
  summary: 'Lists who has starred a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/stargazers' },
  input: z.looseObject({ ...PLACE, ...PAGE }),
  output: listOf(),
  example,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const withMoments = showsMoments(ctx);
    return paged(ctx, input, {
      items: [...ctx.tx.stars.by('by_repository', [repository.id])],
      path: numberedPath(repository, '/stargazers'),
      show({ user_id, starred_at }) {
        const account = ctx.tx.accounts.get(user_id);
        const user = account ? simpleUser(account) : {};
        return withMoments ? { starred_at, user } : user;
      },
    });
  },
});

const SORTING = { sort: z.string().optional(), direction: z.string().optional() };

/** Repositories that an account has starred and the caller may see, the latest star first. */
function starredBy(
  ctx: Reading,
  { account, path }: { readonly account: Account; readonly path: string },
  input: PageInput & { readonly sort?: string | undefined; readonly direction?: string | undefined },
): JsonObject[] {
  const withMoments = showsMoments(ctx);
  const stars = [...ctx.tx.stars.by('by_user', [account.id])].filter(({ repository_id }) => {
    const repository = ctx.tx.repositories.get(repository_id);
    return repository !== undefined && roleIn(ctx, repository) !== null;
  });
  const keyOf = ({ repository_id, starred_at }: Star): string =>
    input.sort === 'updated' ? (ctx.tx.repositories.get(repository_id)?.updated_at ?? '') : starred_at;
  const rising = stars.toSorted((one, other) =>
    keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0,
  );
  return paged(ctx, input, {
    items: input.direction === 'asc' ? rising : rising.toReversed(),
    path,
    show({ repository_id, starred_at }) {
      const repository = ctx.tx.repositories.get(repository_id);
      const repo = repository ? minimalRepository(ctx, repository) : {};
      return withMoments ? { starred_at, repo } : repo;
    },
  });
}

const listStarredByUser = operation({
  id: 'activity/list-repos-starred-by-user',
  summary: 'Lists the repositories that somebody has starred.',
  effect: 'read',
  http: { method: 'GET', path: '/users/{username}/starred' },
  input: z.looseObject({ username: z.string(), ...SORTING, ...PAGE }),
  output: listOf(),
  example: { username: 'mona' },
  run(ctx, input) {
    const account = accountNamed(ctx, input.username);
    return starredBy(ctx, { account, path: `/user/${account.id}/starred` }, input);
  },
});

const listOwnStars = operation({
  id: 'activity/list-repos-starred-by-authenticated-user',
  summary: 'Lists the repositories that the caller has starred.',
  effect: 'read',
  http: { method: 'GET', path: '/user/starred' },
  input: z.looseObject({ ...SORTING, ...PAGE }),
  output: listOf(),
  example: {},
  run: (ctx, input) => starredBy(ctx, { account: requireViewer(ctx), path: '/user/starred' }, input),
});

const checkStar = operation({
  id: 'activity/check-repo-is-starred-by-authenticated-user',
  summary: 'Says whether the caller has starred a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/user/starred/{owner}/{repo}', status: 204 },
  input: z.looseObject(PLACE),
  output: nothing,
  example,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    return ctx.tx.stars.has([requireViewer(ctx).id, repository.id]) ? null : ctx.fail('not_found');
  },
});

const star = operation({
  id: 'activity/star-repo-for-authenticated-user',
  summary: 'Stars a repository.',
  effect: 'write',
  http: { method: 'PUT', path: '/user/starred/{owner}/{repo}', status: 204 },
  input: z.looseObject(PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp' },
  run: (ctx, input) => setStar(ctx, input, true),
});

const unstar = operation({
  id: 'activity/unstar-repo-for-authenticated-user',
  summary: 'Stars a repository no longer.',
  effect: 'write',
  http: { method: 'DELETE', path: '/user/starred/{owner}/{repo}', status: 204 },
  input: z.looseObject(PLACE),
  output: nothing,
  example,
  run: (ctx, input) => setStar(ctx, input, false),
});

function setStar(ctx: Writing, place: { owner: string; repo: string }, wanted: boolean): null {
  const repository = repositoryAt(ctx, place);
  const user_id = requireViewer(ctx).id;
  const key = [user_id, repository.id];
  if (ctx.tx.stars.has(key) === wanted) return null;
  if (wanted) {
    const starred_at = momentText(ctx.nowMs);
    ctx.tx.stars.insert({ user_id, repository_id: repository.id, starred_at });
    recordEvent(ctx, { type: 'WatchEvent', repository, payload: { action: 'started' } });
  } else {
    ctx.tx.stars.delete(key);
  }
  const stargazers = Math.max(0, repository.stargazers + (wanted ? 1 : -1));
  // GitHub calls the same number watchers as well.
  ctx.tx.repositories.update(repository.id, { stargazers, watchers: stargazers });
  return null;
}

export const starOperations: readonly Operation[] = [
  listStargazers,
  listStarredByUser,
  listOwnStars,
  checkStar,
  star,
  unstar,
];
