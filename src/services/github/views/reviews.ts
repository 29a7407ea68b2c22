import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { PullReview, ReviewComment } from '../schema/pulls.ts';
import { simpleUserOrNull } from './accounts.ts';
import type { Place } from './issues.ts';
import { globalId } from './node-ids.ts';
import { reactionSummary } from './reactions.ts';

/** A review of a pull. */
export function reviewView(ctx: Reading, { repository, url, web }: Place, review: PullReview): JsonObject {
  const { tx } = ctx;
  const number = tx.issues.get(review.issue_id)?.number ?? 0;
  const html = `${web}/pull/${number}#pullrequestreview-${review.id}`;
  const pull = `${url}/pulls/${number}`;
  return {
    id: review.id,
    node_id: globalId('PRR', [0, repository.id, review.id]),
    user: simpleUserOrNull(review.user_id === null ? null : tx.accounts.get(review.user_id)),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: pull,
    author_association: review.author_association,
    _links: { html: { href: html }, pull_request: { href: pull } },
    ...(review.submitted_at !== null && { submitted_at: review.submitted_at }),
    commit_id: review.commit_sha,
  };
}

/** What a review comment shows wherever it is read. */
function members(ctx: Reading, { repository, url, web }: Place, comment: ReviewComment): JsonObject {
  const { tx } = ctx;
  const number = tx.issues.get(comment.issue_id)?.number ?? 0;
  const own = `${url}/pulls/comments/${comment.id}`;
  const html = `${web}/pull/${number}#discussion_r${comment.id}`;
  const pull = `${url}/pulls/${number}`;
  return {
    url: own,
    pull_request_review_id: comment.review_id,
    id: comment.id,
    node_id: globalId('PRRC', [0, repository.id, comment.id]),
    diff_hunk: comment.diff_hunk,
    path: comment.path,
    commit_id: comment.commit_sha,
    original_commit_id: comment.original_commit_sha,
    user: simpleUserOrNull(comment.user_id === null ? null : tx.accounts.get(comment.user_id)),
    body: comment.body,
    created_at: comment.created_at,
    updated_at: comment.updated_at,
    html_url: html,
    pull_request_url: pull,
    author_association: comment.author_association,
    _links: { self: { href: own }, html: { href: html }, pull_request: { href: pull } },
    reactions: reactionSummary(ctx, { kind: 'review-comment', id: comment.id }, own),
    ...(comment.in_reply_to_id !== null && { in_reply_to_id: comment.in_reply_to_id }),
    original_position: comment.original_position,
    position: comment.position,
  };
}

/** A comment on a line or a file of a pull. */
export function reviewCommentView(ctx: Reading, place: Place, comment: ReviewComment): JsonObject {
  const { original_position, position, ...common } = members(ctx, place, comment);
  return {
    ...common,
    start_line: comment.start_line,
    original_start_line: comment.original_start_line,
    start_side: comment.start_side,
    line: comment.line,
    original_line: comment.original_line,
    side: comment.side,
    original_position: original_position ?? null,
    position: position ?? null,
    subject_type: comment.subject_type,
  };
}

/** The same among the comments of one review, which tell the place by its position alone. */
export function commentOfReview(ctx: Reading, place: Place, comment: ReviewComment): JsonObject {
  return members(ctx, place, comment);
}
