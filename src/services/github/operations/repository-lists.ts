import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf } from '../output.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import { roleIn, roleOf } from '../rules/repositories.ts';
import { accountNamed, organizationNamed, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import { minimalRepository, ownerOf, simpleRepository } from '../views/repositories.ts';
import { fullName } from '../views/urls.ts';

const REPOS = listOf('id', 'name', 'full_name');

const SORT = {
  sort: z.enum(['created', 'updated', 'pushed', 'full_name']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
};

interface Order extends PageInput {
  readonly sort?: keyof typeof MOMENTS | 'full_name' | undefined;
  readonly direction?: 'asc' | 'desc' | undefined;
}

const MOMENTS = { created: 'created_at', updated: 'updated_at', pushed: 'pushed_at' } as const;

/** One page of repositories in the order asked for: names upwards, moments downwards, unless told. */
function sortedPage(
  ctx: Reading,
  input: Order,
  list: { readonly items: Repository[]; readonly sort: NonNullable<Order['sort']>; readonly path: string },
): JsonObject[] {
  const { items, path } = list;
  const sort = input.sort ?? list.sort;
  const key = (repository: Repository): string => {
    if (sort !== 'full_name') return repository[MOMENTS[sort]] ?? '';
    return fullName(ownerOf(ctx, repository), repository).toLowerCase();
  };
  const upwards = (input.direction ?? (sort === 'full_name' ? 'asc' : 'desc')) === 'asc';
  const keys = new Map(items.map((repository) => [repository, key(repository)]));
  const compare = (one: Repository, other: Repository): number => {
    const [left = '', right = ''] = [keys.get(one), keys.get(other)];
    return left === right ? one.id - other.id : left < right ? -1 : 1;
  };
  items.sort((one, other) => (upwards ? compare(one, other) : compare(other, one)));
  return paged(ctx, input, { items, path, show: (repository) => minimalRepository(ctx, repository) });
}

/** Repositories of an account that the caller may see. */
function ownedBy(ctx: Reading, { id }: Account): Repository[] {
  return [...ctx.tx.repositories.by('by_owner', [id])].filter(
    (repository) => roleIn(ctx, repository) !== null,
  );
}

const listForOrganization = operation({
  id: 'repos/list-for-org',
  summary: 'Lists the repositories of an organisation.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/repos' },
  input: z.looseObject({
    org: z.string(),
    type: z.enum(['all', 'public', 'private', 'forks', 'sources', 'member', 'internal']).optional(),
    ...SORT,
    ...PAGE,
  }),
  output: REPOS,
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    const items = ownedBy(ctx, org).filter((repository) => isOfType(repository, input.type ?? 'all'));
    const path = `/organizations/${org.id}/repos`;
    if (input.sort !== undefined) return sortedPage(ctx, input, { items, sort: 'created', path });
    // Unsorted, the oldest stand first.
    items.sort((one, other) => one.id - other.id);
    return paged(ctx, input, { items, path, show: (repository) => minimalRepository(ctx, repository) });
  },
});

function isOfType({ visibility, fork }: Repository, type: string): boolean {
  if (type === 'forks' || type === 'sources') return fork === (type === 'forks');
  if (type === 'private') return visibility !== 'public';
  return type === 'public' || type === 'internal' ? visibility === type : true;
}

const listForUser = operation({
  id: 'repos/list-for-user',
  summary: 'Lists the public repositories of an account.',
  effect: 'read',
  http: { method: 'GET', path: '/users/{username}/repos' },
  input: z.looseObject({
    username: z.string(),
    type: z.enum(['all', 'owner', 'member']).optional(),
    ...SORT,
    ...PAGE,
  }),
  output: REPOS,
  example: { username: 'mona' },
  run(ctx, input) {
    const account = accountNamed(ctx, input.username);
    const { type = 'owner' } = input;
    const own = type === 'member' ? [] : ownedBy(ctx, account);
    const shared =
      type === 'owner'
        ? []
        : [...ctx.tx.collaborators.by('by_user', [account.id])].flatMap(
            ({ repository_id }) => ctx.tx.repositories.get(repository_id) ?? [],
          );
    const items = [...own, ...shared].filter(({ visibility }) => visibility === 'public');
    return sortedPage(ctx, input, { items, sort: 'full_name', path: `/user/${account.id}/repos` });
  },
});

const AFFILIATIONS = ['owner', 'collaborator', 'organization_member'];

const listForViewer = operation({
  id: 'repos/list-for-authenticated-user',
  summary: 'Lists the repositories that the caller has a part in.',
  effect: 'read',
  http: { method: 'GET', path: '/user/repos' },
  input: z.looseObject({
    visibility: z.enum(['all', 'public', 'private']).optional(),
    affiliation: z.string().optional(),
    type: z.enum(['all', 'owner', 'public', 'private', 'member']).optional(),
    since: z.string().optional(),
    before: z.string().optional(),
    ...SORT,
    ...PAGE,
  }),
  output: REPOS,
  example: { sort: 'pushed' },
  run(ctx, input) {
    const viewer = requireViewer(ctx);
    const { visibility = 'all', affiliation, type, since, before } = input;
    if (type !== undefined && (input.visibility !== undefined || affiliation !== undefined)) {
      const message = 'If you specify visibility or affiliation, you cannot specify type.';
      ctx.fail('unprocessable', { message });
    }
    const wished =
      type === 'owner' ? ['owner'] : type === 'member' ? ['collaborator', 'organization_member'] : null;
    const ties = wished ?? affiliation?.split(',').map((tie) => tie.trim()) ?? AFFILIATIONS;
    const shade = type === 'public' || type === 'private' ? type : visibility;
    const items = [...ctx.tx.repositories.scan()].filter(
      (repository) =>
        ties.includes(tieOf(ctx, repository, viewer) ?? '') &&
        roleIn(ctx, repository) !== null &&
        (shade === 'all' || (repository.visibility === 'public') === (shade === 'public')) &&
        (since === undefined || Date.parse(repository.updated_at) > Date.parse(since)) &&
        (before === undefined || Date.parse(repository.updated_at) < Date.parse(before)),
    );
    return sortedPage(ctx, input, { items, sort: 'full_name', path: '/user/repos' });
  },
});

/** What ties an account to a repository; null for nothing. */
function tieOf(ctx: Reading, repository: Repository, account: Account): string | null {
  if (repository.owner_id === account.id) return 'owner';
  const member = ctx.tx.org_members.get([repository.owner_id, account.id])?.state === 'active';
  if (member) return roleOf(ctx, repository, account) === null ? null : 'organization_member';
  return ctx.tx.collaborators.has([repository.id, account.id]) ? 'collaborator' : null;
}

const listPublic = operation({
  id: 'repos/list-public',
  summary: 'Lists all public repositories by number.',
  effect: 'read',
  http: { method: 'GET', path: '/repositories' },
  input: z.looseObject({ since: z.union([z.int(), z.string()]).optional() }),
  output: REPOS,
  example: {},
  run(ctx, input) {
    const found: Repository[] = [];
    const since = Number(input.since ?? 0);
    // What is no number is none, as in other lists.
    const after = Number.isFinite(since) ? since : 0;
    for (const repository of ctx.tx.repositories.scan({ after })) {
      if (repository.visibility === 'public') found.push(repository);
      if (found.length === MOST_PUBLIC) break;
    }
    return found.map((repository) => simpleRepository(ownerOf(ctx, repository), repository));
  },
});

const MOST_PUBLIC = 100;

export const repositoryListOperations = [listForOrganization, listForUser, listForViewer, listPublic];
