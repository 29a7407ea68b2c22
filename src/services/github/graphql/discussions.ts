import type { Discussion, DiscussionCategory, DiscussionComment } from '../schema/conversations.ts';
import type { Repository } from '../schema/repositories.ts';
import { placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { WEB } from '../views/urls.ts';
import { accountNodeOrNull, nothing } from './accounts.ts';
import { reactionGroups, writtenMembers } from './comments.ts';
import { connection, type Order, ordered, type PageArguments } from './connections.ts';
import { type Graph, GraphError, type GraphValue } from './graph.ts';
import { repositoryNode } from './repositories.ts';

function categories({ ctx: { tx } }: Graph, repository: Repository): DiscussionCategory[] {
  return [...tx.discussion_categories.scan()].filter(({ repository_id }) => repository_id === repository.id);
}

function categoryNode(graph: Graph, repository: Repository, row: DiscussionCategory): GraphValue {
  return {
    __typename: 'DiscussionCategory',
    createdAt: row.created_at,
    description: row.description,
    emoji: row.emoji,
    emojiHTML: `<div>${row.emoji}</div>`,
    id: globalId('DIC', [0, repository.id, row.id]),
    isAnswerable: row.is_answerable,
    name: row.name,
    repository: () => repositoryNode(graph, repository),
    slug: row.slug,
    updatedAt: row.created_at,
  };
}

export function categoriesOf(graph: Graph, args: PageArguments, repository: Repository): GraphValue {
  return connection(args, {
    name: 'discussionCategories',
    items: () => categories(graph, repository),
    key: ({ id }) => id,
    show: (row) => categoryNode(graph, repository, row),
  });
}

export function categoryNamed(graph: Graph, repository: Repository, slug: string): GraphValue | null {
  const row = graph.ctx.tx.discussion_categories.unique('by_slug', [repository.id, slug]);
  return row ? categoryNode(graph, repository, row) : null;
}

interface DiscussionArguments extends PageArguments {
  readonly answered?: boolean | null;
  readonly categoryId?: string | null;
  readonly orderBy?: Order | null;
  readonly states?: readonly string[] | null;
}

/** The discussions of a repository; those that changed last stand first. */
export function discussionsOf(graph: Graph, args: DiscussionArguments, repository: Repository): GraphValue {
  const { answered, categoryId, orderBy, states } = args;
  return connection(args, {
    name: 'discussions',
    items: () => {
      const found = [...graph.ctx.tx.discussions.by('by_number', [repository.id])].filter((row) => {
        const state = row.closed_at === null ? 'OPEN' : 'CLOSED';
        return (
          (typeof answered !== 'boolean' || (row.answer_id !== null) === answered) &&
          (!categoryId || globalId('DIC', [0, repository.id, row.category_id]) === categoryId) &&
          (!states || states.includes(state))
        );
      });
      const isByCreation = orderBy?.field === 'CREATED_AT';
      const key = ({ created_at, updated_at }: Discussion): string =>
        isByCreation ? created_at : updated_at;
      return ordered(found, key, orderBy?.direction ?? 'DESC');
    },
    key: ({ id }) => id,
    show: (row) => discussionNode(graph, repository, row),
  });
}

export function discussionNamed(graph: Graph, repository: Repository, number: number): GraphValue {
  const row = graph.ctx.tx.discussions.unique('by_number', [repository.id, number]);
  if (row) return discussionNode(graph, repository, row);
  throw new GraphError('NOT_FOUND', `Could not resolve to a Discussion with the number of ${number}.`);
}

export function discussionNode(graph: Graph, repository: Repository, row: Discussion): GraphValue {
  const { tx } = graph.ctx;
  const url = `${placeOf(graph.ctx, repository).web}/discussions/${row.number}`;
  const of = tx.discussion_categories.get(row.category_id);
  const answer = row.answer_id === null ? undefined : tx.discussion_comments.get(row.answer_id);
  return {
    __typename: 'Discussion',
    ...writtenMembers(graph, row),
    activeLockReason: null,
    answer: () => (answer ? discussionCommentNode(graph, answer) : null),
    answerChosenAt: row.answer_chosen_at,
    answerChosenBy: () => accountNodeOrNull(graph, row.answer_chosen_by_id),
    category: () => (of ? categoryNode(graph, repository, of) : null),
    closed: row.closed_at !== null,
    closedAt: row.closed_at,
    comments: (args: PageArguments) =>
      commentList(graph, args, () =>
        [...tx.discussion_comments.by('by_discussion', [row.id])].filter(
          ({ reply_to_id }) => reply_to_id === null,
        ),
      ),
    databaseId: row.id,
    id: globalId('D', [0, repository.id, row.id]),
    isAnswered: of?.is_answerable ? row.answer_id !== null : null,
    labels: (args: PageArguments) => nothing(args, 'labels'),
    locked: false,
    number: row.number,
    reactionGroups: () => reactionGroups(graph, { kind: 'discussion', id: row.id }),
    repository: () => repositoryNode(graph, repository),
    resourcePath: url.slice(WEB.length),
    stateReason: row.state_reason,
    title: row.title,
    upvoteCount: 1,
    url,
    viewerCanSubscribe: true,
    viewerSubscription: 'UNSUBSCRIBED',
  };
}

function commentList(
  graph: Graph,
  args: PageArguments,
  items: () => readonly DiscussionComment[],
): GraphValue {
  return connection(args, {
    name: 'comments',
    items,
    key: ({ id }) => id,
    show: (comment) => discussionCommentNode(graph, comment),
  });
}

export function discussionCommentNode(graph: Graph, row: DiscussionComment): GraphValue | null {
  const { tx } = graph.ctx;
  const repository = tx.repositories.get(row.repository_id);
  const discussion = tx.discussions.get(row.discussion_id);
  if (!repository || !discussion) return null;
  const { web } = placeOf(graph.ctx, repository);
  const url = `${web}/discussions/${discussion.number}#discussioncomment-${row.id}`;
  const parent = row.reply_to_id === null ? undefined : tx.discussion_comments.get(row.reply_to_id);
  return {
    __typename: 'DiscussionComment',
    ...writtenMembers(graph, row),
    databaseId: row.id,
    discussion: () => discussionNode(graph, repository, discussion),
    id: globalId('DC', [0, repository.id, row.id]),
    isAnswer: discussion.answer_id === row.id,
    reactionGroups: [],
    replies: (args: PageArguments) =>
      commentList(graph, args, () => [...tx.discussion_comments.by('by_parent', [row.id])]),
    replyTo: () => (parent ? discussionCommentNode(graph, parent) : null),
    resourcePath: url.slice(WEB.length),
    upvoteCount: 1,
    url,
  };
}
