import type { Json, JsonObject } from '../../../service/index.ts';
import { commitAt, utcSeconds } from '../git/index.ts';
import type { Reading } from '../operation.ts';
import { annotationsOf } from '../rules/checks.ts';
import { objectsOf } from '../rules/refs.ts';
import type { CheckRun, CheckSuite, CommitStatus } from '../schema/checks.ts';
import { simpleUser, simpleUserOrNull } from './accounts.ts';
import { appView } from './apps.ts';
import type { Place } from './issues.ts';
import { globalId } from './node-ids.ts';
import { minimalRepository, ownerOf } from './repositories.ts';
import { WEB } from './urls.ts';

/** A status of a commit. */
export function statusView(ctx: Reading, { repository, url }: Place, status: CommitStatus): JsonObject {
  const creator = status.creator_id === null ? undefined : ctx.tx.accounts.get(status.creator_id);
  return {
    url: `${url}/statuses/${status.sha}`,
    avatar_url: creator ? (simpleUser(creator).avatar_url ?? null) : null,
    id: status.id,
    node_id: globalId('SC', [0, repository.id, status.id]),
    state: status.state,
    description: status.description,
    target_url: status.target_url,
    context: status.context,
    created_at: status.created_at,
    updated_at: status.updated_at,
    creator: simpleUserOrNull(creator),
  };
}

/** The app of a suite: what it told of itself, filled up where it told little. */
export function checkAppView(ctx: Reading, { repository }: Place, app: Json): JsonObject {
  const told = (app ?? {}) as JsonObject;
  const known = typeof told.id === 'number' ? ctx.tx.apps.get(told.id) : undefined;
  if (known) return appView(ctx, known);
  const slug = typeof told.slug === 'string' ? told.slug : 'checks';
  const owner = simpleUser(ownerOf(ctx, repository));
  return {
    id: 1,
    slug,
    node_id: globalId('A', [0, typeof told.id === 'number' ? told.id : 1]),
    owner,
    name: slug,
    description: '',
    external_url: WEB,
    html_url: `${WEB}/apps/${slug}`,
    created_at: repository.created_at,
    updated_at: repository.created_at,
    permissions: { checks: 'write', metadata: 'read' },
    events: [],
    ...told,
  };
}

/** A run of a check. */
export function checkRunView(ctx: Reading, place: Place, run: CheckRun): JsonObject {
  const { repository, url, web } = place;
  const own = `${url}/check-runs/${run.id}`;
  const suite = ctx.tx.check_suites.get(run.suite_id);
  return {
    id: run.id,
    name: run.name,
    node_id: globalId('CR', [0, repository.id, run.id]),
    head_sha: run.head_sha,
    external_id: run.external_id,
    url: own,
    html_url: `${web}/runs/${run.id}`,
    details_url: run.details_url,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.started_at,
    completed_at: run.completed_at,
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: annotationsOf(run).length,
      annotations_url: `${own}/annotations`,
    },
    check_suite: { id: run.suite_id },
    app: checkAppView(ctx, place, suite?.app ?? null),
    pull_requests: pullsAt(ctx, place, run.head_sha),
  };
}

/** The pulls whose last commit this is, in short. */
function pullsAt({ tx }: Reading, { repository, url }: Place, sha: string): JsonObject[] {
  const side = (ref: string, head: string): JsonObject => ({
    ref,
    sha: head,
    repo: { id: repository.id, url, name: repository.name },
  });
  return [...tx.pulls.by('by_base', [repository.id])].flatMap((pull) => {
    const issue = tx.issues.get(pull.issue_id);
    if (issue?.state !== 'open' || pull.head_sha !== sha) return [];
    return [
      {
        url: `${url}/pulls/${issue.number}`,
        id: issue.id,
        number: issue.number,
        head: side(pull.head_ref, pull.head_sha),
        base: side(pull.base_ref, pull.base_sha),
      },
    ];
  });
}

/** A suite of checks. */
export function checkSuiteView(ctx: Reading, place: Place, suite: CheckSuite): JsonObject {
  const { repository, url } = place;
  const own = `${url}/check-suites/${suite.id}`;
  const commit = commitAt(objectsOf(ctx), suite.head_sha);
  const person = (name: string, email: string): JsonObject => ({ name, email });
  return {
    id: suite.id,
    node_id: globalId('CS', [0, repository.id, suite.id]),
    head_branch: suite.head_branch,
    head_sha: suite.head_sha,
    status: suite.status,
    conclusion: suite.conclusion,
    url: own,
    before: suite.before_sha ?? '0'.repeat(40),
    after: suite.head_sha,
    pull_requests: pullsAt(ctx, place, suite.head_sha),
    app: checkAppView(ctx, place, suite.app),
    created_at: suite.created_at,
    updated_at: suite.updated_at,
    rerequestable: true,
    runs_rerequestable: true,
    latest_check_runs_count: [...ctx.tx.check_runs.by('by_suite', [suite.id])].length,
    check_runs_url: `${own}/check-runs`,
    head_commit: commit
      ? {
          id: suite.head_sha,
          tree_id: commit.tree,
          message: commit.message,
          timestamp: utcSeconds(commit.committer.date),
          author: person(commit.author.name, commit.author.email),
          committer: person(commit.committer.name, commit.committer.email),
        }
      : null,
    repository: minimalRepository(ctx, repository),
  };
}
