import { z } from 'zod';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { associationOf } from '../rules/associations.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { dropReactions } from '../rules/reactions.ts';
import { commitNamed } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { CommitComment } from '../schema/git.ts';
import type { Repository } from '../schema/repositories.ts';
import { commitCommentView } from '../views/commit-comments.ts';
import { placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const COMMENT = shown('id', 'body', 'commit_id');
const COMMENTS = listOf('id', 'body', 'commit_id');
const COMMENT_PLACE = { ...REPOSITORY, comment_id: z.int() };

const create = operation({
  id: 'repos/create-commit-comment',
  summary: 'Comments on a commit, or a line of it.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/commits/{commit_sha}/comments', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    commit_sha: z.string(),
    body: z.string(),
    path: z.string().nullish(),
    position: z.int().nullish(),
    line: z.int().nullish(),
  }),
  output: COMMENT,
  example: { owner: 'octo-works', repo: 'lamp', commit_sha: 'main', body: 'Well done.' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    const viewer = requireViewer(ctx);
    const commit_sha = commitNamed(ctx, repository, input.commit_sha);
    const moment = momentText(ctx.nowMs);
    const path = input.path ?? null;
    const comment = ctx.tx.commit_comments.insert({
      id: freshId(ctx, 'commit_comments'),
      repository_id: repository.id,
      commit_sha,
      path,
      // A place in no file is none.
      position: path === null ? null : (input.position ?? null),
      line: path === null ? null : (input.line ?? null),
      user_id: viewer.id,
      author_association: associationOf(ctx, repository, viewer),
      body: wordsOf(ctx, input.body),
      created_at: moment,
      updated_at: moment,
    });
    const view = commitCommentView(ctx, placeOf(ctx, repository), comment);
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

function wordsOf(ctx: Writing, body: string): string {
  if (body.trim() !== '') return body;
  const errors = [{ resource: 'CommitComment', code: 'missing_field', field: 'body' }];
  return ctx.fail('validation_failed', { errors });
}

const listForCommit = operation({
  id: 'repos/list-comments-for-commit',
  summary: 'Lists the comments on a commit.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{commit_sha}/comments' },
  input: z.looseObject({ ...REPOSITORY, commit_sha: z.string(), ...PAGE }),
  output: COMMENTS,
  example: { owner: 'octo-works', repo: 'lamp', commit_sha: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const sha = commitNamed(ctx, repository, input.commit_sha);
    const items = [...ctx.tx.commit_comments.by('by_commit', [repository.id, sha])];
    const path = numberedPath(repository, `/commits/${sha}/comments`);
    const place = placeOf(ctx, repository);
    const show = (comment: CommitComment) => commitCommentView(ctx, place, comment);
    return paged(ctx, input, { items, path, inPath: ['commit_sha'], show });
  },
});

const listForRepository = operation({
  id: 'repos/list-commit-comments-for-repo',
  summary: 'Lists the comments on all commits of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/comments' },
  input: z.looseObject({ ...REPOSITORY, ...PAGE }),
  output: COMMENTS,
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const items = [...ctx.tx.commit_comments.by('by_repository', [repository.id])];
    const place = placeOf(ctx, repository);
    const path = numberedPath(repository, '/comments');
    return paged(ctx, input, { items, path, show: (comment) => commitCommentView(ctx, place, comment) });
  },
});

function commentAt(ctx: Reading, input: { owner: string; repo: string; comment_id: number }) {
  const repository = repositoryAt(ctx, input);
  const comment = ctx.tx.commit_comments.get(input.comment_id);
  if (comment?.repository_id !== repository.id) return ctx.fail('not_found');
  return { repository, comment };
}

const get = operation({
  id: 'repos/get-commit-comment',
  summary: 'Reads a comment on a commit.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/comments/{comment_id}' },
  input: z.looseObject(COMMENT_PLACE),
  output: COMMENT,
  example: { owner: 'octo-works', repo: 'lamp', comment_id: 150_000_001 },
  run(ctx, input) {
    const { repository, comment } = commentAt(ctx, input);
    return commitCommentView(ctx, placeOf(ctx, repository), comment);
  },
});

/** Authors may change their comments, others need to push. */
function requireOwn(ctx: Writing, repository: Repository, comment: CommitComment): void {
  if (comment.user_id !== requireViewer(ctx).id) requireRole(ctx, repository, 'write');
}

const update = operation({
  id: 'repos/update-commit-comment',
  summary: 'Changes the words of a comment on a commit.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/comments/{comment_id}' },
  input: z.looseObject({ ...COMMENT_PLACE, body: z.string() }),
  output: COMMENT,
  example: { owner: 'octo-works', repo: 'lamp', comment_id: 150_000_001, body: 'Well done!' },
  run(ctx, input) {
    const { repository, comment } = commentAt(ctx, input);
    requireOwn(ctx, repository, comment);
    const body = wordsOf(ctx, input.body);
    const changed = ctx.tx.commit_comments.update(comment.id, { body, updated_at: momentText(ctx.nowMs) });
    return commitCommentView(ctx, placeOf(ctx, repository), changed);
  },
});

const remove = operation({
  id: 'repos/delete-commit-comment',
  summary: 'Deletes a comment on a commit.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/comments/{comment_id}', status: 204 },
  input: z.looseObject(COMMENT_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', comment_id: 150_000_001 },
  run(ctx, input) {
    const { repository, comment } = commentAt(ctx, input);
    requireOwn(ctx, repository, comment);
    dropReactions(ctx, 'commit-comment', comment.id);
    ctx.tx.commit_comments.delete(comment.id);
    return null;
  },
});

export const commitCommentOperations = [create, listForCommit, listForRepository, get, update, remove];
