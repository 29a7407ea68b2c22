import type { JsonObject, RecordedExchange } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import { isAskedFor, type RunFilters } from '../rules/run-lists.ts';
import type { WorkflowRun } from '../schema/actions.ts';
import { seeAccount } from './accounts.ts';
import { gitFactsOf } from './git-facts.ts';
import { notePage } from './lists.ts';
import { askedOf, itemsOf, repositoryOf } from './places.ts';
import { seeRepository } from './repositories.ts';
import {
  flagIn,
  nullableTextIn,
  numberIn,
  objectIn,
  type Seer,
  type Shown,
  type Sight,
  textIn,
  type Watcher,
} from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

export const actionSeers: readonly Seer[] = [
  {
    fits: (object) => textIn(object, 'badge_url') !== undefined && numberIn(object, 'id') !== undefined,
    see: (sight, object, { exchange }) => {
      const repository = repositoryOf(sight, askedOf(exchange));
      if (repository === undefined) return;
      seeWorkflow(sight, repository, object);
      const default_branch = /\/blob\/(.+)\/\.github\//u.exec(textIn(object, 'html_url') ?? '')?.[1];
      const row = sight.tx.repositories.get(repository);
      if (row) sight.learn('repositories', repository, { blank: row, columns: { default_branch } });
    },
  },
  {
    fits: (object) =>
      numberIn(object, 'run_number') !== undefined && numberIn(object, 'workflow_id') !== undefined,
    see: (sight, object, shown) => seeRun(sight, object, shown),
  },
  {
    fits: (object) => textIn(object, 'archive_download_url') !== undefined,
    see: (sight, object, { exchange }) => seeArtifact(sight, object, exchange),
  },
];

