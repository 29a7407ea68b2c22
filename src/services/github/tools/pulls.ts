import { z } from 'zod';
import type { Json, JsonObject, Tool } from '../../../service/index.ts';
import { entryOf } from '../rules/entries.ts';
import { checkSaid } from './issues.ts';
import {
  choice,
  fail,
  fieldsOf,
  githubTool,
  type Hands,
  itemsOf,
  membersOf,
  PAGE,
  PLACE,
  pageOf,
  present,
  whole,
  withFields,
} from './making.ts';
import {
  checkRunShape,
  commentShape,
  fileShape,
  madeShape,
  pullShape,
  reviewShape,
  withoutNulls,
} from './shapes.ts';
import { readThreads } from './threads.ts';

const NUMBER = { ...PLACE, pullNumber: z.number() };

function readHead(hands: Hands, at: JsonObject): string {
  const pull = hands.call('pulls/get', at, 'failed to get pull request');
  return String(membersOf(membersOf(pull).head).sha);
}

interface Reading {
  readonly hands: Hands;
  readonly at: { readonly owner: string; readonly repo: string; readonly pull_number: number };
  readonly paged: JsonObject;
  readonly place: { readonly owner: string; readonly repo: string };
  readonly page: { readonly perPage?: number | undefined; readonly after?: string | undefined };
}

const READERS: Readonly<Record<string, (reading: Reading) => Json>> = {
  get: ({ hands, at }) => pullShape(membersOf(hands.call('pulls/get', at, 'failed to get pull request'))),
  get_diff: ({ hands, at }) =>
    hands.callAs(
      'pulls/get',
      { input: at, accept: 'application/vnd.github.v3.diff' },
      'failed to get pull request diff',
    ),
  get_status: ({ hands, at, place }) => {
    const input = { ...place, ref: readHead(hands, at) };
    return withoutNulls(
      hands.call('repos/get-combined-status-for-ref', input, 'failed to get combined status'),
    );
  },
  get_files: ({ hands, paged }) =>
    itemsOf(hands.call('pulls/list-files', paged, 'failed to get pull request files')).map((file) => ({
      ...fileShape(file, true),
      ...present({ previous_filename: file.previous_filename }),
    })),
  get_commits: ({ hands, paged }) =>
    itemsOf(hands.call('pulls/list-commits', paged, 'failed to get pull request commits')).map((commit) => {
      const { message = '', author } = membersOf(commit.commit);
      const { name = '', email = '', date = '' } = membersOf(author);
      return {
        sha: commit.sha ?? '',
        html_url: commit.html_url ?? '',
        message,
        author: { name, email, date },
      };
    }),
  get_review_comments: ({ hands, at, page }) => readThreads(hands, at, page),
  get_reviews: ({ hands, paged }) =>
    itemsOf(hands.call('pulls/list-reviews', paged, 'failed to get pull request reviews')).map(reviewShape),
  get_comments: ({ hands, paged }) => {
    const { pull_number, ...rest } = paged;
    const input = present({ ...rest, issue_number: pull_number });
    const words = 'failed to get pull request comments';
    return itemsOf(hands.call('issues/list-comments', input, words)).map(commentShape);
  },
  get_check_runs: ({ hands, at, place, paged }) => {
    const input = present({
      ...place,
      ref: readHead(hands, at),
      page: paged.page,
      per_page: paged.per_page,
    });
    const runs = membersOf(hands.call('checks/list-for-ref', input, 'failed to get check runs'));
    return {
      total_count: runs.total_count ?? 0,
      check_runs: itemsOf(runs.check_runs).map(checkRunShape),
    };
  },
};

const pullRead = githubTool({
  name: 'pull_request_read',
  description: 'Reads a pull request: itself, its diff, files, commits, checks, reviews or comments.',
  input: z.object({
    method: choice(...Object.keys(READERS)),
    ...NUMBER,
    ...PAGE,
    after: z.string().optional(),
  }),
  operations: [
    ...['pulls/get', 'repos/get-combined-status-for-ref', 'pulls/list-files', 'pulls/list-commits'],
    ...['pulls/list-reviews', 'issues/list-comments', 'checks/list-for-ref', 'graphql/query'],
  ],
  run(hands, { method, owner, repo, pullNumber, ...page }): Json {
    const read = entryOf(READERS, method);
    if (!read) return fail(`unknown method: ${method}`);
    const place = { owner, repo };
    const at = { ...place, pull_number: Math.trunc(pullNumber) };
    return read({ hands, at, place, page, paged: { ...at, ...pageOf(page) } });
  },
});

