import { z } from 'zod';
import type { Json, JsonObject, Operation } from '../../../service/index.ts';
import { UNKNOWN_SHA } from '../git/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import { findBranch, refNamed } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { isAskedFor, RUN_FILTERS, type RunFilters } from '../rules/run-lists.ts';
import { fileOf, startRun, workflowAt } from '../rules/runs.ts';
import type { Workflow, WorkflowRun } from '../schema/actions.ts';
import type { Repository } from '../schema/repositories.ts';
import { runView, workflowView } from '../views/actions.ts';
import { numberedPath, ownerOf } from '../views/repositories.ts';
import { API, fullName, WEB } from '../views/urls.ts';

const PLACE = { owner: z.string(), repo: z.string() };
const WORKFLOW = { ...PLACE, workflow_id: z.union([z.int(), z.string()]) };
const example = { owner: 'octo-works', repo: 'lamp', workflow_id: 'checks.yml' };

const listWorkflows = operation({
  id: 'actions/list-repo-workflows',
  summary: 'Lists the workflows of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/workflows' },
  input: z.looseObject({ ...PLACE, ...PAGE }),
  output: shown('total_count', 'workflows'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const items = [...ctx.tx.workflows.by('by_repository', [repository.id])];
    const workflows = paged(ctx, input, {
      items,
      path: numberedPath(repository, '/actions/workflows'),
      show: (workflow) => workflowView(ctx, repository, workflow),
    });
    return { total_count: items.length, workflows };
  },
});

const getWorkflow = operation({
  id: 'actions/get-workflow',
  summary: 'Reads a workflow, by its number or the name of its file.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}' },
  input: z.looseObject(WORKFLOW),
  output: shown('id', 'name', 'path', 'state'),
  example,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    return workflowView(ctx, repository, workflowAt(ctx, repository, input.workflow_id));
  },
});

/** A page of a repository's runs, or of one workflow's, the newest first. */
export function runsPage(
  ctx: Reading,
  { repository, workflow }: { readonly repository: Repository; readonly workflow?: Workflow },
  input: PageInput & RunFilters & { readonly workflow_id?: number | string },
): JsonObject {
  const all = [...ctx.tx.workflow_runs.by('by_repository', [repository.id], { reverse: true })];
  const items = all.filter(
    (run) => (!workflow || run.workflow_id === workflow.id) && isAskedFor(ctx, run, input),
  );
  const named = String(input.workflow_id ?? workflow?.id);
  const where = workflow ? `/actions/workflows/${named}/runs` : '/actions/runs';
  const workflow_runs = paged(ctx, input, {
    items,
    path: numberedPath(repository, where),
    inPath: ['workflow_id'],
    show: (run: WorkflowRun) => runView(ctx, repository, run),
  });
  return { total_count: items.length, workflow_runs };
}

const listRuns = operation({
  id: 'actions/list-workflow-runs',
  summary: 'Lists the runs of a workflow, the newest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs' },
  input: z.looseObject({ ...WORKFLOW, ...RUN_FILTERS, ...PAGE }),
  output: shown('total_count', 'workflow_runs'),
  example,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const workflow = workflowAt(ctx, repository, input.workflow_id);
    return runsPage(ctx, { repository, workflow }, input);
  },
});

const listRepositoryRuns = operation({
  id: 'actions/list-workflow-runs-for-repo',
  summary: 'Lists the runs of all workflows of a repository, the newest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs' },
  input: z.looseObject({ ...PLACE, ...RUN_FILTERS, ...PAGE }),
  output: shown('total_count', 'workflow_runs'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run: (ctx, input) => runsPage(ctx, { repository: repositoryAt(ctx, input) }, input),
});

