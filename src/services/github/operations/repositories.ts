import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { openDiscussions } from '../rules/discussions.ts';
import { firstCommit } from '../rules/first-commit.ts';
import {
  countRepository,
  newRepository,
  normalizedName,
  type RepositoryWish,
} from '../rules/new-repository.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { organizationNamed, requireViewer } from '../rules/viewer.ts';
import { watch } from '../rules/watching.ts';
import type { Repository } from '../schema/repositories.ts';
import { fullRepository, MERGING } from '../views/repositories.ts';
import { API } from '../views/urls.ts';

/** Members that name a repository in a path. */
export const REPOSITORY = { owner: z.string(), repo: z.string() };

const flag = z.boolean().nullish();
const words = z.string().nullish();

/** What may be set when a repository is made and when it is changed. */
const SETTINGS = {
  description: words,
  homepage: words,
  private: flag,
  visibility: z.enum(['public', 'private', 'internal']).optional(),
  has_issues: flag,
  has_projects: flag,
  has_wiki: flag,
  has_downloads: flag,
  has_discussions: flag,
  is_template: flag,
  allow_squash_merge: flag,
  allow_merge_commit: flag,
  allow_rebase_merge: flag,
  allow_auto_merge: flag,
  delete_branch_on_merge: flag,
  allow_update_branch: flag,
  use_squash_pr_title_as_default: flag,
  squash_merge_commit_title: words,
  squash_merge_commit_message: words,
  merge_commit_title: words,
  merge_commit_message: words,
};

const CREATION = {
  name: z.string(),
  ...SETTINGS,
  team_id: z.int().nullish(),
  auto_init: flag,
  gitignore_template: words,
  license_template: words,
};

type Settings = Partial<z.infer<z.ZodObject<typeof SETTINGS>>>;

const FLAGS = [
  'has_issues',
  'has_projects',
  'has_wiki',
  'has_downloads',
  'has_discussions',
  'is_template',
] as const;

/** The columns that settings set; members that were not sent leave theirs alone. */
function columnsOf(settings: Settings, before: Pick<Repository, 'merging'>): RepositoryWish {
  const columns: Record<string, unknown> = {};
  for (const name of ['description', 'homepage'] as const) {
    if (settings[name] !== undefined) columns[name] = settings[name];
  }
  for (const name of FLAGS) if (typeof settings[name] === 'boolean') columns[name] = settings[name];
  if (typeof settings.private === 'boolean') columns.visibility = settings.private ? 'private' : 'public';
  if (settings.visibility !== undefined) columns.visibility = settings.visibility;
  const merging: Record<string, unknown> = { ...(before.merging as JsonObject) };
  for (const name of Object.keys(MERGING) as (keyof Settings)[]) {
    const value = settings[name];
    if (value !== undefined && value !== null) merging[name] = value;
  }
  if (Object.keys(merging).length > 0) columns.merging = merging;
  return columns as RepositoryWish;
}

const getRepository = operation({
  id: 'repos/get',
  summary: 'Reads a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}' },
  input: z.looseObject(REPOSITORY),
  output: shown('id', 'name', 'full_name'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run: (ctx, input) => fullRepository(ctx, repositoryAt(ctx, input)),
});

const createForViewer = operation({
  id: 'repos/create-for-authenticated-user',
  summary: 'Makes a repository of the account that calls.',
  effect: 'write',
  http: { method: 'POST', path: '/user/repos', status: 201 },
  input: z.looseObject(CREATION),
  output: shown('id', 'name', 'full_name'),
  example: { name: 'notebook', private: true },
  run(ctx, input) {
    const viewer = requireViewer(ctx);
    const wish = { ...columnsOf(input, { merging: {} }), name: input.name };
    return made(ctx, firstCommit(ctx, newRepository(ctx, viewer, wish), { maker: viewer, wish: input }));
  },
});

const createInOrganization = operation({
  id: 'repos/create-in-org',
  summary: 'Makes a repository of an organisation.',
  effect: 'write',
  http: { method: 'POST', path: '/orgs/{org}/repos', status: 201 },
  input: z.looseObject({ org: z.string(), ...CREATION }),
  output: shown('id', 'name', 'full_name'),
  example: { org: 'octo-works', name: 'notebook' },
  run(ctx, input) {
    const owner = organizationNamed(ctx, input.org);
    const viewer = requireViewer(ctx);
    const membership = ctx.tx.org_members.get([owner.id, viewer.id]);
    if (membership?.state !== 'active') ctx.fail('not_found');
    const wished = { ...columnsOf(input, { merging: {} }), name: input.name };
    const repository = newRepository(ctx, owner, wished);
    // Who makes a repository may do everything in it.
    ctx.tx.collaborators.insert({ repository_id: repository.id, user_id: viewer.id, role: 'admin' });
    return made(ctx, firstCommit(ctx, repository, { maker: viewer, wish: input }));
  },
});

