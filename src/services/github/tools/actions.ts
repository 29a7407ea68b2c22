import { z } from 'zod';
import type { Json, JsonObject, Tool } from '../../../service/index.ts';
import { entryOf } from '../rules/entries.ts';
import { choice, fail, githubTool, PLACE, present } from './making.ts';
import { withoutNulls } from './shapes.ts';

/** What a method of these tools calls, what it names what it is about, and what it says when it fails. */
type Method = readonly [operation: string, parameter: string | null, words: string];

const LISTS: Readonly<Record<string, Method>> = {
  list_workflows: ['actions/list-repo-workflows', null, 'failed to list workflows'],
  list_workflow_runs: ['actions/list-workflow-runs', 'workflow_id', 'failed to list workflow runs'],
  list_workflow_jobs: ['actions/list-jobs-for-workflow-run', 'run_id', 'failed to list workflow jobs'],
  list_workflow_run_artifacts: [
    'actions/list-workflow-run-artifacts',
    'run_id',
    'failed to list workflow run artifacts',
  ],
};
const ALL_RUNS = 'actions/list-workflow-runs-for-repo';

/** Workflows go by number or file name, all else by number. */
function named(parameter: string, id: string): JsonObject {
  return { [parameter]: /^\d+$/u.test(id) ? Number(id) : id };
}

const EVENTS = [
  ...['branch_protection_rule', 'check_run', 'check_suite', 'create', 'delete', 'deployment'],
  ...['deployment_status', 'discussion', 'discussion_comment', 'fork', 'gollum', 'issue_comment', 'issues'],
  ...['label', 'merge_group', 'milestone', 'page_build', 'public', 'pull_request', 'pull_request_review'],
  ...['pull_request_review_comment', 'pull_request_target', 'push', 'registry_package', 'release'],
  ...['repository_dispatch', 'schedule', 'status', 'watch', 'workflow_call', 'workflow_dispatch'],
  ...['workflow_run'],
];

const actionsList = githubTool({
  name: 'actions_list',
  description: 'Lists workflows, their runs, or the jobs and artifacts of a run.',
  optional: true,
  input: z.object({
    method: choice(...Object.keys(LISTS)),
    ...PLACE,
    resource_id: z.string().optional(),
    workflow_runs_filter: z
      .object({
        actor: z.string().optional(),
        branch: z.string().optional(),
        event: choice(...EVENTS).optional(),
        status: choice('queued', 'in_progress', 'completed', 'requested', 'waiting').optional(),
      })
      .optional(),
    workflow_jobs_filter: z.object({ filter: choice('latest', 'all').optional() }).optional(),
    page: z.number().meta({ minimum: 1 }).optional(),
    per_page: z.number().meta({ minimum: 1, maximum: 100 }).optional(),
  }),
  operations: [...Object.values(LISTS).map(([operation]) => operation), ALL_RUNS],
  run(hands, { method, owner, repo, resource_id: id = '', page = 1, per_page = 30, ...filters }): Json {
    const [operation = '', parameter = null, words = ''] = entryOf(LISTS, method) ?? [];
    if (operation === '') return fail(`unknown method: ${method}`);
    const isOfAll = method === 'list_workflow_runs' && id === '';
    if (parameter !== null && id === '' && !isOfAll) {
      return fail(`missing required parameter for method ${method}: resource_id`);
    }
    const about = parameter === null || isOfAll ? {} : named(parameter, id);
    const asked = { ...filters.workflow_runs_filter, ...filters.workflow_jobs_filter };
    const input = {
      owner,
      repo,
      ...about,
      ...present(asked),
      page: Math.trunc(page),
      per_page: Math.trunc(per_page),
    };
    return withoutNulls(hands.call(isOfAll ? ALL_RUNS : operation, input, words));
  },
});

const READS: Readonly<Record<string, Method>> = {
  get_workflow: ['actions/get-workflow', 'workflow_id', 'failed to get workflow'],
  get_workflow_run: ['actions/get-workflow-run', 'run_id', 'failed to get workflow run'],
  get_workflow_job: ['actions/get-job-for-workflow-run', 'job_id', 'failed to get workflow job'],
  get_workflow_run_usage: ['actions/get-workflow-run-usage', 'run_id', 'failed to get workflow run usage'],
};

