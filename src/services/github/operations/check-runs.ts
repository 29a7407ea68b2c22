import { z } from 'zod';
import type { Json, JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { annotationsOf, appIdOf, appOf, runsOf, settleSuite, suiteFor } from '../rules/checks.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { commitNamed } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import type { CheckRun } from '../schema/checks.ts';
import type { Repository } from '../schema/repositories.ts';
import { checkRunView } from '../views/checks.ts';
import { type Place, placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const RUN = shown('id', 'name', 'status');
export const RUNS = shown('total_count', 'check_runs');
const RUN_PLACE = { ...REPOSITORY, check_run_id: z.int() };
const RUN_EXAMPLE = { owner: 'octo-works', repo: 'lamp', check_run_id: 47_000_000_001 };
const HEAD = '510fb7830815143bd825087477f14c8f53997460';

const OUTPUT = z.looseObject({
  title: z.string().nullish(),
  summary: z.string().nullish(),
  text: z.string().nullish(),
  annotations: z.array(z.looseObject({ path: z.string() })).optional(),
});

const STATE = {
  details_url: z.string().nullish(),
  external_id: z.string().nullish(),
  status: z.enum(['queued', 'in_progress', 'completed', 'waiting', 'requested', 'pending']).optional(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  conclusion: z
    .enum(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'stale', 'timed_out'])
    .nullish(),
  output: OUTPUT.optional(),
  actions: z.array(z.json()).optional(),
};

type State = z.infer<z.ZodObject<typeof STATE>>;

/** The columns that a request sets; a conclusion completes a run. */
function columnsOf(ctx: Writing, sent: State, before?: CheckRun): Partial<CheckRun> {
  const { output, conclusion } = sent;
  const status = conclusion ? 'completed' : (sent.status ?? before?.status ?? 'queued');
  if (status === 'completed' && !conclusion && !before?.conclusion) {
    ctx.fail('invalid_request', { problem: 'Missing conclusion. "conclusion" wasn\'t supplied.' });
  }
  const annotations = [
    ...(before ? annotationsOf(before) : []),
    ...((output?.annotations ?? []) as JsonObject[]),
  ];
  const moment = momentText(ctx.nowMs);
  const completed = status === 'completed' ? (sent.completed_at ?? before?.completed_at ?? moment) : null;
  return {
    status,
    ...(conclusion !== undefined && { conclusion }),
    ...(sent.details_url !== undefined && { details_url: sent.details_url }),
    ...(sent.external_id != null && { external_id: sent.external_id }),
    ...(sent.started_at != null && { started_at: sent.started_at }),
    completed_at: completed,
    ...(output?.title !== undefined && { title: output.title }),
    ...(output?.summary !== undefined && { summary: output.summary }),
    ...(output?.text !== undefined && { text: output.text }),
    annotations: annotations as Json,
    ...(sent.actions !== undefined && { actions: sent.actions as Json }),
  };
}

const create = operation({
  id: 'checks/create',
  summary: 'Begins a run of a check of a commit, or reports one that is done.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/check-runs', status: 201 },
  input: z.looseObject({ ...REPOSITORY, name: z.string(), head_sha: z.string(), ...STATE }),
  output: RUN,
  example: { owner: 'octo-works', repo: 'lamp', name: 'build', head_sha: HEAD, status: 'in_progress' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const head_sha = commitNamed(ctx, repository, input.head_sha);
    const suite = suiteFor(ctx, repository, head_sha);
    const run = ctx.tx.check_runs.insert({
      id: freshId(ctx, 'check_runs'),
      repository_id: repository.id,
      suite_id: suite.id,
      head_sha,
      name: input.name,
      external_id: '',
      details_url: String(appOf(ctx).external_url ?? 'https://github.com'),
      status: 'queued',
      conclusion: null,
      title: null,
      summary: null,
      text: null,
      annotations: [],
      actions: [],
      started_at: momentText(ctx.nowMs),
      completed_at: null,
      ...columnsOf(ctx, input),
    });
    settleSuite(ctx, suite.id);
    const view = checkRunView(ctx, placeOf(ctx, repository), run);
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

function runAt(
  ctx: Reading,
  input: { owner: string; repo: string; check_run_id: number },
): { readonly repository: Repository; readonly run: CheckRun } {
  const repository = repositoryAt(ctx, input);
  const run = ctx.tx.check_runs.get(input.check_run_id);
  return run?.repository_id === repository.id ? { repository, run } : ctx.fail('not_found');
}

const get = operation({
  id: 'checks/get',
  summary: 'Reads a run of a check.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/check-runs/{check_run_id}' },
  input: z.looseObject(RUN_PLACE),
  output: RUN,
  example: RUN_EXAMPLE,
  run(ctx, input) {
    const { repository, run } = runAt(ctx, input);
    return checkRunView(ctx, placeOf(ctx, repository), run);
  },
});

const update = operation({
  id: 'checks/update',
  summary: 'Reports how a run of a check goes on.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/check-runs/{check_run_id}' },
  input: z.looseObject({ ...RUN_PLACE, name: z.string().optional(), ...STATE }),
  output: RUN,
  example: { ...RUN_EXAMPLE, conclusion: 'success' },
  run(ctx, input) {
    const { repository, run } = runAt(ctx, input);
    requireRole(ctx, repository, 'write');
    const name = input.name ?? run.name;
    const changed = ctx.tx.check_runs.update(run.id, { ...columnsOf(ctx, input, run), name });
    settleSuite(ctx, run.suite_id);
    return checkRunView(ctx, placeOf(ctx, repository), changed);
  },
});

const listAnnotations = operation({
  id: 'checks/list-annotations',
  summary: 'Lists what a run of a check has to say of lines.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations' },
  input: z.looseObject({ ...RUN_PLACE, ...PAGE }),
  output: listOf('path', 'message'),
  example: RUN_EXAMPLE,
  run(ctx, input) {
    const { repository, run } = runAt(ctx, input);
    const { web } = placeOf(ctx, repository);
    const path = numberedPath(repository, `/check-runs/${run.id}/annotations`);
    const show = (annotation: JsonObject): JsonObject => ({
      start_column: null,
      end_column: null,
      title: null,
      message: null,
      raw_details: null,
      ...annotation,
      blob_href: `${web}/blob/${run.head_sha}/${String(annotation.path)}`,
    });
    return paged(ctx, input, { items: annotationsOf(run), path, inPath: ['check_run_id'], show });
  },
});

const rerequestRun = operation({
  id: 'checks/rerequest-run',
  summary: 'Asks for a run of a check once more.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest', status: 201 },
  input: z.looseObject(RUN_PLACE),
  output: shown(),
  example: RUN_EXAMPLE,
  run(ctx, input) {
    const { repository, run } = runAt(ctx, input);
    requireRole(ctx, repository, 'write');
    ctx.tx.check_runs.update(run.id, { status: 'queued', conclusion: null, completed_at: null });
    settleSuite(ctx, run.suite_id);
    return {};
  },
});

