import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import {
  commitAt,
  diffCommit,
  type GitCommit,
  log,
  mailPatches,
  unifiedDiff,
  utcSeconds,
} from '../git/index.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { mediaTypeOf } from '../protocol/media.ts';
import { accountOfEmail } from '../rules/commits.ts';
import { compared, filesBetween } from '../rules/comparisons.ts';
import { asksFor } from '../rules/contents.ts';
import { PAGE, paged, pageOf } from '../rules/paging.ts';
import { type Branch, branchesOf, commitNamed, findCommit, isEmpty, objectsOf } from '../rules/refs.ts';
import { repositoryAt } from '../rules/repositories.ts';
import type { Repository } from '../schema/repositories.ts';
import { comparisonView } from '../views/comparisons.ts';
import { commitView, fileView, statsView } from '../views/git.ts';
import { type Place, placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY } from './repositories.ts';

const listCommits = operation({
  id: 'repos/list-commits',
  summary: 'Lists commits, the youngest first: of a branch, a path, an author or a time.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/commits' },
  input: z.looseObject({
    ...REPOSITORY,
    sha: z.string().optional(),
    path: z.string().optional(),
    author: z.string().optional(),
    committer: z.string().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    ...PAGE,
  }),
  output: listOf('sha', 'commit'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    if (isEmpty(ctx, repository)) ctx.fail('conflict', { message: 'Git Repository is empty.' });
    const word = input.sha ?? repository.default_branch;
    const start = findCommit(ctx, repository, word) ?? ctx.fail('not_found');
    const { path, since, until, author, committer } = input;
    const found = log(objectsOf(ctx), [start], {
      ...(path !== undefined && { path }),
      ...(since !== undefined && since !== '' && { since }),
      ...(until !== undefined && until !== '' && { until }),
      matches: (commit) => isBy(ctx, commit, { author, committer }),
    });
    const items = [...found];
    const first = items[0]?.commit.committer.date;
    if (first !== undefined) ctx.reply({ facts: { modified: utcSeconds(first) } });
    const place = placeOf(ctx, repository);
    const at = numberedPath(repository, '/commits');
    return paged(ctx, input, { items, path: at, show: ({ sha }) => commitView(ctx, place, sha) });
  },
});

/** Whether a commit is of these people, each a login or an address. */
function isBy(
  ctx: Reading,
  commit: GitCommit,
  wished: { readonly author: string | undefined; readonly committer: string | undefined },
): boolean {
  const fits = (word: string | undefined, email: string): boolean => {
    if (word === undefined || word === '') return true;
    if (word.toLowerCase() === email.toLowerCase()) return true;
    return accountOfEmail(ctx, email)?.login_key === word.toLowerCase();
  };
  return fits(wished.author, commit.author.email) && fits(wished.committer, commit.committer.email);
}

/** How many files of a commit or comparison stand on a page. */
const FILES = 300;

const getCommit = operation({
  id: 'repos/get-commit',
  summary: 'Reads a commit with its files, or as a diff or patch.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{ref*}' },
  input: z.looseObject({ ...REPOSITORY, ref: z.string(), ...PAGE }),
  output: z.union([z.string(), shown('sha', 'commit', 'files')]),
  example: { owner: 'octo-works', repo: 'lamp', ref: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const sha = commitNamed(ctx, repository, input.ref);
    const reader = objectsOf(ctx);
    const commit = commitAt(reader, sha) ?? ctx.fail('not_found');
    ctx.reply({ facts: { modified: utcSeconds(commit.committer.date) } });
    if (asksFor(ctx, 'sha')) return answerText(ctx, sha);
    const files = diffCommit(reader, sha);
    if (asksFor(ctx, 'diff')) return answerText(ctx, unifiedDiff(reader, files));
    if (asksFor(ctx, 'patch')) return answerText(ctx, mailPatches(reader, [sha]));
    const place = placeOf(ctx, repository);
    const path = numberedPath(repository, `/commits/${sha}`);
    const page = { page: input.page, per_page: input.per_page ?? FILES };
    return {
      ...commitView(ctx, place, sha),
      stats: statsView(files),
      files: filePage(ctx, page, {
        files,
        path,
        show: (file) => fileView(place, { head: sha, nowMs: ctx.nowMs }, file),
      }),
    };
  },
});

