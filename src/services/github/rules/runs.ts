import type { Json, JsonObject } from '../../../service/index.ts';
import { commitAt, gitReader, shaAtPath, textAt, UNKNOWN_SHA } from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Workflow, WorkflowRun } from '../schema/actions.ts';
import type { Repository } from '../schema/repositories.ts';
import { freshId, idOf } from './ids.ts';
import { requireViewer } from './viewer.ts';
import { readWorkflow, type WorkflowFile } from './workflow-files.ts';

/** How long a run waits for a runner, and how long it then takes. */
const QUEUED_MS = 3_000;
const RUNNING_MS = 20_000;

/** How a run stands now. */
export function stateOf(run: WorkflowRun, nowMs: number): Pick<WorkflowRun, 'conclusion' | 'status'> {
  if (run.ends_ms === null || run.starts_ms === null) return run;
  if (nowMs >= run.ends_ms) return { status: 'completed', conclusion: run.conclusion ?? 'success' };
  return { status: nowMs >= run.starts_ms ? 'in_progress' : 'queued', conclusion: null };
}

export function isOver(run: WorkflowRun, nowMs: number): boolean {
  return stateOf(run, nowMs).status === 'completed';
}

/** A workflow by its number or the name of its file; 404 where the repository has none such. */
export function workflowAt(ctx: Reading, repository: Repository, id: number | string): Workflow {
  const number = /^\d+$/u.test(String(id)) ? ctx.tx.workflows.get(idOf(id)) : undefined;
  if (number?.repository_id === repository.id) return number;
  for (const workflow of ctx.tx.workflows.by('by_repository', [repository.id])) {
    if (workflow.path.split('/').at(-1) === id || workflow.path === id) return workflow;
  }
  return ctx.fail('not_found');
}

/** A workflow's file as it stands on a commit; null where the world does not hold it. */
export function fileOf(ctx: Reading, workflow: Workflow, commit: string): WorkflowFile | null {
  const reader = gitReader(ctx.tx);
  const tree = commitAt(reader, commit)?.tree;
  const blob = tree === undefined ? undefined : shaAtPath(reader, tree, workflow.path);
  const text = blob === undefined || blob === null ? null : textAt(reader, blob);
  return typeof text === 'string' ? readWorkflow(text) : null;
}

export interface Trigger {
  readonly event: string;
  readonly branch: string;
  readonly sha: string;
  readonly inputs?: JsonObject | undefined;
}

/** Runs a workflow: the run waits, works and ends as virtual time goes by. */
export function startRun(
  ctx: Writing,
  { repository, workflow }: { readonly repository: Repository; readonly workflow: Workflow },
  { event, branch, sha, inputs }: Trigger,
): WorkflowRun {
  const moment = momentText(ctx.nowMs);
  const viewer = requireViewer(ctx);
  const numbers = [...ctx.tx.workflow_runs.by('by_workflow', [workflow.id], { reverse: true, limit: 1 })];
  const run = ctx.tx.workflow_runs.insert({
    id: freshId(ctx, 'workflow_runs'),
    repository_id: repository.id,
    workflow_id: workflow.id,
    name: workflow.name,
    display_title: workflow.name,
    path: workflow.path,
    run_number: (numbers[0]?.run_number ?? 0) + 1,
    run_attempt: 1,
    event,
    status: 'queued',
    conclusion: null,
    starts_ms: ctx.nowMs + QUEUED_MS,
    ends_ms: ctx.nowMs + QUEUED_MS + RUNNING_MS,
    head_branch: branch,
    head_sha: sha,
    head_repository_id: repository.id,
    actor_id: viewer.id,
    triggering_actor_id: viewer.id,
    check_suite_id: freshId(ctx, 'check_suites'),
    head_commit: commitView(ctx, sha),
    pull_requests: [],
    inputs: inputs ?? {},
    has_logs: true,
    created_at: moment,
    updated_at: moment,
    run_started_at: moment,
  });
  startJobs(ctx, run, fileOf(ctx, workflow, sha)?.jobs ?? ['build']);
  return run;
}

/** The jobs of an attempt, one for each name. */
function startJobs(ctx: Writing, run: WorkflowRun, names: readonly string[]): void {
  for (const name of names) {
    ctx.tx.workflow_jobs.insert({
      id: freshId(ctx, 'workflow_jobs'),
      run_id: run.id,
      run_attempt: run.run_attempt,
      name,
      conclusion: null,
      labels: ['ubuntu-latest'],
      steps: [
        { name: 'Set up job', number: 1 },
        { name: 'Complete job', number: 2 },
      ],
      started_at: momentText(run.starts_ms ?? ctx.nowMs),
      completed_at: null,
    });
  }
}

/** Runs a run's jobs again, all of them or those that failed: another attempt under the same number. */
export function rerun(ctx: Writing, run: WorkflowRun, onlyFailed: boolean): WorkflowRun {
  const before = [...ctx.tx.workflow_jobs.by('by_run', [run.id, run.run_attempt])];
  const viewer = requireViewer(ctx);
  const again = ctx.tx.workflow_runs.update(run.id, {
    run_attempt: run.run_attempt + 1,
    status: 'queued',
    conclusion: null,
    starts_ms: ctx.nowMs + QUEUED_MS,
    ends_ms: ctx.nowMs + QUEUED_MS + RUNNING_MS,
    triggering_actor_id: viewer.id,
    has_logs: true,
    run_started_at: momentText(ctx.nowMs),
    updated_at: momentText(ctx.nowMs),
  });
  const failed = before.filter(({ conclusion }) => conclusion !== null && conclusion !== 'success');
  const names = (onlyFailed && failed.length > 0 ? failed : before).map(({ name }) => name);
  startJobs(ctx, again, names.length > 0 ? names : ['build']);
  return again;
}

/** A commit as runs show it; of one that the world does not hold, its hash. */
export function commitView(ctx: Reading, sha: string): Json {
  const commit = commitAt(gitReader(ctx.tx), sha);
  if (!commit)
    return {
      id: sha,
      tree_id: UNKNOWN_SHA,
      message: '',
      timestamp: momentText(ctx.nowMs),
      author: null,
      committer: null,
    };
  const person = ({ name, email }: { readonly name: string; readonly email: string }): JsonObject => ({
    name,
    email,
  });
  return {
    id: sha,
    tree_id: commit.tree,
    message: commit.message,
    timestamp: commit.committer.date,
    author: person(commit.author),
    committer: person(commit.committer),
  };
}
