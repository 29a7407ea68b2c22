import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { isOver, rerun } from '../rules/runs.ts';
import type { WorkflowJob, WorkflowRun } from '../schema/actions.ts';
import type { Repository } from '../schema/repositories.ts';
import { jobView, runView } from '../views/actions.ts';
import { numberedPath } from '../views/repositories.ts';

const PLACE = { owner: z.string(), repo: z.string() };
const NUMBER = z.union([z.int(), z.string()]);
const RUN = { ...PLACE, run_id: NUMBER };
const ATTEMPT = { ...RUN, attempt_number: NUMBER };
const JOB = { ...PLACE, job_id: NUMBER };
const AT = '/repos/{owner}/{repo}/actions/runs/{run_id}';
const lamp = { owner: 'octo-works', repo: 'lamp' };
/** A run of the small seed that is over, and one that is not. */
const example = { ...lamp, run_id: 16_000_000_001 };
const working = { ...lamp, run_id: 16_000_000_002 };
const job = { ...lamp, job_id: 46_000_000_001 };

interface Found {
  readonly repository: Repository;
  readonly run: WorkflowRun;
}

type Place = z.infer<z.ZodObject<typeof PLACE>>;

/** The run that a path names, with its repository; 404 where there is none. */
export function runAt(ctx: Reading, input: Place & { run_id: number | string }): Found {
  const repository = repositoryAt(ctx, input);
  const run = ctx.tx.workflow_runs.get(idOf(input.run_id));
  return run?.repository_id === repository.id ? { repository, run } : ctx.fail('not_found');
}

/** The same for a call that changes something. */
export function ownRun(ctx: Writing, input: Place & { run_id: number | string }): Found {
  const found = runAt(ctx, input);
  requireRole(ctx, found.repository, 'write');
  return found;
}

const getRun = operation({
  id: 'actions/get-workflow-run',
  summary: 'Reads a run.',
  effect: 'read',
  http: { method: 'GET', path: AT },
  input: z.looseObject(RUN),
  output: shown('id', 'status', 'conclusion'),
  example,
  run(ctx, input) {
    const { repository, run } = runAt(ctx, input);
    return runView(ctx, repository, run);
  },
});

const getAttempt = operation({
  id: 'actions/get-workflow-run-attempt',
  summary: 'Reads one attempt of a run.',
  effect: 'read',
  http: { method: 'GET', path: `${AT}/attempts/{attempt_number}` },
  input: z.looseObject(ATTEMPT),
  output: shown('id', 'run_attempt'),
  example: { ...example, attempt_number: 1 },
  run(ctx, input) {
    const { repository, run } = runAt(ctx, input);
    const attempt = idOf(input.attempt_number);
    if (!(attempt >= 1 && attempt <= run.run_attempt)) ctx.fail('not_found');
    return runView(ctx, repository, { ...run, run_attempt: attempt });
  },
});

const deleteRun = operation({
  id: 'actions/delete-workflow-run',
  summary: 'Deletes a run that is over, its jobs and its logs.',
  effect: 'write',
  http: { method: 'DELETE', path: AT, status: 204 },
  input: z.looseObject(RUN),
  output: nothing,
  example,
  run(ctx, input) {
    const { run } = ownRun(ctx, input);
    if (!isOver(run, ctx.nowMs)) {
      ctx.fail('forbidden', { message: 'Could not delete the workflow run: it is still running.' });
    }
    for (const { id } of [...ctx.tx.artifacts.by('by_run', [run.id])]) ctx.tx.artifacts.delete(id);
    ctx.tx.workflow_runs.delete(run.id);
    return null;
  },
});

function cancelling(id: 'cancel' | 'force-cancel'): Operation {
  return operation({
    id: `actions/${id}-workflow-run`,
    summary: 'Stops a run.',
    effect: 'write',
    http: { method: 'POST', path: `${AT}/${id}`, status: 202 },
    input: z.looseObject(RUN),
    output: shown(),
    example: working,
    run(ctx, input) {
      const { run } = ownRun(ctx, input);
      if (isOver(run, ctx.nowMs)) {
        ctx.fail('conflict', { message: 'Cannot cancel a workflow run that is completed.' });
      }
      settle(ctx, run, 'cancelled');
      return {};
    },
  });
}

/** Ends a run now. */
function settle(ctx: Writing, run: WorkflowRun, conclusion: string): void {
  const moment = momentText(ctx.nowMs);
  for (const { id, conclusion: own } of [...ctx.tx.workflow_jobs.by('by_run', [run.id, run.run_attempt])]) {
    if (own === null) ctx.tx.workflow_jobs.update(id, { conclusion, completed_at: moment });
  }
  const over = { status: 'completed', conclusion, starts_ms: null, ends_ms: null };
  ctx.tx.workflow_runs.update(run.id, { ...over, updated_at: moment });
}

function rerunning(id: 'rerun' | 'rerun-failed-jobs'): Operation {
  return operation({
    id: id === 'rerun' ? 'actions/re-run-workflow' : 'actions/re-run-workflow-failed-jobs',
    summary: id === 'rerun' ? 'Runs a run again.' : 'Runs those jobs of a run again that failed.',
    effect: 'write',
    http: { method: 'POST', path: `${AT}/${id}`, status: 201 },
    input: z.looseObject({ ...RUN, enable_debug_logging: z.boolean().nullish() }),
    output: shown(),
    example,
    run(ctx, input) {
      const { run } = ownRun(ctx, input);
      if (!isOver(run, ctx.nowMs)) {
        ctx.fail('forbidden', { message: 'This workflow is already running' });
      }
      rerun(ctx, run, id === 'rerun-failed-jobs');
      return {};
    },
  });
}

