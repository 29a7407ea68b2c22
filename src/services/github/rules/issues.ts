import type { JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Issue, IssueEvent, Milestone } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { associationOf } from './associations.ts';
import { freshId } from './ids.ts';
import { notify } from './notifications.ts';
import { repositoryAt, roleIn, roleOf } from './repositories.ts';
import { unfound } from './unfound.ts';
import { requireViewer, viewerOf } from './viewer.ts';

/** Where an issue is, as operations are given it. */
export interface IssuePlace {
  readonly owner: string;
  readonly repo: string;
  readonly issue_number: number;
}

/** The issue or pull of a number; 404 where there is none. */
export function issueAt(
  ctx: Reading,
  place: IssuePlace,
): { readonly repository: Repository; readonly issue: Issue } {
  const repository = repositoryAt(ctx, place);
  const issue = ctx.tx.issues.unique('by_number', [repository.id, place.issue_number]);
  if (!issue) return unfound(ctx);
  if (issue.kind === 'issue') requireIssues(ctx, repository);
  return { repository, issue };
}

/** 410 where a repository has its issues switched off. */
export function requireIssues(ctx: Reading, repository: Repository): void {
  if (!repository.has_issues) ctx.fail('gone', { message: 'Issues has been disabled in this repository.' });
}

/** 403 for changes in an archived repository. */
export function requireLive(ctx: Reading, repository: Repository): void {
  if (repository.archived) ctx.fail('forbidden', { message: 'Repository was archived so is read-only.' });
}

/** Whether the caller may label, assign and close: triage and up. */
export function mayTriage(ctx: Reading, repository: Repository): boolean {
  const role = roleIn(ctx, repository);
  return role !== null && role !== 'read';
}

/** What a new issue or pull is made of. */
export interface IssueWish {
  readonly kind: Issue['kind'];
  readonly title: string;
  readonly body: string | null;
  readonly milestone_id?: number | null;
  readonly type?: Issue['type'];
}

/** Makes a row in `issues` with the repository's next number. */
export function newIssue(ctx: Writing, repository: Repository, wish: IssueWish): Issue {
  const { tx } = ctx;
  const viewer = requireViewer(ctx);
  const moment = momentText(ctx.nowMs);
  const number = tx.repositories.get(repository.id)?.next_number ?? repository.next_number;
  tx.repositories.update(repository.id, {
    next_number: number + 1,
    open_issues: (tx.repositories.get(repository.id)?.open_issues ?? 0) + 1,
  });
  const issue = tx.issues.insert({
    id: freshId(ctx, 'issues'),
    repository_id: repository.id,
    number,
    milestone_id: null,
    ...wish,
    user_id: viewer.id,
    author_association: associationOf(ctx, repository, viewer),
    state: 'open',
    state_reason: null,
    locked: false,
    active_lock_reason: null,
    comments: 0,
    closed_by_id: null,
    parent_id: null,
    position: 0,
    type: wish.type ?? null,
    created_at: moment,
    updated_at: moment,
    closed_at: null,
  });
  if (issue.milestone_id !== null)
    countInMilestone(ctx, issue.milestone_id, { open_issues: 1, closed_issues: 0 });
  return issue;
}

/** The milestone of a number, which a client may have written as anything; undefined when there is none. */
export function milestoneNumbered(
  { tx }: Reading,
  repository: Repository,
  wanted: number | string,
): Milestone | undefined {
  const number = Number(wanted);
  return Number.isSafeInteger(number)
    ? tx.milestones.unique('by_number', [repository.id, number])
    : undefined;
}

/** Keeps a milestone's counts. */
export function countInMilestone(
  { tx }: Writing,
  milestone_id: number,
  by: Pick<Milestone, 'open_issues' | 'closed_issues'>,
): void {
  const milestone = tx.milestones.get(milestone_id);
  if (!milestone) return;
  tx.milestones.update(milestone_id, {
    open_issues: Math.max(0, milestone.open_issues + by.open_issues),
    closed_issues: Math.max(0, milestone.closed_issues + by.closed_issues),
  });
}

