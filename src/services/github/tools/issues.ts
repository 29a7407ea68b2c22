import { z } from 'zod';
import type { Json, JsonObject, Tool } from '../../../service/index.ts';
import {
  CURSOR,
  choice,
  fail,
  fieldsOf,
  githubTool,
  type Hands,
  itemsOf,
  labelShape,
  membersOf,
  nodesOf,
  PAGE,
  PLACE,
  pageOf,
  present,
  whole,
  withFields,
} from './making.ts';
import { commentShape, issueShape, madeShape, withoutNulls } from './shapes.ts';

const REACTION = choice('+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes');
const NUMBER = { ...PLACE, issue_number: z.number() };

const PARENT_AND_PARTS = `query($id: ID!) { node(id: $id) { ... on Issue {
  parent { number title state url repository { nameWithOwner } }
  subIssuesSummary { total completed percentCompleted } } } }`;

function readIssue(hands: Hands, at: JsonObject): JsonObject {
  const issue = membersOf(hands.call('issues/get', at, 'failed to get issue'));
  const shape = issueShape(issue);
  if (issue.pull_request !== undefined) return shape;
  const data = hands.query(PARENT_AND_PARTS, { id: issue.node_id ?? '' }, 'failed to get issue');
  const { parent, subIssuesSummary } = membersOf(data.node);
  const summary = membersOf(subIssuesSummary);
  const hasParts = Number(summary.total ?? 0) > 0;
  const of = membersOf(parent);
  return {
    ...shape,
    has_parent: parent !== null && parent !== undefined,
    has_children: hasParts,
    ...(of.number !== undefined && { parent: parentShape(of) }),
    ...(hasParts && {
      sub_issues_summary: {
        total: summary.total ?? 0,
        completed: summary.completed ?? 0,
        percent_completed: summary.percentCompleted ?? 0,
      },
    }),
  };
}

function parentShape({ number = 0, title = '', state = '', url = '', repository }: JsonObject): JsonObject {
  return { number, title, state, url, repository: membersOf(repository).nameWithOwner ?? '' };
}

const PARENT = `query($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { issue(number: $number) {
    parent { number title state url repository { nameWithOwner } } } } }`;
const LABELS = `query($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { issue(number: $number) {
    labels(first: 100) { nodes { id name color description } totalCount } } } }`;

function readParent(hands: Hands, { owner, repo, issue_number: number }: JsonObject): JsonObject {
  const data = hands.query(PARENT, present({ owner, repo, number }), 'failed to get issue parent');
  const parent = membersOf(membersOf(data.repository).issue).parent;
  return { parent: parent === null || parent === undefined ? null : parentShape(membersOf(parent)) };
}

function readLabels(hands: Hands, { owner, repo, issue_number: number }: JsonObject): JsonObject {
  const data = hands.query(LABELS, present({ owner, repo, number }), 'Failed to get issue labels');
  const labels = membersOf(membersOf(membersOf(data.repository).issue).labels);
  return { labels: nodesOf(labels).map(labelShape), totalCount: labels.totalCount ?? 0 };
}

const issueRead = githubTool({
  name: 'issue_read',
  description: 'Reads an issue: itself, its comments, its parts, what it is a part of, or its labels.',
  input: z.object({
    method: choice('get', 'get_comments', 'get_sub_issues', 'get_parent', 'get_labels'),
    ...NUMBER,
    ...PAGE,
  }),
  operations: ['issues/get', 'issues/list-comments', 'issues/list-sub-issues', 'graphql/query'],
  run(hands, { method, owner, repo, issue_number, ...page }): Json {
    const at = { owner, repo, issue_number: Math.trunc(issue_number) };
    const paged = { ...at, ...pageOf(page) };
    switch (method) {
      case 'get':
        return readIssue(hands, at);
      case 'get_comments': {
        const words = 'failed to get issue comments';
        return itemsOf(hands.call('issues/list-comments', paged, words)).map(commentShape);
      }
      case 'get_sub_issues':
        return withoutNulls(hands.call('issues/list-sub-issues', paged, 'failed to list sub-issues'));
      case 'get_parent':
        return readParent(hands, at);
      case 'get_labels':
        return readLabels(hands, at);
      default:
        return fail(`unknown method: ${method}`);
    }
  },
});

