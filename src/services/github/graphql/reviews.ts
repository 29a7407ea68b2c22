import type { PullFound } from '../rules/pulls.ts';
import { verdictsOf } from '../rules/review-rules.ts';
import { findAccount, viewerOf } from '../rules/viewer.ts';
import type { PullReview, ReviewComment } from '../schema/pulls.ts';
import type { Repository } from '../schema/repositories.ts';
import { placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { WEB } from '../views/urls.ts';
import { accountNodeOrNull } from './accounts.ts';
import { reactionGroups, writtenMembers } from './comments.ts';
import { connection, type NamedPage, type PageArguments, page } from './connections.ts';
import { commitNode } from './git-objects.ts';
import type { Graph, GraphValue } from './graph.ts';
import { decisionOf, pullNode, requestsOf } from './pulls.ts';
import { repositoryNode } from './repositories.ts';

interface ReviewArguments extends PageArguments {
  readonly author?: string | null;
  readonly states?: readonly string[] | null;
}

/** The reviews that the caller may see: pending ones are their author's alone. */
function visibleReviews({ ctx }: Graph, issue_id: number): PullReview[] {
  const viewer = viewerOf(ctx);
  return [...ctx.tx.pull_reviews.by('by_issue', [issue_id])].filter(
    ({ state, user_id }) => state !== 'PENDING' || user_id === viewer?.id,
  );
}

function reviewList(graph: Graph, { args, name }: NamedPage, items: () => readonly PullReview[]): GraphValue {
  return connection(args, {
    name,
    items,
    key: ({ id }) => id,
    show: (review) => reviewNode(graph, review),
  });
}

/** What reviewers have said of a pull, and who is asked. */
export function reviewMembers(graph: Graph, found: PullFound): GraphValue {
  const { issue, pull, repository } = found;
  const { ctx } = graph;
  return {
    latestOpinionatedReviews: (args: PageArguments) =>
      reviewList(graph, page(args, 'latestOpinionatedReviews'), () => verdictsOf(ctx, pull)),
    latestReviews: (args: PageArguments) =>
      reviewList(graph, page(args, 'latestReviews'), () => {
        const last = new Map<number | null, PullReview>();
        for (const review of visibleReviews(graph, issue.id)) {
          if (review.state === 'PENDING') continue;
          last.set(review.user_id, review);
        }
        return [...last.values()];
      }),
    reviewDecision: () => decisionOf(graph, found),
    reviewRequests: (args: PageArguments) => requestsOf(graph, args, found),
    reviewThreads: (args: PageArguments) =>
      connection(args, {
        name: 'reviewThreads',
        items: () => visibleComments(graph, issue.id).filter((comment) => comment.in_reply_to_id === null),
        key: ({ id }) => id,
        show: (comment) => threadNode(graph, repository, comment),
      }),
    reviews: (args: ReviewArguments) =>
      reviewList(graph, page(args, 'reviews'), () => {
        const { author, states } = args;
        const account = author ? findAccount(ctx, author) : undefined;
        const reviews = visibleReviews(graph, issue.id).filter(
          ({ user_id, state }) =>
            (!author || (account !== undefined && user_id === account.id)) &&
            (!states || states.includes(state)),
        );
        // Of one author the newest stands first: that is how a pending one is found.
        return author ? reviews.reverse() : reviews;
      }),
    totalCommentsCount: () => issue.comments + visibleComments(graph, issue.id).length,
  };
}

/** A review. */
export function reviewNode(graph: Graph, review: PullReview): GraphValue | null {
  const { tx } = graph.ctx;
  const issue = tx.issues.get(review.issue_id);
  const repository = tx.repositories.get(review.repository_id);
  if (!issue || !repository) return null;
  const { web } = placeOf(graph.ctx, repository);
  const url = `${web}/pull/${issue.number}#pullrequestreview-${review.id}`;
  const moment = review.submitted_at ?? issue.updated_at;
  return {
    __typename: 'PullRequestReview',
    ...writtenMembers(graph, { ...review, created_at: moment, updated_at: moment }),
    comments: (args: PageArguments) =>
      commentList(graph, args, {
        repository,
        items: () => [...tx.review_comments.by('by_review', [review.id])],
      }),
    commit: () => commitNode(graph, repository, review.commit_sha),
    databaseId: review.id,
    fullDatabaseId: String(review.id),
    id: globalId('PRR', [0, repository.id, review.id]),
    pullRequest: () => pullNode(graph, issue.id),
    reactionGroups: [],
    repository: () => repositoryNode(graph, repository),
    resourcePath: url.slice(WEB.length),
    state: review.state,
    submittedAt: review.submitted_at,
    url,
  };
}

/** The comments on lines that the caller may see. */
function visibleComments({ ctx }: Graph, issue_id: number): ReviewComment[] {
  const viewer = viewerOf(ctx);
  return [...ctx.tx.review_comments.by('by_issue', [issue_id])].filter(({ review_id, user_id }) => {
    const review = review_id === null ? undefined : ctx.tx.pull_reviews.get(review_id);
    return review?.state !== 'PENDING' || user_id === viewer?.id;
  });
}

function commentList(
  graph: Graph,
  args: PageArguments,
  { repository, items }: { readonly repository: Repository; readonly items: () => readonly ReviewComment[] },
): GraphValue {
  return connection(args, {
    name: 'comments',
    items,
    key: ({ id }) => id,
    show: (comment) => reviewCommentNode(graph, repository, comment),
  });
}

export function reviewCommentNode(graph: Graph, repository: Repository, comment: ReviewComment): GraphValue {
  const { tx } = graph.ctx;
  const number = tx.issues.get(comment.issue_id)?.number ?? 0;
  const review = comment.review_id === null ? undefined : tx.pull_reviews.get(comment.review_id);
  const url = `${placeOf(graph.ctx, repository).web}/pull/${number}#discussion_r${comment.id}`;
  return {
    __typename: 'PullRequestReviewComment',
    ...writtenMembers(graph, comment),
    commit: () => commitNode(graph, repository, comment.commit_sha),
    databaseId: comment.id,
    diffHunk: comment.diff_hunk,
    fullDatabaseId: String(comment.id),
    id: globalId('PRRC', [0, repository.id, comment.id]),
    line: comment.line,
    originalLine: comment.original_line,
    outdated: comment.line === null && comment.subject_type === 'line',
    path: comment.path,
    pullRequest: () => pullNode(graph, comment.issue_id),
    pullRequestReview: () => (review ? reviewNode(graph, review) : null),
    reactionGroups: () => reactionGroups(graph, { kind: 'review-comment', id: comment.id }),
    replyTo: () => {
      const to = comment.in_reply_to_id === null ? undefined : tx.review_comments.get(comment.in_reply_to_id);
      return to ? reviewCommentNode(graph, repository, to) : null;
    },
    repository: () => repositoryNode(graph, repository),
    resourcePath: url.slice(WEB.length),
    startLine: comment.start_line,
    state: review?.state === 'PENDING' ? 'PENDING' : 'SUBMITTED',
    subjectType: comment.subject_type.toUpperCase(),
    url,
  };
}

/** A thread: the comment that began it, and those that answer. */
export function threadNode(graph: Graph, repository: Repository, first: ReviewComment): GraphValue {
  const { ctx } = graph;
  const resolved = ctx.tx.resolved_threads.get(first.id);
  const isOutdated = first.line === null && first.subject_type === 'line';
  return {
    __typename: 'PullRequestReviewThread',
    comments: (args: PageArguments) =>
      commentList(graph, args, {
        repository,
        items: () =>
          visibleComments(graph, first.issue_id).filter(
            ({ id, in_reply_to_id }) => id === first.id || in_reply_to_id === first.id,
          ),
      }),
    diffSide: first.side,
    id: globalId('PRRT', [0, repository.id, first.id]),
    isCollapsed: resolved !== undefined || isOutdated,
    isOutdated,
    isResolved: resolved !== undefined,
    line: first.line,
    originalLine: first.original_line,
    originalStartLine: first.original_start_line,
    path: first.path,
    pullRequest: () => pullNode(graph, first.issue_id),
    repository: () => repositoryNode(graph, repository),
    resolvedBy: () => accountNodeOrNull(graph, resolved?.user_id),
    startDiffSide: first.start_side,
    startLine: first.start_line,
    subjectType: first.subject_type.toUpperCase(),
    viewerCanReply: () => viewerOf(ctx) !== null,
    viewerCanResolve: resolved === undefined,
    viewerCanUnresolve: resolved !== undefined,
  };
}