function seeWorkflow(sight: Sight, repository_id: number, object: JsonObject): void {
  const id = numberIn(object, 'id') ?? 0;
  sight.learn('workflows', id, {
    blank: {
      id,
      repository_id,
      name: `Workflow ${id}`,
      path: `.github/workflows/workflow-${id}.yml`,
      state: 'active',
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
    },
    columns: {
      name: textIn(object, 'name'),
      path: textIn(object, 'path'),
      state: textIn(object, 'state'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
}

function blankRun(ids: {
  readonly id: number;
  readonly repository_id: number;
  readonly workflow_id: number;
}): WorkflowRun {
  return {
    ...ids,
    name: 'Checks',
    display_title: 'Checks',
    path: '.github/workflows/checks.yml',
    run_number: 1,
    run_attempt: 1,
    event: 'push',
    status: 'completed',
    conclusion: 'success',
    starts_ms: null,
    ends_ms: null,
    head_branch: 'main',
    head_sha: '',
    head_repository_id: ids.repository_id,
    actor_id: null,
    triggering_actor_id: null,
    check_suite_id: ids.id,
    head_commit: null,
    pull_requests: [],
    inputs: {},
    has_logs: true,
    created_at: UNSEEN_MOMENT,
    updated_at: UNSEEN_MOMENT,
    run_started_at: UNSEEN_MOMENT,
  };
}

function seeRun(sight: Sight, object: JsonObject, { exchange }: Shown): void {
  const id = numberIn(object, 'id') ?? 0;
  const home = objectIn(object, 'repository');
  const repository_id = home ? seeRepository(sight, home) : repositoryOf(sight, askedOf(exchange));
  if (repository_id === undefined || !sight.tx.repositories.has(repository_id)) return;
  const workflow_id = numberIn(object, 'workflow_id') ?? 0;
  const path = textIn(object, 'path')?.split('@')[0];
  seeWorkflow(sight, repository_id, { id: workflow_id, name: object.name ?? null, path: path ?? null });
  if (sight.isMade('workflow_runs', id)) return;
  const account = (name: string): number | null | undefined => {
    const shown = objectIn(object, name);
    return shown ? seeAccount(sight, shown) : object[name] === null ? null : undefined;
  };
  const head = objectIn(object, 'head_repository');
  const actor_id = account('actor');
  sight.learn('workflow_runs', id, {
    blank: blankRun({ id, repository_id, workflow_id }),
    columns: {
      ...columnsOf(object),
      workflow_id,
      path,
      actor_id,
      triggering_actor_id: account('triggering_actor') ?? actor_id,
      head_repository_id: head
        ? seeRepository(sight, head)
        : object.head_repository === null
          ? null
          : undefined,
    },
  });
}

function columnsOf(object: JsonObject): JsonObject {
  return {
    name: textIn(object, 'name'),
    display_title: textIn(object, 'display_title') ?? textIn(object, 'name'),
    run_number: numberIn(object, 'run_number'),
    run_attempt: numberIn(object, 'run_attempt'),
    event: textIn(object, 'event'),
    status: textIn(object, 'status'),
    conclusion: nullableTextIn(object, 'conclusion'),
    head_branch: nullableTextIn(object, 'head_branch'),
    head_sha: textIn(object, 'head_sha'),
    check_suite_id: numberIn(object, 'check_suite_id'),
    head_commit: object.head_commit,
    pull_requests: object.pull_requests,
    created_at: textIn(object, 'created_at'),
    updated_at: textIn(object, 'updated_at'),
    run_started_at: textIn(object, 'run_started_at') ?? textIn(object, 'created_at'),
  } as JsonObject;
}

function seeArtifact(sight: Sight, object: JsonObject, exchange: RecordedExchange): void {
  const repository_id = repositoryOf(sight, askedOf(exchange));
  const of = objectIn(object, 'workflow_run');
  const run_id = of && numberIn(of, 'id');
  if (repository_id === undefined) return;
  if (of && run_id !== undefined) learnRun(sight, { repository_id, id: run_id }, columnsOf(of));
  const id = numberIn(object, 'id') ?? 0;
  learnArtifact(sight, { id, repository_id, run_id: run_id ?? null }, object);
}

function learnArtifact(
  sight: Sight,
  ids: { readonly id: number; readonly repository_id: number; readonly run_id: number | null },
  object: JsonObject,
): void {
  sight.learn('artifacts', ids.id, {
    blank: {
      ...ids,
      name: `artifact-${ids.id}`,
      size_in_bytes: 1_024,
      digest: null,
      expired: false,
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
      expires_at: UNSEEN_MOMENT,
    },
    columns: {
      run_id: ids.run_id ?? undefined,
      name: textIn(object, 'name'),
      size_in_bytes: numberIn(object, 'size_in_bytes'),
      digest: nullableTextIn(object, 'digest'),
      expired: flagIn(object, 'expired'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
      expires_at: textIn(object, 'expires_at'),
    },
  });
}

/** A run of which little is told, of some workflow of its repository. */
function learnRun(
  sight: Sight,
  { repository_id, id }: { readonly repository_id: number; readonly id: number },
  columns: JsonObject,
): void {
  const known = sight.tx.workflow_runs.get(id);
  let workflow_id = known?.workflow_id ?? [...sight.tx.workflows.by('by_repository', [repository_id])][0]?.id;
  if (workflow_id === undefined) {
    workflow_id = sight.freshId('workflows');
    seeWorkflow(sight, repository_id, { id: workflow_id });
  }
  sight.learn('workflow_runs', id, { blank: blankRun({ id, repository_id, workflow_id }), columns });
}

/** A run that a request finds was there; `columns` is how it must have stood for the request to go well. */
function watchRun(columns: JsonObject): Watcher {
  return (sight, exchange) => {
    const asked = askedOf(exchange);
    const repository_id = exchange.status < 400 ? repositoryOf(sight, asked) : undefined;
    const id = Number(asked.run_id);
    if (repository_id !== undefined && Number.isSafeInteger(id))
      learnRun(sight, { repository_id, id }, columns);
  };
}

const watchRunArtifacts: Watcher = (sight, exchange) => {
  watchRun({})(sight, exchange);
  const run_id = Number(askedOf(exchange).run_id);
  for (const item of itemsOf(exchange.response, 'artifacts')) {
    const row = sight.tx.artifacts.get(numberIn(item, 'id') ?? 0);
    if (row && row.run_id === null) sight.tx.artifacts.update(row.id, { run_id });
  }
};

const FILTERS = ['actor', 'branch', 'event', 'status', 'created', 'head_sha'] as const;

const watchRuns: Watcher = (sight, exchange) => {
  const asked = askedOf(exchange);
  const repository_id = exchange.status === 200 ? repositoryOf(sight, asked) : undefined;
  if (repository_id === undefined) return;
  const filters: RunFilters = Object.fromEntries(FILTERS.map((name) => [name, asked[name]]));
  const workflow = asked.workflow_id === undefined ? undefined : workflowCalled(sight, exchange);
  const reading = { tx: sight.tx, nowMs: 0 } as unknown as Reading;
  const isListed = (run: WorkflowRun): boolean =>
    (workflow === undefined || run.workflow_id === workflow) && isAskedFor(reading, run, filters);
  notePage(sight, exchange, {
    key: `runs ${repository_id} ${workflow ?? ''} ${JSON.stringify(filters)}`,
    member: 'workflow_runs',
    isNarrow: workflow !== undefined || FILTERS.some((name) => asked[name] !== undefined),
    isMade: (item) => sight.isMade('workflow_runs', numberIn(item, 'id') ?? 0),
    known: () => [...sight.tx.workflow_runs.by('by_repository', [repository_id])].filter(isListed).length,
    fill: (after) => fillRun(sight, { repository_id, workflow, filters, after }),
  });
};

/** A run right after another in the order of lists, which fits what the list is narrowed by. */
function fillRun(
  sight: Sight,
  {
    repository_id,
    workflow,
    filters,
    after,
  }: {
    readonly repository_id: number;
    readonly workflow: number | undefined;
    readonly filters: RunFilters;
    readonly after: JsonObject | undefined;
  },
): void {
  let id = (numberIn(after ?? {}, 'id') ?? sight.freshId('workflow_runs')) - 1;
  while (sight.tx.workflow_runs.has(id)) id -= 1;
  const shown = after ? columnsOf(after) : {};
  const { status } = filters;
  const over = status === undefined || !['queued', 'in_progress', 'waiting', 'pending'].includes(status);
  const conclusion = status === undefined || status === 'completed' ? 'success' : status;
  learnRun(
    sight,
    { repository_id, id },
    {
      head_sha: filters.head_sha ?? '',
      created_at: shown.created_at ?? UNSEEN_MOMENT,
      event: filters.event ?? 'push',
      head_branch: filters.branch ?? 'main',
      status: over ? 'completed' : status,
      conclusion: over ? conclusion : null,
    },
  );
  if (workflow !== undefined) sight.tx.workflow_runs.update(id, { workflow_id: workflow });
}

/** The workflow that a request names, by number or file, written if nothing else told of it. */
function workflowCalled(sight: Sight, exchange: RecordedExchange): number | undefined {
  const asked = askedOf(exchange);
  const repository_id = exchange.status < 300 ? repositoryOf(sight, asked) : undefined;
  if (repository_id === undefined || asked.workflow_id === undefined) return undefined;
  const named = String(asked.workflow_id);
  if (/^\d+$/u.test(named)) {
    seeWorkflow(sight, repository_id, { id: Number(named) });
    return Number(named);
  }
  const known = [...sight.tx.workflows.by('by_repository', [repository_id])];
  const found = known.find(({ path }) => path.split('/').at(-1) === named);
  if (found) return found.id;
  const [run] = itemsOf(exchange.response, 'workflow_runs');
  const id = (run && numberIn(run, 'workflow_id')) ?? sight.freshId('workflows');
  seeWorkflow(sight, repository_id, { id, path: `.github/workflows/${named}` });
  return id;
}

const watchWorkflow: Watcher = (sight, exchange) => void workflowCalled(sight, exchange);

/** What a workflow was run on was there, at the commit of the latest run on it that is known. */
const watchDispatch: Watcher = (sight, exchange) => {
  workflowCalled(sight, exchange);
  const asked = askedOf(exchange);
  const repository_id = exchange.status < 300 ? repositoryOf(sight, asked) : undefined;
  if (repository_id === undefined || typeof asked.ref !== 'string') return;
  const branch = asked.ref.replace(/^refs\/heads\//u, '');
  const ref = `refs/heads/${branch}`;
  sight.atEnd(() => {
    const shown = gitFactsOf(sight).history(repository_id).refs.get(ref);
    if (shown !== undefined || sight.tx.git_refs.has([repository_id, ref])) return;
    const runs = [...sight.tx.workflow_runs.by('by_repository', [repository_id], { reverse: true })];
    const main = sight.tx.repositories.get(repository_id)?.default_branch ?? '';
    const known = sight.tx.git_refs.get([repository_id, `refs/heads/${main}`])?.sha;
    const sha = runs.find(({ head_branch }) => head_branch === branch)?.head_sha || known || '0'.repeat(40);
    if (sha !== '') sight.tx.git_refs.insert({ repository_id, ref, sha });
  });
};

const watchWorkflows: Watcher = (sight, exchange) => {
  const repository_id = exchange.status === 200 ? repositoryOf(sight, askedOf(exchange)) : undefined;
  if (repository_id === undefined) return;
  notePage(sight, exchange, {
    key: `workflows ${repository_id}`,
    member: 'workflows',
    known: () => [...sight.tx.workflows.by('by_repository', [repository_id])].length,
    fill: (after) => {
      let id = (numberIn(after ?? {}, 'id') ?? sight.freshId('workflows')) + 1;
      while (sight.tx.workflows.has(id)) id += 1;
      seeWorkflow(sight, repository_id, { id });
    },
  });
};

const watchArtifacts: Watcher = (sight, exchange) => {
  const repository_id = exchange.status === 200 ? repositoryOf(sight, askedOf(exchange)) : undefined;
  if (repository_id === undefined) return;
  notePage(sight, exchange, {
    key: `artifacts ${repository_id}`,
    member: 'artifacts',
    known: () => [...sight.tx.artifacts.by('by_repository', [repository_id])].length,
    fill: (after) => {
      let id = (numberIn(after ?? {}, 'id') ?? sight.freshId('artifacts')) - 1;
      while (sight.tx.artifacts.has(id)) id -= 1;
      learnArtifact(sight, { id, repository_id, run_id: null }, {});
    },
  });
};

const watchArtifact: Watcher = (sight, exchange) => {
  const asked = askedOf(exchange);
  const repository_id = exchange.status < 400 ? repositoryOf(sight, asked) : undefined;
  if (repository_id === undefined) return;
  learnArtifact(sight, { id: Number(asked.artifact_id), repository_id, run_id: null }, {});
};

export const actionWatchers: Readonly<Record<string, Watcher>> = {
  'actions/get-workflow-run': watchRun({}),
  'actions/delete-workflow-run': watchRun({}),
  'actions/cancel-workflow-run': watchRun({ status: 'in_progress', conclusion: null }),
  'actions/force-cancel-workflow-run': watchRun({ status: 'in_progress', conclusion: null }),
  'actions/re-run-workflow': watchRun({}),
  'actions/re-run-workflow-failed-jobs': watchRun({ conclusion: 'failure' }),
  'actions/approve-workflow-run': watchRun({ conclusion: 'action_required' }),
  'actions/download-workflow-run-logs': watchRun({}),
  'actions/delete-workflow-run-logs': watchRun({}),
  'actions/list-jobs-for-workflow-run': watchRun({}),
  'actions/list-workflow-run-artifacts': watchRunArtifacts,
  'actions/list-workflow-runs-for-repo': watchRuns,
  'actions/list-workflow-runs': watchRuns,
  'actions/get-workflow': watchWorkflow,
  'actions/create-workflow-dispatch': watchDispatch,
  'actions/enable-workflow': watchWorkflow,
  'actions/disable-workflow': watchWorkflow,
  'actions/list-repo-workflows': watchWorkflows,
  'actions/list-artifacts-for-repo': watchArtifacts,
  'actions/get-artifact': watchArtifact,
  'actions/delete-artifact': watchArtifact,
  'actions/download-artifact': watchArtifact,
};