const listPulls = githubTool({
  name: 'list_pull_requests',
  description: 'Lists the pull requests of a repository.',
  input: z.object({
    ...PLACE,
    state: choice('open', 'closed', 'all').optional(),
    head: z.string().optional(),
    base: z.string().optional(),
    sort: choice('created', 'updated', 'popularity', 'long-running').optional(),
    direction: choice('asc', 'desc').optional(),
    fields: fieldsOf(
      ...['number', 'title', 'body', 'state', 'draft', 'merged', 'mergeable_state', 'html_url', 'user'],
      ...['labels', 'assignees', 'requested_reviewers', 'merged_by', 'head', 'base', 'additions'],
      ...['deletions', 'changed_files', 'commits', 'comments', 'created_at', 'updated_at', 'closed_at'],
      ...['merged_at', 'milestone'],
    ),
    ...PAGE,
  }),
  operations: ['pulls/list'],
  run(hands, { owner, repo, fields, state, head, base, sort, direction, ...page }): Json {
    const filters = present({
      state: state || undefined,
      head: head || undefined,
      base: base || undefined,
      sort: sort || undefined,
      direction: direction || undefined,
    });
    const input = { owner, repo, ...filters, ...pageOf(page) };
    const pulls = itemsOf(hands.call('pulls/list', input, 'failed to list pull requests'));
    return withFields(pulls.map(pullShape), fields);
  },
});

const createPull = githubTool({
  name: 'create_pull_request',
  description: 'Opens a pull request.',
  input: z.object({
    ...PLACE,
    title: z.string(),
    body: z.string().optional(),
    head: z.string(),
    base: z.string(),
    draft: z.boolean().optional(),
    maintainer_can_modify: z.boolean().optional(),
    reviewers: z.array(z.string()).optional(),
  }),
  operations: ['pulls/create', 'pulls/request-reviewers'],
  run(hands, { owner, repo, title, body, head, base, draft = false, reviewers = [], ...input }): Json {
    for (const [name, value] of Object.entries({ title, head, base })) {
      if (value === '') return fail(`missing required parameter: ${name}`);
    }
    const { maintainer_can_modify = false } = input;
    const wish = { owner, repo, title, head, base, draft, maintainer_can_modify };
    const made = membersOf(
      hands.call(
        'pulls/create',
        { ...wish, ...present({ body: body || undefined }) },
        'failed to create pull request',
      ),
    );
    askFor(hands, { owner, repo, pull_number: made.number ?? 0 }, reviewers);
    return madeShape(made);
  },
});

function askFor(hands: Hands, at: JsonObject, names: readonly string[]): void {
  if (names.length === 0) return;
  // `org/team` asks a team.
  const team_reviewers = names.filter((name) => name.includes('/')).map((name) => name.split('/')[1] ?? '');
  const reviewers = names.filter((name) => !name.includes('/'));
  hands.call('pulls/request-reviewers', { ...at, reviewers, team_reviewers }, 'failed to request reviewers');
}

const OF_PULL = `query($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { id isDraft } } }`;
const TO_DRAFT = `mutation($input: ConvertPullRequestToDraftInput!) {
  convertPullRequestToDraft(input: $input) { pullRequest { id isDraft } } }`;
const TO_READY = `mutation($input: MarkPullRequestReadyForReviewInput!) {
  markPullRequestReadyForReview(input: $input) { pullRequest { id isDraft } } }`;

function setDraft(hands: Hands, at: JsonObject, draft: boolean): void {
  const { owner = '', repo = '', pull_number: number = 0 } = at;
  const data = hands.query(OF_PULL, { owner, repo, number }, 'Failed to find pull request');
  const { id = '', isDraft } = membersOf(membersOf(data.repository).pullRequest);
  if (isDraft === draft) return;
  const input = { pullRequestId: id };
  if (draft) hands.change(TO_DRAFT, { input }, 'Failed to convert pull request to draft');
  else hands.change(TO_READY, { input }, 'Failed to mark pull request ready for review');
}

const updatePull = githubTool({
  name: 'update_pull_request',
  description: 'Changes a pull request: words, state, base, whether it is a draft, who is to review it.',
  input: z.object({
    ...NUMBER,
    title: z.string().optional(),
    body: z.string().optional(),
    state: choice('open', 'closed').optional(),
    draft: z.boolean().optional(),
    base: z.string().optional(),
    maintainer_can_modify: z.boolean().optional(),
    reviewers: z.array(z.string()).optional(),
  }),
  operations: ['pulls/get', 'pulls/update', 'pulls/request-reviewers', 'graphql/query', 'graphql'],
  run(hands, { owner, repo, pullNumber, draft, reviewers = [], ...changes }): Json {
    const at = { owner, repo, pull_number: Math.trunc(pullNumber) };
    const members = present(changes);
    const isChange = Object.keys(members).length > 0;
    if (!isChange && draft === undefined && reviewers.length === 0) {
      return fail('No update parameters provided.');
    }
    if (isChange) hands.call('pulls/update', { ...at, ...members }, 'failed to update pull request');
    if (draft !== undefined) setDraft(hands, at, draft);
    askFor(hands, at, reviewers);
    return madeShape(membersOf(hands.call('pulls/get', at, 'Failed to get pull request')));
  },
});