const issueWrite = githubTool({
  name: 'issue_write',
  description: 'Opens an issue, or changes one.',
  input: z.object({
    method: choice('create', 'update'),
    ...PLACE,
    issue_number: z.number().optional(),
    title: z.string().optional(),
    body: z.string().optional(),
    assignees: z.array(z.string()).optional(),
    labels: z.array(z.string()).optional(),
    milestone: z.number().optional(),
    type: z.union([z.string().min(1), z.null()]).optional(),
    state: choice('open', 'closed').optional(),
    state_reason: choice('completed', 'not_planned', 'duplicate').optional(),
    duplicate_of: z.number().optional(),
    issue_fields: z
      .array(
        z.strictObject({
          field_name: z.string(),
          value: z
            .unknown()
            .meta({ type: ['string', 'number', 'boolean'] })
            .optional(),
          field_option_name: z.string().optional(),
          delete: z
            .boolean()
            .meta({ enum: [true] })
            .optional(),
        }),
      )
      .optional(),
  }),
  operations: ['issues/create', 'issues/update', 'graphql/query'],
  run(hands, { method, ...input }): Json {
    if (method !== 'create' && method !== 'update') return fail(`unknown method: ${method}`);
    const { owner, repo, issue_fields: fields = [] } = input;
    const [field] = fields;
    if (field) return fail(`issue field "${field.field_name}" not found for repository ${owner}/${repo}`);
    return method === 'create' ? createIssue(hands, input) : updateIssue(hands, input);
  },
});

interface IssueWish {
  readonly owner: string;
  readonly repo: string;
  readonly issue_number?: number | undefined;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly assignees?: string[] | undefined;
  readonly labels?: string[] | undefined;
  readonly milestone?: number | undefined;
  readonly type?: string | null | undefined;
  readonly state?: string | undefined;
  readonly state_reason?: string | undefined;
  readonly duplicate_of?: number | undefined;
}

function createIssue(hands: Hands, wish: IssueWish): JsonObject {
  const { owner, repo, title, body = '', assignees = [], labels = [], milestone, type } = wish;
  if (!title) return fail('missing required parameter: title');
  const members = present({ milestone: whole(milestone) || undefined, type: type ?? undefined });
  const made = hands.call(
    'issues/create',
    { owner, repo, title, body, assignees, labels, ...members },
    'failed to create issue',
  );
  return madeShape(membersOf(made));
}

function updateIssue(hands: Hands, wish: IssueWish): JsonObject {
  const { owner, repo, issue_number, state, state_reason, duplicate_of } = wish;
  if (!issue_number) return fail('missing required parameter: issue_number');
  const at = { owner, repo, issue_number: Math.trunc(issue_number) };
  const changes = present({
    title: wish.title || undefined,
    body: wish.body || undefined,
    assignees: wish.assignees,
    labels: wish.labels,
    milestone: whole(wish.milestone) || undefined,
    type: wish.type,
  });
  const updated = hands.call('issues/update', { ...at, ...changes }, 'failed to update issue');
  if (state === 'closed' && state_reason === 'duplicate' && !duplicate_of) {
    return fail("duplicate_of must be provided when state_reason is 'duplicate'");
  }
  if (state_reason === 'duplicate' && duplicate_of) {
    hands.call('issues/get', { ...at, issue_number: Math.trunc(duplicate_of) }, 'Failed to find issues');
  }
  if (state !== undefined && state !== '') {
    const reason = state === 'closed' ? (state_reason ?? 'completed') : undefined;
    const words = state === 'closed' ? 'Failed to close issue' : 'Failed to reopen issue';
    hands.call('issues/update', { ...at, ...present({ state, state_reason: reason }) }, words);
  }
  return madeShape(membersOf(updated));
}

