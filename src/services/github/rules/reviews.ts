import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { PullReview, ReviewComment } from '../schema/pulls.ts';
import { associationOf } from './associations.ts';
import { freshId } from './ids.ts';
import { addEvent, touch } from './issues.ts';
import type { PullFound } from './pulls.ts';
import { dropReactions } from './reactions.ts';
import { type CommentPlace, type PlaceWish, placeIn } from './review-places.ts';
import { fulfilRequest } from './review-requests.ts';
import { requireViewer, viewerOf } from './viewer.ts';

/** What becomes of a review when it is submitted. */
export const VERDICTS = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
} as const;
export type Verdict = keyof typeof VERDICTS;

/** Reviews that the caller sees: the pending ones only if they are its own. */
export function seesReview(ctx: Reading, { state, user_id }: PullReview): boolean {
  return state !== 'PENDING' || user_id === viewerOf(ctx)?.id;
}

/** The review of a number; 404 where the pull has none that the caller sees. */
export function reviewAt(ctx: Reading, { issue }: PullFound, review_id: number): PullReview {
  const review = ctx.tx.pull_reviews.get(review_id);
  return review?.issue_id === issue.id && seesReview(ctx, review) ? review : ctx.fail('not_found');
}

/** What a new review is made of. */
export interface ReviewWish {
  readonly body?: string | null | undefined;
  readonly commit_id?: string | null | undefined;
}

/** Starts a review; it is pending until it is submitted. One at a time may be. */
export function startReview(ctx: Writing, found: PullFound, { body, commit_id }: ReviewWish): PullReview {
  const { repository, issue, pull } = found;
  const viewer = requireViewer(ctx);
  for (const { user_id, state } of ctx.tx.pull_reviews.by('by_issue', [issue.id])) {
    if (state === 'PENDING' && user_id === viewer.id) {
      refuse(ctx, 'User can only have one pending review per pull request');
    }
  }
  return ctx.tx.pull_reviews.insert({
    id: freshId(ctx, 'pull_reviews'),
    issue_id: issue.id,
    repository_id: repository.id,
    user_id: viewer.id,
    author_association: associationOf(ctx, repository, viewer),
    body: body ?? '',
    state: 'PENDING',
    commit_sha: commit_id ?? pull.head_sha,
    submitted_at: null,
  });
}

/** 422 with one sentence, as reviews are refused. */
export function refuse(ctx: Reading, error: string): never {
  return ctx.fail('unprocessable', { message: 'Unprocessable Entity', errors: [error] });
}

/** Submits a pending review. */
export function submitReview(
  ctx: Writing,
  found: PullFound,
  { review, event, body }: { readonly review: PullReview; readonly event: Verdict; readonly body: string },
): PullReview {
  const { issue } = found;
  const viewer = requireViewer(ctx);
  const isOwn = issue.user_id === viewer.id;
  if (isOwn && event === 'APPROVE') refuse(ctx, 'Can not approve your own pull request');
  if (isOwn && event === 'REQUEST_CHANGES') refuse(ctx, 'Can not request changes on your own pull request');
  const hasComments = !ctx.tx.review_comments.by('by_review', [review.id]).next().done;
  if (body.trim() === '' && event !== 'APPROVE' && !(event === 'COMMENT' && hasComments)) {
    refuse(ctx, 'Body can not be blank');
  }
  const moment = momentText(ctx.nowMs);
  for (const comment of [...ctx.tx.review_comments.by('by_review', [review.id])]) {
    ctx.tx.review_comments.update(comment.id, { updated_at: moment });
  }
  if (event !== 'COMMENT') fulfilRequest(ctx, found, viewer.id);
  touch(ctx, issue);
  const state = VERDICTS[event];
  return ctx.tx.pull_reviews.update(review.id, { body, state, submitted_at: moment });
}

/** Takes a verdict back, with a reason. */
export function dismissReview(
  ctx: Writing,
  { issue }: PullFound,
  { review, message }: { readonly review: PullReview; readonly message: string },
): PullReview {
  if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED') {
    const what = review.state === 'PENDING' ? 'pending' : review.state.toLowerCase();
    refuse(ctx, `Can not dismiss a ${what} pull request review`);
  }
  const dismissed_review = {
    state: review.state.toLowerCase(),
    review_id: review.id,
    dismissal_message: message,
  };
  addEvent(ctx, issue, { event: 'review_dismissed', details: { dismissed_review } });
  touch(ctx, issue);
  return ctx.tx.pull_reviews.update(review.id, { state: 'DISMISSED' });
}

