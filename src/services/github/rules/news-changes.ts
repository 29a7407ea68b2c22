import type { JsonObject } from '../../../service/index.ts';
import { commitAt, gitReader, isAncestor, log } from '../git/index.ts';
import type { Reading } from '../operation.ts';
import type { Issue, Label } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { simpleUser, simpleUserOrNull } from '../views/accounts.ts';
import { issueView, labelsOf, labelView, milestoneView, placeOf } from '../views/issues.ts';
import { pullView } from '../views/pulls.ts';
import { accountOfEmail } from './commits.ts';
import { pullOf } from './pulls.ts';
import { viewerOf } from './viewer.ts';

/** Something that hooks are told of; the payload is put together only where somebody listens. */
export interface Change {
  readonly event: string;
  readonly action?: string;
  readonly payload: () => JsonObject;
}

/** An issue or pull with what hangs on it. */
export interface IssueState {
  readonly issue: Issue;
  readonly labels: readonly Label[];
  readonly people: readonly number[];
}

const NO_OBJECT = '0'.repeat(40);
const MOST_COMMITS = 20;

export function issueState(ctx: Reading, issue: Issue): IssueState {
  const people = [...ctx.tx.issue_assignees.by('by_position', [issue.id])].map(({ user_id }) => user_id);
  return { issue, labels: labelsOf(ctx, issue), people };
}

/** An issue as hooks are told of it, with the event's name and the member that goes with it. */
export function subjectOf(
  ctx: Reading,
  repository: Repository,
  issue: Issue,
): { readonly event: string; readonly payload: () => JsonObject } {
  if (issue.kind === 'pull') {
    const payload = (): JsonObject => ({
      number: issue.number,
      pull_request: pullView(ctx, pullOf(ctx, issue.id)),
    });
    return { event: 'pull_request', payload };
  }
  return { event: 'issues', payload: () => ({ issue: issueView(ctx, placeOf(ctx, repository), issue) }) };
}

/** What an issue's or pull's new state says happened to it. */
export function changesOf(
  ctx: Reading,
  {
    repository,
    before,
    after,
  }: { readonly repository: Repository; readonly before: IssueState; readonly after: IssueState },
): readonly Change[] {
  const { event, payload } = subjectOf(ctx, repository, after.issue);
  const place = placeOf(ctx, repository);
  const told = (action: string, more?: () => JsonObject): Change => ({
    event,
    action,
    payload: () => ({ ...payload(), ...more?.() }),
  });
  const label = (row: Label) => (): JsonObject => ({ label: labelView(place, row) });
  const person = (id: number) => (): JsonObject => ({ assignee: simpleUserOrNull(ctx.tx.accounts.get(id)) });
  return [
    ...edits(before.issue, after.issue).map((changes) => told('edited', () => ({ changes }))),
    ...missing(after.labels, before.labels).map((row) => told('labeled', label(row))),
    ...missing(before.labels, after.labels).map((row) => told('unlabeled', label(row))),
    ...after.people.filter((id) => !before.people.includes(id)).map((id) => told('assigned', person(id))),
    ...before.people.filter((id) => !after.people.includes(id)).map((id) => told('unassigned', person(id))),
    ...milestones(ctx, { repository, before: before.issue, after: after.issue }).map(
      ({ action, milestone }) => told(action, () => ({ milestone })),
    ),
    ...standing(before.issue, after.issue).map((action) => told(action)),
  ];
}

function missing(rows: readonly Label[], others: readonly Label[]): readonly Label[] {
  const ids = new Set(others.map(({ id }) => id));
  return rows.filter(({ id }) => !ids.has(id));
}

function edits(before: Issue, after: Issue): readonly JsonObject[] {
  const title = before.title === after.title ? {} : { title: { from: before.title } };
  const body = before.body === after.body ? {} : { body: { from: before.body ?? '' } };
  const changes: JsonObject = { ...title, ...body };
  return Object.keys(changes).length === 0 ? [] : [changes];
}

