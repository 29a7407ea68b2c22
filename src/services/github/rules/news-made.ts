import { isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { issueView, placeOf } from '../views/issues.ts';
import { pullView } from '../views/pulls.ts';
import { type Change, memberOf, subjectOf } from './news-changes.ts';
import { pullOf } from './pulls.ts';

interface Making {
  readonly repository: Repository;
  readonly input: JsonObject;
  readonly output: Json;
}

type Teller = (ctx: Reading, making: Making) => readonly Change[];

function issueNumbered(ctx: Reading, { id }: Repository, number: Json | undefined): Issue | undefined {
  return ctx.tx.issues.unique('by_number', [id, Number(number)]);
}

/** A new issue or pull: opened. */
const opened: Teller = (ctx, { repository, output }) => {
  const issue = isJsonObject(output) ? issueNumbered(ctx, repository, output.number) : undefined;
  return issue ? [{ ...subjectOf(ctx, repository, issue), action: 'opened' }] : [];
};

/** What is answered itself is what hooks are told of, as the member of this name. */
function answered(event: string, action: string, member: string): Teller {
  return (_, { output }) => [{ event, action, payload: () => ({ [member]: output }) }];
}

/** Something that was put on an issue. */
function onIssue(action: string): Teller {
  return (ctx, { repository, input, output }) => {
    const url = isJsonObject(output) ? String(output.issue_url ?? '') : '';
    const issue = issueNumbered(ctx, repository, input.issue_number ?? url.split('/').at(-1));
    if (!issue) return [];
    const payload = (): JsonObject => ({
      issue: issueView(ctx, placeOf(ctx, repository), issue),
      comment: output,
    });
    return [{ event: 'issue_comment', action, payload }];
  };
}

/** Something that was put on a pull; reviews that wait are nobody's news. */
function onPull(event: string, action: string, member: string): Teller {
  return (ctx, { repository, input, output }) => {
    const shown = isJsonObject(output) ? output : {};
    const number =
      input.pull_number ??
      String(shown.pull_request_url ?? '')
        .split('/')
        .at(-1);
    const issue = issueNumbered(ctx, repository, number);
    if (!issue || shown.state === 'PENDING') return [];
    const payload = (): JsonObject => ({
      [member]: output,
      pull_request: pullView(ctx, pullOf(ctx, issue.id)),
    });
    return [{ event, action, payload }];
  };
}

const reviewersAsked: Teller = (ctx, { repository, input }) => {
  const issue = issueNumbered(ctx, repository, input.pull_number);
  const logins = Array.isArray(input.reviewers) ? (input.reviewers as readonly Json[]).map(String) : [];
  if (!issue) return [];
  const { event, payload } = subjectOf(ctx, repository, issue);
  return logins.map((login) => ({
    event,
    action: 'review_requested',
    payload: () => ({ ...payload(), requested_reviewer: memberOf(ctx, login) }),
  }));
};

const released: Teller = (_, { output }) => {
  const release = isJsonObject(output) ? output : {};
  const actions = release.draft === true ? ['created'] : ['created', 'published'];
  const last = release.draft === true ? [] : [release.prerelease === true ? 'prereleased' : 'released'];
  return [...actions, ...last].map((action) => ({ event: 'release', action, payload: () => ({ release }) }));
};

const starred: Teller = (ctx, { repository }) => {
  const viewerStars = [...ctx.tx.stars.by('by_repository', [repository.id])].at(-1);
  const starred_at = viewerStars?.starred_at ?? null;
  return [
    { event: 'star', action: 'created', payload: () => ({ starred_at }) },
    { event: 'watch', action: 'started', payload: () => ({}) },
  ];
};

const memberAdded: Teller = (ctx, { input, output }) => {
  // Whoever is only invited is no member yet.
  if (output !== null) return [];
  const login = String(input.username);
  return [{ event: 'member', action: 'added', payload: () => ({ member: memberOf(ctx, login) }) }];
};

const statusSet: Teller = (_, { input, output }) => {
  const status = isJsonObject(output) ? output : {};
  const { id, state, description, target_url, context, created_at, updated_at } = status;
  const about = { id, sha: input.sha, state, description, target_url, context, created_at, updated_at };
  return [{ event: 'status', payload: () => about as JsonObject }];
};

/** What hooks are told of by what was asked for; whatever changes is found by comparing. */
export const MADE: Readonly<Record<string, Teller>> = {
  'issues/create': opened,
  'pulls/create': opened,
  'issues/create-comment': onIssue('created'),
  'issues/update-comment': onIssue('edited'),
  'issues/create-label': answered('label', 'created', 'label'),
  'issues/update-label': answered('label', 'edited', 'label'),
  'issues/create-milestone': answered('milestone', 'created', 'milestone'),
  'issues/update-milestone': answered('milestone', 'edited', 'milestone'),
  'pulls/create-review': onPull('pull_request_review', 'submitted', 'review'),
  'pulls/submit-review': onPull('pull_request_review', 'submitted', 'review'),
  'pulls/update-review': onPull('pull_request_review', 'edited', 'review'),
  'pulls/dismiss-review': onPull('pull_request_review', 'dismissed', 'review'),
  'pulls/create-review-comment': onPull('pull_request_review_comment', 'created', 'comment'),
  'pulls/create-reply-for-review-comment': onPull('pull_request_review_comment', 'created', 'comment'),
  'pulls/update-review-comment': onPull('pull_request_review_comment', 'edited', 'comment'),
  'pulls/request-reviewers': reviewersAsked,
  'repos/create-release': released,
  'repos/update-release': answered('release', 'edited', 'release'),
  'repos/create-fork': (_, { output }) => [{ event: 'fork', payload: () => ({ forkee: output }) }],
  'repos/create-commit-comment': answered('commit_comment', 'created', 'comment'),
  'repos/create-commit-status': statusSet,
  'repos/create-deployment': answered('deployment', 'created', 'deployment'),
  'repos/update': answered('repository', 'edited', 'repository'),
  'repos/add-collaborator': memberAdded,
  'checks/create': answered('check_run', 'created', 'check_run'),
  'activity/star-repo-for-authenticated-user': starred,
};
