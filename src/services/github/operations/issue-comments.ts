import { z } from 'zod';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { associationOf } from '../rules/associations.ts';
import { freshId } from '../rules/ids.ts';
import { issueAt, requireLive, touch } from '../rules/issues.ts';
import { BODY_MOST, isLonger } from '../rules/lengths.ts';
import { notify } from '../rules/notifications.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { dropReactions } from '../rules/reactions.ts';
import { repositoryAt, requireRole, roleIn } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { IssueComment } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { commentView, placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { ISSUE_PLACE } from './issues.ts';
import { REPOSITORY } from './repositories.ts';

const COMMENT = shown('id', 'body', 'url');
const COMMENTS = listOf('id', 'body', 'url');
const COMMENT_PLACE = { ...REPOSITORY, comment_id: z.int() };

const createComment = operation({
  id: 'issues/create-comment',
  summary: 'Comments on an issue or pull.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{issue_number}/comments', status: 201 },
  input: z.looseObject({ ...ISSUE_PLACE, body: z.string() }),
  output: COMMENT,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1, body: 'Same here.' },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    const viewer = requireViewer(ctx);
    requireLive(ctx, repository);
    if (issue.locked && roleIn(ctx, repository) === 'read') {
      ctx.fail('forbidden', { message: 'Unable to create comment because issue is locked.' });
    }
    const body = wordsOf(ctx, input.body);
    const moment = momentText(ctx.nowMs);
    const comment = ctx.tx.issue_comments.insert({
      id: freshId(ctx, 'issue_comments'),
      issue_id: issue.id,
      repository_id: repository.id,
      user_id: viewer.id,
      author_association: associationOf(ctx, repository, viewer),
      body,
      created_at: moment,
      updated_at: moment,
    });
    touch(ctx, issue, { comments: issue.comments + 1 });
    notify(ctx, issue, { commentId: comment.id });
    const view = commentView(ctx, placeOf(ctx, repository), comment);
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

function wordsOf(ctx: Writing, body: string): string {
  const isTooLong = isLonger(body, BODY_MOST);
  if (body.trim() !== '' && !isTooLong) return body;
  const message = isTooLong
    ? `Body is too long (maximum is ${BODY_MOST} characters)`
    : 'Body cannot be blank';
  return ctx.fail('validation_failed', {
    errors: [{ resource: 'IssueComment', code: 'unprocessable', field: 'data', message }],
  });
}

const listComments = operation({
  id: 'issues/list-comments',
  summary: 'Lists the comments of an issue or pull, the oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{issue_number}/comments' },
  input: z.looseObject({ ...ISSUE_PLACE, since: z.string().optional(), ...PAGE }),
  output: COMMENTS,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1 },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = [...ctx.tx.issue_comments.by('by_issue', [issue.id])].filter(changedSince(input.since));
    const path = numberedPath(repository, `/issues/${issue.number}/comments`);
    const show = (comment: IssueComment) => commentView(ctx, place, comment);
    return paged(ctx, input, { items, path, inPath: ['issue_number'], show });
  },
});

function changedSince(since: string | undefined): (comment: IssueComment) => boolean {
  return (comment) =>
    since === undefined || since === '' || Date.parse(comment.updated_at) >= Date.parse(since);
}

const listForRepository = operation({
  id: 'issues/list-comments-for-repo',
  summary: 'Lists the comments of all issues and pulls of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/comments' },
  input: z.looseObject({
    ...REPOSITORY,
    sort: z.enum(['created', 'updated']).optional(),
    direction: z.enum(['asc', 'desc']).optional(),
    since: z.string().optional(),
    ...PAGE,
  }),
  output: COMMENTS,
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = [...ctx.tx.issue_comments.by('by_repository', [repository.id])].filter(
      changedSince(input.since),
    );
    if (input.sort === 'updated') items.sort((one, other) => (one.updated_at < other.updated_at ? -1 : 1));
    if (input.sort !== undefined && input.direction === 'desc') items.reverse();
    const path = numberedPath(repository, '/issues/comments');
    return paged(ctx, input, { items, path, show: (comment) => commentView(ctx, place, comment) });
  },
});

function commentAt(ctx: Reading, input: { owner: string; repo: string; comment_id: number }) {
  const repository = repositoryAt(ctx, input);
  const comment = ctx.tx.issue_comments.get(input.comment_id);
  if (comment?.repository_id !== repository.id) return ctx.fail('not_found');
  return { repository, comment };
}

const getComment = operation({
  id: 'issues/get-comment',
  summary: 'Reads a comment on an issue or pull.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/comments/{comment_id}' },
  input: z.looseObject(COMMENT_PLACE),
  output: COMMENT,
  example: { owner: 'octo-works', repo: 'lamp', comment_id: 3_500_000_001 },
  run(ctx, input) {
    const { repository, comment } = commentAt(ctx, input);
    return commentView(ctx, placeOf(ctx, repository), comment);
  },
});

/** Authors may change their comments, others need to push. */
function requireOwn(ctx: Writing, repository: Repository, comment: IssueComment): void {
  if (comment.user_id !== requireViewer(ctx).id) requireRole(ctx, repository, 'write');
}

const updateComment = operation({
  id: 'issues/update-comment',
  summary: 'Changes the words of a comment on an issue or pull.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/issues/comments/{comment_id}' },
  input: z.looseObject({ ...COMMENT_PLACE, body: z.string() }),
  output: COMMENT,
  example: { owner: 'octo-works', repo: 'lamp', comment_id: 3_500_000_001, body: 'Solved.' },
  run(ctx, input) {
    const { repository, comment } = commentAt(ctx, input);
    requireOwn(ctx, repository, comment);
    const body = wordsOf(ctx, input.body);
    const changed = ctx.tx.issue_comments.update(comment.id, { body, updated_at: momentText(ctx.nowMs) });
    return commentView(ctx, placeOf(ctx, repository), changed);
  },
});

const deleteComment = operation({
  id: 'issues/delete-comment',
  summary: 'Deletes a comment on an issue or pull.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/comments/{comment_id}', status: 204 },
  input: z.looseObject(COMMENT_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', comment_id: 3_500_000_001 },
  run(ctx, input) {
    const { repository, comment } = commentAt(ctx, input);
    requireOwn(ctx, repository, comment);
    const issue = ctx.tx.issues.get(comment.issue_id);
    dropReactions(ctx, 'issue-comment', comment.id);
    ctx.tx.issue_comments.delete(comment.id);
    if (issue) touch(ctx, issue, { comments: Math.max(0, issue.comments - 1) });
    return null;
  },
});

export const issueCommentOperations = [
  createComment,
  listComments,
  listForRepository,
  getComment,
  updateComment,
  deleteComment,
];
