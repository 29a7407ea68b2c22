import { z } from 'zod';
import { mailPatches, unifiedDiff } from '../git/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { mediaTypeOf } from '../protocol/media.ts';
import { asksFor } from '../rules/contents.ts';
import { requireIssues, requireLive } from '../rules/issues.ts';
import { requireIssueFit } from '../rules/lengths.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { changePull } from '../rules/pull-changes.ts';
import { openPull } from '../rules/pull-creation.ts';
import { PULL_FILTERS, pullsListed } from '../rules/pull-lists.ts';
import { commitsOf, filesOf, type PullFound, pullAt, pullOf, requireOwnOrWrite } from '../rules/pulls.ts';
import { objectsOf } from '../rules/refs.ts';
import { repositoryAt } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import { placeOf } from '../views/issues.ts';
import { listedPull, pullView } from '../views/pulls.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY } from './repositories.ts';

export const PULL = shown('id', 'number', 'title', 'head', 'base');
export const PULLS = listOf('id', 'number', 'title', 'head', 'base');
/** Members that name a pull in a path. */
export const PULL_PLACE = { ...REPOSITORY, pull_number: z.int() };
/** The pull of the small seed. */
export const EXAMPLE_PULL = { owner: 'octo-works', repo: 'lamp', pull_number: 4 };

const createPull = operation({
  id: 'pulls/create',
  summary: 'Opens a pull request: from one branch into another, also of a fork.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/pulls', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    title: z.union([z.string(), z.int()]).nullish(),
    issue: z.int().nullish().describe('The number of an issue that becomes the pull.'),
    head: z.string(),
    head_repo: z.string().nullish(),
    base: z.string(),
    body: z.string().nullish(),
    draft: z.boolean().nullish(),
    maintainer_can_modify: z.boolean().nullish(),
  }),
  output: PULL,
  example: { owner: 'octo-works', repo: 'lamp', title: 'Dim at night', head: 'night', base: 'dimmer' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireViewer(ctx);
    requireLive(ctx, repository);
    if (input.issue !== null && input.issue !== undefined) requireIssues(ctx, repository);
    const pull = openPull(ctx, repository, input);
    const view = pullView(ctx, pullOf(ctx, pull.issue_id));
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

const getPull = operation({
  id: 'pulls/get',
  summary: 'Reads a pull request, or its changes as a diff or as patches.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{pull_number}' },
  input: z.looseObject(PULL_PLACE),
  output: z.union([z.string(), PULL]),
  example: EXAMPLE_PULL,
  run(ctx, input) {
    const found = pullAt(ctx, input);
    const text = textAsked(ctx, found);
    if (text === null) return pullView(ctx, found);
    const { custom } = mediaTypeOf(ctx.headers.accept, ctx.nowMs);
    ctx.reply({
      form: 'text',
      headers: { 'content-type': `${custom}; charset=utf-8` },
      facts: { modified: found.issue.updated_at },
    });
    return text;
  },
});

/** The changes of a pull in the form that was asked for; null where that is JSON. */
function textAsked(ctx: Reading, { pull }: PullFound): string | null {
  if (asksFor(ctx, 'diff')) return unifiedDiff(objectsOf(ctx), filesOf(ctx, pull));
  if (!asksFor(ctx, 'patch')) return null;
  const single = commitsOf(ctx, pull).filter(({ commit }) => commit.parents.length < 2);
  return mailPatches(
    objectsOf(ctx),
    single.map(({ sha }) => sha),
  );
}

const listPulls = operation({
  id: 'pulls/list',
  summary: 'Lists the pull requests of a repository; the open ones, the newest first, unless told otherwise.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls' },
  input: z.looseObject({ ...REPOSITORY, ...PULL_FILTERS, ...PAGE }),
  output: PULLS,
  example: { owner: 'octo-works', repo: 'lamp', state: 'all' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = pullsListed(ctx, repository, input);
    const path = numberedPath(repository, '/pulls');
    return paged(ctx, input, { items, path, show: (found) => listedPull(ctx, place, found) });
  },
});

const updatePull = operation({
  id: 'pulls/update',
  summary: 'Changes a pull request: words, state, and the branch that it goes into.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/pulls/{pull_number}' },
  input: z.looseObject({
    ...PULL_PLACE,
    title: z.union([z.string(), z.int()]).nullish(),
    body: z.string().nullish(),
    state: z.enum(['open', 'closed']).nullish(),
    base: z.string().nullish(),
    maintainer_can_modify: z.boolean().nullish(),
  }),
  output: PULL,
  example: { ...EXAMPLE_PULL, title: 'Dim all the way' },
  run(ctx, input) {
    const found = changeable(ctx, input);
    requireIssueFit(ctx, input);
    changePull(ctx, found, input);
    return pullView(ctx, pullOf(ctx, found.issue.id));
  },
});

/** A pull that the caller may change. */
function changeable(ctx: Writing, place: z.infer<z.ZodObject<typeof PULL_PLACE>>): PullFound {
  const found = pullAt(ctx, place);
  requireLive(ctx, found.repository);
  requireOwnOrWrite(ctx, found);
  return found;
}

export const pullOperations = [createPull, getPull, listPulls, updatePull];
