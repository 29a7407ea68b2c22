import { z } from 'zod';
import type { Json } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { blankEnvironment } from '../rules/environments.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { findCommit } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Deployment, DeploymentStatus } from '../schema/deployments.ts';
import type { Repository } from '../schema/repositories.ts';
import { deploymentStatusView, deploymentView } from '../views/deployments.ts';
import { placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const DEPLOYMENT = shown('id', 'sha', 'ref');
const STATUS = shown('id', 'state');
const DEPLOYMENT_PLACE = { ...REPOSITORY, deployment_id: z.int() };

const list = operation({
  id: 'repos/list-deployments',
  summary: 'Lists deployments, the youngest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/deployments' },
  input: z.looseObject({
    ...REPOSITORY,
    sha: z.string().optional(),
    ref: z.string().optional(),
    task: z.string().optional(),
    environment: z.string().nullish(),
    ...PAGE,
  }),
  output: listOf('id', 'sha'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const items = [...ctx.tx.deployments.by('by_repository', [repository.id], { reverse: true })].filter(
      (deployment) =>
        (['sha', 'ref', 'task', 'environment'] as const).every((name) => {
          const wished = input[name];
          return wished === undefined || wished === null || wished === '' || deployment[name] === wished;
        }),
    );
    const place = placeOf(ctx, repository);
    const path = numberedPath(repository, '/deployments');
    return paged(ctx, input, { items, path, show: (deployment) => deploymentView(ctx, place, deployment) });
  },
});

const create = operation({
  id: 'repos/create-deployment',
  summary: 'Asks for a ref to be deployed, once its checks have passed.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/deployments', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    ref: z.string(),
    task: z.string().optional(),
    auto_merge: z.boolean().optional(),
    required_contexts: z.array(z.string()).optional(),
    payload: z.json().optional(),
    environment: z.string().optional(),
    description: z.string().nullish(),
    transient_environment: z.boolean().optional(),
    production_environment: z.boolean().optional(),
  }),
  output: DEPLOYMENT,
  example: { owner: 'octo-works', repo: 'lamp', ref: 'main', environment: 'production' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const { ref, environment = 'production' } = input;
    const sha = findCommit(ctx, repository, ref);
    if (sha === undefined) return ctx.fail('unprocessable', { message: `No ref found for: ${ref}` });
    requireContexts(ctx, repository, { sha, ref, named: input.required_contexts });
    requireEnvironment(ctx, repository, environment);
    const moment = momentText(ctx.nowMs);
    const deployment = ctx.tx.deployments.insert({
      id: freshId(ctx, 'deployments'),
      repository_id: repository.id,
      creator_id: requireViewer(ctx).id,
      sha,
      ref,
      task: input.task ?? 'deploy',
      payload: (input.payload ?? {}) as Json,
      original_environment: environment,
      environment,
      description: input.description ?? null,
      transient_environment: input.transient_environment ?? false,
      production_environment: input.production_environment ?? false,
      created_at: moment,
      updated_at: moment,
    });
    const view = deploymentView(ctx, placeOf(ctx, repository), deployment);
    ctx.reply({ facts: { location: view.url ?? null, modified: moment } });
    return view;
  },
});

/** The first deployment to an environment makes it. */
function requireEnvironment(ctx: Writing, { id: repository_id }: Repository, name: string): void {
  const { environments } = ctx.tx;
  if (environments.unique('by_name', [repository_id, name])) return;
  environments.insert({
    ...blankEnvironment(repository_id, name, momentText(ctx.nowMs)),
    id: freshId(ctx, 'environments'),
  });
}

/** Statuses of the commit must be green: all of them, or those that are named. */
function requireContexts(
  ctx: Writing,
  repository: Repository,
  { sha, ref, named }: { sha: string; ref: string; named: readonly string[] | undefined },
): void {
  const latest = new Map<string, string>();
  for (const { context, state } of ctx.tx.commit_statuses.by('by_commit', [repository.id, sha])) {
    latest.set(context, state);
  }
  const wanted = named ?? [...latest.keys()];
  if (wanted.every((context) => latest.get(context) === 'success')) return;
  const contexts = wanted.map((context) => ({ context, state: latest.get(context) ?? 'pending' }));
  ctx.fail('conflict', {
    message: `Conflict: Commit status checks failed for ${ref}.`,
    errors: [{ contexts, resource: 'Deployment', field: 'required_contexts', code: 'invalid' }],
  });
}

function deploymentAt(
  ctx: Reading,
  input: { owner: string; repo: string; deployment_id: number },
): { readonly repository: Repository; readonly deployment: Deployment } {
  const repository = repositoryAt(ctx, input);
  const deployment = ctx.tx.deployments.get(input.deployment_id);
  return deployment?.repository_id === repository.id ? { repository, deployment } : ctx.fail('not_found');
}

const get = operation({
  id: 'repos/get-deployment',
  summary: 'Reads a deployment.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/deployments/{deployment_id}' },
  input: z.looseObject(DEPLOYMENT_PLACE),
  output: DEPLOYMENT,
  example: { owner: 'octo-works', repo: 'lamp', deployment_id: 2_700_000_001 },
  run(ctx, input) {
    const { repository, deployment } = deploymentAt(ctx, input);
    return deploymentView(ctx, placeOf(ctx, repository), deployment);
  },
});

