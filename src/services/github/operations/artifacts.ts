import { z } from 'zod';
import { digestText, type JsonObject, type Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import type { Artifact } from '../schema/actions.ts';
import type { Repository } from '../schema/repositories.ts';
import { artifactView } from '../views/actions.ts';
import { numberedPath } from '../views/repositories.ts';
import { jobAt, ownRun, runAt } from './workflow-runs.ts';

const PLACE = { owner: z.string(), repo: z.string() };
const NUMBER = z.union([z.int(), z.string()]);
const RUN = { ...PLACE, run_id: NUMBER };
const ARTIFACT = { ...PLACE, artifact_id: NUMBER };
const lamp = { owner: 'octo-works', repo: 'lamp' };
const example = { ...lamp, artifact_id: 2_900_000_001 };
const run = { ...lamp, run_id: 16_000_000_001 };

function artifactsPage(
  ctx: Reading,
  { repository, items, path }: { repository: Repository; items: readonly Artifact[]; path: string },
  input: PageInput & { readonly name?: string | undefined },
): JsonObject {
  const named = items.filter(({ name }) => input.name === undefined || name === input.name);
  const artifacts = paged(ctx, input, {
    items: named,
    path: numberedPath(repository, path),
    inPath: ['run_id'],
    show: (artifact) => artifactView(ctx, repository, artifact),
  });
  return { total_count: named.length, artifacts };
}

const listArtifacts = operation({
  id: 'actions/list-artifacts-for-repo',
  summary: 'Lists the artifacts of a repository, the newest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/artifacts' },
  input: z.looseObject({ ...PLACE, name: z.string().optional(), ...PAGE }),
  output: shown('total_count', 'artifacts'),
  example: lamp,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const items = [...ctx.tx.artifacts.by('by_repository', [repository.id], { reverse: true })];
    return artifactsPage(ctx, { repository, items, path: '/actions/artifacts' }, input);
  },
});

const listOfRun = operation({
  id: 'actions/list-workflow-run-artifacts',
  summary: 'Lists what a run left.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run_id}/artifacts' },
  input: z.looseObject({ ...RUN, name: z.string().optional(), ...PAGE }),
  output: shown('total_count', 'artifacts'),
  example: run,
  run(ctx, input) {
    const found = runAt(ctx, input);
    const items = [...ctx.tx.artifacts.by('by_run', [found.run.id])];
    const path = `/actions/runs/${found.run.id}/artifacts`;
    return artifactsPage(ctx, { repository: found.repository, items, path }, input);
  },
});

function artifactAt(
  ctx: Reading,
  input: { owner: string; repo: string; artifact_id: number | string },
): { readonly repository: Repository; readonly artifact: Artifact } {
  const repository = repositoryAt(ctx, input);
  const artifact = ctx.tx.artifacts.get(idOf(input.artifact_id));
  return artifact?.repository_id === repository.id ? { repository, artifact } : ctx.fail('not_found');
}

const getArtifact = operation({
  id: 'actions/get-artifact',
  summary: 'Reads an artifact.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/artifacts/{artifact_id}' },
  input: z.looseObject(ARTIFACT),
  output: shown('id', 'name', 'archive_download_url'),
  example,
  run(ctx, input) {
    const { repository, artifact } = artifactAt(ctx, input);
    return artifactView(ctx, repository, artifact);
  },
});

const deleteArtifact = operation({
  id: 'actions/delete-artifact',
  summary: 'Deletes an artifact.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/actions/artifacts/{artifact_id}', status: 204 },
  input: z.looseObject(ARTIFACT),
  output: nothing,
  example,
  run(ctx, input) {
    const { repository, artifact } = artifactAt(ctx, input);
    requireRole(ctx, repository, 'write');
    ctx.tx.artifacts.delete(artifact.id);
    return null;
  },
});

/** The body of an answer that sends the caller on. */
const SENT_ON = z.literal('');
const LINK_LIFE_MS = 60_000;

/** Sends the caller to where the bytes are, by an address that is good for a minute. */
function sentOn(ctx: Reading, where: string): '' {
  const expires = encodeURIComponent(momentText(ctx.nowMs + LINK_LIFE_MS));
  const signature = digestText(`${where}/${ctx.nowMs}`).slice(0, 43);
  const location =
    `https://pipelines.actions.githubusercontent.com/serviceHosts/${where}` +
    `&urlExpires=${expires}&urlSigningMethod=HMACV2&urlSignature=${signature}`;
  const headers = { location, 'content-type': 'text/html;charset=utf-8' };
  ctx.reply({ status: 302, headers, form: 'text' });
  return '';
}

const downloadArtifact = operation({
  id: 'actions/download-artifact',
  summary: 'Sends the caller to the archive of an artifact.',
  effect: 'read',
  http: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}',
    status: 302,
  },
  input: z.looseObject({ ...ARTIFACT, archive_format: z.string() }),
  output: SENT_ON,
  example: { ...example, archive_format: 'zip' },
  run(ctx, input) {
    const { artifact } = artifactAt(ctx, input);
    if (input.archive_format !== 'zip') ctx.fail('not_found');
    if (artifact.expired) ctx.fail('gone', { message: 'Artifact has expired' });
    const name = encodeURIComponent(artifact.name.toWellFormed());
    return sentOn(ctx, `artifacts/${artifact.id}/signedartifactscontent?artifactName=${name}`);
  },
});

function logsOfRun(id: string, path: string, attempt: boolean): Operation {
  return operation({
    id,
    summary: 'Sends the caller to the logs of a run.',
    effect: 'read',
    http: { method: 'GET', path, status: 302 },
    input: z.looseObject({ ...RUN, ...(attempt && { attempt_number: NUMBER }) }),
    output: SENT_ON,
    example: { ...run, ...(attempt && { attempt_number: 1 }) } as never,
    run(ctx, input) {
      const found = runAt(ctx, input);
      if (!found.run.has_logs) ctx.fail('not_found');
      return sentOn(ctx, `runs/${found.run.id}/signedlogcontent?attempt=${found.run.run_attempt}`);
    },
  });
}

const deleteLogs = operation({
  id: 'actions/delete-workflow-run-logs',
  summary: 'Deletes the logs of a run.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/actions/runs/{run_id}/logs', status: 204 },
  input: z.looseObject(RUN),
  output: nothing,
  example: run,
  run(ctx, input) {
    const found = ownRun(ctx, input);
    ctx.tx.workflow_runs.update(found.run.id, { has_logs: false });
    return null;
  },
});

const jobLogs = operation({
  id: 'actions/download-job-logs-for-workflow-run',
  summary: 'Sends the caller to the logs of a job.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/jobs/{job_id}/logs', status: 302 },
  input: z.looseObject({ ...PLACE, job_id: NUMBER }),
  output: SENT_ON,
  example: { ...lamp, job_id: 46_000_000_001 },
  run(ctx, input) {
    const { run: ofJob, job } = jobAt(ctx, input);
    if (!ofJob.has_logs) ctx.fail('not_found');
    return sentOn(ctx, `jobs/${job.id}/signedlogcontent?attempt=${job.run_attempt}`);
  },
});

const RUNS = '/repos/{owner}/{repo}/actions/runs/{run_id}';

export const artifactOperations: readonly Operation[] = [
  listArtifacts,
  listOfRun,
  getArtifact,
  deleteArtifact,
  downloadArtifact,
  logsOfRun('actions/download-workflow-run-logs', `${RUNS}/logs`, false),
  logsOfRun('actions/download-workflow-run-attempt-logs', `${RUNS}/attempts/{attempt_number}/logs`, true),
  deleteLogs,
  jobLogs,
];