const actionsGet = githubTool({
  name: 'actions_get',
  description: 'Reads a workflow, a run with its usage, or a job.',
  optional: true,
  input: z.object({
    method: choice(
      ...['get_workflow', 'get_workflow_run', 'get_workflow_job', 'download_workflow_run_artifact'],
      ...['get_workflow_run_usage', 'get_workflow_run_logs_url'],
    ),
    ...PLACE,
    resource_id: z.string(),
  }),
  operations: Object.values(READS).map(([operation]) => operation),
  run(hands, { method, owner, repo, resource_id: id }): Json {
    const [operation = '', parameter = '', words = ''] = entryOf(READS, method) ?? [];
    // Archives stand behind addresses of another host, which no tool gives a way to.
    if (operation === '') return fail(`unknown method: ${method}`);
    return withoutNulls(hands.call(operation, { owner, repo, ...named(parameter ?? '', id) }, words));
  },
});

/** What a trigger calls, what it says when it fails, what it says when it does not. */
type Trigger = readonly [operation: string, words: string, message: string, status: number];

const TRIGGERS: Readonly<Record<string, Trigger>> = {
  rerun_workflow_run: [
    'actions/re-run-workflow',
    'failed to rerun workflow run',
    'Workflow run has been queued for re-run',
    201,
  ],
  rerun_failed_jobs: [
    'actions/re-run-workflow-failed-jobs',
    'failed to rerun failed jobs',
    'Failed jobs have been queued for re-run',
    201,
  ],
  cancel_workflow_run: [
    'actions/cancel-workflow-run',
    'failed to cancel workflow run',
    'Workflow run has been cancelled',
    202,
  ],
  delete_workflow_run_logs: [
    'actions/delete-workflow-run-logs',
    'failed to delete workflow run logs',
    'Workflow run logs have been deleted',
    204,
  ],
};
const STATUSES: Readonly<Record<number, string>> = {
  201: '201 Created',
  202: '202 Accepted',
  204: '204 No Content',
};
const DISPATCH = 'actions/create-workflow-dispatch';

const actionsTrigger = githubTool({
  name: 'actions_run_trigger',
  description: 'Starts a workflow, or runs, cancels or clears a run again.',
  optional: true,
  input: z.object({
    method: choice('run_workflow', ...Object.keys(TRIGGERS)),
    ...PLACE,
    workflow_id: z.string().optional(),
    ref: z.string().optional(),
    inputs: z.object({}).loose().optional(),
    run_id: z.number().optional(),
  }),
  operations: [DISPATCH, ...Object.values(TRIGGERS).map(([operation]) => operation)],
  run(hands, { method, owner, repo, workflow_id = '', ref = '', inputs = {}, run_id }): Json {
    if (method === 'run_workflow') {
      if (workflow_id === '') return fail('workflow_id is required for run_workflow action');
      if (ref === '') return fail('ref is required for run_workflow action');
      const wish = { owner, repo, ...named('workflow_id', workflow_id), ref, inputs: inputs as JsonObject };
      hands.call(DISPATCH, wish, 'failed to run workflow');
      return {
        inputs: inputs as JsonObject,
        message: 'Workflow run has been queued',
        ref,
        status: STATUSES[204] ?? '',
        status_code: 204,
        workflow_id,
        workflow_type: /^\d+$/u.test(workflow_id) ? 'workflow_id' : 'workflow_file',
      };
    }
    const [operation = '', words = '', message = '', status = 0] = entryOf(TRIGGERS, method) ?? [];
    if (operation === '') return fail(`unknown method: ${method}`);
    if (!run_id) return fail('missing required parameter: run_id');
    const run = Math.trunc(run_id);
    hands.call(operation, { owner, repo, run_id: run }, words);
    return { message, run_id: run, status: STATUSES[status] ?? '', status_code: status };
  },
});

/** Tools for actions; on offer where they are asked for by name. */
export const actionTools: readonly Tool[] = [actionsGet, actionsList, actionsTrigger];
