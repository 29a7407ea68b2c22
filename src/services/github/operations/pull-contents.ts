import { z } from 'zod';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { requireLive } from '../rules/issues.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { mergePull, updateHead } from '../rules/pull-merging.ts';
import { commitsOf, filesOf, type PullFound, pullAt, requireOwnOrWrite } from '../rules/pulls.ts';
import { commitNamed } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Repository } from '../schema/repositories.ts';
import { commitView, fileView } from '../views/git.ts';
import { placeOf } from '../views/issues.ts';
import { listedPull } from '../views/pulls.ts';
import { numberedPath } from '../views/repositories.ts';
import { EXAMPLE_PULL, PULL_PLACE, PULLS } from './pulls.ts';
import { REPOSITORY } from './repositories.ts';

/** So many files and commits of a pull are listed at all. */
const FILES = 3_000;
const COMMITS = 250;

const listFiles = operation({
  id: 'pulls/list-files',
  summary: 'Lists the files that a pull request changes, with their patches.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{pull_number}/files' },
  input: z.looseObject({ ...PULL_PLACE, ...PAGE }),
  output: listOf('sha', 'filename', 'status'),
  example: EXAMPLE_PULL,
  run(ctx, input) {
    const { repository, issue, pull } = pullAt(ctx, input);
    const place = placeOf(ctx, repository);
    ctx.reply({ facts: { modified: issue.updated_at } });
    return paged(ctx, input, {
      items: filesOf(ctx, pull).slice(0, FILES),
      path: numberedPath(repository, `/pulls/${issue.number}/files`),
      inPath: ['pull_number'],
      show: (file) => fileView(place, { head: pull.head_sha, nowMs: ctx.nowMs }, file),
    });
  },
});

const listCommits = operation({
  id: 'pulls/list-commits',
  summary: 'Lists the commits of a pull request, the oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{pull_number}/commits' },
  input: z.looseObject({ ...PULL_PLACE, ...PAGE }),
  output: listOf('sha', 'commit'),
  example: EXAMPLE_PULL,
  run(ctx, input) {
    const { repository, issue, pull } = pullAt(ctx, input);
    const place = placeOf(ctx, repository);
    ctx.reply({ facts: { modified: issue.updated_at } });
    return paged(ctx, input, {
      items: commitsOf(ctx, pull).slice(0, COMMITS),
      path: numberedPath(repository, `/pulls/${issue.number}/commits`),
      inPath: ['pull_number'],
      show: ({ sha }) => commitView(ctx, place, sha),
    });
  },
});

const listOfCommit = operation({
  id: 'repos/list-pull-requests-associated-with-commit',
  summary: 'Lists the pull requests that a commit is part of; of the default branch, those that brought it.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{commit_sha}/pulls' },
  input: z.looseObject({ ...REPOSITORY, commit_sha: z.string(), ...PAGE }),
  output: PULLS,
  example: { owner: 'octo-works', repo: 'lamp', commit_sha: 'dimmer' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const sha = commitNamed(ctx, repository, input.commit_sha);
    return paged(ctx, input, {
      items: pullsWith(ctx, repository, sha),
      path: numberedPath(repository, `/commits/${input.commit_sha}/pulls`),
      inPath: ['commit_sha'],
      show: (found) => listedPull(ctx, place, found),
    });
  },
});

function pullsWith(ctx: Reading, repository: Repository, sha: string): PullFound[] {
  const { tx } = ctx;
  return [...tx.issues.by('by_number', [repository.id])].flatMap((issue) => {
    const pull = tx.pulls.get(issue.id);
    if (!pull) return [];
    const merges = pull.merged_at !== null && pull.merge_commit_sha === sha;
    return merges || commitsOf(ctx, pull).some((commit) => commit.sha === sha)
      ? [{ repository, issue, pull }]
      : [];
  });
}

const checkMerged = operation({
  id: 'pulls/check-if-merged',
  summary: 'Says by its status whether a pull request is merged.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{pull_number}/merge', status: 204 },
  input: z.looseObject(PULL_PLACE),
  output: nothing,
  example: { ...EXAMPLE_PULL, pull_number: 5 },
  run(ctx, input) {
    const { pull } = pullAt(ctx, input);
    return pull.merged_at === null ? ctx.fail('not_found') : null;
  },
});

const mergeOperation = operation({
  id: 'pulls/merge',
  summary: 'Merges a pull request: with a merge commit, squashed to one commit, or rebased.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/pulls/{pull_number}/merge' },
  input: z.looseObject({
    ...PULL_PLACE,
    commit_title: z.string().nullish(),
    commit_message: z.string().nullish(),
    sha: z.string().nullish(),
    merge_method: z.enum(['merge', 'squash', 'rebase']).optional(),
  }),
  output: shown('sha', 'merged', 'message'),
  example: EXAMPLE_PULL,
  run(ctx, input) {
    const found = writablePull(ctx, input);
    const sha = mergePull(ctx, found, input);
    return { sha, merged: true, message: 'Pull Request successfully merged' };
  },
});

function writablePull(ctx: Writing, place: z.infer<z.ZodObject<typeof PULL_PLACE>>): PullFound {
  const found = pullAt(ctx, place);
  requireViewer(ctx);
  requireLive(ctx, found.repository);
  requireRole(ctx, found.repository, 'write');
  return found;
}

const updateBranch = operation({
  id: 'pulls/update-branch',
  summary: 'Merges the base of a pull request into its head.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/pulls/{pull_number}/update-branch', status: 202 },
  input: z.looseObject({ ...PULL_PLACE, expected_head_sha: z.string().nullish() }),
  output: shown('message', 'url'),
  example: { ...EXAMPLE_PULL, pull_number: 6 },
  run(ctx, input) {
    const found = pullAt(ctx, input);
    requireLive(ctx, found.repository);
    requireOwnOrWrite(ctx, found);
    const { expected_head_sha: expected } = input;
    if (expected !== null && expected !== undefined && expected !== found.pull.head_sha) {
      ctx.fail('unprocessable', { message: 'expected head sha didn’t match current head ref.' });
    }
    updateHead(ctx, found);
    const url = `${placeOf(ctx, found.repository).url}/pulls/${found.issue.number}`;
    ctx.reply({ facts: { location: url } });
    return { message: 'Updating pull request branch.', url };
  },
});

export const pullContentOperations = [
  listFiles,
  listCommits,
  listOfCommit,
  checkMerged,
  mergeOperation,
  updateBranch,
];