const LIST = `query($owner: String!, $repo: String!, $states: [IssueState!], $orderBy: IssueOrderField!,
  $direction: OrderDirection!, $first: Int!, $after: String, $labels: [String!], $since: DateTime) {
  repository(owner: $owner, name: $repo) { isPrivate issues(first: $first, after: $after, labels: $labels,
    states: $states, orderBy: {field: $orderBy, direction: $direction}, filterBy: {since: $since}) {
    nodes { number title body state author { login } createdAt updatedAt
      labels(first: 100) { nodes { name } } comments { totalCount } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } } }`;

function listedIssue(issue: JsonObject): JsonObject {
  const labels = nodesOf(issue.labels).map(({ name = '' }) => name);
  const comments = Number(membersOf(issue.comments).totalCount ?? 0);
  return {
    number: issue.number ?? 0,
    title: issue.title ?? '',
    ...(issue.body !== '' && { body: issue.body ?? '' }),
    state: issue.state ?? '',
    user: { login: membersOf(issue.author).login ?? '' },
    ...(labels.length > 0 && { labels }),
    ...(comments > 0 && { comments }),
    created_at: issue.createdAt ?? '',
    updated_at: issue.updatedAt ?? '',
  };
}

function oneOf(value: string | undefined, known: readonly string[], otherwise: string): string {
  const upper = (value ?? '').toUpperCase();
  return known.includes(upper) ? upper : otherwise;
}

/** A moment that a filter names: a day, or a full one. */
function momentOf(since: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/u.test(since);
  if (isDay) return `${since}T00:00:00Z`;
  if (!Number.isNaN(Date.parse(since)) && /T\d{2}:\d{2}/u.test(since)) return since;
  const formats = 'supported formats: YYYY-MM-DDThh:mm:ssZ or YYYY-MM-DD';
  return fail(`failed to list issues: invalid ISO 8601 timestamp: ${since} (${formats})`);
}

/** The cursors of a page; those of an empty one are left out. */
export function pageInfoOf(info: Json | undefined): JsonObject {
  const { hasNextPage = false, hasPreviousPage = false, startCursor, endCursor } = membersOf(info);
  return {
    hasNextPage,
    hasPreviousPage,
    ...(startCursor && { startCursor }),
    ...(endCursor && { endCursor }),
  };
}

const listIssues = githubTool({
  name: 'list_issues',
  description: 'Lists the issues of a repository, open and closed; those with any of the labels.',
  input: z.object({
    ...PLACE,
    state: choice('OPEN', 'CLOSED').optional(),
    labels: z.array(z.string()).optional(),
    orderBy: choice('CREATED_AT', 'UPDATED_AT', 'COMMENTS').optional(),
    direction: choice('ASC', 'DESC').optional(),
    since: z.string().optional(),
    field_filters: z.array(z.object({ field_name: z.string(), value: z.string() })).optional(),
    fields: fieldsOf(
      ...['number', 'title', 'body', 'state', 'user', 'labels', 'comments'],
      ...['created_at', 'updated_at', 'field_values'],
    ),
    ...CURSOR,
  }),
  operations: ['graphql/query'],
  run(hands, { owner, repo, fields, field_filters: filters = [], ...input }): Json {
    const [filter] = filters;
    if (filter) return fail(`issue field "${filter.field_name}" not found`);
    const state = (input.state ?? '').toUpperCase();
    const data = hands.query(
      LIST,
      present({
        owner,
        repo,
        states: state === 'OPEN' || state === 'CLOSED' ? [state] : ['OPEN', 'CLOSED'],
        orderBy: oneOf(input.orderBy, ['CREATED_AT', 'UPDATED_AT', 'COMMENTS'], 'CREATED_AT'),
        direction: oneOf(input.direction, ['ASC', 'DESC'], 'DESC'),
        first: whole(input.perPage) ?? 30,
        after: input.after || undefined,
        labels: input.labels && input.labels.length > 0 ? input.labels : undefined,
        since: input.since ? momentOf(input.since) : undefined,
      }),
      'failed to list issues',
    );
    const issues = membersOf(membersOf(data.repository).issues);
    return {
      issues: withFields(nodesOf(issues).map(listedIssue), fields),
      totalCount: issues.totalCount ?? 0,
      pageInfo: pageInfoOf(issues.pageInfo),
    };
  },
});