const remove = operation({
  id: 'repos/delete-deployment',
  summary: 'Deletes a deployment that is not active, or the only one.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/deployments/{deployment_id}', status: 204 },
  input: z.looseObject(DEPLOYMENT_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', deployment_id: 2_700_000_001 },
  run(ctx, input) {
    const { repository, deployment } = deploymentAt(ctx, input);
    requireRole(ctx, repository, 'write');
    const others = [...ctx.tx.deployments.by('by_repository', [repository.id], { limit: 2 })].length > 1;
    const [last] = [
      ...ctx.tx.deployment_statuses.by('by_deployment', [deployment.id], { reverse: true, limit: 1 }),
    ];
    if (others && last?.state === 'success') {
      const message =
        'We cannot delete an active deployment unless it is the only deployment in a given environment.';
      ctx.fail('unprocessable', { message });
    }
    ctx.tx.deployments.delete(deployment.id);
    return null;
  },
});

const listStatuses = operation({
  id: 'repos/list-deployment-statuses',
  summary: 'Lists how a deployment went, the youngest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses' },
  input: z.looseObject({ ...DEPLOYMENT_PLACE, ...PAGE }),
  output: listOf('id', 'state'),
  example: { owner: 'octo-works', repo: 'lamp', deployment_id: 2_700_000_001 },
  run(ctx, input) {
    const { repository, deployment } = deploymentAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = [...ctx.tx.deployment_statuses.by('by_deployment', [deployment.id], { reverse: true })];
    const path = numberedPath(repository, `/deployments/${deployment.id}/statuses`);
    const show = (status: DeploymentStatus) => deploymentStatusView(ctx, place, status);
    return paged(ctx, input, { items, path, inPath: ['deployment_id'], show });
  },
});

const createStatus = operation({
  id: 'repos/create-deployment-status',
  summary: 'Says how a deployment stands.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses', status: 201 },
  input: z.looseObject({
    ...DEPLOYMENT_PLACE,
    state: z.enum(['error', 'failure', 'inactive', 'in_progress', 'queued', 'pending', 'success']),
    target_url: z.string().nullish(),
    log_url: z.string().nullish(),
    description: z.string().nullish(),
    environment: z.string().optional(),
    environment_url: z.string().nullish(),
    auto_inactive: z.boolean().optional(),
  }),
  output: STATUS,
  example: { owner: 'octo-works', repo: 'lamp', deployment_id: 2_700_000_001, state: 'success' },
  run(ctx, input) {
    const { repository, deployment } = deploymentAt(ctx, input);
    requireRole(ctx, repository, 'write');
    const moment = momentText(ctx.nowMs);
    const creator_id = requireViewer(ctx).id;
    const environment = input.environment ?? deployment.environment;
    const status = ctx.tx.deployment_statuses.insert({
      id: freshId(ctx, 'deployment_statuses'),
      deployment_id: deployment.id,
      creator_id,
      state: input.state,
      description: input.description ?? '',
      environment,
      environment_url: input.environment_url ?? '',
      log_url: input.log_url ?? input.target_url ?? '',
      created_at: moment,
      updated_at: moment,
    });
    ctx.tx.deployments.update(deployment.id, { environment, updated_at: moment });
    if (input.state === 'success' && input.auto_inactive !== false) retire(ctx, deployment, creator_id);
    const view = deploymentStatusView(ctx, placeOf(ctx, repository), status);
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

/** A success takes the place of earlier lasting deployments to the same environment. */
function retire(ctx: Writing, deployment: Deployment, creator_id: number): void {
  const { tx } = ctx;
  const moment = momentText(ctx.nowMs);
  for (const other of [...tx.deployments.by('by_repository', [deployment.repository_id])]) {
    const { id, environment } = other;
    if (id === deployment.id || environment !== deployment.environment || other.transient_environment)
      continue;
    const [last] = [...tx.deployment_statuses.by('by_deployment', [id], { reverse: true, limit: 1 })];
    if (last?.state !== 'success' || other.production_environment) continue;
    tx.deployment_statuses.insert({
      ...last,
      id: freshId(ctx, 'deployment_statuses'),
      creator_id,
      state: 'inactive',
      created_at: moment,
      updated_at: moment,
    });
  }
}

const getStatus = operation({
  id: 'repos/get-deployment-status',
  summary: 'Reads how a deployment stood.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/deployments/{deployment_id}/statuses/{status_id}' },
  input: z.looseObject({ ...DEPLOYMENT_PLACE, status_id: z.int() }),
  output: STATUS,
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    deployment_id: 2_700_000_001,
    status_id: 5_400_000_001,
  },
  run(ctx, input) {
    const { repository, deployment } = deploymentAt(ctx, input);
    const status = ctx.tx.deployment_statuses.get(input.status_id);
    if (status?.deployment_id !== deployment.id) return ctx.fail('not_found');
    return deploymentStatusView(ctx, placeOf(ctx, repository), status);
  },
});

export const deploymentOperations = [list, create, get, remove, listStatuses, createStatus, getStatus];
