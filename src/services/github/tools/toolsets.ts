import { z } from 'zod';
import type { Json, JsonObject, Tool } from '../../../service/index.ts';
import { entryOf } from '../rules/entries.ts';
import {
  CURSOR,
  choice,
  fail,
  githubTool,
  type Hands,
  itemsOf,
  labelShape,
  membersOf,
  nodesOf,
  OWNER,
  PLACE,
  present,
  REPO,
  whole,
} from './making.ts';

const LABELS = `query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) {
  labels(first: 100) { totalCount nodes { id name color description } } } }`;
const OF_REPOSITORY = `query($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) { id } }`;
const OF_LABEL = `query($owner: String!, $repo: String!, $name: String!) {
  repository(owner: $owner, name: $repo) { label(name: $name) { id } } }`;
const CREATE = 'mutation($input: CreateLabelInput!) { createLabel(input: $input) { label { name } } }';
const UPDATE = 'mutation($input: UpdateLabelInput!) { updateLabel(input: $input) { label { name } } }';
const DELETE = 'mutation($input: DeleteLabelInput!) { deleteLabel(input: $input) { clientMutationId } }';

const listLabel = githubTool({
  name: 'list_label',
  description: 'Lists the labels of a repository.',
  optional: true,
  input: z.object(PLACE),
  operations: ['graphql/query'],
  run(hands, place): Json {
    const data = hands.query(LABELS, place, 'Failed to list labels');
    const labels = membersOf(membersOf(data.repository).labels);
    return { labels: nodesOf(labels).map(labelShape), totalCount: labels.totalCount ?? 0 };
  },
});

interface LabelWish {
  readonly place: { readonly owner: string; readonly repo: string };
  readonly name: string;
  readonly color?: string | undefined;
  readonly description?: string | undefined;
  readonly new_name?: string | undefined;
}

function labelId(hands: Hands, { place, name }: LabelWish): Json {
  const data = hands.query(OF_LABEL, { ...place, name }, 'Failed to find label');
  const { label } = membersOf(data.repository);
  if (label === null || label === undefined) {
    return fail(`label '${name}' not found in ${place.owner}/${place.repo}`);
  }
  return membersOf(label).id ?? '';
}

const LABEL_WRITERS: Readonly<Record<string, (hands: Hands, wish: LabelWish) => string>> = {
  create(hands, { place, name, color = '', description }) {
    if (color === '') return fail('color is required for create');
    const found = hands.query(OF_REPOSITORY, place, 'Failed to find repository');
    const repositoryId = membersOf(found.repository).id ?? '';
    const input = { repositoryId, name, color, ...present({ description: description || undefined }) };
    hands.change(CREATE, { input }, 'Failed to create label');
    return `label '${name}' created successfully`;
  },
  update(hands, wish) {
    const changes = present({
      name: wish.new_name || undefined,
      color: wish.color || undefined,
      description: wish.description || undefined,
    });
    if (Object.keys(changes).length === 0) {
      return fail('at least one of new_name, color, or description must be provided for update');
    }
    hands.change(UPDATE, { input: { id: labelId(hands, wish), ...changes } }, 'Failed to update label');
    return `label '${wish.new_name || wish.name}' updated successfully`;
  },
  delete(hands, wish) {
    hands.change(DELETE, { input: { id: labelId(hands, wish) } }, 'Failed to delete label');
    return `label '${wish.name}' deleted successfully`;
  },
};

const labelWrite = githubTool({
  name: 'label_write',
  description: 'Makes, changes or deletes a label of a repository.',
  optional: true,
  input: z.object({
    method: choice('create', 'update', 'delete'),
    ...PLACE,
    name: z.string(),
    new_name: z.string().optional(),
    color: z.string().optional(),
    description: z.string().optional(),
  }),
  operations: ['graphql/query', 'graphql'],
  run(hands, { method, owner, repo, ...wish }): Json {
    const write = entryOf(LABEL_WRITERS, method.toLowerCase());
    if (!write) return fail(`unknown method: ${method}. Supported methods are: create, update, delete`);
    return write(hands, { place: { owner, repo }, ...wish });
  },
});

