import type { JsonObject } from '../../../service/index.ts';
import { type Hands, membersOf, nodesOf, present, whole } from './making.ts';

const THREADS = `query($owner: String!, $repo: String!, $number: Int!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    reviewThreads(first: $first, after: $after) { totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { id isResolved isOutdated isCollapsed comments(first: 100) { totalCount
        nodes { id body path line author { login } createdAt updatedAt url } } } } } } }`;

/** The threads of review comments of a pull. */
export function readThreads(
  hands: Hands,
  at: { readonly owner: string; readonly repo: string; readonly pull_number: number },
  page: { readonly perPage?: number | undefined; readonly after?: string | undefined },
): JsonObject {
  const { owner, repo, pull_number: number } = at;
  const bounds = present({ first: whole(page.perPage) ?? 30, after: page.after || undefined });
  const words = 'failed to get pull request review threads';
  const data = hands.query(THREADS, { owner, repo, number, ...bounds }, words);
  const threads = membersOf(membersOf(membersOf(data.repository).pullRequest).reviewThreads);
  const {
    hasNextPage = false,
    hasPreviousPage = false,
    startCursor,
    endCursor,
  } = membersOf(threads.pageInfo);
  return {
    review_threads: nodesOf(threads).map(threadShape),
    totalCount: threads.totalCount ?? 0,
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      ...(startCursor && { startCursor }),
      ...(endCursor && { endCursor }),
    },
  };
}

function threadShape({ id = '', isResolved, isOutdated, isCollapsed, comments }: JsonObject): JsonObject {
  return {
    id,
    is_resolved: isResolved ?? false,
    is_outdated: isOutdated ?? false,
    is_collapsed: isCollapsed ?? false,
    comments: nodesOf(comments).map((comment) => ({
      ...(comment.body !== '' && { body: comment.body ?? '' }),
      path: comment.path ?? '',
      ...(typeof comment.line === 'number' && { line: comment.line }),
      author: membersOf(comment.author).login ?? '',
      created_at: comment.createdAt ?? '',
      updated_at: comment.updatedAt ?? '',
      html_url: comment.url ?? '',
    })),
    total_count: membersOf(comments).totalCount ?? 0,
  };
}
