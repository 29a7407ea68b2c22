import { isJsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import { mayTriage } from '../rules/issues.ts';
import { findAccount, viewerOf } from '../rules/viewer.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { labelsOf, placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { WEB } from '../views/urls.ts';
import { nothing } from './accounts.ts';
import { sharedMembers, writtenMembers } from './comments.ts';
import { connection, type Order, ordered, type PageArguments } from './connections.ts';
import { type Graph, GraphError, type GraphValue } from './graph.ts';
import { labels, milestoneNode } from './labels.ts';
import { itemsOf } from './projects.ts';
import { closersOf } from './pulls.ts';
import { repositoryNode } from './repositories.ts';
import { timelineOf } from './timeline.ts';

/** The issue of a number; pulls are not among them. */
export function issueNamed(graph: Graph, repository: Repository, number: number): GraphValue {
  const issue = graph.ctx.tx.issues.unique('by_number', [repository.id, number]);
  if (issue?.kind === 'issue') return issueNode(graph, issue);
  throw new GraphError('NOT_FOUND', `Could not resolve to an Issue with the number of ${number}.`);
}

/** The global id of an issue's row. */
export function issueIdOf(issue: Issue): string {
  return globalId('I', [0, issue.repository_id, issue.id]);
}

/** An issue. */
export function issueNode(graph: Graph, issue: Issue): GraphValue {
  const { ctx } = graph;
  const { tx } = ctx;
  const repository = tx.repositories.get(issue.repository_id);
  if (!repository) throw new GraphError('NOT_FOUND', 'Could not resolve to a node.');
  const url = `${placeOf(ctx, repository).web}/issues/${issue.number}`;
  const milestone = issue.milestone_id === null ? undefined : tx.milestones.get(issue.milestone_id);
  return {
    __typename: 'Issue',
    ...writtenMembers(graph, issue),
    ...sharedMembers(graph, issue),
    ...stateMembers(issue),
    ...partMembers(graph, issue),
    closedByPullRequestsReferences: (args: PageArguments) => closersOf(graph, args, { repository, issue }),
    databaseId: issue.id,
    fullDatabaseId: String(issue.id),
    id: issueIdOf(issue),
    isPinned: false,
    issueFieldValues: (args: PageArguments) => nothing(args, 'issueFieldValues'),
    issueType: () => typeOf(issue),
    labels: (args: PageArguments) => labels(graph, args, { repository, all: () => labelsOf(ctx, issue) }),
    linkedBranches: (args: PageArguments) => nothing(args, 'linkedBranches'),
    milestone: () => (milestone ? milestoneNode(graph, repository, milestone) : null),
    number: issue.number,
    projectItems: (args: PageArguments) => itemsOf(graph, args, issue.id),
    repository: () => repositoryNode(graph, repository),
    resourcePath: url.slice(WEB.length),
    timelineItems: (args: PageArguments) => timelineOf(graph, args, issue),
    title: issue.title,
    titleHTML: issue.title,
    url,
    viewerCanClose: () => mayTriage(ctx, repository) || viewerOf(ctx)?.id === issue.user_id,
    viewerCanReopen: () => mayTriage(ctx, repository) || viewerOf(ctx)?.id === issue.user_id,
  };
}

/** Members that tell how an issue or pull stands. */
export function stateMembers(issue: Issue): GraphValue {
  return {
    activeLockReason: issue.active_lock_reason?.toUpperCase().replaceAll(/[ -]/gu, '_') ?? null,
    closed: issue.state === 'closed',
    closedAt: issue.closed_at,
    locked: issue.locked,
    state: issue.state.toUpperCase(),
    stateReason: ({ enableDuplicate }: { enableDuplicate?: boolean }) => {
      const reason = issue.state_reason?.toUpperCase() ?? null;
      return reason === 'DUPLICATE' && enableDuplicate !== true ? 'NOT_PLANNED' : reason;
    },
  };
}

function typeOf(issue: Issue): GraphValue | null {
  const { type } = issue;
  if (!isJsonObject(type)) return null;
  return {
    color: String(type.color ?? 'gray').toUpperCase(),
    description: type.description ?? null,
    id: type.node_id ?? globalId('IT', [0, Number(type.id ?? 0)]),
    isEnabled: type.is_enabled ?? true,
    name: type.name,
  };
}

function partMembers(graph: Graph, issue: Issue): GraphValue {
  const { tx } = graph.ctx;
  const parts = (): Issue[] => [...tx.issues.by('by_parent', [issue.id])];
  return {
    issueDependenciesSummary: { blockedBy: 0, blocking: 0, totalBlockedBy: 0, totalBlocking: 0 },
    parent: () => {
      const parent = issue.parent_id === null ? undefined : tx.issues.get(issue.parent_id);
      return parent ? issueNode(graph, parent) : null;
    },
    subIssues: (args: PageArguments) => issuesAmong(graph, args, parts),
    subIssuesSummary: () => {
      const all = parts();
      const completed = all.filter(({ state }) => state === 'closed').length;
      const percentCompleted = all.length === 0 ? 0 : Math.floor((completed * 100) / all.length);
      return { completed, percentCompleted, total: all.length };
    },
  };
}

interface Filters {
  readonly assignee?: string | null;
  readonly createdBy?: string | null;
  readonly labels?: readonly string[] | null;
  readonly mentioned?: string | null;
  readonly milestone?: string | null;
  readonly milestoneNumber?: string | null;
  readonly since?: string | null;
  readonly states?: readonly string[] | null;
}

interface IssueArguments extends PageArguments {
  readonly filterBy?: Filters | null;
  readonly labels?: readonly string[] | null;
  readonly orderBy?: Order | null;
  readonly states?: readonly string[] | null;
}

const SORTS: Readonly<Record<string, (issue: Issue) => number | string>> = {
  COMMENTS: ({ comments }) => comments,
  CREATED_AT: ({ created_at }) => created_at,
  UPDATED_AT: ({ updated_at }) => updated_at,
};

/** Issues as asked for: by number, unless `orderBy` says otherwise. */
export function issuesSorted(issues: readonly Issue[], order: Order | null | undefined): Issue[] {
  if (!order) return [...issues];
  const numbered = ordered(issues, ({ number }) => number, order.direction);
  return ordered(numbered, SORTS[order.field] ?? (({ number }) => number), order.direction);
}

/** The issues of a repository. Labels unite: one of them is enough. */
export function issuesIn(graph: Graph, args: IssueArguments, repository: Repository): GraphValue {
  const { ctx } = graph;
  return issuesAmong(graph, { ...args, states: args.states ?? args.filterBy?.states ?? null }, () => {
    const test = testOf(ctx, repository, {
      ...args.filterBy,
      labels: args.labels ?? args.filterBy?.labels ?? null,
    });
    return [...ctx.tx.issues.by('by_number', [repository.id])].filter(
      (issue) => issue.kind === 'issue' && test(issue),
    );
  });
}

/** Some issues, of those states and in that order. */
export function issuesAmong(graph: Graph, args: IssueArguments, all: () => readonly Issue[]): GraphValue {
  const { states, orderBy } = args;
  return connection(args, {
    name: 'issues',
    items: () => {
      const found = all().filter(
        ({ kind, state }) => kind === 'issue' && (!states || states.includes(state.toUpperCase())),
      );
      return issuesSorted(found, orderBy);
    },
    key: ({ id }) => id,
    show: (issue) => issueNode(graph, issue),
  });
}

/** Whether an issue carries one of these labels; any does where none are named. */
export function labelTest(
  { tx }: Reading,
  repository: Repository,
  names: readonly string[] | null | undefined,
): (issue: Issue) => boolean {
  if (!names || names.length === 0) return () => true;
  const ids = names.flatMap(
    (name) => tx.labels.unique('by_name', [repository.id, name.toLowerCase()])?.id ?? [],
  );
  return (issue) => ids.some((id) => tx.issue_labels.has([issue.id, id]));
}

function testOf(ctx: Reading, repository: Repository, filters: Filters): (issue: Issue) => boolean {
  const { tx } = ctx;
  const tests = [labelTest(ctx, repository, filters.labels)];
  const { assignee, createdBy, mentioned, milestone, milestoneNumber, since } = filters;
  const is = (value: string | null | undefined): value is string => typeof value === 'string' && value !== '';
  if (is(assignee)) tests.push(assigneeTest(ctx, assignee));
  if (is(createdBy)) {
    const account = findAccount(ctx, createdBy);
    tests.push((issue) => account !== undefined && issue.user_id === account.id);
  }
  if (is(mentioned)) {
    const pattern = new RegExp(`(^|[^\\w-])@${mentioned.replaceAll(/[^\w-]/gu, '')}($|[^\\w-])`, 'iu');
    tests.push((issue) => pattern.test(issue.body ?? ''));
  }
  const number = milestoneNumber ?? milestone;
  if (number === '*') tests.push((issue) => issue.milestone_id !== null);
  else if (is(number)) {
    const row = tx.milestones.unique('by_number', [repository.id, Number(number)]);
    tests.push((issue) => row !== undefined && issue.milestone_id === row.id);
  }
  if (is(since)) tests.push((issue) => Date.parse(issue.updated_at) >= Date.parse(since));
  return (issue) => tests.every((test) => test(issue));
}

function assigneeTest(ctx: Reading, wanted: string): (issue: Issue) => boolean {
  const { tx } = ctx;
  const anybody = (issue: Issue): boolean => !tx.issue_assignees.by('by_position', [issue.id]).next().done;
  if (wanted === '*') return anybody;
  const account = findAccount(ctx, wanted);
  return (issue) => account !== undefined && tx.issue_assignees.has([issue.id, account.id]);
}
