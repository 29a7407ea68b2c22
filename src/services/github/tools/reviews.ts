import { z } from 'zod';
import type { Json, JsonObject, Tool } from '../../../service/index.ts';
import { choice, fail, githubTool, type Hands, membersOf, nodesOf, PLACE, present, whole } from './making.ts';

interface Place {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}

const VIEWER = 'query { viewer { login } }';
const LATEST = `query($owner: String!, $repo: String!, $number: Int!, $author: String!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    reviews(first: 1, author: $author) { nodes { id state url } } } } }`;

/** The id of the caller's pending review. */
function pendingReview(hands: Hands, place: Place): string {
  const { viewer } = hands.query(VIEWER, {}, 'failed to get current user');
  const author = membersOf(viewer).login ?? '';
  const words = 'failed to get latest review for current user';
  const data = hands.query(LATEST, { ...place, author }, words);
  const [review] = nodesOf(membersOf(membersOf(data.repository).pullRequest).reviews);
  if (!review) return fail('No pending review found for the viewer');
  if (review.state !== 'PENDING') return fail(`The latest review, found at ${review.url} is not pending`);
  return String(review.id);
}

const OF_PULL = `query($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { id } } }`;
const ADD = `mutation($input: AddPullRequestReviewInput!) {
  addPullRequestReview(input: $input) { pullRequestReview { id } } }`;
const SUBMIT = `mutation($input: SubmitPullRequestReviewInput!) {
  submitPullRequestReview(input: $input) { pullRequestReview { id } } }`;
const DELETE = `mutation($input: DeletePullRequestReviewInput!) {
  deletePullRequestReview(input: $input) { pullRequestReview { id } } }`;
const RESOLVE = `mutation($input: ResolveReviewThreadInput!) {
  resolveReviewThread(input: $input) { thread { id isResolved } } }`;
const UNRESOLVE = `mutation($input: UnresolveReviewThreadInput!) {
  unresolveReviewThread(input: $input) { thread { id isResolved } } }`;

interface Wish {
  readonly place: Place;
  readonly body?: string | undefined;
  readonly event?: string | undefined;
  readonly commitID?: string | undefined;
  readonly threadId?: string | undefined;
}

function create(hands: Hands, { place, body = '', event, commitID }: Wish): string {
  const data = hands.query(OF_PULL, { ...place }, 'failed to get pull request');
  const pullRequestId = membersOf(membersOf(data.repository).pullRequest).id ?? '';
  const verdict: JsonObject = event ? { event, body } : {};
  const input = { pullRequestId, ...verdict, ...present({ commitOID: commitID || undefined }) };
  hands.change(ADD, { input }, 'failed to create pull request review');
  return event ? 'pull request review submitted successfully' : 'pending pull request created';
}

function settle(hands: Hands, threadId: string, isResolved: boolean): string {
  if (threadId === '') return fail('threadId is required for resolve_thread and unresolve_thread methods');
  const word = isResolved ? 'resolve' : 'unresolve';
  hands.change(isResolved ? RESOLVE : UNRESOLVE, { input: { threadId } }, `failed to ${word} review thread`);
  return `review thread ${word}d successfully`;
}

const reviewWrite = githubTool({
  name: 'pull_request_review_write',
  description:
    'Reviews a pull request, submits or drops a pending review, settles a thread or opens it again.',
  input: z.object({
    method: choice('create', 'submit_pending', 'delete_pending', 'resolve_thread', 'unresolve_thread'),
    ...PLACE,
    pullNumber: z.number(),
    body: z.string().optional(),
    event: choice('APPROVE', 'REQUEST_CHANGES', 'COMMENT').optional(),
    commitID: z.string().optional(),
    threadId: z.string().optional(),
  }),
  operations: ['graphql/query', 'graphql'],
  run(hands, { method, owner, repo, pullNumber, ...wish }): Json {
    const place = { owner, repo, number: Math.trunc(pullNumber) };
    switch (method) {
      case 'create':
        return create(hands, { place, ...wish });
      case 'submit_pending': {
        const pullRequestReviewId = pendingReview(hands, place);
        const members = present({ body: wish.body || undefined });
        const input = { pullRequestReviewId, event: wish.event ?? '', ...members };
        hands.change(SUBMIT, { input }, 'failed to submit pull request review');
        return 'pending pull request review successfully submitted';
      }
      case 'delete_pending': {
        const input = { pullRequestReviewId: pendingReview(hands, place) };
        hands.change(DELETE, { input }, 'failed to delete pull request review');
        return 'pending pull request review successfully deleted';
      }
      case 'resolve_thread':
        return settle(hands, wish.threadId ?? '', true);
      case 'unresolve_thread':
        return settle(hands, wish.threadId ?? '', false);
      default:
        return fail(`unknown method: ${method}`);
    }
  },
});

const ADD_THREAD = `mutation($input: AddPullRequestReviewThreadInput!) {
  addPullRequestReviewThread(input: $input) { thread { id } } }`;

const addToPending = githubTool({
  name: 'add_comment_to_pending_review',
  description: "Adds a comment on a line or file to the caller's pending review.",
  input: z.object({
    ...PLACE,
    pullNumber: z.number(),
    path: z.string(),
    body: z.string(),
    subjectType: choice('FILE', 'LINE'),
    line: z.number().optional(),
    side: choice('LEFT', 'RIGHT').optional(),
    startLine: z.number().optional(),
    startSide: choice('LEFT', 'RIGHT').optional(),
  }),
  operations: ['graphql/query', 'graphql'],
  run(hands, { owner, repo, pullNumber, path, body, subjectType, ...where }): Json {
    const place = { owner, repo, number: Math.trunc(pullNumber) };
    const pullRequestReviewId = pendingReview(hands, place);
    const at = present({
      line: whole(where.line),
      side: where.side || undefined,
      startLine: whole(where.startLine),
      startSide: where.startSide || undefined,
    });
    const input = { pullRequestReviewId, path, body, subjectType, ...at };
    hands.change(ADD_THREAD, { input }, 'failed to add comment to pending review');
    return 'pull request review comment successfully added to pending review';
  },
});

/** Tools for reviews, by name. */
export const reviewTools: Readonly<Record<string, Tool>> = {
  add_comment_to_pending_review: addToPending,
  pull_request_review_write: reviewWrite,
};