const dispatch = operation({
  id: 'actions/create-workflow-dispatch',
  summary: 'Runs a workflow on a branch or tag.',
  effect: 'write',
  http: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
    status: 204,
  },
  input: z.looseObject({
    ...WORKFLOW,
    ref: z.string(),
    inputs: z.record(z.string(), z.json()).optional(),
    return_run_details: z.boolean().optional(),
  }),
  output: z.union([nothing, shown('workflow_run_id')]),
  example: { ...example, workflow_id: 'release.yml', ref: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'write');
    const workflow = workflowAt(ctx, repository, input.workflow_id);
    if (workflow.state !== 'active') {
      ctx.fail('unprocessable', { message: 'Cannot trigger a `workflow_dispatch` on a disabled workflow' });
    }
    const { name, sha } = headOf(ctx, repository, input.ref);
    const inputs = checkedInputs(ctx, { workflow, sha }, (input.inputs ?? {}) as JsonObject);
    const run = startRun(
      ctx,
      { repository, workflow },
      { event: 'workflow_dispatch', branch: name, sha, inputs },
    );
    if (input.return_run_details !== true) return null;
    const path = `${fullName(ownerOf(ctx, repository), repository)}/actions/runs/${run.id}`;
    ctx.reply({ status: 200 });
    return { workflow_run_id: run.id, run_url: `${API}/repos/${path}`, html_url: `${WEB}/${path}` };
  },
});

/** The branch or tag that a run is asked for on; 422 where there is none in a repository that has some. */
function headOf(ctx: Reading, repository: Repository, ref: string): { name: string; sha: string } {
  const bare = ref.replace(/^refs\/(heads|tags)\//u, '');
  const branch = findBranch(ctx, repository, bare);
  if (branch) return branch;
  const tag = refNamed(ctx, repository, `refs/tags/${bare}`);
  if (tag) return { name: bare, sha: tag.sha };
  if (findBranch(ctx, repository, repository.default_branch)) {
    ctx.fail('unprocessable', { message: `No ref found for: ${ref}` });
  }
  return { name: bare, sha: UNKNOWN_SHA };
}

/** Inputs against what the workflow's file declares, as far as the world holds the file. */
function checkedInputs(
  ctx: Writing,
  { workflow, sha }: { readonly workflow: Workflow; readonly sha: string },
  sent: JsonObject,
): JsonObject {
  const file = fileOf(ctx, workflow, sha);
  if (!file) return sent;
  if (!file.triggers.includes('workflow_dispatch')) {
    ctx.fail('unprocessable', { message: "Workflow does not have 'workflow_dispatch' trigger" });
  }
  const unexpected = Object.keys(sent).filter((name) => !file.inputs.has(name));
  if (unexpected.length > 0) {
    const names = unexpected.map((name) => JSON.stringify(name)).join(', ');
    ctx.fail('unprocessable', { message: `Unexpected inputs provided: [${names}]` });
  }
  for (const [name, { required, hasDefault }] of file.inputs) {
    if (required && !hasDefault && sent[name] === undefined) {
      ctx.fail('unprocessable', { message: `Required input '${name}' not provided` });
    }
  }
  return sent;
}

function switching(wanted: 'enable' | 'disable'): Operation {
  return operation({
    id: `actions/${wanted}-workflow`,
    summary: wanted === 'enable' ? 'Lets a workflow run again.' : 'Has a workflow run no longer.',
    effect: 'write',
    http: {
      method: 'PUT',
      path: `/repos/{owner}/{repo}/actions/workflows/{workflow_id}/${wanted}`,
      status: 204,
    },
    input: z.looseObject(WORKFLOW),
    output: nothing,
    example,
    run(ctx, input) {
      const repository = repositoryAt(ctx, input);
      requireRole(ctx, repository, 'write');
      const workflow = workflowAt(ctx, repository, input.workflow_id);
      if (wanted === 'disable' && workflow.state !== 'active') {
        ctx.fail('forbidden', { message: 'Unable to disable a workflow that is not active.' });
      }
      const state = wanted === 'enable' ? 'active' : 'disabled_manually';
      ctx.tx.workflows.update(workflow.id, { state });
      return null;
    },
  });
}

const usage = operation({
  id: 'actions/get-workflow-usage',
  summary: 'Reads how long a workflow has run at cost; public repositories have none.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/timing' },
  input: z.looseObject(WORKFLOW),
  output: shown('billable'),
  example,
  run(ctx, input): Record<string, Json> {
    const repository = repositoryAt(ctx, input);
    workflowAt(ctx, repository, input.workflow_id);
    return { billable: {} };
  },
});

export const workflowOperations: readonly Operation[] = [
  listWorkflows,
  getWorkflow,
  listRuns,
  listRepositoryRuns,
  dispatch,
  switching('enable'),
  switching('disable'),
  usage,
];
