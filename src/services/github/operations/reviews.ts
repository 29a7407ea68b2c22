import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { openToWords, type PullFound, pullAt } from '../rules/pulls.ts';
import { dropReactions } from '../rules/reactions.ts';
import { requireRole } from '../rules/repositories.ts';
import {
  addComment,
  dismissReview,
  refuse,
  reviewAt,
  seesReview,
  startReview,
  submitReview,
} from '../rules/reviews.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { PullReview } from '../schema/pulls.ts';
import { placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { commentOfReview, reviewView } from '../views/reviews.ts';
import { EXAMPLE_PULL, PULL_PLACE } from './pulls.ts';

const REVIEW = shown('id', 'state', 'body');
const REVIEW_PLACE = { ...PULL_PLACE, review_id: z.int() };
const EXAMPLE = { ...EXAMPLE_PULL, review_id: 3_700_000_001 };
const EXAMPLE_PENDING = { ...EXAMPLE_PULL, review_id: 3_700_000_002 };

const SIDE = z.preprocess(
  (side) => (typeof side === 'string' ? side.toUpperCase() : side),
  z.enum(['LEFT', 'RIGHT']).optional(),
);
/** Where a comment stands, as requests say it; sides in any case. */
export const COMMENT_WISH = {
  path: z.string(),
  position: z.int().nullish(),
  line: z.int().nullish(),
  side: SIDE,
  start_line: z.int().nullish(),
  start_side: SIDE,
};
const EVENT = z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']);

function viewed(ctx: Reading, { repository }: PullFound, review: PullReview): JsonObject {
  return reviewView(ctx, placeOf(ctx, repository), review);
}

const listReviews = operation({
  id: 'pulls/list-reviews',
  summary: 'Lists the reviews of a pull request, the oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews' },
  input: z.looseObject({ ...PULL_PLACE, ...PAGE }),
  output: listOf('id', 'state'),
  example: EXAMPLE_PULL,
  run(ctx, input) {
    const found = pullAt(ctx, input);
    const { repository, issue } = found;
    const place = placeOf(ctx, repository);
    return paged(ctx, input, {
      items: [...ctx.tx.pull_reviews.by('by_issue', [issue.id])].filter((review) => seesReview(ctx, review)),
      path: numberedPath(repository, `/pulls/${issue.number}/reviews`),
      inPath: ['pull_number'],
      show: (review) => reviewView(ctx, place, review),
    });
  },
});

const createReview = operation({
  id: 'pulls/create-review',
  summary: 'Reviews a pull request; without a verdict the review waits to be submitted.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews' },
  input: z.looseObject({
    ...PULL_PLACE,
    body: z.string().nullish(),
    commit_id: z.string().nullish(),
    event: z.preprocess((event) => (event === '' || event === null ? undefined : event), EVENT.optional()),
    comments: z.array(z.looseObject({ ...COMMENT_WISH, body: z.string() })).nullish(),
  }),
  output: REVIEW,
  example: { owner: 'octo-works', repo: 'lamp', pull_number: 5, body: 'Well done.', event: 'COMMENT' },
  run(ctx, input) {
    const found = openToWords(ctx, input);
    const review = startReview(ctx, found, input);
    for (const wish of input.comments ?? []) addComment(ctx, found, { review, wish });
    if (input.event === undefined) return viewed(ctx, found, review);
    const verdict = { review, event: input.event, body: input.body ?? '' };
    return viewed(ctx, found, submitReview(ctx, found, verdict));
  },
});

const getReview = operation({
  id: 'pulls/get-review',
  summary: 'Reads a review.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}' },
  input: z.looseObject(REVIEW_PLACE),
  output: REVIEW,
  example: EXAMPLE,
  run(ctx, input) {
    const found = pullAt(ctx, input);
    return viewed(ctx, found, reviewAt(ctx, found, input.review_id));
  },
});

