import type { JsonObject } from '../../../../service/index.ts';
import { addEvent, touch } from '../../rules/issues.ts';
import type { PullFound } from '../../rules/pulls.ts';
import { pullOf } from '../../rules/pulls.ts';
import { requireRole } from '../../rules/repositories.ts';
import { addComment, startReview, submitReview } from '../../rules/reviews.ts';
import { requireViewer } from '../../rules/viewer.ts';
import type { PullReview } from '../../schema/pulls.ts';
import { type Graph, GraphError, type GraphValue, performed } from '../graph.ts';
import { loginsOf, nodeOf, numberIn, repositoryOf, subjectOf } from '../nodes.ts';
import { pullIdOf, pullNode } from '../pulls.ts';
import { reviewNode, threadNode } from '../reviews.ts';
import { furniture, listIn, type MutationInput, type Mutator, renamed, textIn } from './issues.ts';

function foundOf(graph: Graph, id: string): PullFound {
  return pullOf(graph.ctx, subjectOf(graph, id).row.id);
}

/** The path of a pull in REST. */
function pathOf(graph: Graph, id: string): JsonObject {
  const { row, at } = subjectOf(graph, id);
  return { ...at, pull_number: row.number };
}

function createPull(graph: Graph, input: MutationInput): GraphValue {
  const { owner, repo } = repositoryOf(graph, textIn(input, 'repositoryId'));
  const from =
    typeof input.headRepositoryId === 'string' ? repositoryOf(graph, input.headRepositoryId) : null;
  const name = textIn(input, 'headRefName');
  const made = performed(graph, 'pulls/create', {
    owner,
    repo,
    head: from && !name.includes(':') ? `${from.owner}:${name}` : name,
    base: textIn(input, 'baseRefName').replace(/^refs\/heads\//u, ''),
    ...renamed(input, {
      title: 'title',
      body: 'body',
      draft: 'draft',
      maintainerCanModify: 'maintainer_can_modify',
    }),
  });
  return { pullRequest: nodeOf(graph, String(made.node_id)) };
}

function updatePull(graph: Graph, input: MutationInput): GraphValue {
  const id = textIn(input, 'pullRequestId');
  const state = typeof input.state === 'string' ? { state: input.state.toLowerCase() } : {};
  const path = pathOf(graph, id);
  performed(graph, 'pulls/update', {
    ...path,
    ...renamed(input, {
      title: 'title',
      body: 'body',
      baseRefName: 'base',
      maintainerCanModify: 'maintainer_can_modify',
    }),
    ...state,
  });
  const more = furniture(graph, input);
  if (Object.keys(more).length > 0) {
    const { pull_number, ...at } = path;
    performed(graph, 'issues/update', { ...at, issue_number: pull_number ?? 0, ...more });
  }
  return { pullRequest: nodeOf(graph, id) };
}

function stated(state: 'open' | 'closed'): Mutator {
  return (graph, input) => {
    const id = textIn(input, 'pullRequestId');
    performed(graph, 'pulls/update', { ...pathOf(graph, id), state });
    return { pullRequest: nodeOf(graph, id) };
  };
}

function drafted(draft: boolean): Mutator {
  return (graph, input) => {
    const { ctx } = graph;
    const found = foundOf(graph, textIn(input, 'pullRequestId'));
    const own = found.issue.user_id === requireViewer(ctx).id;
    if (!own) requireRole(ctx, found.repository, 'write');
    if (found.issue.state === 'closed') throw new GraphError('UNPROCESSABLE', 'Pull request is closed');
    if (found.pull.draft !== draft) {
      ctx.tx.pulls.update(found.issue.id, { draft });
      addEvent(ctx, found.issue, { event: draft ? 'convert_to_draft' : 'ready_for_review' });
      touch(ctx, found.issue);
    }
    return { pullRequest: pullNode(graph, found.issue.id) };
  };
}

function mergePull(graph: Graph, input: MutationInput): GraphValue {
  const id = textIn(input, 'pullRequestId');
  performed(graph, 'pulls/merge', {
    ...pathOf(graph, id),
    ...renamed(input, {
      commitHeadline: 'commit_title',
      commitBody: 'commit_message',
      expectedHeadOid: 'sha',
    }),
    merge_method: (textIn(input, 'mergeMethod') || 'MERGE').toLowerCase(),
  });
  return { pullRequest: nodeOf(graph, id) };
}

function lineWish(input: MutationInput): JsonObject {
  return {
    path: textIn(input, 'path'),
    body: textIn(input, 'body'),
    ...renamed(input, {
      line: 'line',
      side: 'side',
      startLine: 'start_line',
      position: 'position',
    }),
    ...(typeof input.startLine === 'number' && renamed(input, { startSide: 'start_side' })),
  };
}

function addReview(graph: Graph, input: MutationInput): GraphValue {
  const id = textIn(input, 'pullRequestId');
  const drafts = [input.comments, input.threads].flatMap((list) => (Array.isArray(list) ? list : []));
  const made = performed(graph, 'pulls/create-review', {
    ...pathOf(graph, id),
    ...renamed(input, { body: 'body', commitOID: 'commit_id', event: 'event' }),
    ...(drafts.length > 0 && { comments: drafts.map((draft) => lineWish(draft as MutationInput)) }),
  });
  const node = nodeOf(graph, String(made.node_id));
  return { pullRequestReview: node, reviewEdge: { cursor: String(made.node_id), node } };
}

/** The caller's pending review of a pull; of the review of an id where one is given. */
function pendingReview(graph: Graph, input: MutationInput): PullReview {
  const { tx } = graph.ctx;
  const viewer = requireViewer(graph.ctx);
  const id = textIn(input, 'pullRequestReviewId');
  const candidates =
    id === ''
      ? [...tx.pull_reviews.by('by_issue', [foundOf(graph, textIn(input, 'pullRequestId')).issue.id])]
      : [tx.pull_reviews.get(numberIn(id, 'PRR'))];
  const pending = candidates.find((review) => review?.state === 'PENDING' && review.user_id === viewer.id);
  if (pending) return pending;
  if (id === '') throw new GraphError('NOT_FOUND', 'No pending review was found.');
  throw new GraphError('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
}

function addThread(graph: Graph, input: MutationInput): GraphValue {
  const { ctx } = graph;
  const hasReview = textIn(input, 'pullRequestReviewId') !== '';
  const review = hasReview
    ? pendingReview(graph, input)
    : startReview(ctx, foundOf(graph, textIn(input, 'pullRequestId')), {});
  const found = pullOf(ctx, review.issue_id);
  const isFile = input.subjectType === 'FILE';
  const wish = { ...lineWish(isFile ? { path: input.path, body: input.body } : input) };
  const kind = isFile ? { subject_type: 'file' as const } : {};
  const comment = addComment(ctx, found, { review, wish: { ...wish, ...kind } as never });
  return { thread: threadNode(graph, found.repository, comment) };
}

function submit(graph: Graph, input: MutationInput): GraphValue {
  const review = pendingReview(graph, input);
  const event = textIn(input, 'event');
  if (event === 'DISMISS') throw new GraphError('UNPROCESSABLE', 'Can not dismiss a pending review');
  const found = pullOf(graph.ctx, review.issue_id);
  const body = textIn(input, 'body') || review.body;
  const done = submitReview(graph.ctx, found, { review, event: event as 'APPROVE', body });
  return { pullRequestReview: reviewNode(graph, done) };
}

function resolved(isResolved: boolean): Mutator {
  return (graph, input) => {
    const { ctx } = graph;
    const id = textIn(input, 'threadId');
    const comment = ctx.tx.review_comments.get(numberIn(id, 'PRRT'));
    if (!comment) return { thread: nodeOf(graph, id) };
    const found = pullOf(ctx, comment.issue_id);
    const viewer = requireViewer(ctx);
    if (found.issue.user_id !== viewer.id) requireRole(ctx, found.repository, 'write');
    const { resolved_threads: threads } = ctx.tx;
    if (!isResolved && threads.has(comment.id)) threads.delete(comment.id);
    if (isResolved && !threads.has(comment.id)) {
      threads.insert({ comment_id: comment.id, user_id: viewer.id });
    }
    return { thread: threadNode(graph, found.repository, comment) };
  };
}

function requestReviews(graph: Graph, input: MutationInput): GraphValue {
  const id = textIn(input, 'pullRequestId');
  const { tx } = graph.ctx;
  const path = pathOf(graph, id);
  const reviewers = loginsOf(graph, [...listIn(input, 'userIds'), ...listIn(input, 'botIds')]);
  const team_reviewers = listIn(input, 'teamIds').map(
    (team) => tx.teams.get(numberIn(team, 'T'))?.slug ?? '',
  );
  if (input.union !== true) dropRequests(graph, { id, path, wanted: reviewers });
  if (reviewers.length + team_reviewers.length > 0) {
    performed(graph, 'pulls/request-reviewers', { ...path, reviewers, team_reviewers });
  }
  return { pullRequest: nodeOf(graph, id) };
}

/** Without `union` those that are not named are no longer asked. */
function dropRequests(
  graph: Graph,
  {
    id,
    path,
    wanted,
  }: { readonly id: string; readonly path: JsonObject; readonly wanted: readonly string[] },
): void {
  const { tx } = graph.ctx;
  const asked = [...tx.review_requests.by('by_position', [foundOf(graph, id).issue.id, 'user'])];
  const logins = asked.flatMap(({ subject_id }) => tx.accounts.get(subject_id)?.login ?? []);
  const gone = logins.filter((login) => !wanted.includes(login));
  if (gone.length > 0) performed(graph, 'pulls/remove-requested-reviewers', { ...path, reviewers: gone });
}

function replyToThread(graph: Graph, input: MutationInput): GraphValue {
  const comment = graph.ctx.tx.review_comments.get(
    numberIn(textIn(input, 'pullRequestReviewThreadId'), 'PRRT'),
  );
  if (!comment) return { comment: nodeOf(graph, textIn(input, 'pullRequestReviewThreadId')) };
  const { issue, pull } = pullOf(graph.ctx, comment.issue_id);
  const made = performed(graph, 'pulls/create-reply-for-review-comment', {
    ...pathOf(graph, pullIdOf(pull)),
    pull_number: issue.number,
    comment_id: comment.id,
    body: textIn(input, 'body'),
  });
  return { comment: nodeOf(graph, String(made.node_id)) };
}

/** Changes to pulls and their reviews. */
export const pullMutations: Readonly<Record<string, Mutator>> = {
  addPullRequestReview: addReview,
  addPullRequestReviewThread: addThread,
  addPullRequestReviewThreadReply: replyToThread,
  closePullRequest: stated('closed'),
  convertPullRequestToDraft: drafted(true),
  createPullRequest: createPull,
  deletePullRequestReview: (graph, input) => {
    const review = pendingReview(graph, input);
    const shown = reviewNode(graph, review);
    const { pull } = pullOf(graph.ctx, review.issue_id);
    performed(graph, 'pulls/delete-pending-review', {
      ...pathOf(graph, pullIdOf(pull)),
      review_id: review.id,
    });
    return { pullRequestReview: shown };
  },
  markPullRequestReadyForReview: drafted(false),
  mergePullRequest: mergePull,
  reopenPullRequest: stated('open'),
  requestReviews,
  resolveReviewThread: resolved(true),
  submitPullRequestReview: submit,
  unresolveReviewThread: resolved(false),
  updatePullRequest: updatePull,
  updatePullRequestBranch: (graph, input) => {
    const id = textIn(input, 'pullRequestId');
    const members = renamed(input, { expectedHeadOid: 'expected_head_sha' });
    performed(graph, 'pulls/update-branch', { ...pathOf(graph, id), ...members });
    return { pullRequest: nodeOf(graph, id) };
  },
};
