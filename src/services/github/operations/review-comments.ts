import { z } from 'zod';
import { commitAt, gitReader, isAncestor } from '../git/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { openToWords, type PullFound, pullAt } from '../rules/pulls.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { addComment, dropComment, replyTo, submitted } from '../rules/reviews.ts';
import { requireViewer, viewerOf } from '../rules/viewer.ts';
import type { ReviewComment } from '../schema/pulls.ts';
import type { Repository } from '../schema/repositories.ts';
import { placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { reviewCommentView } from '../views/reviews.ts';
import { EXAMPLE_PULL, PULL_PLACE } from './pulls.ts';
import { REPOSITORY } from './repositories.ts';
import { COMMENT_WISH } from './reviews.ts';

const COMMENT = shown('id', 'path', 'body');
const COMMENTS = listOf('id', 'path', 'body');
const COMMENT_PLACE = { ...REPOSITORY, comment_id: z.int() };
const EXAMPLE = { owner: 'octo-works', repo: 'lamp', comment_id: 2_700_000_001 };
const ORDER = {
  sort: z.enum(['created', 'updated', 'created_at']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
  since: z.string().optional().describe('A moment: only what changed since.'),
};

/** Comments that the caller sees, in the order of a list; those of another's pending review are left out. */
function ordered(
  ctx: Reading,
  comments: Iterable<ReviewComment>,
  { sort, direction, since }: Partial<z.infer<z.ZodObject<typeof ORDER>>>,
): ReviewComment[] {
  const after = since === undefined || since === '' ? Number.NEGATIVE_INFINITY : Date.parse(since);
  const seen = [...comments].filter(
    (comment) => isSeen(ctx, comment) && Date.parse(comment.updated_at) >= after,
  );
  const key = sort === 'updated' ? 'updated_at' : 'created_at';
  // Without an order of its own a list is in that in which the comments were written.
  const sign = direction === 'desc' && sort !== undefined ? -1 : 1;
  return seen.sort((one, other) =>
    one[key] === other[key] ? sign * (one.id - other.id) : one[key] < other[key] ? -sign : sign,
  );
}

function isSeen(ctx: Reading, { review_id }: ReviewComment): boolean {
  const review = review_id === null ? undefined : ctx.tx.pull_reviews.get(review_id);
  return review?.state !== 'PENDING' || review.user_id === viewerOf(ctx)?.id;
}

function commentAt(
  ctx: Reading,
  place: z.infer<z.ZodObject<typeof COMMENT_PLACE>>,
): { readonly repository: Repository; readonly comment: ReviewComment } {
  const repository = repositoryAt(ctx, place);
  const comment = ctx.tx.review_comments.get(place.comment_id);
  const isThere = comment?.repository_id === repository.id && isSeen(ctx, comment);
  return isThere ? { repository, comment } : ctx.fail('not_found');
}

const listForPull = operation({
  id: 'pulls/list-review-comments',
  summary: 'Lists the comments on the lines of a pull request, the oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{pull_number}/comments' },
  input: z.looseObject({ ...PULL_PLACE, ...ORDER, ...PAGE }),
  output: COMMENTS,
  example: EXAMPLE_PULL,
  run(ctx, input) {
    const { repository, issue } = pullAt(ctx, input);
    const place = placeOf(ctx, repository);
    return paged(ctx, input, {
      items: ordered(ctx, ctx.tx.review_comments.by('by_issue', [issue.id]), input),
      path: numberedPath(repository, `/pulls/${issue.number}/comments`),
      inPath: ['pull_number'],
      show: (comment) => reviewCommentView(ctx, place, comment),
    });
  },
});

const listForRepository = operation({
  id: 'pulls/list-review-comments-for-repo',
  summary: 'Lists the comments on the lines of all pull requests of a repository, the oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/comments' },
  input: z.looseObject({ ...REPOSITORY, ...ORDER, ...PAGE }),
  output: COMMENTS,
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = ordered(ctx, ctx.tx.review_comments.by('by_repository', [repository.id]), input);
    const path = numberedPath(repository, '/pulls/comments');
    return paged(ctx, input, { items, path, show: (comment) => reviewCommentView(ctx, place, comment) });
  },
});

const getComment = operation({
  id: 'pulls/get-review-comment',
  summary: 'Reads a comment on a line of a pull request.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/comments/{comment_id}' },
  input: z.looseObject(COMMENT_PLACE),
  output: COMMENT,
  example: EXAMPLE,
  run(ctx, input) {
    const { repository, comment } = commentAt(ctx, input);
    return reviewCommentView(ctx, placeOf(ctx, repository), comment);
  },
});