interface Said {
  readonly body?: string | undefined;
  readonly reaction?: string | undefined;
}

/** What both tools that comment and react refuse. */
export function checkSaid({ body, reaction }: Said): void {
  if (body === undefined && reaction === undefined) fail('at least one of body or reaction is required');
  if (body === '') fail('body cannot be empty when provided');
  if (reaction === '') fail('reaction cannot be empty when provided');
}

const addIssueComment = githubTool({
  name: 'add_issue_comment',
  description: 'Comments on an issue or pull, or reacts to it or to one of its comments.',
  input: z.object({
    ...NUMBER,
    body: z.string().optional(),
    reaction: REACTION.optional(),
    comment_id: z.number().meta({ minimum: 1 }).optional(),
  }),
  operations: [
    'issues/create-comment',
    'issues/get-comment',
    'reactions/create-for-issue',
    'reactions/create-for-issue-comment',
  ],
  run(hands, { owner, repo, issue_number, body, reaction, comment_id }): Json {
    if (comment_id !== undefined && comment_id < 1) return fail('comment_id must be greater than 0');
    if (comment_id !== undefined && body !== undefined)
      return fail('comment_id cannot be combined with body');
    if (comment_id !== undefined && reaction === undefined) {
      return fail('comment_id can only be provided when reaction is provided');
    }
    checkSaid({ body, reaction });
    const place = { owner, repo };
    const number = Math.trunc(issue_number);
    const reacted =
      reaction === undefined
        ? null
        : react(hands, { place, number, content: reaction, comment_id: whole(comment_id) });
    if (body === undefined) return reacted;
    const input = { ...place, issue_number: number, body };
    const comment = madeShape(
      membersOf(hands.call('issues/create-comment', input, 'failed to create comment')),
    );
    return reacted === null ? comment : { comment, reaction: reacted };
  },
});

function react(
  hands: Hands,
  wish: {
    readonly place: { readonly owner: string; readonly repo: string };
    readonly number: number;
    readonly content: string;
    readonly comment_id: number | undefined;
  },
): JsonObject {
  const { place, number, content, comment_id } = wish;
  const base = `https://api.github.com/repos/${place.owner}/${place.repo}/issues`;
  if (comment_id === undefined) {
    const input = { ...place, issue_number: number, content };
    const made = hands.call('reactions/create-for-issue', input, 'failed to add reaction to issue');
    const { id } = membersOf(made);
    return { id: String(id), url: `${base}/${number}/reactions/${id}` };
  }
  const at = { ...place, comment_id };
  const comment = membersOf(hands.call('issues/get-comment', at, 'failed to get issue comment'));
  if (!String(comment.issue_url).endsWith(`/issues/${number}`)) {
    return fail(`comment_id does not belong to issue_number ${number}`);
  }
  const words = 'failed to add reaction to issue comment';
  const made = hands.call('reactions/create-for-issue-comment', { ...at, content }, words);
  const { id } = membersOf(made);
  return { id: String(id), url: `${base}/comments/${comment_id}/reactions/${id}` };
}

/** Tools for issues, by name. */
export const issueTools: Readonly<Record<string, Tool>> = {
  add_issue_comment: addIssueComment,
  issue_read: issueRead,
  issue_write: issueWrite,
  list_issues: listIssues,
};