/** A comment on a line or a file. */
export interface CommentWish extends PlaceWish {
  readonly body: string;
}

/** Comments within a review; 422 for a place that the pull does not have. */
export function addComment(
  ctx: Writing,
  found: PullFound,
  { review, wish }: { readonly review: PullReview; readonly wish: CommentWish },
): ReviewComment {
  const place = placeIn(ctx, found.pull, wish);
  if ('missing' in place) return noPlace(ctx, place.missing, wish);
  return writeComment(ctx, found, { review, body: wish.body, place });
}

function noPlace(ctx: Writing, missing: readonly string[], wish: CommentWish): never {
  const isLine = wish.line !== undefined && wish.line !== null;
  const errors = missing.map((name) => ({
    resource: 'PullRequestReviewComment',
    code: 'invalid',
    field: isLine && name !== 'path' ? `pull_request_review_thread.${name}` : name,
    ...(isLine && name !== 'path' && { message: 'could not be resolved' }),
  }));
  return ctx.fail('validation_failed', { errors });
}

/** Comments in answer to another comment: it stands where that one does. */
export function replyTo(
  ctx: Writing,
  found: PullFound,
  { first, body }: { readonly first: ReviewComment; readonly body: string },
): ReviewComment {
  const { id, in_reply_to_id, ...place } = first;
  const review = submitted(ctx, found, first.commit_sha);
  const reply = writeComment(ctx, found, { review, body, place });
  // Answers to answers belong to the comment that began it.
  return ctx.tx.review_comments.update(reply.id, {
    in_reply_to_id: in_reply_to_id ?? id,
    commit_sha: first.commit_sha,
    original_commit_sha: first.original_commit_sha,
  });
}

/** A review that holds one comment and is submitted with it. */
export function submitted(ctx: Writing, { repository, issue }: PullFound, commit_sha: string): PullReview {
  const viewer = requireViewer(ctx);
  return ctx.tx.pull_reviews.insert({
    id: freshId(ctx, 'pull_reviews'),
    issue_id: issue.id,
    repository_id: repository.id,
    user_id: viewer.id,
    author_association: associationOf(ctx, repository, viewer),
    body: '',
    state: 'COMMENTED',
    commit_sha,
    submitted_at: momentText(ctx.nowMs),
  });
}

function writeComment(
  ctx: Writing,
  { repository, issue, pull }: PullFound,
  {
    review,
    body,
    place,
  }: { readonly review: PullReview; readonly body: string; readonly place: CommentPlace },
): ReviewComment {
  const viewer = requireViewer(ctx);
  const moment = momentText(ctx.nowMs);
  if (body.trim() === '') {
    const errors = [{ resource: 'PullRequestReviewComment', code: 'missing_field', field: 'body' }];
    ctx.fail('validation_failed', { errors });
  }
  const comment = ctx.tx.review_comments.insert({
    ...place,
    id: freshId(ctx, 'review_comments'),
    review_id: review.id,
    issue_id: issue.id,
    repository_id: repository.id,
    user_id: viewer.id,
    author_association: associationOf(ctx, repository, viewer),
    body,
    commit_sha: pull.head_sha,
    original_commit_sha: review.commit_sha,
    in_reply_to_id: null,
    created_at: moment,
    updated_at: moment,
  });
  touch(ctx, issue);
  return comment;
}

/** Takes a comment away; a review that only held it goes with it. */
export function dropComment(ctx: Writing, comment: ReviewComment): void {
  const { tx } = ctx;
  dropReactions(ctx, 'review-comment', comment.id);
  tx.review_comments.delete(comment.id);
  const review = comment.review_id === null ? undefined : tx.pull_reviews.get(comment.review_id);
  const isBare = review?.state === 'COMMENTED' && review.body === '';
  if (isBare && tx.review_comments.by('by_review', [review.id]).next().done)
    tx.pull_reviews.delete(review.id);
}