/** Closes or opens an issue or pull, with its event and all counts. Nothing happens where it is so. */
export function setState(
  ctx: Writing,
  issue: Issue,
  {
    state,
    reason,
    commit_id = null,
  }: { readonly state: Issue['state']; readonly reason: string | null; readonly commit_id?: string | null },
): Issue {
  const { tx } = ctx;
  if (issue.state === state) {
    if (issue.state_reason === reason || issue.kind === 'pull') return issue;
    return tx.issues.update(issue.id, { state_reason: reason });
  }
  const viewer = requireViewer(ctx);
  const moment = momentText(ctx.nowMs);
  const closing = state === 'closed';
  const repository = tx.repositories.get(issue.repository_id);
  if (repository) {
    const open_issues = Math.max(0, repository.open_issues + (closing ? -1 : 1));
    tx.repositories.update(repository.id, { open_issues });
  }
  if (issue.milestone_id !== null) {
    const by = closing ? 1 : -1;
    countInMilestone(ctx, issue.milestone_id, { open_issues: -by, closed_issues: by });
  }
  addEvent(ctx, issue, {
    event: closing ? 'closed' : 'reopened',
    commit_id,
    details: closing ? { state_reason: reason } : {},
  });
  return tx.issues.update(issue.id, {
    state,
    state_reason: issue.kind === 'pull' ? null : reason,
    closed_at: closing ? moment : null,
    closed_by_id: closing ? viewer.id : null,
    updated_at: moment,
  });
}

/** Writes what happened to an issue or pull into its timeline, by the caller. */
export function addEvent(
  ctx: Writing,
  issue: Issue,
  {
    event,
    details = {},
    commit_id = null,
  }: { readonly event: string; readonly details?: JsonObject; readonly commit_id?: string | null },
): IssueEvent {
  return ctx.tx.issue_events.insert({
    id: freshId(ctx, 'issue_events'),
    issue_id: issue.id,
    repository_id: issue.repository_id,
    event,
    actor_id: viewerOf(ctx)?.id ?? null,
    commit_id,
    details,
    created_at: momentText(ctx.nowMs),
  });
}

/** Whether an account may be assigned in a repository: it must have access beyond what everybody has. */
export function isAssignable(ctx: Reading, repository: Repository, account: Account): boolean {
  return account.type === 'User' && roleOf(ctx, repository, account) !== null;
}

/** The accounts of these logins that may be assigned; the others are left out without a word. */
export function assignable(ctx: Reading, repository: Repository, logins: readonly string[]): Account[] {
  return logins.flatMap((login) => {
    const account = ctx.tx.accounts.unique('by_login', [login.toLowerCase()]);
    return account && isAssignable(ctx, repository, account) ? [account] : [];
  });
}

/** Assigns people; those that are assigned stay. */
export function assign(ctx: Writing, issue: Issue, accounts: readonly Account[]): void {
  const { tx } = ctx;
  let position = [...tx.issue_assignees.by('by_position', [issue.id])].at(-1)?.position ?? 0;
  for (const account of accounts) {
    if (tx.issue_assignees.has([issue.id, account.id])) continue;
    position += 1;
    tx.issue_assignees.insert({ issue_id: issue.id, user_id: account.id, position });
    addEvent(ctx, issue, { event: 'assigned', details: { assignee_id: account.id } });
    notify(ctx, issue, { also: [account.id], reason: 'assign' });
  }
}

/** Takes people off an issue. */
export function unassign(ctx: Writing, issue: Issue, accounts: readonly Account[]): void {
  for (const account of accounts) {
    if (!ctx.tx.issue_assignees.has([issue.id, account.id])) continue;
    ctx.tx.issue_assignees.delete([issue.id, account.id]);
    addEvent(ctx, issue, { event: 'unassigned', details: { assignee_id: account.id } });
  }
}

/** A change shows in `updated_at`. */
export function touch(ctx: Writing, issue: Issue, columns: Partial<Issue> = {}): Issue {
  return ctx.tx.issues.update(issue.id, { ...columns, updated_at: momentText(ctx.nowMs) });
}
