import { z } from 'zod';
import { momentText } from '../moments.ts';
import { operation, type Writing } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { countFork, forkBy, forkOf, generated } from '../rules/forks.ts';
import { countRepository, normalizedName } from '../rules/new-repository.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole, roleIn } from '../rules/repositories.ts';
import { findAccount, organizationNamed, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import { fullRepository, minimalRepository, numberedPath } from '../views/repositories.ts';
import { REPOSITORY } from './repositories.ts';

const REPO = shown('id', 'name', 'full_name');

const list = operation({
  id: 'repos/list-forks',
  summary: 'Lists the forks of a repository, the youngest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/forks' },
  input: z.looseObject({
    ...REPOSITORY,
    sort: z.enum(['newest', 'oldest', 'stargazers', 'watchers']).optional(),
    ...PAGE,
  }),
  output: listOf('id', 'full_name'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const items = [...ctx.tx.repositories.by('by_parent', [repository.id])].filter(
      (fork) => roleIn(ctx, fork) !== null,
    );
    const { sort = 'newest' } = input;
    const byAge = (one: Repository, other: Repository): number =>
      one.created_at < other.created_at ? -1 : 1;
    if (sort === 'stargazers') items.sort((one, other) => other.stargazers - one.stargazers);
    else if (sort === 'watchers') items.sort((one, other) => other.watchers - one.watchers);
    else items.sort(sort === 'oldest' ? byAge : (one, other) => byAge(other, one));
    const path = numberedPath(repository, '/forks');
    return paged(ctx, input, { items, path, show: (fork) => minimalRepository(ctx, fork) });
  },
});

const create = operation({
  id: 'repos/create-fork',
  summary: 'Makes a fork of a repository, of the caller or an organisation.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/forks', status: 202 },
  input: z.looseObject({
    ...REPOSITORY,
    organization: z.string().nullish(),
    name: z.string().nullish(),
    default_branch_only: z.boolean().nullish(),
  }),
  output: REPO,
  example: { owner: 'octo-works', repo: 'handbook' },
  run(ctx, input) {
    const parent = repositoryAt(ctx, input);
    const viewer = requireViewer(ctx);
    const owner = input.organization ? organizationNamed(ctx, input.organization) : viewer;
    if (owner.id !== viewer.id && ctx.tx.org_members.get([owner.id, viewer.id])?.state !== 'active') {
      ctx.fail('not_found');
    }
    if (parent.visibility !== 'public' && !parent.allow_forking) {
      ctx.fail('forbidden', { message: 'This repository exists, but forking is disabled.' });
    }
    if (parent.owner_id === owner.id && !input.name) {
      ctx.fail('unprocessable', { message: 'You cannot fork your own repository.' });
    }
    const known = forkBy(ctx, parent, owner);
    if (known) return fullRepository(ctx, known);
    const fork = forkOf(ctx, parent, {
      owner,
      name: input.name ?? undefined,
      defaultBranchOnly: input.default_branch_only ?? undefined,
    });
    holds(ctx, fork, viewer);
    // The answer shows the parent with the new fork counted; the source as it was, since that is put off.
    if (ctx.nowMs < COUNTED_LATER_MS) countFork(ctx, fork);
    const view = fullRepository(ctx, fork);
    if (ctx.nowMs >= COUNTED_LATER_MS) countFork(ctx, fork);
    const counted = ctx.tx.repositories.get(parent.id);
    return { ...view, parent: minimalRepository(ctx, counted ?? parent) };
  },
});

/** By this day the source's count of forks came later than the answer. */
const COUNTED_LATER_MS = Date.UTC(2021, 0, 1);

/** Who makes a repository of an organisation may do everything in it. */
function holds(ctx: Writing, repository: Repository, maker: Account): void {
  if (repository.owner_id === maker.id) return;
  ctx.tx.collaborators.insert({ repository_id: repository.id, user_id: maker.id, role: 'admin' });
}

const generate = operation({
  id: 'repos/create-using-template',
  summary: 'Makes a repository with the files of a template.',
  effect: 'write',
  http: {
    method: 'POST',
    path: '/repos/{template_owner}/{template_repo}/generate',
    status: 201,
    aliases: [
      {
        path: '/repositories/{repository_id}/generate',
        values: { template_owner: ':id', template_repo: '{repository_id}' },
      },
    ],
  },
  input: z.looseObject({
    template_owner: z.string(),
    template_repo: z.string(),
    owner: z.string().optional(),
    name: z.string(),
    description: z.string().nullish(),
    include_all_branches: z.boolean().nullish(),
    private: z.boolean().nullish(),
  }),
  output: REPO,
  example: { template_owner: 'octo-works', template_repo: 'handbook', name: 'handbook-2' },
  run(ctx, input) {
    const template = repositoryAt(ctx, { owner: input.template_owner, repo: input.template_repo });
    const maker = requireViewer(ctx);
    if (!template.is_template) ctx.fail('not_found');
    const owner =
      input.owner === undefined ? maker : (findAccount(ctx, input.owner) ?? ctx.fail('not_found'));
    const made = generated(ctx, template, {
      owner,
      maker,
      name: input.name,
      description: input.description ?? null,
      isPrivate: input.private === true,
      allBranches: input.include_all_branches === true,
    });
    holds(ctx, made, maker);
    // What it was made of is shown from the next reading on.
    const { template_repository: _template, ...view } = fullRepository(ctx, made);
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

const transfer = operation({
  id: 'repos/transfer',
  summary: 'Gives a repository to another owner.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/transfer', status: 202 },
  input: z.looseObject({
    ...REPOSITORY,
    new_owner: z.string(),
    new_name: z.string().optional(),
    team_ids: z.array(z.int()).optional(),
  }),
  output: REPO,
  example: { owner: 'mona', repo: 'dotfiles', new_owner: 'octo-works' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    const viewer = requireViewer(ctx);
    const { tx } = ctx;
    const owner = findAccount(ctx, input.new_owner);
    if (!owner) return ctx.fail('unprocessable', { message: 'Invalid new_owner' });
    const name = normalizedName(input.new_name ?? repository.name);
    const name_key = name.toLowerCase();
    if (tx.repositories.unique('by_name', [owner.id, name_key])) {
      ctx.fail('unprocessable', { message: `Repository already exists as ${owner.login}/${name}` });
    }
    // The answer shows the repository where it was: people must accept it first, organisations take a moment.
    const view = minimalRepository(ctx, repository);
    const isMember = tx.org_members.get([owner.id, viewer.id])?.state === 'active';
    if (owner.type !== 'Organization' || !isMember) return view;
    countRepository(ctx, repository, -1);
    const moved = tx.repositories.update(repository.id, {
      owner_id: owner.id,
      name,
      name_key,
      updated_at: momentText(ctx.nowMs),
    });
    countRepository(ctx, moved, 1);
    const old = [repository.owner_id, repository.name_key];
    if (!tx.repository_names.has(old)) {
      const { owner_id, name_key: key, id: repository_id } = repository;
      tx.repository_names.insert({ owner_id, name_key: key, repository_id });
    }
    return view;
  },
});

export const forkOperations = [list, create, generate, transfer];
