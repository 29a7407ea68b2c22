import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { combinedState, latestStatuses } from '../rules/checks.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { commitNamed } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { CommitStatus } from '../schema/checks.ts';
import { statusView } from '../views/checks.ts';
import { placeOf } from '../views/issues.ts';
import { minimalRepository, numberedPath } from '../views/repositories.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const MOST_STATUSES = 1_000;

const create = operation({
  id: 'repos/create-commit-status',
  summary: 'Says how a commit stands in some respect.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/statuses/{sha}', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    sha: z.string(),
    state: z.enum(['error', 'failure', 'pending', 'success']),
    target_url: z.string().nullish(),
    description: z.string().nullish(),
    context: z.string().optional(),
  }),
  output: shown('id', 'state', 'context'),
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    sha: '510fb7830815143bd825087477f14c8f53997460',
    state: 'success',
    context: 'build',
  },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const sha = commitNamed(ctx, repository, input.sha);
    const { context = 'default', description = null } = input;
    const before = [...ctx.tx.commit_statuses.by('by_commit', [repository.id, sha])];
    if (before.filter((status) => status.context === context).length >= MOST_STATUSES) {
      const message = `This SHA and context has reached the maximum number of statuses.`;
      ctx.fail('validation_failed', { errors: [{ resource: 'Status', code: 'custom', message }] });
    }
    if ((description ?? '').length > 140) {
      const message = 'description is too long (maximum is 140 characters)';
      ctx.fail('validation_failed', {
        errors: [{ resource: 'Status', code: 'custom', field: 'description', message }],
      });
    }
    const moment = momentText(ctx.nowMs);
    const status = ctx.tx.commit_statuses.insert({
      id: freshId(ctx, 'commit_statuses'),
      repository_id: repository.id,
      sha,
      creator_id: requireViewer(ctx).id,
      state: input.state,
      context,
      description,
      target_url: input.target_url ?? null,
      created_at: moment,
      updated_at: moment,
    });
    const view = statusView(ctx, placeOf(ctx, repository), status);
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

const REF_PLACE = { ...REPOSITORY, ref: z.string() };

const combined = operation({
  id: 'repos/get-combined-status-for-ref',
  summary: 'Reads how a commit stands, all latest statuses together.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{ref}/status' },
  input: z.looseObject({ ...REF_PLACE, ...PAGE }),
  output: shown('state', 'statuses', 'sha'),
  example: { owner: 'octo-works', repo: 'lamp', ref: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const sha = commitNamed(ctx, repository, input.ref);
    const items = latestStatuses(ctx, repository, sha);
    const place = placeOf(ctx, repository);
    const path = numberedPath(repository, `/commits/${sha}/status`);
    // Together they are shown without their makers.
    const show = (status: CommitStatus): JsonObject => {
      const { creator: _, ...view } = statusView(ctx, place, status);
      return view;
    };
    return {
      state: combinedState(items),
      statuses: paged(ctx, input, { items, path, inPath: ['ref'], show }),
      sha,
      total_count: items.length,
      repository: minimalRepository(ctx, repository),
      commit_url: `${place.url}/commits/${sha}`,
      url: `${place.url}/commits/${sha}/status`,
    };
  },
});

const list = operation({
  id: 'repos/list-commit-statuses-for-ref',
  summary: 'Lists all statuses of a commit, the youngest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{ref}/statuses' },
  input: z.looseObject({ ...REF_PLACE, ...PAGE }),
  output: listOf('id', 'state'),
  example: { owner: 'octo-works', repo: 'lamp', ref: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const sha = commitNamed(ctx, repository, input.ref);
    const items = [...ctx.tx.commit_statuses.by('by_commit', [repository.id, sha], { reverse: true })];
    const place = placeOf(ctx, repository);
    const path = numberedPath(repository, `/commits/${sha}/statuses`);
    const show = (status: CommitStatus) => statusView(ctx, place, status);
    return paged(ctx, input, { items, path, inPath: ['ref'], show });
  },
});

export const statusOperations = [create, combined, list];
