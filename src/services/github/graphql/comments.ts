import { viewerOf } from '../rules/viewer.ts';
import type { IssueComment, ReactionSubject } from '../schema/issues.ts';
import { placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { WEB } from '../views/urls.ts';
import { accountNode, accountNodeOrNull, accounts, nothing } from './accounts.ts';
import { connection, type PageArguments, page } from './connections.ts';
import type { Graph, GraphValue } from './graph.ts';
import { issueNode } from './issues.ts';
import { pullNode } from './pulls.ts';
import { repositoryNode } from './repositories.ts';

/** What REST calls reactions, and the graph calls them. */
export const REACTIONS: Readonly<Record<string, string>> = {
  THUMBS_UP: '+1',
  THUMBS_DOWN: '-1',
  LAUGH: 'laugh',
  HOORAY: 'hooray',
  CONFUSED: 'confused',
  HEART: 'heart',
  ROCKET: 'rocket',
  EYES: 'eyes',
};

/** What people reacted with: one group for each kind, empty ones included. */
export function reactionGroups(
  graph: Graph,
  subject: { readonly kind: ReactionSubject; readonly id: number },
): GraphValue[] {
  const { tx } = graph.ctx;
  const all = [...tx.reactions.by('by_subject', [subject.kind, subject.id])];
  const viewer = viewerOf(graph.ctx);
  return Object.entries(REACTIONS).map(([content, name]) => {
    const reactions = all.filter((reaction) => reaction.content === name);
    const users = (args: PageArguments): GraphValue =>
      accounts(graph, page(args, 'users'), () => reactions.map(({ user_id }) => user_id));
    return {
      content,
      createdAt: reactions[0]?.created_at ?? null,
      reactors: users,
      users,
      viewerHasReacted: reactions.some(({ user_id }) => user_id === viewer?.id),
    };
  });
}

interface Written {
  readonly user_id: number | null;
  readonly author_association: string;
  readonly body: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What everything that somebody wrote shows. */
export function writtenMembers(graph: Graph, written: Written): GraphValue {
  const body = written.body ?? '';
  return {
    author: () => accountNodeOrNull(graph, written.user_id),
    authorAssociation: written.author_association,
    body,
    bodyText: body,
    createdAt: written.created_at,
    includesCreatedEdit: false,
    isMinimized: false,
    lastEditedAt: null,
    minimizedReason: null,
    updatedAt: written.updated_at,
    viewerCanUpdate: () => viewerOf(graph.ctx) !== null,
    viewerDidAuthor: () => viewerOf(graph.ctx)?.id === written.user_id && written.user_id !== null,
  };
}

/** A comment on an issue or pull. */
export function commentNode(graph: Graph, comment: IssueComment): GraphValue | null {
  const { tx } = graph.ctx;
  const issue = tx.issues.get(comment.issue_id);
  const repository = tx.repositories.get(comment.repository_id);
  if (!issue || !repository) return null;
  const isPull = issue.kind === 'pull';
  const { web } = placeOf(graph.ctx, repository);
  const url = `${web}/${isPull ? 'pull' : 'issues'}/${issue.number}#issuecomment-${comment.id}`;
  return {
    __typename: 'IssueComment',
    ...writtenMembers(graph, comment),
    databaseId: comment.id,
    id: globalId('IC', [0, repository.id, comment.id]),
    issue: () => issueNode(graph, issue),
    publishedAt: comment.created_at,
    pullRequest: () => (isPull ? pullNode(graph, issue.id) : null),
    reactionGroups: () => reactionGroups(graph, { kind: 'issue-comment', id: comment.id }),
    repository: () => repositoryNode(graph, repository),
    resourcePath: url.slice(WEB.length),
    url,
    viewerCanDelete: () => viewerOf(graph.ctx) !== null,
  };
}

/** The comments on an issue or pull. */
export function commentsOf(graph: Graph, args: PageArguments, issue_id: number): GraphValue {
  return connection(args, {
    name: 'comments',
    items: () => [...graph.ctx.tx.issue_comments.by('by_issue', [issue_id])],
    key: ({ id }) => id,
    show: (comment) => commentNode(graph, comment),
  });
}

/** Members that issues and pulls have in common. */
export function sharedMembers(
  graph: Graph,
  issue: { readonly id: number; readonly user_id: number | null },
): GraphValue {
  const { tx } = graph.ctx;
  const assigned = (): number[] =>
    [...tx.issue_assignees.by('by_position', [issue.id])].map(({ user_id }) => user_id);
  return {
    assignedActors: (args: PageArguments) => accounts(graph, page(args, 'assignedActors'), assigned),
    assignees: (args: PageArguments) => accounts(graph, page(args, 'assignees'), assigned),
    comments: (args: PageArguments) => commentsOf(graph, args, issue.id),
    participants: (args: PageArguments) =>
      accounts(graph, page(args, 'participants'), () => {
        const commenters = [...tx.issue_comments.by('by_issue', [issue.id])].map(({ user_id }) => user_id);
        const ids = [issue.user_id, ...commenters].filter((id) => id !== null);
        return [...new Set(ids)];
      }),
    projectCards: (args: PageArguments) => nothing(args, 'projectCards'),
    reactionGroups: () => reactionGroups(graph, { kind: 'issue', id: issue.id }),
    viewerCanSubscribe: () => viewerOf(graph.ctx) !== null,
    viewerSubscription: () => (viewerOf(graph.ctx) ? 'UNSUBSCRIBED' : null),
  };
}

/** The account that calls. */
export function viewerNode(graph: Graph): GraphValue | null {
  const viewer = viewerOf(graph.ctx);
  return viewer ? accountNode(graph, viewer) : null;
}
