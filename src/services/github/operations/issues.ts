import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { issueFilter, LIST_FILTERS, sortedIssues } from '../rules/issue-lists.ts';
import { typeColumn } from '../rules/issue-types.ts';
import {
  addEvent,
  assign,
  assignable,
  countInMilestone,
  issueAt,
  mayTriage,
  milestoneNumbered,
  newIssue,
  requireIssues,
  requireLive,
  setState,
  touch,
  unassign,
} from '../rules/issues.ts';
import { setLabels } from '../rules/labels.ts';
import { requireIssueFit } from '../rules/lengths.ts';
import { PAGE, type PageInput, paged, placed } from '../rules/paging.ts';
import { reopenPull } from '../rules/pull-changes.ts';
import { pullOf } from '../rules/pulls.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Issue, Milestone } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { issueShower, issueView, type Place, placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY } from './repositories.ts';

const ISSUE = shown('id', 'number', 'title');
const ISSUES = listOf('id', 'number', 'title');
/** Members that name an issue in a path. */
export const ISSUE_PLACE = { ...REPOSITORY, issue_number: z.int() };

const LABEL_LIST = z.array(z.union([z.string(), z.looseObject({ name: z.string().optional() })]));
const CONTENT = {
  body: z.string().nullish(),
  assignee: z.string().nullish(),
  assignees: z.array(z.string()).optional(),
  milestone: z.union([z.int(), z.string()]).nullish(),
  labels: LABEL_LIST.optional(),
  type: z.string().nullish(),
};

const createIssue = operation({
  id: 'issues/create',
  summary: 'Opens an issue.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/issues', status: 201 },
  input: z.looseObject({ ...REPOSITORY, title: z.union([z.string(), z.int()]), ...CONTENT }),
  output: ISSUE,
  example: { owner: 'octo-works', repo: 'lamp', title: 'It flickers at night' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireViewer(ctx);
    requireIssues(ctx, repository);
    requireLive(ctx, repository);
    const title = String(input.title).trim();
    if (title === '') missingField(ctx, 'title');
    requireIssueFit(ctx, { title, body: input.body });
    // Who may not triage may write, but neither label nor assign: GitHub drops that without a word.
    const full = mayTriage(ctx, repository);
    const milestone = full ? milestoneCalled(ctx, repository, input.milestone) : null;
    const wish = {
      kind: 'issue' as const,
      title,
      body: input.body ?? null,
      milestone_id: milestone?.id ?? null,
      ...(full && typeColumn(ctx, repository, input.type)),
    };
    const issue = newIssue(ctx, repository, wish);
    if (full) furnish(ctx, issue, input);
    const view = issueView(ctx, placeOf(ctx, repository), ctx.tx.issues.get(issue.id) ?? issue);
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

function missingField(ctx: Writing, field: string): never {
  return ctx.fail('validation_failed', { errors: [{ resource: 'Issue', code: 'missing_field', field }] });
}

type Content = Partial<z.infer<z.ZodObject<typeof CONTENT>>>;

/** Labels and people of a new issue or pull. */
function furnish(ctx: Writing, issue: Issue, content: Content): void {
  setLabels(ctx, issue, namesIn(content.labels));
  const logins = loginsIn(ctx, content);
  if (logins) assign(ctx, issue, assignedTo(ctx, homeOf(ctx, issue), logins));
}

/** The repository of an issue: it goes with it. */
function homeOf(ctx: Reading, issue: Issue): Repository {
  return ctx.tx.repositories.get(issue.repository_id) ?? ctx.fail('not_found');
}

function namesIn(labels: z.infer<typeof LABEL_LIST> | undefined): string[] {
  return (labels ?? []).flatMap((label) => (typeof label === 'string' ? label : (label.name ?? [])));
}

/** The logins that a body assigns; undefined where it says nothing. */
function loginsIn(ctx: Writing, { assignee, assignees }: Content): readonly string[] | undefined {
  if (assignee !== undefined && assignees !== undefined && assignees.length > 0) {
    ctx.fail('unprocessable', {
      message: 'You cannot pass both `assignee` and `assignees`. Only one may be provided.',
    });
  }
  if (assignees !== undefined) return assignees;
  if (assignee === undefined) return undefined;
  return assignee === null || assignee === '' ? [] : [assignee];
}

/** The people of these logins; 422 when one of them may not be assigned. */
function assignedTo(ctx: Writing, repository: Repository, logins: readonly string[]) {
  const accounts = assignable(ctx, repository, logins);
  if (accounts.length < logins.length) {
    const known = new Set(accounts.map((account) => account.login_key));
    const value = logins.find((login) => !known.has(login.toLowerCase())) ?? '';
    ctx.fail('validation_failed', {
      errors: [{ value, resource: 'Issue', field: 'assignees', code: 'invalid' }],
    });
  }
  return accounts;
}

/** The milestone of a number in a body; null for none. */
function milestoneCalled(
  ctx: Writing,
  repository: Repository,
  number: number | string | null | undefined,
): Milestone | null {
  if (number === null || number === undefined || number === '') return null;
  const milestone = milestoneNumbered(ctx, repository, number);
  if (milestone) return milestone;
  return ctx.fail('validation_failed', {
    errors: [{ value: number, resource: 'Issue', field: 'milestone', code: 'invalid' }],
  });
}

const getIssue = operation({
  id: 'issues/get',
  summary: 'Reads an issue, or a pull as an issue.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{issue_number}' },
  input: z.looseObject(ISSUE_PLACE),
  output: ISSUE,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1 },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    return issueShower(ctx, placeOf(ctx, repository))(issue);
  },
});

