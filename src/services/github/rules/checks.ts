import type { Json, JsonObject } from '../../../service/index.ts';
import { commitAt } from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { CheckRun, CheckSuite, CommitStatus } from '../schema/checks.ts';
import type { Repository } from '../schema/repositories.ts';
import { freshId } from './ids.ts';
import { branchesOf, objectsOf } from './refs.ts';

/** The latest status of every context of a commit, in the order in which the contexts came. */
export function latestStatuses({ tx }: Reading, repository: Repository, sha: string): CommitStatus[] {
  const latest = new Map<string, CommitStatus>();
  for (const status of tx.commit_statuses.by('by_commit', [repository.id, sha]))
    latest.set(status.context, status);
  return [...latest.values()];
}

/** All statuses together: failure when one failed, pending when one is out or there is none. */
export function combinedState(statuses: readonly CommitStatus[]): 'failure' | 'pending' | 'success' {
  if (statuses.some(({ state }) => state === 'failure' || state === 'error')) return 'failure';
  return statuses.length === 0 || statuses.some(({ state }) => state === 'pending') ? 'pending' : 'success';
}

/** The latest run of every name of a commit's suites. */
export function runsOf({ tx }: Reading, repository: Repository, sha: string): CheckRun[] {
  const latest = new Map<string, CheckRun>();
  for (const run of tx.check_runs.by('by_commit', [repository.id, sha]))
    latest.set(`${run.suite_id} ${run.name}`, run);
  return [...latest.values()];
}

/** The app in whose name checks are made: the one whose token was shown, else the first that there is. */
export function appOf({ tx, actor }: Reading): JsonObject {
  const { app, installation_id } = actor.attributes ?? {};
  const installed =
    typeof installation_id === 'number' ? tx.installations.get(installation_id)?.app_id : undefined;
  const named =
    typeof app === 'string' ? tx.apps.unique('by_slug', [app]) : tx.apps.get(installed ?? Number(app ?? 0));
  const found = named ?? [...tx.apps.scan({ limit: 1 })][0];
  if (!found) return { id: 1, slug: 'checks', name: 'checks' };
  return { id: found.id, slug: found.slug, name: found.name, external_url: found.external_url };
}

/** The suite that an app's checks of a commit belong to; made where there is none. */
export function suiteFor(ctx: Writing, repository: Repository, sha: string): CheckSuite {
  const app = appOf(ctx);
  for (const suite of ctx.tx.check_suites.by('by_commit', [repository.id, sha])) {
    if ((suite.app as JsonObject | null)?.id === app.id) return suite;
  }
  return makeSuite(ctx, repository, sha);
}

export function makeSuite(ctx: Writing, repository: Repository, sha: string): CheckSuite {
  const moment = momentText(ctx.nowMs);
  return ctx.tx.check_suites.insert({
    id: freshId(ctx, 'check_suites'),
    repository_id: repository.id,
    head_branch: branchesOf(ctx, repository).find((branch) => branch.sha === sha)?.name ?? null,
    head_sha: sha,
    before_sha: commitAt(objectsOf(ctx), sha)?.parents[0] ?? null,
    status: 'queued',
    conclusion: null,
    app: appOf(ctx),
    created_at: moment,
    updated_at: moment,
  });
}

/** How bad a conclusion is: a suite ends as its worst run. */
const CONCLUSIONS = [
  'success',
  'neutral',
  'skipped',
  'stale',
  'cancelled',
  'timed_out',
  'action_required',
  'startup_failure',
  'failure',
];

/** A suite is as far as its runs are. */
export function settleSuite(ctx: Writing, suiteId: number): void {
  const suite = ctx.tx.check_suites.get(suiteId);
  if (!suite) return;
  const runs = [...ctx.tx.check_runs.by('by_suite', [suiteId])];
  const done = runs.length > 0 && runs.every(({ status }) => status === 'completed');
  const begun = runs.some(({ status }) => status !== 'queued');
  const worst = runs.reduce(
    (most, { conclusion }) => Math.max(most, CONCLUSIONS.indexOf(conclusion ?? '')),
    0,
  );
  ctx.tx.check_suites.update(suiteId, {
    status: done ? 'completed' : begun ? 'in_progress' : 'queued',
    conclusion: done ? (CONCLUSIONS[worst] ?? 'success') : null,
    updated_at: momentText(ctx.nowMs),
  });
}

/** Annotations as the API shows them. */
export function annotationsOf(run: CheckRun): readonly JsonObject[] {
  return (run.annotations ?? []) as readonly Json[] as readonly JsonObject[];
}

/** The number of the app whose suite this is. */
export function appIdOf({ tx }: Reading, suiteId: number): number | undefined {
  return (tx.check_suites.get(suiteId)?.app as { id?: number } | null)?.id;
}
