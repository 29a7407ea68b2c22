import type { JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import type { Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import { freshId } from './ids.ts';
import { addDefaultLabels } from './labels.ts';

/** What a new repository is given besides its name; the rest is as GitHub sets it. */
export type RepositoryWish = Partial<Omit<Repository, 'id' | 'owner_id' | 'name' | 'name_key'>>;

/** Letters that a name may have; others become hyphens. */
export function normalizedName(name: string): string {
  return name
    .trim()
    .replaceAll(/[^\w.-]+/gu, '-')
    .slice(0, 100);
}

/** From this day the first branch of a new repository is `main`. */
const RENAMED = '2020-10-01';

/** A repository's columns before anybody changes one. */
export function blankRepository(
  ids: { id: number; owner_id: number },
  name: string,
  moment: string,
): Repository {
  return {
    ...ids,
    name,
    name_key: name.toLowerCase(),
    description: null,
    homepage: null,
    visibility: 'public',
    fork: false,
    parent_id: null,
    source_id: null,
    template_id: null,
    default_branch: moment < RENAMED ? 'master' : 'main',
    language: null,
    size: 0,
    archived: false,
    disabled: false,
    is_template: false,
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    has_discussions: false,
    allow_forking: true,
    web_commit_signoff_required: false,
    merging: {},
    license_key: null,
    topics: [],
    mirror_url: null,
    stargazers: 0,
    watchers: 0,
    forks: 0,
    subscribers: 0,
    open_issues: 0,
    security: null,
    next_number: 1,
    created_at: moment,
    updated_at: moment,
    pushed_at: moment,
  };
}

/** Makes a repository; 422 where the owner has one of that name. */
export function newRepository(
  ctx: Writing,
  owner: Account,
  wished: RepositoryWish & { name: string },
): Repository {
  const { tx } = ctx;
  const name = normalizedName(wished.name);
  if (tx.repositories.unique('by_name', [owner.id, name.toLowerCase()])) nameTaken(ctx);
  const moment = momentText(ctx.nowMs);
  const id = freshId(ctx, 'repositories');
  const blank = blankRepository({ id, owner_id: owner.id }, name, moment);
  const repository = tx.repositories.insert({
    ...blank,
    ...usual(owner),
    ...closedOff(owner, wished),
    ...wished,
    name,
  });
  countRepository(ctx, repository, 1);
  addDefaultLabels(ctx, repository);
  return repository;
}

/** What an owner has set for all new repositories. */
function usual({ settings }: Account): Partial<Repository> {
  const branch = (settings as JsonObject | null)?.default_branch_name;
  return typeof branch === 'string' ? { default_branch: branch } : {};
}

/** What is hidden in an organisation is not forked at first; a wiki of it is for those who pay. */
function closedOff(owner: Account, { visibility = 'public' }: RepositoryWish): Partial<Repository> {
  if (owner.type !== 'Organization' || visibility === 'public') return {};
  const plan = (owner.plan as JsonObject | null)?.name ?? 'free';
  return { allow_forking: false, ...(plan === 'free' && { has_wiki: false }) };
}

function nameTaken(ctx: Writing): never {
  const errors: JsonObject[] = [
    { resource: 'Repository', code: 'custom', field: 'name', message: 'name already exists on this account' },
  ];
  return ctx.fail('unprocessable', { message: 'Repository creation failed.', errors });
}

/** Keeps the owner's counts of repositories. */
export function countRepository(ctx: Writing, repository: Repository, by: 1 | -1): void {
  const owner = ctx.tx.accounts.get(repository.owner_id);
  if (!owner) return;
  if (repository.visibility === 'public') {
    ctx.tx.accounts.update(owner.id, { public_repos: Math.max(0, owner.public_repos + by) });
    return;
  }
  ctx.tx.accounts.update(owner.id, {
    total_private_repos: Math.max(0, owner.total_private_repos + by),
    owned_private_repos: Math.max(0, owner.owned_private_repos + by),
  });
}