const updateIssue = operation({
  id: 'issues/update',
  summary: 'Changes an issue or pull: words, state, people, labels, milestone.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/issues/{issue_number}' },
  input: z.looseObject({
    ...ISSUE_PLACE,
    title: z.union([z.string(), z.int()]).nullish(),
    state: z.enum(['open', 'closed']).optional(),
    state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).nullish(),
    ...CONTENT,
  }),
  output: ISSUE,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1, state: 'closed' },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    requireLive(ctx, repository);
    const own = issue.user_id === requireViewer(ctx).id;
    if (!own) requireRole(ctx, repository, 'triage');
    requireIssueFit(ctx, input);
    const columns = {
      ...retitled(ctx, issue, input.title),
      ...(input.body !== undefined && { body: input.body }),
      ...(mayTriage(ctx, repository) && typeColumn(ctx, repository, input.type)),
    };
    let changed = touch(ctx, issue, columns);
    if (mayTriage(ctx, repository)) changed = refurnish(ctx, changed, input);
    if (input.state === 'open' && changed.kind === 'pull') reopenPull(ctx, pullOf(ctx, changed.id));
    else if (input.state !== undefined) {
      const closing = input.state === 'closed';
      const reason = input.state_reason ?? (closing ? 'completed' : 'reopened');
      changed = setState(ctx, changed, { state: input.state, reason: reasonOf(changed, closing, reason) });
    }
    return issueView(ctx, placeOf(ctx, repository), ctx.tx.issues.get(issue.id) ?? changed);
  },
});

/** An issue that was never closed is not reopened by being open. */
function reasonOf(issue: Issue, closing: boolean, reason: string): string | null {
  return !closing && issue.state === 'open' ? issue.state_reason : reason;
}

function retitled(ctx: Writing, issue: Issue, wished: string | number | null | undefined): Partial<Issue> {
  if (wished === undefined || wished === null) return {};
  const title = String(wished);
  if (title.trim() === '') missingField(ctx, 'title');
  if (title === issue.title) return {};
  addEvent(ctx, issue, { event: 'renamed', details: { rename: { from: issue.title, to: title } } });
  return { title };
}

/** Labels, people and milestone of an issue that is there already. */
export function refurnish(ctx: Writing, issue: Issue, content: Content): Issue {
  const repository = homeOf(ctx, issue);
  if (content.labels !== undefined) setLabels(ctx, issue, namesIn(content.labels));
  const logins = loginsIn(ctx, content);
  if (logins) {
    const wanted = assignedTo(ctx, repository, logins);
    const before = [...ctx.tx.issue_assignees.by('by_position', [issue.id])];
    const gone = before
      .filter(({ user_id }) => !wanted.some((account) => account.id === user_id))
      .flatMap(({ user_id }) => ctx.tx.accounts.get(user_id) ?? []);
    unassign(ctx, issue, gone);
    assign(ctx, issue, wanted);
  }
  if (content.milestone === undefined) return ctx.tx.issues.get(issue.id) ?? issue;
  return moveToMilestone(ctx, issue, milestoneCalled(ctx, repository, content.milestone));
}

