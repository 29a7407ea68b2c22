import { beforeEach, describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../scene.test-kit.ts';
import { globalId, nodeIdParts } from '../views/node-ids.ts';
import { MUTATORS_BY_NAME } from './mutations/index.ts';
import { MUTATION_NAMES } from './sdl/mutations.ts';

/** The graph over the rows of the small seed: pages, nodes, errors, and every kind of change. */

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Any = any;

let scene: Scene;

beforeEach(() => {
  scene = openScene();
});

function ask(query: string, variables: Any = {}): Any {
  return scene.call('graphql', { query, variables }).body;
}

/** The data of a request that goes well. */
function data(query: string, variables: Any = {}): Any {
  const body = ask(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

function change(name: string, input: Any, selection: string): Any {
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const query = `mutation($input: ${type}Input!) { ${name}(input: $input) { ${selection} } }`;
  return data(query, { input })[name];
}

/** Members of a repository. */
function within(selection: string, name = 'lamp'): Any {
  return data(`{ repository(owner: "octo-works", name: "${name}") { ${selection} } }`).repository;
}

describe('the schema', () => {
  it('has a change for every mutation that it names', () => {
    expect([...MUTATORS_BY_NAME].sort()).toEqual([...MUTATION_NAMES].sort());
  });

  it('tells about itself, as clients ask that look for features', () => {
    const { __type: type } = data('{ __type(name: "Issue") { fields { name } } }');
    expect(type.fields).toContainEqual({ name: 'stateReason' });
    expect(data('{ viewer { __typename } }')).toEqual({ viewer: { __typename: 'User' } });
  });
});

describe('global ids', () => {
  it('are taken apart as they were put together', () => {
    for (const parts of [
      [0, 7],
      [0, 990_000_001, 3_400_000_001],
      [0, 1, 'refs/heads/main'],
      [0, 255, 65_536],
    ]) {
      expect(nodeIdParts(globalId('X', parts))).toEqual({ prefix: 'X', parts });
    }
    expect(nodeIdParts(globalId('C', [0, 9, 'a'.repeat(40)]))?.parts[2]).toBe('a'.repeat(40));
    expect(['', 'x', 'I_', 'I_!!', 'I_kgD'].map(nodeIdParts)).toEqual([null, null, null, null, null]);
  });

  it('lead back to the things that showed them', () => {
    const shown = within(`id owner { id } defaultBranchRef { id target { id ... on Commit { tree { id } } } }
      issue(number: 1) { id comments(first: 1) { nodes { id } } labels(first: 1) { nodes { id } }
        milestone { id } }
      pullRequest(number: 4) { id reviews(first: 1) { nodes { id } }
        reviewThreads(first: 1) { nodes { id comments(first: 1) { nodes { id } } } } }
      releases(first: 1) { nodes { id } }`);
    const discussion = within('discussion(number: 1) { id comments(first: 1) { nodes { id } } }', 'handbook');
    const ids = [...JSON.stringify([shown, discussion]).matchAll(/"id":"([^"]+)"/gu)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThanOrEqual(15);
    const { nodes } = data('query($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }', { ids });
    expect(nodes.map(({ id }: Any) => id)).toEqual(ids);
    expect(new Set(nodes.map(({ __typename: type }: Any) => type)).size).toBeGreaterThanOrEqual(13);
  });

  it('of nothing are not found, with the rest of the answer', () => {
    const body = ask('{ viewer { login } node(id: "I_kwDOOwIzgc4AAAAB") { id } }');
    expect(body.data).toEqual({ viewer: { login: 'mona' }, node: null });
    expect(body.errors).toMatchObject([
      {
        type: 'NOT_FOUND',
        path: ['node'],
        message: "Could not resolve to a node with the global id of 'I_kwDOOwIzgc4AAAAB'",
      },
    ]);
  });
});

describe('connections', () => {
  const page = (args: string): Any =>
    within(`labels(${args}) { totalCount nodes { name }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor } }`).labels;

  it('go forward and back', () => {
    const first = page('first: 4');
    expect(first).toMatchObject({ totalCount: 9, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    const second = page(`first: 4, after: "${first.pageInfo.endCursor}"`);
    const back = page(`last: 4, before: "${second.pageInfo.startCursor}"`);
    expect(back.nodes).toEqual(first.nodes);
    expect(page('last: 2').nodes).toHaveLength(2);
    expect(first.edges[3].cursor).toBe(first.pageInfo.endCursor);
  });

  it('keep their place when what stood before it is gone', () => {
    const first = page('first: 3');
    const next = page(`first: 1, after: "${first.pageInfo.endCursor}"`).nodes;
    scene.call('issues/delete-label', { owner: 'octo-works', repo: 'lamp', name: first.nodes[0].name });
    expect(page(`first: 1, after: "${first.pageInfo.endCursor}"`).nodes).toEqual(next);
  });

  it('must be bounded, unless only counted', () => {
    expect(within('labels { totalCount }')).toEqual({ labels: { totalCount: 9 } });
    const query = (args: string): string =>
      `{ repository(owner: "octo-works", name: "lamp") { issues${args} { nodes { id } } } }`;
    expect(ask(query('')).errors[0]).toMatchObject({
      type: 'MISSING_PAGINATION_BOUNDARIES',
      message: 'You must provide a `first` or `last` value to properly paginate the `issues` connection.',
    });
    expect(ask(query('(first: 101)')).errors[0]).toMatchObject({
      type: 'EXCESSIVE_PAGINATION',
      message: 'Requesting 101 records on the `issues` connection exceeds the `first` limit of 100 records.',
    });
    expect(ask(query('(first: 1, after: "zz")')).errors[0].type).toBe('INVALID_CURSOR_ARGUMENTS');
  });
});

describe('errors', () => {
  it('are those of GitHub for what the schema does not know', () => {
    expect(ask('{ viewer { shoeSize } }').errors).toMatchObject([
      {
        extensions: { code: 'undefinedField', typeName: 'User', fieldName: 'shoeSize' },
        message: "Field 'shoeSize' doesn't exist on type 'User'",
      },
    ]);
  });

  it('of a change leave nothing behind, and cost a call', () => {
    const before = scene.session.world.contentDigest();
    const { id } = within('id');
    const told = scene.call('graphql', {
      query: `mutation { createIssue(input: {repositoryId: "${id}", title: "x", labelIds: ["LA_x"]}) {
        issue { id } } }`,
    });
    expect(told.status).toBe(200);
    expect(told.body).toMatchObject({ data: { createIssue: null }, errors: [{ type: 'NOT_FOUND' }] });
    expect(scene.session.world.contentDigest()).toBe(before);
    expect(told.headers['x-ratelimit-resource']).toBe('graphql');
    expect(data('{ rateLimit { limit used } }').rateLimit).toEqual({ limit: 5_000, used: 3 });
  });

  it('come of changes where only reads are allowed', () => {
    const query = 'mutation { addStar(input: {starrableId: "R_x"}) { clientMutationId } }';
    expect(scene.call('graphql/query', { query }).status).toBe(422);
    expect(scene.call('graphql/query', { query: '{ viewer { login } }' }).body).toEqual({
      data: { viewer: { login: 'mona' } },
    });
  });

  it('hide what the caller may not see', () => {
    const [hidden] = [...scene.session.world.table('github.repositories').scan()].filter(
      ({ visibility, name }) => visibility === 'private' && name === 'notes',
    );
    const query = '{ repository(owner: "hubert", name: "notes") { id } }';
    expect(ask(query).errors[0].message).toBe(
      "Could not resolve to a Repository with the name 'hubert/notes'.",
    );
    const id = globalId('R', [0, Number(hidden?.id)]);
    expect(ask(`{ node(id: "${id}") { id } }`).data.node).toBeNull();
    expect(ask(query).errors[0].type).toBe('NOT_FOUND');
  });
});

describe('changes', () => {
  it('to issues', () => {
    const { id: repositoryId } = within('id');
    const { issue } = change('createIssue', { repositoryId, title: 'One', body: 'B' }, 'issue { id number }');
    const closing = { issueId: issue.id, stateReason: 'NOT_PLANNED' };
    expect(change('closeIssue', closing, 'issue { closed stateReason }').issue).toEqual({
      closed: true,
      stateReason: 'NOT_PLANNED',
    });
    expect(change('reopenIssue', { issueId: issue.id }, 'issue { state }').issue.state).toBe('OPEN');
    const comment = change(
      'addComment',
      { subjectId: issue.id, body: 'C' },
      'commentEdge { node { id body } }',
    );
    const commentId = comment.commentEdge.node.id;
    expect(
      change('updateIssueComment', { id: commentId, body: 'D' }, 'issueComment { body }').issueComment,
    ).toEqual({
      body: 'D',
    });
    const { label } = within('label(name: "BUG") { id }');
    const labelled = { labelableId: issue.id, labelIds: [label.id] };
    const names = 'labelable { labels(first: 5) { nodes { name } } }';
    expect(change('addLabelsToLabelable', labelled, names).labelable.labels.nodes).toEqual([{ name: 'bug' }]);
    expect(change('removeLabelsFromLabelable', labelled, names).labelable.labels.nodes).toEqual([]);
    const reaction = { subjectId: issue.id, content: 'HEART' };
    const groups = 'subject { reactionGroups { content viewerHasReacted } }';
    expect(change('addReaction', reaction, groups).subject.reactionGroups).toContainEqual({
      content: 'HEART',
      viewerHasReacted: true,
    });
    expect(change('removeReaction', reaction, groups).subject.reactionGroups).not.toContainEqual({
      content: 'HEART',
      viewerHasReacted: true,
    });
    const { issue: whole } = within('issue(number: 1) { id }');
    const part = { issueId: whole.id, subIssueId: issue.id };
    expect(
      change('addSubIssue', part, 'issue { subIssuesSummary { total } }').issue.subIssuesSummary.total,
    ).toBe(2);
    expect(
      change('lockLockable', { lockableId: issue.id }, 'lockedRecord { locked }').lockedRecord.locked,
    ).toBe(true);
    change('deleteIssue', { issueId: issue.id }, 'repository { name }');
    expect(ask(`{ node(id: "${issue.id}") { id } }`).errors[0].type).toBe('NOT_FOUND');
  });

  it('to pulls and their reviews', () => {
    const { pullRequest: pull } = within(
      `pullRequest(number: 6) { id state isDraft files(first: 5) { nodes { path } } }`,
    );
    const input = { pullRequestId: pull.id };
    expect(change('convertPullRequestToDraft', input, 'pullRequest { isDraft }').pullRequest.isDraft).toBe(
      true,
    );
    expect(
      change('markPullRequestReadyForReview', input, 'pullRequest { isDraft }').pullRequest.isDraft,
    ).toBe(false);
    const review = change('addPullRequestReview', input, 'pullRequestReview { id state }').pullRequestReview;
    expect(review.state).toBe('PENDING');
    const [{ path }] = pull.files.nodes;
    const thread = change(
      'addPullRequestReviewThread',
      { pullRequestReviewId: review.id, path, body: 'Why?', line: 1, subjectType: 'LINE' },
      'thread { id isResolved }',
    ).thread;
    const submit = { pullRequestReviewId: review.id, event: 'COMMENT', body: 'Read.' };
    expect(
      change('submitPullRequestReview', submit, 'pullRequestReview { state }').pullRequestReview.state,
    ).toBe('COMMENTED');
    const reply = { pullRequestReviewThreadId: thread.id, body: 'So.' };
    expect(change('addPullRequestReviewThreadReply', reply, 'comment { body }').comment.body).toBe('So.');
    const settled = change(
      'resolveReviewThread',
      { threadId: thread.id },
      'thread { isResolved resolvedBy { login } }',
    );
    expect(settled.thread).toEqual({ isResolved: true, resolvedBy: { login: 'mona' } });
    expect(change('closePullRequest', input, 'pullRequest { state }').pullRequest.state).toBe('CLOSED');
    expect(change('reopenPullRequest', input, 'pullRequest { state }').pullRequest.state).toBe('OPEN');
    const title = { ...input, title: 'Sleep well' };
    expect(change('updatePullRequest', title, 'pullRequest { title }').pullRequest.title).toBe('Sleep well');
  });

  it('to discussions', () => {
    const { discussion } = within(
      'discussion(number: 1) { id isAnswered comments(first: 1) { nodes { id } } }',
      'handbook',
    );
    expect(discussion.isAnswered).toBe(false);
    const [{ id }] = discussion.comments.nodes;
    const answered = 'discussion { isAnswered answer { id } }';
    expect(change('markDiscussionCommentAsAnswer', { id }, answered).discussion).toEqual({
      isAnswered: true,
      answer: { id },
    });
    const reply = { discussionId: discussion.id, replyToId: id, body: 'Thanks.' };
    expect(change('addDiscussionComment', reply, 'comment { replyTo { id } }').comment.replyTo.id).toBe(id);
    const { id: repositoryId, discussionCategories } = within(
      'id discussionCategories(first: 9) { nodes { id slug } }',
      'handbook',
    );
    const [category] = discussionCategories.nodes;
    const wish = { repositoryId, categoryId: category.id, title: 'News', body: 'There are some.' };
    expect(change('createDiscussion', wish, 'discussion { number }').discussion.number).toBe(2);
  });

  it('to projects', () => {
    const { organization } = data('{ organization(login: "octo-works") { id } }');
    const made = change(
      'createProjectV2',
      { ownerId: organization.id, title: 'Spring' },
      `projectV2 { id number field(name: "Status") {
        ... on ProjectV2SingleSelectField { id options { id name } } } }`,
    ).projectV2;
    const { issue } = within('issue(number: 1) { id }');
    const { item } = change(
      'addProjectV2ItemById',
      { projectId: made.id, contentId: issue.id },
      'item { id type }',
    );
    expect(item.type).toBe('ISSUE');
    const done = made.field.options.find(({ name }: Any) => name === 'Done');
    const value = { singleSelectOptionId: done.id };
    const set = { projectId: made.id, itemId: item.id, fieldId: made.field.id, value };
    const status = `projectV2Item { fieldValueByName(name: "Status") {
      ... on ProjectV2ItemFieldSingleSelectValue { name } } }`;
    expect(change('updateProjectV2ItemFieldValue', set, status).projectV2Item.fieldValueByName).toEqual({
      name: 'Done',
    });
    const { projectItems } = within(
      'issue(number: 1) { projectItems(first: 5) { nodes { project { title } } } }',
    ).issue;
    expect(projectItems.nodes).toEqual([{ project: { title: 'Spring' } }]);
  });
});