const updateBranch = githubTool({
  name: 'update_pull_request_branch',
  description: 'Brings the branch of a pull request up to date with its base.',
  input: z.object({ ...NUMBER, expectedHeadSha: z.string().optional() }),
  operations: ['pulls/update-branch'],
  run(hands, { owner, repo, pullNumber, expectedHeadSha }): Json {
    const at = { owner, repo, pull_number: Math.trunc(pullNumber) };
    const wish = { ...at, ...present({ expected_head_sha: expectedHeadSha || undefined }) };
    hands.call('pulls/update-branch', wish, 'failed to update pull request branch');
    return 'Pull request branch update is in progress';
  },
});

const mergePull = githubTool({
  name: 'merge_pull_request',
  description: 'Merges a pull request.',
  input: z.object({
    ...NUMBER,
    commit_title: z.string().optional(),
    commit_message: z.string().optional(),
    merge_method: choice('merge', 'squash', 'rebase').optional(),
  }),
  operations: ['pulls/merge'],
  run(hands, { owner, repo, pullNumber, commit_title, commit_message, merge_method }): Json {
    const wish = present({
      commit_title: commit_title || undefined,
      commit_message: commit_message || undefined,
      merge_method: merge_method || undefined,
    });
    const at = { owner, repo, pull_number: Math.trunc(pullNumber) };
    return hands.call('pulls/merge', { ...at, ...wish }, 'failed to merge pull request');
  },
});

const addReply = githubTool({
  name: 'add_reply_to_pull_request_comment',
  description: 'Answers a comment on a line of a pull request, or reacts to it.',
  input: z.object({
    ...PLACE,
    pullNumber: z.number().optional(),
    commentId: z.number().meta({ minimum: 1 }),
    body: z.string().optional(),
    reaction: choice('+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes').optional(),
  }),
  operations: ['pulls/create-reply-for-review-comment', 'reactions/create-for-pull-request-review-comment'],
  run(hands, { owner, repo, pullNumber, commentId, body, reaction }): Json {
    if (commentId < 1) return fail('commentId must be greater than 0');
    checkSaid({ body, reaction });
    if (body !== undefined && pullNumber === undefined) return fail('missing required parameter: pullNumber');
    const at = { owner, repo, comment_id: Math.trunc(commentId) };
    const reacted = reaction === undefined ? null : reactTo(hands, at, reaction);
    if (body === undefined) return reacted;
    const words = 'failed to add reply to pull request comment';
    const reply = { ...at, pull_number: whole(pullNumber) ?? 0, body };
    const comment = withoutNulls(hands.call('pulls/create-reply-for-review-comment', reply, words));
    return reacted === null ? comment : { comment, reaction: reacted };
  },
});

function reactTo(
  hands: Hands,
  at: { readonly owner: string; readonly repo: string; readonly comment_id: number },
  content: string,
): JsonObject {
  const operation = 'reactions/create-for-pull-request-review-comment';
  const words = 'failed to add reaction to pull request review comment';
  const { id } = membersOf(hands.call(operation, { ...at, content }, words));
  const base = `https://api.github.com/repos/${at.owner}/${at.repo}/pulls/comments`;
  return { id: String(id), url: `${base}/${at.comment_id}/reactions/${id}` };
}

const requestCopilot = githubTool({
  name: 'request_copilot_review',
  description: 'Asks Copilot to review a pull request.',
  input: z.object(NUMBER),
  operations: ['pulls/request-reviewers'],
  run(hands, { owner, repo, pullNumber }): Json {
    const at = { owner, repo, pull_number: Math.trunc(pullNumber) };
    const reviewers = ['copilot-pull-request-reviewer[bot]'];
    hands.call('pulls/request-reviewers', { ...at, reviewers }, 'failed to request copilot review');
    return '';
  },
});

/** Tools for pulls, by name. */
export const pullTools: Readonly<Record<string, Tool>> = {
  add_reply_to_pull_request_comment: addReply,
  create_pull_request: createPull,
  list_pull_requests: listPulls,
  merge_pull_request: mergePull,
  pull_request_read: pullRead,
  request_copilot_review: requestCopilot,
  update_pull_request: updatePull,
  update_pull_request_branch: updateBranch,
};