const approve = operation({
  id: 'actions/approve-workflow-run',
  summary: 'Lets a run of a pull from a fork start.',
  effect: 'write',
  http: { method: 'POST', path: `${AT}/approve`, status: 201 },
  input: z.looseObject(RUN),
  output: shown(),
  example: { ...lamp, run_id: 16_000_000_003 },
  run(ctx, input) {
    const { run } = ownRun(ctx, input);
    if (run.conclusion !== 'action_required') {
      ctx.fail('forbidden', { message: 'This run is not from a fork pull request' });
    }
    rerun(ctx, run, false);
    return {};
  },
});

const listJobs = operation({
  id: 'actions/list-jobs-for-workflow-run',
  summary: 'Lists the jobs of a run: of its latest attempt, or of all.',
  effect: 'read',
  http: { method: 'GET', path: `${AT}/jobs` },
  input: z.looseObject({ ...RUN, filter: z.string().optional(), ...PAGE }),
  output: shown('total_count', 'jobs'),
  example,
  run(ctx, input) {
    const { repository, run } = runAt(ctx, input);
    const of = input.filter === 'all' ? [run.id] : [run.id, run.run_attempt];
    const items = [...ctx.tx.workflow_jobs.by('by_run', of)];
    return jobsPage(ctx, { repository, run, items, rest: '/jobs' }, input);
  },
});

const listAttemptJobs = operation({
  id: 'actions/list-jobs-for-workflow-run-attempt',
  summary: 'Lists the jobs of one attempt of a run.',
  effect: 'read',
  http: { method: 'GET', path: `${AT}/attempts/{attempt_number}/jobs` },
  input: z.looseObject({ ...ATTEMPT, ...PAGE }),
  output: shown('total_count', 'jobs'),
  example: { ...example, attempt_number: 1 },
  run(ctx, input) {
    const { repository, run } = runAt(ctx, input);
    const attempt = idOf(input.attempt_number);
    const items = [...ctx.tx.workflow_jobs.by('by_run', [run.id, attempt])];
    return jobsPage(ctx, { repository, run, items, rest: `/attempts/${attempt}/jobs` }, input);
  },
});

function jobsPage(
  ctx: Reading,
  { repository, run, items, rest }: Found & { readonly items: readonly WorkflowJob[]; readonly rest: string },
  input: { readonly page?: number | string | undefined; readonly per_page?: number | string | undefined },
): JsonObject {
  const jobs = paged(ctx, input, {
    items,
    path: numberedPath(repository, `/actions/runs/${run.id}${rest}`),
    inPath: ['run_id', 'attempt_number'],
    show: (row: WorkflowJob) => jobView(ctx, { run, job: row }),
  });
  return { total_count: items.length, jobs };
}

/** The job that a path names, with its run and repository. */
export function jobAt(
  ctx: Reading,
  input: Place & { job_id: number | string },
): Found & { readonly job: WorkflowJob } {
  const row = ctx.tx.workflow_jobs.get(idOf(input.job_id)) ?? ctx.fail('not_found');
  return { ...runAt(ctx, { owner: input.owner, repo: input.repo, run_id: row.run_id }), job: row };
}

const getJob = operation({
  id: 'actions/get-job-for-workflow-run',
  summary: 'Reads a job of a run.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/jobs/{job_id}' },
  input: z.looseObject(JOB),
  output: shown('id', 'run_id', 'status'),
  example: job,
  run: (ctx, input) => jobView(ctx, jobAt(ctx, input)),
});

const rerunJob = operation({
  id: 'actions/re-run-job-for-workflow-run',
  summary: 'Runs a job again, and those that need it.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/actions/jobs/{job_id}/rerun', status: 201 },
  input: z.looseObject(JOB),
  output: shown(),
  example: job,
  run(ctx, input) {
    const { repository, run } = jobAt(ctx, input);
    requireRole(ctx, repository, 'write');
    if (!isOver(run, ctx.nowMs)) ctx.fail('forbidden', { message: 'This workflow is already running' });
    rerun(ctx, run, false);
    return {};
  },
});

const timing = operation({
  id: 'actions/get-workflow-run-usage',
  summary: 'Reads how long a run took.',
  effect: 'read',
  http: { method: 'GET', path: `${AT}/timing` },
  input: z.looseObject(RUN),
  output: shown('billable'),
  example,
  run(ctx, input) {
    const { run } = runAt(ctx, input);
    const took = Date.parse(run.updated_at) - Date.parse(run.run_started_at);
    return { billable: {}, run_duration_ms: run.ends_ms === null ? Math.max(0, took) : 20_000 };
  },
});

export const workflowRunOperations: readonly Operation[] = [
  getRun,
  getAttempt,
  deleteRun,
  cancelling('cancel'),
  cancelling('force-cancel'),
  rerunning('rerun'),
  rerunning('rerun-failed-jobs'),
  approve,
  listJobs,
  listAttemptJobs,
  getJob,
  rerunJob,
  timing,
];