/** In these years the answer counted already that people watch what they make of their own. */
const COUNTED_AT_ONCE = { from: Date.UTC(2019, 7, 1), to: Date.UTC(2022, 0, 1) } as const;

function made(ctx: Writing, repository: Repository): JsonObject {
  const viewer = requireViewer(ctx);
  const isOwn = repository.owner_id === viewer.id;
  const atOnce = isOwn && ctx.nowMs >= COUNTED_AT_ONCE.from && ctx.nowMs < COUNTED_AT_ONCE.to;
  const view = fullRepository(ctx, atOnce ? { ...repository, subscribers: 1 } : repository);
  // Who makes a repository watches it, from a moment later on.
  watch(ctx, repository, viewer);
  ctx.reply({ facts: { location: view.url ?? API } });
  return view;
}

const updateRepository = operation({
  id: 'repos/update',
  summary: 'Changes a repository: its name, settings, visibility, or whether it is archived.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}' },
  input: z.looseObject({
    ...REPOSITORY,
    name: z.string().optional(),
    ...SETTINGS,
    default_branch: z.string().optional(),
    archived: flag,
    allow_forking: flag,
    web_commit_signoff_required: flag,
    security_and_analysis: z.json().optional(),
  }),
  output: shown('id', 'name', 'full_name'),
  example: { owner: 'octo-works', repo: 'lamp', description: 'A lamp that listens' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    // What is archived has to be unarchived first.
    if (typeof input.archived !== 'boolean') writableRepository(ctx, input);
    const { archived, allow_forking, web_commit_signoff_required: signoff, default_branch } = input;
    const columns = {
      ...columnsOf(input, repository),
      ...(typeof archived === 'boolean' && { archived }),
      ...(typeof allow_forking === 'boolean' && { allow_forking }),
      ...(typeof signoff === 'boolean' && { web_commit_signoff_required: signoff }),
      ...(default_branch !== undefined && { default_branch }),
      ...renaming(ctx, repository, input.name),
      updated_at: momentText(ctx.nowMs),
    };
    countRepository(ctx, repository, -1);
    const changed = ctx.tx.repositories.update(repository.id, columns);
    countRepository(ctx, changed, 1);
    if (changed.has_discussions) openDiscussions(ctx, changed);
    return fullRepository(ctx, changed);
  },
});

/** A new name; requests to the old one are sent on from then. */
function renaming(ctx: Writing, repository: Repository, wished: string | undefined): Partial<Repository> {
  const name = wished === undefined ? repository.name : normalizedName(wished);
  const name_key = name.toLowerCase();
  if (name === repository.name) return {};
  if (name_key !== repository.name_key) {
    const { tx } = ctx;
    if (tx.repositories.unique('by_name', [repository.owner_id, name_key])) {
      ctx.fail('validation_failed', {
        errors: [
          {
            resource: 'Repository',
            code: 'custom',
            field: 'name',
            message: 'name already exists on this account',
          },
        ],
      });
    }
    const old = [repository.owner_id, repository.name_key];
    if (!tx.repository_names.has(old)) {
      tx.repository_names.insert({
        owner_id: repository.owner_id,
        name_key: repository.name_key,
        repository_id: repository.id,
      });
    }
  }
  return { name, name_key };
}

const deleteRepository = operation({
  id: 'repos/delete',
  summary: 'Deletes a repository with everything in it.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}', status: 204 },
  input: z.looseObject(REPOSITORY),
  output: nothing,
  example: { owner: 'mona', repo: 'dotfiles' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    // A scope for deleting is asked where everybody sees what goes; a private repository wants none beside.
    if (repository.visibility !== 'public') ctx.reply({ facts: { acceptedScopes: '' } });
    countRepository(ctx, repository, -1);
    ctx.tx.repositories.delete(repository.id);
    return null;
  },
});

export const repositoryOperations = [
  getRepository,
  createForViewer,
  createInOrganization,
  updateRepository,
  deleteRepository,
];

/** The repository of a call that changes something there: it must be visible, and not archived. */
export function writableRepository(ctx: Reading, place: z.infer<z.ZodObject<typeof REPOSITORY>>): Repository {
  const repository = repositoryAt(ctx, place);
  if (repository.archived) {
    ctx.fail('forbidden', { message: 'Repository was archived so is read-only.' });
  }
  return repository;
}
