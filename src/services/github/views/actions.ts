import { isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import type { Reading } from '../operation.ts';
import { stateOf } from '../rules/runs.ts';
import type { Artifact, Workflow, WorkflowJob, WorkflowRun } from '../schema/actions.ts';
import type { Repository } from '../schema/repositories.ts';
import { simpleUserOrNull } from './accounts.ts';
import { globalId } from './node-ids.ts';
import { ownerOf, simpleRepository } from './repositories.ts';
import { fullName, repositoryUrl, WEB } from './urls.ts';

export function workflowView(ctx: Reading, repository: Repository, workflow: Workflow): JsonObject {
  const owner = ownerOf(ctx, repository);
  const web = `${WEB}/${fullName(owner, repository)}`;
  return {
    id: workflow.id,
    node_id: globalId('W', [0, repository.id, workflow.id]),
    name: workflow.name,
    path: workflow.path,
    state: workflow.state,
    created_at: workflow.created_at,
    updated_at: workflow.updated_at,
    url: `${repositoryUrl(owner, repository)}/actions/workflows/${workflow.id}`,
    html_url: `${web}/blob/${repository.default_branch}/${workflow.path}`,
    badge_url: `${web}/workflows/${encodeURIComponent(workflow.name.toWellFormed())}/badge.svg`,
  };
}

export function runView(ctx: Reading, repository: Repository, run: WorkflowRun): JsonObject {
  const owner = ownerOf(ctx, repository);
  const base = repositoryUrl(owner, repository);
  const url = `${base}/actions/runs/${run.id}`;
  const { status, conclusion } = stateOf(run, ctx.nowMs);
  const account = (id: number | null): JsonObject | null =>
    simpleUserOrNull(id === null ? null : ctx.tx.accounts.get(id));
  const head = run.head_repository_id === null ? undefined : ctx.tx.repositories.get(run.head_repository_id);
  return {
    id: run.id,
    name: run.name,
    node_id: globalId('WFR', [0, repository.id, run.id]),
    head_branch: run.head_branch,
    head_sha: run.head_sha,
    path: run.path,
    display_title: run.display_title,
    run_number: run.run_number,
    event: run.event,
    status,
    conclusion,
    workflow_id: run.workflow_id,
    check_suite_id: run.check_suite_id,
    check_suite_node_id: globalId('CS', [0, repository.id, run.check_suite_id]),
    url,
    html_url: `${WEB}/${fullName(owner, repository)}/actions/runs/${run.id}`,
    pull_requests: run.pull_requests,
    created_at: run.created_at,
    updated_at: run.updated_at,
    actor: account(run.actor_id),
    run_attempt: run.run_attempt,
    referenced_workflows: [],
    run_started_at: run.run_started_at,
    triggering_actor: account(run.triggering_actor_id),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${base}/check-suites/${run.check_suite_id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.run_attempt > 1 ? `${url}/attempts/${run.run_attempt - 1}` : null,
    workflow_url: `${base}/actions/workflows/${run.workflow_id}`,
    head_commit: run.head_commit,
    repository: simpleRepository(owner, repository),
    head_repository: head ? simpleRepository(ownerOf(ctx, head), head) : null,
  };
}

/** A job stands as its run does, unless it has a conclusion of its own. */
export function jobView(ctx: Reading, { run, job }: { run: WorkflowRun; job: WorkflowJob }): JsonObject {
  const repository = ctx.tx.repositories.get(run.repository_id);
  if (!repository) return {};
  const owner = ownerOf(ctx, repository);
  const base = `${repositoryUrl(owner, repository)}/actions`;
  const isLatest = job.run_attempt === run.run_attempt;
  const current = isLatest ? stateOf(run, ctx.nowMs) : { status: 'completed', conclusion: 'cancelled' };
  const over = job.conclusion !== null || current.status === 'completed';
  const conclusion = over ? (job.conclusion ?? current.conclusion) : null;
  const ended = job.completed_at ?? (run.ends_ms === null ? run.updated_at : momentText(run.ends_ms));
  const completed_at = over ? ended : null;
  const status = over ? 'completed' : current.status;
  return {
    id: job.id,
    run_id: run.id,
    workflow_name: run.name,
    head_branch: run.head_branch,
    run_url: `${base}/runs/${run.id}`,
    run_attempt: job.run_attempt,
    node_id: globalId('CR', [0, repository.id, job.id]),
    head_sha: run.head_sha,
    url: `${base}/jobs/${job.id}`,
    html_url: `${WEB}/${fullName(owner, repository)}/actions/runs/${run.id}/job/${job.id}`,
    status,
    conclusion,
    created_at: run.run_started_at,
    started_at: job.started_at,
    completed_at,
    name: job.name,
    steps: stepsOf(job, { status, conclusion, completed_at }),
    check_run_url: `${repositoryUrl(owner, repository)}/check-runs/${job.id}`,
    labels: job.labels,
    runner_id: over ? 1 : null,
    runner_name: over ? 'GitHub Actions 1' : null,
    runner_group_id: over ? 0 : null,
    runner_group_name: over ? 'GitHub Actions' : null,
  };
}

function stepsOf(
  job: WorkflowJob,
  current: {
    readonly status: string;
    readonly conclusion: string | null;
    readonly completed_at: string | null;
  },
): Json {
  const steps = Array.isArray(job.steps) ? (job.steps as readonly Json[]) : [];
  return steps.map((step, index) => ({
    name: `Step ${index + 1}`,
    status: current.status,
    conclusion: current.conclusion,
    number: index + 1,
    started_at: job.started_at,
    completed_at: current.completed_at,
    ...(isJsonObject(step) ? step : {}),
  }));
}

export function artifactView(ctx: Reading, repository: Repository, artifact: Artifact): JsonObject {
  const url = `${repositoryUrl(ownerOf(ctx, repository), repository)}/actions/artifacts/${artifact.id}`;
  const run = artifact.run_id === null ? undefined : ctx.tx.workflow_runs.get(artifact.run_id);
  return {
    id: artifact.id,
    node_id: globalId('ART', [0, repository.id, artifact.id]),
    name: artifact.name,
    size_in_bytes: artifact.size_in_bytes,
    url,
    archive_download_url: `${url}/zip`,
    expired: artifact.expired,
    digest: artifact.digest,
    created_at: artifact.created_at,
    updated_at: artifact.updated_at,
    expires_at: artifact.expires_at,
    workflow_run: run
      ? {
          id: run.id,
          repository_id: run.repository_id,
          head_repository_id: run.head_repository_id,
          head_branch: run.head_branch,
          head_sha: run.head_sha,
        }
      : null,
  };
}