const getTree = githubTool({
  name: 'get_repository_tree',
  description: 'Lists the tree of a commit.',
  optional: true,
  input: z.object({
    ...PLACE,
    tree_sha: z.string().optional(),
    recursive: z.boolean().default(false),
    path_filter: z.string().optional(),
  }),
  operations: ['repos/get', 'git/get-tree'],
  run(hands, { owner, repo, tree_sha: asked = '', recursive, path_filter: start = '' }): Json {
    const place = { owner, repo };
    const tree_sha =
      asked !== ''
        ? asked
        : String(membersOf(hands.call('repos/get', place, 'failed to get repository info')).default_branch);
    const input = { ...place, tree_sha, ...(recursive && { recursive: '1' }) };
    const found = membersOf(hands.call('git/get-tree', input, 'failed to get repository tree'));
    const tree = itemsOf(found.tree)
      .filter(({ path }) => String(path).startsWith(start))
      .map(({ path = '', type = '', size, mode = '', sha = '', url = '' }) => ({
        path,
        type,
        ...(size !== undefined && { size }),
        mode,
        sha,
        url,
      }));
    const { sha = '', truncated = false } = found;
    return { sha, truncated, tree, tree_sha, owner, repo, recursive, count: tree.length };
  },
});

const DISCUSSIONS = `query($owner: String!, $repo: String!, $first: Int!, $after: String, $categoryId: ID,
  $orderBy: DiscussionOrder) { repository(owner: $owner, name: $repo) { discussions(first: $first,
  after: $after, categoryId: $categoryId, orderBy: $orderBy) { totalCount
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  nodes { number title createdAt updatedAt author { login } category { name } url } } } }`;

const listDiscussions = githubTool({
  name: 'list_discussions',
  description: 'Lists the discussions of a repository, or of an organisation.',
  optional: true,
  input: z.object({
    owner: OWNER,
    repo: REPO.optional(),
    category: z.string().optional(),
    orderBy: choice('CREATED_AT', 'UPDATED_AT').optional(),
    direction: choice('ASC', 'DESC').optional(),
    ...CURSOR,
  }),
  operations: ['graphql/query'],
  run(hands, { owner, repo, category, orderBy, direction, perPage, after }): Json {
    const variables = present({
      owner,
      // Those of an organisation stand in a repository of this name.
      repo: repo || '.github',
      first: whole(perPage) ?? 30,
      after: after || undefined,
      categoryId: category || undefined,
      orderBy: orderBy && direction ? { field: orderBy, direction } : undefined,
    });
    const data = hands.query(DISCUSSIONS, variables, 'failed to list discussions');
    const found = membersOf(membersOf(data.repository).discussions);
    const discussions = nodesOf(found).map((one) => ({
      number: one.number ?? 0,
      title: one.title ?? '',
      html_url: one.url ?? '',
      created_at: one.createdAt ?? '',
      updated_at: one.updatedAt ?? '',
      user: { login: membersOf(one.author).login ?? '' },
      category: { name: membersOf(one.category).name ?? '' },
    }));
    return { discussions, pageInfo: found.pageInfo ?? {}, totalCount: found.totalCount ?? 0 };
  },
});

const DISCUSSION = `query($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { discussion(number: $number) { id number title body createdAt
    closed isAnswered answerChosenAt url category { name } } } }`;