/** A page of files; a commit may show more of them at a time than other lists do. */
function filePage<File>(
  ctx: Reading,
  input: { page: number | string | undefined; per_page: number | string },
  { files, path, show }: { files: readonly File[]; path: string; show: (file: File) => JsonObject },
): JsonObject[] {
  const { page } = pageOf(input);
  const size = Math.min(FILES, Number(input.per_page) || FILES);
  const last = Math.max(1, Math.ceil(files.length / size));
  const inPath = ['owner', 'repo', 'ref', 'basehead'];
  ctx.reply({ facts: { page: { page, last, more: page < last, path, inPath } } });
  return files.slice((page - 1) * size, page * size).map(show);
}

/** Answers in the text form that was asked for. */
function answerText(ctx: Reading, text: string): string {
  const { custom } = mediaTypeOf(ctx.headers.accept, ctx.nowMs);
  ctx.reply({ form: 'text', headers: { 'content-type': `${custom}; charset=utf-8` } });
  return text;
}

const compareCommits = operation({
  id: 'repos/compare-commits-with-basehead',
  summary: 'Compares two commits, also of forks: `base...head`.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/compare/{basehead*}' },
  input: z.looseObject({ ...REPOSITORY, basehead: z.string(), ...PAGE }),
  output: z.union([z.string(), shown('status', 'commits')]),
  example: { owner: 'octo-works', repo: 'lamp', basehead: 'main...dimmer' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const both = compared(ctx, repository, input.basehead);
    const reader = objectsOf(ctx);
    const head = commitAt(reader, both.head.sha);
    if (head) ctx.reply({ facts: { modified: utcSeconds(head.committer.date) } });
    if (asksFor(ctx, 'diff')) return answerText(ctx, unifiedDiff(reader, filesBetween(ctx, both)));
    if (asksFor(ctx, 'patch')) {
      const shas = both.ahead.filter(({ commit }) => commit.parents.length < 2).map(({ sha }) => sha);
      return answerText(ctx, mailPatches(reader, shas));
    }
    const place = placeOf(ctx, repository);
    return comparisonView(
      ctx,
      { place, both, basehead: input.basehead },
      commitPage(ctx, input, { ahead: both.ahead, place }),
    );
  },
});

/** Without paging a comparison shows 250 commits and no links; with it, one page of them. */
const COMPARED = 250;

function commitPage(
  ctx: Reading,
  input: {
    basehead: string;
    page?: string | number | undefined;
    per_page?: string | number | undefined;
  },
  { ahead, place }: { readonly ahead: readonly { readonly sha: string }[]; readonly place: Place },
): { readonly shas: string[]; readonly page: number } {
  const shas = ahead.map(({ sha }) => sha);
  if (input.page === undefined && input.per_page === undefined)
    return { shas: shas.slice(0, COMPARED), page: 1 };
  const { page } = pageOf(input);
  const size = input.per_page === undefined ? COMPARED : pageOf(input).size;
  const last = Math.max(1, Math.ceil(shas.length / size));
  const start = `https://api.github.com${numberedPath(place.repository, `/compare/${input.basehead}`)}`;
  const link = (target: number, rel: string): string =>
    `<${start}?per_page=${size}&page=${target}>; rel="${rel}"`;
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(last > 1 ? [link(last, 'last')] : []),
    ...(page < last ? [link(page + 1, 'next')] : []),
    link(1, 'first'),
  ];
  ctx.reply({ headers: { link: links.join(', ') } });
  return { shas: shas.slice((page - 1) * size, page * size), page };
}

const listHeads = operation({
  id: 'repos/list-branches-for-head-commit',
  summary: 'Lists the branches whose last commit this is.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{commit_sha}/branches-where-head' },
  input: z.looseObject({ ...REPOSITORY, commit_sha: z.string() }),
  output: listOf('name', 'commit'),
  example: { owner: 'octo-works', repo: 'lamp', commit_sha: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const head = commitNamed(ctx, repository, input.commit_sha);
    const { url } = placeOf(ctx, repository);
    return branchesOf(ctx, repository)
      .filter(({ sha }) => sha === head)
      .map(({ name, sha }) => headView(ctx, { repository, url }, { name, sha }));
  },
});

function headView(
  { tx }: Reading,
  { repository, url }: { repository: Repository; url: string },
  { name, sha }: Branch,
): JsonObject {
  const isProtected = tx.branch_protections.has([repository.id, name]);
  return { name, commit: { sha, url: `${url}/commits/${sha}` }, protected: isProtected };
}

export const commitOperations = [listCommits, getCommit, compareCommits, listHeads];
