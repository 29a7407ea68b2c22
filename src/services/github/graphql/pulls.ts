import { isJsonObject, type JsonObject } from '../../../service/index.ts';
import { commitsOf, filesOf, type PullFound } from '../rules/pulls.ts';
import { findBranch } from '../rules/refs.ts';
import { reviewRefusal, verdictsOf } from '../rules/review-rules.ts';
import type { Issue } from '../schema/issues.ts';
import type { Pull } from '../schema/pulls.ts';
import type { Repository } from '../schema/repositories.ts';
import { labelsOf, placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { ownerOf } from '../views/repositories.ts';
import { WEB } from '../views/urls.ts';
import { accountNode, accountNodeOrNull, teamNode } from './accounts.ts';
import { rollupOf } from './checks.ts';
import { sharedMembers, writtenMembers } from './comments.ts';
import { connection, type Order, ordered, type PageArguments } from './connections.ts';
import { commitNode, refNode } from './git-objects.ts';
import { type Graph, GraphError, type GraphValue, once, performed } from './graph.ts';
import { issuesAmong, issuesSorted, labelTest, stateMembers } from './issues.ts';
import { labels, milestoneNode } from './labels.ts';
import { itemsOf } from './projects.ts';
import { repositoryNode } from './repositories.ts';
import { reviewMembers } from './reviews.ts';

/** The pull of a number; issues are not among them. */
export function pullNamed(graph: Graph, repository: Repository, number: number): GraphValue {
  const issue = graph.ctx.tx.issues.unique('by_number', [repository.id, number]);
  if (issue?.kind === 'pull') return pullNode(graph, issue.id);
  throw new GraphError('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`);
}

/** The global id of a pull. */
export function pullIdOf({ repository_id, pull_id }: Pull): string {
  return globalId('PR', [0, repository_id, pull_id]);
}

function foundOf({ ctx: { tx } }: Graph, issue_id: number): PullFound {
  const issue = tx.issues.get(issue_id);
  const pull = tx.pulls.get(issue_id);
  const repository = issue && tx.repositories.get(issue.repository_id);
  if (issue && pull && repository) return { issue, pull, repository };
  throw new GraphError('NOT_FOUND', 'Could not resolve to a node.');
}

/** The pull of an issue's row. */
export function pullNode(graph: Graph, issue_id: number): GraphValue {
  const { ctx } = graph;
  const found = foundOf(graph, issue_id);
  const { issue, pull, repository } = found;
  const url = `${placeOf(ctx, repository).web}/pull/${issue.number}`;
  const milestone = issue.milestone_id === null ? undefined : ctx.tx.milestones.get(issue.milestone_id);
  return {
    __typename: 'PullRequest',
    ...writtenMembers(graph, issue),
    ...sharedMembers(graph, issue),
    ...stateMembers(issue),
    ...mergeMembers(graph, found),
    ...endMembers(graph, found),
    ...contentMembers(graph, found),
    ...reviewMembers(graph, found),
    databaseId: pull.pull_id,
    fullDatabaseId: String(pull.pull_id),
    id: pullIdOf(pull),
    isDraft: pull.draft,
    labels: (args: PageArguments) => labels(graph, args, { repository, all: () => labelsOf(ctx, issue) }),
    milestone: () => (milestone ? milestoneNode(graph, repository, milestone) : null),
    number: issue.number,
    permalink: url,
    projectItems: (args: PageArguments) => itemsOf(graph, args, issue.id),
    repository: () => repositoryNode(graph, repository),
    resourcePath: url.slice(WEB.length),
    state: pull.merged_at !== null ? 'MERGED' : issue.state.toUpperCase(),
    title: issue.title,
    titleHTML: issue.title,
    url,
  };
}

const MERGEABLE = { true: 'MERGEABLE', false: 'CONFLICTING', null: 'UNKNOWN' } as const;

function mergeMembers(graph: Graph, { issue, pull, repository }: PullFound): GraphValue {
  const { ctx } = graph;
  const { login } = ownerOf(ctx, repository);
  // As the REST view has it, which knows what came of trying to merge.
  const view = once(() =>
    performed(graph, 'pulls/get', { owner: login, repo: repository.name, pull_number: issue.number }),
  );
  const commit = (sha: string | null): GraphValue | null =>
    sha === null ? null : commitNode(graph, repository, sha);
  const auto = pull.auto_merge;
  return {
    autoMergeRequest: () => (isJsonObject(auto) ? autoMergeNode(graph, auto, issue.id) : null),
    canBeRebased: () => view().rebaseable === true,
    isInMergeQueue: false,
    isMergeQueueEnabled: false,
    maintainerCanModify: pull.maintainer_can_modify,
    mergeCommit: () => (pull.merged_at === null ? null : commit(pull.merge_commit_sha)),
    mergeStateStatus: () => String(view().mergeable_state).toUpperCase(),
    mergeable: () => MERGEABLE[String(view().mergeable) as keyof typeof MERGEABLE],
    merged: pull.merged_at !== null,
    mergedAt: pull.merged_at,
    mergedBy: () => accountNodeOrNull(graph, pull.merged_by_id),
    potentialMergeCommit: () => (pull.merged_at === null ? commit(pull.merge_commit_sha) : null),
    viewerMergeBodyText: issue.title,
    viewerMergeHeadlineText: ({ mergeType = 'MERGE' }: { mergeType?: string }) =>
      mergeType === 'MERGE'
        ? `Merge pull request #${issue.number} from ${String(headOf(view()).label).replace(':', '/')}`
        : `${issue.title} (#${issue.number})`,
  };
}

function headOf(view: JsonObject): JsonObject {
  return isJsonObject(view.head) ? view.head : {};
}

function autoMergeNode(graph: Graph, auto: JsonObject, issue_id: number): GraphValue {
  const by = isJsonObject(auto.enabled_by) ? Number(auto.enabled_by.id) : null;
  return {
    authorEmail: null,
    commitBody: auto.commit_message ?? null,
    commitHeadline: auto.commit_title ?? null,
    enabledAt: null,
    enabledBy: () => accountNodeOrNull(graph, by),
    mergeMethod: String(auto.merge_method ?? 'merge').toUpperCase(),
    pullRequest: () => pullNode(graph, issue_id),
  };
}

/** Where a pull comes from, and where it goes. */
function endMembers(graph: Graph, { pull, repository }: PullFound): GraphValue {
  const { ctx } = graph;
  const head =
    pull.head_repository_id === null ? undefined : ctx.tx.repositories.get(pull.head_repository_id);
  const ref = (home: Repository, name: string): GraphValue | null => {
    const branch = findBranch(ctx, home, name);
    return branch ? refNode(graph, home, { ref: `refs/heads/${name}`, sha: branch.sha }) : null;
  };
  return {
    baseRef: () => ref(repository, pull.base_ref),
    baseRefName: pull.base_ref,
    baseRefOid: pull.base_sha,
    baseRepository: () => repositoryNode(graph, repository),
    headRef: () => (head ? ref(head, pull.head_ref) : null),
    headRefName: pull.head_ref,
    headRefOid: pull.head_sha,
    headRepository: () => (head ? repositoryNode(graph, head) : null),
    headRepositoryOwner: () => (head ? accountNode(graph, ownerOf(ctx, head)) : null),
    isCrossRepository: head?.id !== repository.id,
  };
}

const CHANGES: Readonly<Record<string, string>> = { removed: 'DELETED' };

function contentMembers(graph: Graph, { issue, pull, repository }: PullFound): GraphValue {
  const { ctx } = graph;
  const { web } = placeOf(ctx, repository);
  const files = once(() => filesOf(ctx, pull));
  const sum = (member: 'additions' | 'deletions') => () =>
    files().reduce((total, file) => total + file[member], 0);
  return {
    additions: sum('additions'),
    changedFiles: () => files().length,
    closingIssuesReferences: (args: PageArguments) =>
      issuesAmong(graph, args, () => closedBy(graph, repository, issue)),
    commits: (args: PageArguments) =>
      connection(args, {
        name: 'commits',
        items: () => commitsOf(ctx, pull).map(({ sha }) => sha),
        key: (sha) => sha,
        show: (sha) => ({
          __typename: 'PullRequestCommit',
          commit: () => commitNode(graph, repository, sha),
          id: globalId('PURC', [0, repository.id, sha]),
          pullRequest: () => pullNode(graph, issue.id),
          url: `${web}/pull/${issue.number}/commits/${sha}`,
        }),
      }),
    deletions: sum('deletions'),
    files: (args: PageArguments) =>
      connection(args, {
        name: 'files',
        items: files,
        key: ({ path }) => path,
        show: ({ path, status, additions, deletions }) => ({
          additions,
          changeType: CHANGES[status] ?? status.toUpperCase(),
          deletions,
          path,
          viewerViewedState: 'UNVIEWED',
        }),
      }),
    statusCheckRollup: () => rollupOf(graph, repository, pull.head_sha),
  };
}

const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d+)/giu;

function closedBy({ ctx: { tx } }: Graph, repository: Repository, pull: Issue): Issue[] {
  const numbers = [...(pull.body ?? '').matchAll(CLOSING)].map(([, number]) => Number(number));
  return [...new Set(numbers)].flatMap(
    (number) => tx.issues.unique('by_number', [repository.id, number]) ?? [],
  );
}

/** The pulls that would close an issue. */
export function closersOf(
  graph: Graph,
  args: PageArguments,
  { repository, issue }: { readonly repository: Repository; readonly issue: Issue },
): GraphValue {
  const closes = ({ issue_id }: Pull): boolean => {
    const row = graph.ctx.tx.issues.get(issue_id);
    return row !== undefined && closedBy(graph, repository, row).some(({ id }) => id === issue.id);
  };
  return pullsIn(graph, args, { repository, test: closes });
}

/** What reviews say of a pull together; null where nobody asks for any. */
export function decisionOf({ ctx }: Graph, { repository, pull }: PullFound): string | null {
  const verdicts = verdictsOf(ctx, pull);
  if (verdicts.some(({ state }) => state === 'CHANGES_REQUESTED')) return 'CHANGES_REQUESTED';
  if (reviewRefusal(ctx, repository, pull) !== null) return 'REVIEW_REQUIRED';
  return verdicts.some(({ state }) => state === 'APPROVED') ? 'APPROVED' : null;
}

interface PullArguments extends PageArguments {
  readonly baseRefName?: string | null;
  readonly headRefName?: string | null;
  readonly labels?: readonly string[] | null;
  readonly orderBy?: Order | null;
  readonly states?: readonly string[] | null;
}

/** The pulls of a repository that pass a test. */
export function pullsIn(
  graph: Graph,
  args: PullArguments,
  {
    repository,
    test = () => true,
  }: { readonly repository: Repository; readonly test?: (pull: Pull) => boolean },
): GraphValue {
  const { tx } = graph.ctx;
  const { baseRefName, headRefName, states, orderBy } = args;
  return connection(args, {
    name: 'pullRequests',
    items: () => {
      const labelled = labelTest(graph.ctx, repository, args.labels);
      const found = [...tx.issues.by('by_number', [repository.id])].filter((issue) => {
        const pull = issue.kind === 'pull' ? tx.pulls.get(issue.id) : undefined;
        if (!pull || !test(pull) || !labelled(issue)) return false;
        const state = pull.merged_at !== null ? 'MERGED' : issue.state.toUpperCase();
        return (
          (!states || states.includes(state)) &&
          (!baseRefName || pull.base_ref === baseRefName) &&
          (!headRefName || pull.head_ref === headRefName)
        );
      });
      return issuesSorted(found, orderBy);
    },
    key: ({ id }) => id,
    show: ({ id }) => pullNode(graph, id),
  });
}

/** Who is asked to review a pull. */
export function requestsOf(graph: Graph, args: PageArguments, { issue, repository }: PullFound): GraphValue {
  const { tx } = graph.ctx;
  return connection(args, {
    name: 'reviewRequests',
    items: () =>
      ordered(
        ['user', 'team'].flatMap((kind) => [...tx.review_requests.by('by_position', [issue.id, kind])]),
        ({ position }) => position,
        'ASC',
      ),
    key: ({ kind, subject_id }) => `${kind}${subject_id}`,
    show: ({ kind, subject_id }) => ({
      __typename: 'ReviewRequest',
      asCodeOwner: false,
      databaseId: null,
      id: globalId('RR', [0, repository.id, subject_id]),
      pullRequest: () => pullNode(graph, issue.id),
      requestedReviewer: () => {
        if (kind === 'user') return accountNodeOrNull(graph, subject_id);
        const team = tx.teams.get(subject_id);
        const org = team && tx.accounts.get(team.org_id);
        return team && org ? teamNode(graph, team, org) : null;
      },
    }),
  });
}