const getDiscussion = githubTool({
  name: 'get_discussion',
  description: 'Reads a discussion.',
  optional: true,
  input: z.object({ ...PLACE, discussionNumber: z.number() }),
  operations: ['graphql/query'],
  run(hands, { owner, repo, discussionNumber }): Json {
    const variables = { owner, repo, number: Math.trunc(discussionNumber) };
    const data = hands.query(DISCUSSION, variables, 'failed to get discussion');
    const found = membersOf(membersOf(data.repository).discussion);
    const { number = 0, title = '', body = '', url = '', closed = false, createdAt = '' } = found;
    return {
      number,
      title,
      body,
      url,
      closed,
      isAnswered: found.isAnswered ?? false,
      createdAt,
      category: { name: membersOf(found.category).name ?? '' },
      ...(found.answerChosenAt && { answerChosenAt: found.answerChosenAt }),
    };
  },
});

const COMMENTS = `query($owner: String!, $repo: String!, $number: Int!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { discussion(number: $number) {
    comments(first: $first, after: $after) { totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { id body isAnswer replies(first: 100) { totalCount nodes { id body isAnswer } } } } } } }`;

function commentShape({ id = '', body = '', isAnswer }: JsonObject): JsonObject {
  return { id, body, ...(isAnswer === true && { isAnswer }) };
}

const getDiscussionComments = githubTool({
  name: 'get_discussion_comments',
  description: 'Lists the comments on a discussion.',
  optional: true,
  input: z.object({
    ...PLACE,
    discussionNumber: z.number(),
    includeReplies: z.boolean().optional(),
    ...CURSOR,
  }),
  operations: ['graphql/query'],
  run(hands, { owner, repo, discussionNumber, includeReplies = false, perPage, after }): Json {
    const number = Math.trunc(discussionNumber);
    const page = present({ first: whole(perPage) ?? 30, after: after || undefined });
    const words = 'failed to get discussion comments';
    const data = hands.query(COMMENTS, { owner, repo, number, ...page }, words);
    const found = membersOf(membersOf(membersOf(data.repository).discussion).comments);
    const comments = nodesOf(found).map((comment) => {
      const { totalCount = 0 } = membersOf(comment.replies);
      const replies = nodesOf(comment.replies).map(commentShape);
      const shape = commentShape(comment);
      if (!includeReplies || totalCount === 0) return shape;
      return { ...shape, replies, replyTotalCount: totalCount };
    });
    return { comments, pageInfo: found.pageInfo ?? {}, totalCount: found.totalCount ?? 0 };
  },
});

const CATEGORIES = `query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) {
  discussionCategories(first: 25) { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes { id name } } } }`;

const listCategories = githubTool({
  name: 'list_discussion_categories',
  description: 'Lists the categories of discussions that a repository has.',
  optional: true,
  input: z.object({ owner: OWNER, repo: REPO.optional() }),
  operations: ['graphql/query'],
  run(hands, { owner, repo }): Json {
    const variables = { owner, repo: repo || '.github' };
    const data = hands.query(CATEGORIES, variables, 'failed to list discussion categories');
    const found = membersOf(membersOf(data.repository).discussionCategories);
    const categories = nodesOf(found).map(({ id = '', name = '' }) => ({ id, name }));
    return { categories, pageInfo: found.pageInfo ?? {}, totalCount: found.totalCount ?? 0 };
  },
});

function starring(name: string, operation: string, word: string): Tool {
  return githubTool({
    name,
    description: `${word.charAt(0).toUpperCase()}${word.slice(1)}s a repository.`,
    optional: true,
    input: z.object(PLACE),
    operations: [operation],
    run(hands, { owner, repo }): Json {
      hands.call(operation, { owner, repo }, `failed to ${word} repository ${owner}/${repo}`);
      return `Successfully ${word}red repository ${owner}/${repo}`;
    },
  });
}

/** Tools of the server's other toolsets; on offer where they are asked for by name. */
export const toolsetTools: readonly Tool[] = [
  listLabel,
  labelWrite,
  getTree,
  listDiscussions,
  getDiscussion,
  getDiscussionComments,
  listCategories,
  starring('star_repository', 'activity/star-repo-for-authenticated-user', 'star'),
  starring('unstar_repository', 'activity/unstar-repo-for-authenticated-user', 'unstar'),
];
