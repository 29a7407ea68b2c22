import type { JsonObject } from '../../../service/index.ts';
import { latestStatuses, runsOf } from '../rules/checks.ts';
import type { CheckRun, CheckSuite, CommitStatus } from '../schema/checks.ts';
import type { Repository } from '../schema/repositories.ts';
import { checkAppView } from '../views/checks.ts';
import { placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { accountNodeOrNull } from './accounts.ts';
import { connection, type PageArguments } from './connections.ts';
import { commitNode } from './git-objects.ts';
import type { Graph, GraphValue } from './graph.ts';

/** The statuses of a commit as one; null where there are none. */
export function statusOf(graph: Graph, repository: Repository, sha: string): GraphValue | null {
  const statuses = latestStatuses(graph.ctx, repository, sha);
  if (statuses.length === 0) return null;
  return {
    __typename: 'Status',
    commit: () => commitNode(graph, repository, sha),
    contexts: () => statuses.map((status) => contextNode(graph, repository, status)),
    id: globalId('S', [0, repository.id, sha]),
    state: worstOf(statuses.map(({ state }) => state.toUpperCase())),
  };
}

function contextNode(graph: Graph, repository: Repository, status: CommitStatus): GraphValue {
  return {
    __typename: 'StatusContext',
    context: status.context,
    createdAt: status.created_at,
    creator: () => accountNodeOrNull(graph, status.creator_id),
    description: status.description,
    id: globalId('SC', [0, repository.id, status.id]),
    isRequired: false,
    state: status.state.toUpperCase(),
    targetUrl: status.target_url,
  };
}

const SEVERITY = ['ERROR', 'FAILURE', 'PENDING', 'EXPECTED', 'SUCCESS'];

function worstOf(states: readonly string[]): string {
  return SEVERITY.find((state) => states.includes(state)) ?? 'SUCCESS';
}

const PASSING = ['success', 'neutral', 'skipped'];

function stateOfRun({ status, conclusion }: CheckRun): string {
  if (status !== 'completed') return 'PENDING';
  return PASSING.includes(conclusion ?? '') ? 'SUCCESS' : 'FAILURE';
}

/** What all checks and statuses of a commit say together; null where there are none. */
export function rollupOf(graph: Graph, repository: Repository, sha: string): GraphValue | null {
  const statuses = latestStatuses(graph.ctx, repository, sha);
  const runs = runsOf(graph.ctx, repository, sha);
  if (statuses.length + runs.length === 0) return null;
  const items = [...runs.map((run) => ({ run })), ...statuses.map((status) => ({ status }))];
  const counted = (states: readonly string[]): GraphValue[] =>
    [...new Set(states)].map((state) => ({
      state,
      count: states.filter((other) => other === state).length,
    }));
  return {
    __typename: 'StatusCheckRollup',
    commit: () => commitNode(graph, repository, sha),
    contexts: (args: PageArguments) =>
      connection(args, {
        name: 'contexts',
        items: () => items,
        key: (item) => ('run' in item ? `r${item.run.id}` : `s${item.status.id}`),
        show: (item) =>
          'run' in item
            ? checkRunNode(graph, repository, item.run)
            : contextNode(graph, repository, item.status),
        extra: {
          checkRunCount: runs.length,
          checkRunCountsByState: () =>
            counted(runs.map(({ status, conclusion }) => (conclusion ?? status).toUpperCase())),
          statusContextCount: statuses.length,
          statusContextCountsByState: () => counted(statuses.map(({ state }) => state.toUpperCase())),
        },
      }),
    id: globalId('SCR', [0, repository.id, sha]),
    state: worstOf([...statuses.map(({ state }) => state.toUpperCase()), ...runs.map(stateOfRun)]),
  };
}

export function checkRunNode(graph: Graph, repository: Repository, run: CheckRun): GraphValue {
  const { web } = placeOf(graph.ctx, repository);
  return {
    __typename: 'CheckRun',
    checkSuite: () => {
      const suite = graph.ctx.tx.check_suites.get(run.suite_id);
      return suite ? suiteNode(graph, repository, suite) : null;
    },
    completedAt: run.completed_at,
    conclusion: run.conclusion?.toUpperCase() ?? null,
    databaseId: run.id,
    detailsUrl: run.details_url,
    id: globalId('CR', [0, repository.id, run.id]),
    isRequired: false,
    name: run.name,
    startedAt: run.started_at,
    status: run.status.toUpperCase(),
    summary: run.summary,
    text: run.text,
    title: run.title,
    url: `${web}/runs/${run.id}`,
  };
}

function suiteNode(graph: Graph, repository: Repository, suite: CheckSuite): GraphValue {
  const { tx } = graph.ctx;
  return {
    __typename: 'CheckSuite',
    app: () => appNode(checkAppView(graph.ctx, placeOf(graph.ctx, repository), suite.app)),
    checkRuns: (args: PageArguments) =>
      connection(args, {
        name: 'checkRuns',
        items: () => [...tx.check_runs.by('by_suite', [suite.id])],
        key: ({ id }) => id,
        show: (run) => checkRunNode(graph, repository, run),
      }),
    conclusion: suite.conclusion?.toUpperCase() ?? null,
    createdAt: suite.created_at,
    databaseId: suite.id,
    id: globalId('CS', [0, repository.id, suite.id]),
    status: suite.status.toUpperCase(),
    updatedAt: suite.updated_at,
    workflowRun: null,
  };
}

function appNode(app: JsonObject): GraphValue {
  return {
    __typename: 'App',
    databaseId: app.id,
    id: app.node_id,
    name: app.name,
    slug: app.slug,
    url: app.html_url,
  };
}

/** The suites of checks that a commit has. */
export function checkSuitesOf(
  graph: Graph,
  args: PageArguments,
  { repository, sha }: { readonly repository: Repository; readonly sha: string },
): GraphValue {
  return connection(args, {
    name: 'checkSuites',
    items: () => [...graph.ctx.tx.check_suites.by('by_commit', [repository.id, sha])],
    key: ({ id }) => id,
    show: (suite) => suiteNode(graph, repository, suite),
  });
}
