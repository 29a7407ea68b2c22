import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { issueAt } from '../rules/issues.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt } from '../rules/repositories.ts';
import type { Issue, IssueEvent } from '../schema/issues.ts';
import { simpleUserOrNull } from '../views/accounts.ts';
import { eventView } from '../views/events.ts';
import { commentView, issueView, type Place, placeOf } from '../views/issues.ts';
import { pullEntries, type TimelineEntry } from '../views/pull-timeline.ts';
import { numberedPath } from '../views/repositories.ts';
import { ISSUE_PLACE } from './issues.ts';
import { REPOSITORY } from './repositories.ts';

const listEvents = operation({
  id: 'issues/list-events',
  summary: 'Lists what happened to an issue or pull, the oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{issue_number}/events' },
  input: z.looseObject({ ...ISSUE_PLACE, ...PAGE }),
  output: listOf('id', 'event', 'created_at'),
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 3 },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = [...ctx.tx.issue_events.by('by_issue', [issue.id])];
    const path = numberedPath(repository, `/issues/${issue.number}/events`);
    const show = (event: IssueEvent) => eventView(ctx, place, event);
    return paged(ctx, input, { items, path, inPath: ['issue_number'], show });
  },
});

function withIssue(ctx: Reading, place: Place, event: IssueEvent): JsonObject {
  const issue = ctx.tx.issues.get(event.issue_id);
  const { performed_via_github_app: app, ...view } = eventView(ctx, place, event);
  return {
    ...view,
    ...(issue && { issue: issueView(ctx, place, issue) }),
    performed_via_github_app: app ?? null,
  };
}

const listForRepository = operation({
  id: 'issues/list-events-for-repo',
  summary: 'Lists what happened to the issues and pulls of a repository, the newest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/events' },
  input: z.looseObject({ ...REPOSITORY, ...PAGE }),
  output: listOf('id', 'event', 'created_at'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = [...ctx.tx.issue_events.by('by_repository', [repository.id], { reverse: true })];
    const path = numberedPath(repository, '/issues/events');
    return paged(ctx, input, { items, path, show: (event) => withIssue(ctx, place, event) });
  },
});

const getEvent = operation({
  id: 'issues/get-event',
  summary: 'Reads one event, with its issue.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/events/{event_id}' },
  input: z.looseObject({ ...REPOSITORY, event_id: z.int() }),
  output: shown('id', 'event', 'created_at'),
  example: { owner: 'octo-works', repo: 'lamp', event_id: 18_000_000_001 },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const event = ctx.tx.issue_events.get(input.event_id);
    if (event?.repository_id !== repository.id) return ctx.fail('not_found');
    ctx.reply({ facts: { modified: event.created_at } });
    return withIssue(ctx, placeOf(ctx, repository), event);
  },
});

function entriesOf(ctx: Reading, place: Place, issue: Issue): TimelineEntry[] {
  const { tx } = ctx;
  const events = [...tx.issue_events.by('by_issue', [issue.id])].map(
    (event): TimelineEntry => ({ moment: event.created_at, view: eventView(ctx, place, event) }),
  );
  const comments = [...tx.issue_comments.by('by_issue', [issue.id])].map((comment): TimelineEntry => {
    const actor = simpleUserOrNull(comment.user_id === null ? null : tx.accounts.get(comment.user_id));
    return {
      moment: comment.created_at,
      view: { ...commentView(ctx, place, comment), event: 'commented', actor },
    };
  });
  return [...pullEntries(ctx, place, issue), ...events, ...comments].sort((one, other) =>
    one.moment === other.moment ? 0 : one.moment < other.moment ? -1 : 1,
  );
}

const listTimeline = operation({
  id: 'issues/list-events-for-timeline',
  summary: 'Lists events and comments of an issue or pull together, the oldest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{issue_number}/timeline' },
  input: z.looseObject({ ...ISSUE_PLACE, ...PAGE }),
  output: listOf('event'),
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1 },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    const items = entriesOf(ctx, placeOf(ctx, repository), issue);
    const path = numberedPath(repository, `/issues/${issue.number}/timeline`);
    return paged(ctx, input, { items, path, inPath: ['issue_number'], show: ({ view }) => view });
  },
});

export const issueEventOperations = [listEvents, listForRepository, getEvent, listTimeline];