/** A review that only who wrote it may change. */
function ownReview(ctx: Writing, found: PullFound, review_id: number): PullReview {
  const review = reviewAt(ctx, found, review_id);
  if (review.user_id !== requireViewer(ctx).id) {
    ctx.fail('forbidden', { message: 'Must be the author of the review.' });
  }
  return review;
}

const updateReview = operation({
  id: 'pulls/update-review',
  summary: 'Changes the words of a review.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}' },
  input: z.looseObject({ ...REVIEW_PLACE, body: z.string() }),
  output: REVIEW,
  example: { ...EXAMPLE_PENDING, body: 'Nearly there.' },
  run(ctx, input) {
    const found = pullAt(ctx, input);
    const review = ownReview(ctx, found, input.review_id);
    return viewed(ctx, found, ctx.tx.pull_reviews.update(review.id, { body: input.body }));
  },
});

const deletePending = operation({
  id: 'pulls/delete-pending-review',
  summary: 'Drops a review that was not submitted.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}' },
  input: z.looseObject(REVIEW_PLACE),
  output: REVIEW,
  example: EXAMPLE_PENDING,
  run(ctx, input) {
    const found = pullAt(ctx, input);
    const review = reviewAt(ctx, found, input.review_id);
    if (review.state !== 'PENDING') refuse(ctx, 'Can not delete a non-pending pull request review');
    const view = viewed(ctx, found, review);
    for (const { id } of ctx.tx.review_comments.by('by_review', [review.id])) {
      dropReactions(ctx, 'review-comment', id);
    }
    ctx.tx.pull_reviews.delete(review.id);
    return view;
  },
});

const submitOperation = operation({
  id: 'pulls/submit-review',
  summary: 'Submits a pending review.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/events' },
  input: z.looseObject({ ...REVIEW_PLACE, body: z.string().nullish(), event: EVENT }),
  output: REVIEW,
  example: { ...EXAMPLE_PENDING, event: 'COMMENT' },
  run(ctx, input) {
    const found = openToWords(ctx, input);
    const review = ownReview(ctx, found, input.review_id);
    if (review.state !== 'PENDING') refuse(ctx, 'Could not submit a review that is not pending');
    const body = input.body ?? review.body;
    return viewed(ctx, found, submitReview(ctx, found, { review, event: input.event, body }));
  },
});

const dismissOperation = operation({
  id: 'pulls/dismiss-review',
  summary: 'Dismisses the verdict of a review.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals' },
  input: z.looseObject({ ...REVIEW_PLACE, message: z.string(), event: z.enum(['DISMISS']).nullish() }),
  output: REVIEW,
  example: { ...EXAMPLE, message: 'Another way was found.' },
  run(ctx, input) {
    const found = pullAt(ctx, input);
    const review = reviewAt(ctx, found, input.review_id);
    requireRole(ctx, found.repository, 'write');
    return viewed(ctx, found, dismissReview(ctx, found, { review, message: input.message }));
  },
});

const listComments = operation({
  id: 'pulls/list-comments-for-review',
  summary: 'Lists the comments of a review.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments' },
  input: z.looseObject({ ...REVIEW_PLACE, ...PAGE }),
  output: listOf('id', 'path', 'body'),
  example: EXAMPLE,
  run(ctx, input) {
    const found = pullAt(ctx, input);
    const { repository, issue } = found;
    const review = reviewAt(ctx, found, input.review_id);
    const place = placeOf(ctx, repository);
    return paged(ctx, input, {
      items: [...ctx.tx.review_comments.by('by_review', [review.id])],
      path: numberedPath(repository, `/pulls/${issue.number}/reviews/${review.id}/comments`),
      inPath: ['pull_number', 'review_id'],
      show: (comment) => commentOfReview(ctx, place, comment),
    });
  },
});

export const reviewOperations = [
  listReviews,
  createReview,
  getReview,
  updateReview,
  deletePending,
  submitOperation,
  dismissOperation,
  listComments,
];
