import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { shown } from '../output.ts';
import { appIdOf, appOf, makeSuite } from '../rules/checks.ts';
import { featuresOf, setFeatures } from '../rules/features.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { commitNamed } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import type { CheckSuite } from '../schema/checks.ts';
import type { Repository } from '../schema/repositories.ts';
import { checkSuiteView } from '../views/checks.ts';
import { placeOf } from '../views/issues.ts';
import { minimalRepository, numberedPath } from '../views/repositories.ts';
import { FILTER, RUNS, runsPage } from './check-runs.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const SUITE = shown('id', 'head_sha', 'status');
const SUITE_PLACE = { ...REPOSITORY, check_suite_id: z.int() };
const SUITE_EXAMPLE = { owner: 'octo-works', repo: 'lamp', check_suite_id: 42_000_000_001 };

const listSuites = operation({
  id: 'checks/list-suites-for-ref',
  summary: 'Lists the suites of checks of a commit.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/commits/{ref}/check-suites' },
  input: z.looseObject({
    ...REPOSITORY,
    ref: z.string(),
    app_id: z.int().optional(),
    check_name: z.string().optional(),
    ...PAGE,
  }),
  output: shown('total_count', 'check_suites'),
  example: { owner: 'octo-works', repo: 'lamp', ref: 'main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const sha = commitNamed(ctx, repository, input.ref);
    const place = placeOf(ctx, repository);
    const { app_id, check_name } = input;
    const items = [...ctx.tx.check_suites.by('by_commit', [repository.id, sha])].filter(
      ({ id }) =>
        (app_id === undefined || appIdOf(ctx, id) === app_id) &&
        (check_name === undefined ||
          [...ctx.tx.check_runs.by('by_suite', [id])].some(({ name }) => name === check_name)),
    );
    const path = numberedPath(repository, `/commits/${sha}/check-suites`);
    const show = (suite: CheckSuite) => checkSuiteView(ctx, place, suite);
    const check_suites = paged(ctx, input, { items, path, inPath: ['ref'], show });
    return { total_count: items.length, check_suites };
  },
});

const createSuite = operation({
  id: 'checks/create-suite',
  summary: 'Makes a suite of checks of a commit.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/check-suites', status: 201 },
  input: z.looseObject({ ...REPOSITORY, head_sha: z.string() }),
  output: SUITE,
  example: { owner: 'octo-works', repo: 'lamp', head_sha: 'dimmer' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const sha = commitNamed(ctx, repository, input.head_sha);
    const own = appOf(ctx).id;
    for (const { app } of ctx.tx.check_suites.by('by_commit', [repository.id, sha])) {
      if ((app as JsonObject | null)?.id === own) {
        ctx.fail('unprocessable', { message: 'A CheckSuite already exists for this sha' });
      }
    }
    const view = checkSuiteView(ctx, placeOf(ctx, repository), makeSuite(ctx, repository, sha));
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

function suiteAt(
  ctx: Reading,
  input: { owner: string; repo: string; check_suite_id: number },
): { readonly repository: Repository; readonly suite: CheckSuite } {
  const repository = repositoryAt(ctx, input);
  const suite = ctx.tx.check_suites.get(input.check_suite_id);
  return suite?.repository_id === repository.id ? { repository, suite } : ctx.fail('not_found');
}

const getSuite = operation({
  id: 'checks/get-suite',
  summary: 'Reads a suite of checks.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/check-suites/{check_suite_id}' },
  input: z.looseObject(SUITE_PLACE),
  output: SUITE,
  example: SUITE_EXAMPLE,
  run(ctx, input) {
    const { repository, suite } = suiteAt(ctx, input);
    return checkSuiteView(ctx, placeOf(ctx, repository), suite);
  },
});

const listForSuite = operation({
  id: 'checks/list-for-suite',
  summary: 'Lists the runs of a suite of checks.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs' },
  input: z.looseObject({ ...SUITE_PLACE, ...FILTER, ...PAGE }),
  output: RUNS,
  example: SUITE_EXAMPLE,
  run(ctx, input) {
    const { repository, suite } = suiteAt(ctx, input);
    const runs = [...ctx.tx.check_runs.by('by_suite', [suite.id])];
    const rest = `/check-suites/${suite.id}/check-runs`;
    return runsPage(ctx, input, { runs, place: placeOf(ctx, repository), rest });
  },
});

const rerequestSuite = operation({
  id: 'checks/rerequest-suite',
  summary: 'Asks for a suite of checks once more.',
  effect: 'write',
  http: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/check-suites/{check_suite_id}/rerequest',
    status: 201,
  },
  input: z.looseObject(SUITE_PLACE),
  output: shown(),
  example: SUITE_EXAMPLE,
  run(ctx, input) {
    const { repository, suite } = suiteAt(ctx, input);
    requireRole(ctx, repository, 'write');
    ctx.tx.check_suites.update(suite.id, { status: 'queued', conclusion: null });
    return {};
  },
});

const preferences = operation({
  id: 'checks/set-suites-preferences',
  summary: 'Sets which apps begin suites by themselves.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/check-suites/preferences' },
  input: z.looseObject({
    ...REPOSITORY,
    auto_trigger_checks: z.array(z.looseObject({ app_id: z.int(), setting: z.boolean() })).optional(),
  }),
  output: shown('preferences', 'repository'),
  example: { owner: 'octo-works', repo: 'lamp', auto_trigger_checks: [{ app_id: 1, setting: false }] },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'admin');
    const before = featuresOf(ctx, repository).auto_trigger_checks as unknown as { app_id: number }[];
    const sent = (input.auto_trigger_checks ?? []).map(({ app_id, setting }) => ({ app_id, setting }));
    const kept = before.filter(({ app_id }) => !sent.some((one) => one.app_id === app_id));
    const auto_trigger_checks = [...kept, ...sent] as unknown as JsonObject[];
    setFeatures(ctx, repository, { auto_trigger_checks });
    return { preferences: { auto_trigger_checks }, repository: minimalRepository(ctx, repository) };
  },
});

export const checkSuiteOperations = [
  listSuites,
  createSuite,
  preferences,
  getSuite,
  listForSuite,
  rerequestSuite,
];