function moveToMilestone(ctx: Writing, issue: Issue, milestone: Milestone | null): Issue {
  const before = ctx.tx.issues.get(issue.id) ?? issue;
  if (before.milestone_id === (milestone?.id ?? null)) return before;
  const one = {
    open_issues: before.state === 'open' ? 1 : 0,
    closed_issues: before.state === 'open' ? 0 : 1,
  };
  if (before.milestone_id !== null) {
    const title = ctx.tx.milestones.get(before.milestone_id)?.title ?? '';
    countInMilestone(ctx, before.milestone_id, {
      open_issues: -one.open_issues,
      closed_issues: -one.closed_issues,
    });
    addEvent(ctx, issue, { event: 'demilestoned', details: { milestone: { title } } });
  }
  if (milestone) {
    countInMilestone(ctx, milestone.id, one);
    addEvent(ctx, issue, { event: 'milestoned', details: { milestone: { title: milestone.title } } });
  }
  return ctx.tx.issues.update(issue.id, { milestone_id: milestone?.id ?? null });
}

const listForRepository = operation({
  id: 'issues/list-for-repo',
  summary: 'Lists issues and pulls of a repository; the open ones, the newest first, unless told otherwise.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues' },
  input: z.looseObject({ ...REPOSITORY, ...LIST_FILTERS, ...PAGE }),
  output: ISSUES,
  example: { owner: 'octo-works', repo: 'lamp', state: 'all' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    if (isPlain(input)) return newestOpen(ctx, place, input);
    const items = sortedIssues(candidates(ctx, repository, input.state), input).filter(
      issueFilter(ctx, input, repository),
    );
    const path = numberedPath(repository, '/issues');
    return paged(ctx, input, { items, path, show: issueShower(ctx, place) });
  },
});

/** The list that is asked for most: all that is open, the newest first, is read off an index. */
function isPlain(input: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(input).every(
    (name) =>
      ['owner', 'repo', 'page', 'per_page'].includes(name) ||
      (name === 'state' && input.state === 'open') ||
      (name === 'sort' && input.sort === 'created') ||
      (name === 'direction' && input.direction === 'desc'),
  );
}

/** Numbers are given in the order of creation, and the repository's row knows how many are open. */
function newestOpen(ctx: Reading, place: Place, input: PageInput): JsonObject[] {
  const { repository } = place;
  const { from, until } = placed(ctx, input, {
    total: repository.open_issues,
    path: numberedPath(repository, '/issues'),
  });
  const shown = issueShower(ctx, place);
  const views: JsonObject[] = [];
  let at = 0;
  for (const issue of ctx.tx.issues.by('by_state', [repository.id, 'open'], {
    reverse: true,
    limit: until,
  })) {
    if (at >= from && (repository.has_issues || issue.kind === 'pull')) views.push(shown(issue));
    at += 1;
  }
  return views;
}

function* candidates({ tx }: Reading, { id, has_issues }: Repository, state = 'open'): Generator<Issue> {
  const rows =
    state === 'all'
      ? tx.issues.by('by_number', [id])
      : tx.issues.by('by_state', [id, state === 'closed' ? 'closed' : 'open']);
  for (const issue of rows) if (has_issues || issue.kind === 'pull') yield issue;
}

const LOCK_REASONS = ['off-topic', 'too heated', 'resolved', 'spam'] as const;

const lockIssue = operation({
  id: 'issues/lock',
  summary: 'Lets only collaborators comment on an issue or pull.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/issues/{issue_number}/lock', status: 204 },
  input: z.looseObject({ ...ISSUE_PLACE, lock_reason: z.enum(LOCK_REASONS).nullish() }),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1, lock_reason: 'resolved' },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    const lock_reason = input.lock_reason ?? null;
    addEvent(ctx, issue, { event: 'locked', details: { lock_reason } });
    touch(ctx, issue, { locked: true, active_lock_reason: lock_reason });
    return null;
  },
});

const unlockIssue = operation({
  id: 'issues/unlock',
  summary: 'Lets everybody comment again.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{issue_number}/lock', status: 204 },
  input: z.looseObject(ISSUE_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1 },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    addEvent(ctx, issue, { event: 'unlocked' });
    touch(ctx, issue, { locked: false, active_lock_reason: null });
    return null;
  },
});

export const issueOperations = [
  createIssue,
  getIssue,
  updateIssue,
  listForRepository,
  lockIssue,
  unlockIssue,
];