function milestones(
  ctx: Reading,
  {
    repository,
    before,
    after,
  }: { readonly repository: Repository; readonly before: Issue; readonly after: Issue },
): readonly { readonly action: string; readonly milestone: JsonObject }[] {
  if (before.milestone_id === after.milestone_id) return [];
  const place = placeOf(ctx, repository);
  return [
    { action: 'demilestoned', id: before.milestone_id },
    { action: 'milestoned', id: after.milestone_id },
  ].flatMap(({ action, id }) => {
    const row = id === null ? undefined : ctx.tx.milestones.get(id);
    return row ? [{ action, milestone: milestoneView(ctx, place, row) }] : [];
  });
}

function standing(before: Issue, after: Issue): readonly string[] {
  return [
    ...(before.state === after.state ? [] : [after.state === 'closed' ? 'closed' : 'reopened']),
    ...(before.locked === after.locked ? [] : [after.locked ? 'locked' : 'unlocked']),
  ];
}

type Refs = ReadonlyMap<string, string>;

/** Pushes, and branches and tags that came or went. */
export function refChanges(
  ctx: Reading,
  {
    repository,
    before,
    after,
  }: { readonly repository: Repository; readonly before: Refs; readonly after: Refs },
): readonly Change[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((ref) =>
    /^refs\/(heads|tags)\//u.test(ref),
  );
  return names.flatMap((ref): Change[] => {
    const [from = NO_OBJECT, to = NO_OBJECT] = [before.get(ref), after.get(ref)];
    if (from === to) return [];
    const push: Change = { event: 'push', payload: () => pushed(ctx, repository, { ref, from, to }) };
    if (from !== NO_OBJECT && to !== NO_OBJECT) return [push];
    const isBranch = ref.startsWith('refs/heads/');
    const about = {
      ref: ref.split('/').slice(2).join('/'),
      ref_type: isBranch ? 'branch' : 'tag',
      ...(to !== NO_OBJECT && {
        master_branch: repository.default_branch,
        description: repository.description,
      }),
      pusher_type: 'user',
    };
    return [{ event: to === NO_OBJECT ? 'delete' : 'create', payload: () => about }, push];
  });
}

interface Move {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
}

function pushed(ctx: Reading, repository: Repository, { ref, from, to }: Move): JsonObject {
  const { web } = placeOf(ctx, repository);
  const viewer = viewerOf(ctx);
  const [created, deleted] = [from === NO_OBJECT, to === NO_OBJECT];
  const reader = gitReader(ctx.tx);
  const excluding = created ? [] : [from];
  const fresh: string[] = [];
  // A tag may name something else than a commit.
  for (const { sha } of commitAt(reader, to) ? log(reader, [to], { excluding }) : []) {
    if (fresh.push(sha) === (created ? 1 : MOST_COMMITS)) break;
  }
  const shown = fresh.toReversed().map((sha) => pushedCommit(ctx, sha, web));
  return {
    ref,
    before: from,
    after: to,
    pusher: { name: viewer?.login ?? '', email: viewer?.email ?? null },
    created,
    deleted,
    forced: !created && !deleted && !isAncestor(reader, from, to),
    base_ref: null,
    compare: `${web}/compare/${from.slice(0, 12)}...${to.slice(0, 12)}`,
    commits: created ? [] : shown,
    head_commit: shown.at(-1) ?? null,
  };
}

function pushedCommit(ctx: Reading, sha: string, web: string): JsonObject {
  const commit = commitAt(gitReader(ctx.tx), sha);
  if (!commit) return { id: sha };
  const person = ({ name, email }: { readonly name: string; readonly email: string }): JsonObject => {
    const account = accountOfEmail(ctx, email);
    return { name, email, ...(account && { username: account.login }) };
  };
  return {
    id: sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.author.date,
    url: `${web}/commit/${sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
  };
}

/** An account as the member of a payload. */
export function memberOf(ctx: Reading, login: string): JsonObject | null {
  const account = ctx.tx.accounts.unique('by_login', [login.toLowerCase()]);
  return account ? simpleUser(account) : null;
}