const createComment = operation({
  id: 'pulls/create-review-comment',
  summary: 'Comments on a line, on several lines or on a whole file of a pull request.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{pull_number}/comments', status: 201 },
  input: z.looseObject({
    ...PULL_PLACE,
    ...COMMENT_WISH,
    path: z.string().optional(),
    body: z.string(),
    commit_id: z.string().optional(),
    in_reply_to: z.int().nullish(),
    subject_type: z.enum(['line', 'file']).optional(),
  }),
  output: COMMENT,
  example: { ...EXAMPLE_PULL, in_reply_to: EXAMPLE.comment_id, body: 'Ten was fine.' },
  run(ctx, input) {
    const found = openToWords(ctx, input);
    if (input.in_reply_to !== null && input.in_reply_to !== undefined) {
      const first = firstOf(ctx, found, input.in_reply_to);
      return told(ctx, found, replyTo(ctx, found, { first, body: input.body }));
    }
    const { path, commit_id } = input;
    if (path === undefined || commit_id === undefined) return missing(ctx, { commit_id, path });
    const review = submitted(ctx, found, commitOf(ctx, found, commit_id));
    return told(ctx, found, addComment(ctx, found, { review, wish: { ...input, path } }));
  },
});

function missing(ctx: Writing, members: Readonly<Record<string, string | undefined>>): never {
  const names = Object.keys(members).filter((name) => members[name] === undefined);
  const problem = `${names.map((name) => `"${name}"`).join(', ')} ${names.length === 1 ? "wasn't" : "weren't"} supplied.`;
  return ctx.fail('invalid_request', { problem });
}

/** A commit of the pull; 422 for another. */
function commitOf(ctx: Writing, { pull }: PullFound, sha: string): string {
  const reader = gitReader(ctx.tx);
  if (commitAt(reader, sha) && isAncestor(reader, sha, pull.head_sha)) return sha;
  const message = 'commit_id is not part of the pull request';
  const error = { resource: 'PullRequestReviewComment', code: 'custom', field: 'commit_id', message };
  return ctx.fail('validation_failed', { errors: [error] });
}

function firstOf(ctx: Writing, { issue }: PullFound, comment_id: number): ReviewComment {
  const comment = ctx.tx.review_comments.get(comment_id);
  return comment?.issue_id === issue.id ? comment : ctx.fail('not_found');
}

function told(ctx: Writing, { repository }: PullFound, comment: ReviewComment) {
  const view = reviewCommentView(ctx, placeOf(ctx, repository), comment);
  ctx.reply({ facts: { location: view.url ?? null } });
  return view;
}

const createReply = operation({
  id: 'pulls/create-reply-for-review-comment',
  summary: 'Answers a comment on a line of a pull request.',
  effect: 'write',
  http: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
    status: 201,
  },
  input: z.looseObject({ ...PULL_PLACE, comment_id: z.int(), body: z.string() }),
  output: COMMENT,
  example: { ...EXAMPLE_PULL, comment_id: EXAMPLE.comment_id, body: 'Five is plenty.' },
  run(ctx, input) {
    const found = openToWords(ctx, input);
    const first = firstOf(ctx, found, input.comment_id);
    return told(ctx, found, replyTo(ctx, found, { first, body: input.body }));
  },
});

const updateComment = operation({
  id: 'pulls/update-review-comment',
  summary: 'Changes the words of a comment on a line of a pull request.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/pulls/comments/{comment_id}' },
  input: z.looseObject({ ...COMMENT_PLACE, body: z.string() }),
  output: COMMENT,
  example: { ...EXAMPLE, body: 'Why not ten?' },
  run(ctx, input) {
    const { repository, comment } = commentAt(ctx, input);
    requireOwn(ctx, repository, comment);
    const changes = { body: input.body, updated_at: momentText(ctx.nowMs) };
    return reviewCommentView(
      ctx,
      placeOf(ctx, repository),
      ctx.tx.review_comments.update(comment.id, changes),
    );
  },
});

/** Others' comments are for those who may write. */
function requireOwn(ctx: Writing, repository: Repository, comment: ReviewComment): void {
  if (comment.user_id !== requireViewer(ctx).id) requireRole(ctx, repository, 'write');
}

const deleteComment = operation({
  id: 'pulls/delete-review-comment',
  summary: 'Deletes a comment on a line of a pull request.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/pulls/comments/{comment_id}', status: 204 },
  input: z.looseObject(COMMENT_PLACE),
  output: nothing,
  example: EXAMPLE,
  run(ctx, input) {
    const { repository, comment } = commentAt(ctx, input);
    requireOwn(ctx, repository, comment);
    dropComment(ctx, comment);
    return null;
  },
});

export const reviewCommentOperations = [
  listForPull,
  listForRepository,
  getComment,
  createComment,
  createReply,
  updateComment,
  deleteComment,
];