export const FILTER = {
  check_name: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  filter: z.enum(['latest', 'all']).optional(),
  app_id: z.int().optional(),
};

export function runsPage(
  ctx: Reading,
  input: { check_name?: string | undefined; status?: string | undefined } & Parameters<typeof paged>[1],
  { runs, place, rest }: { runs: readonly CheckRun[]; place: Place; rest: string },
): JsonObject {
  const items = runs.filter(
    ({ name, status }) =>
      (input.check_name === undefined || name === input.check_name) &&
      (input.status === undefined || status === input.status),
  );
  const path = numberedPath(place.repository, rest);
  const show = (run: CheckRun) => checkRunView(ctx, place, run);
  const check_runs = paged(ctx, input, { items, path, inPath: ['ref', 'check_suite_id'], show });
  return { total_count: items.length, check_runs };
}

const listForRef = operation({
  id: 'checks/list-for-ref',
  summary: 'Lists the runs of checks of a commit.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{ref}/check-runs' },
  input: z.looseObject({ ...REPOSITORY, ref: z.string(), ...FILTER, ...PAGE }),
  output: RUNS,
  example: { owner: 'octo-works', repo: 'lamp', ref: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const sha = commitNamed(ctx, repository, input.ref);
    const all = input.filter === 'all' ? ctx.tx.check_runs.by('by_commit', [repository.id, sha]) : null;
    const runs = [...(all ?? runsOf(ctx, repository, sha))].filter(
      ({ suite_id }) => input.app_id === undefined || appIdOf(ctx, suite_id) === input.app_id,
    );
    const rest = `/commits/${sha}/check-runs`;
    return runsPage(ctx, input, { runs, place: placeOf(ctx, repository), rest });
  },
});

export const checkRunOperations = [create, get, update, listAnnotations, rerequestRun, listForRef];
