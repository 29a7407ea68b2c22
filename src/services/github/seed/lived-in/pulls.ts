import { momentText } from '../../moments.ts';
import type { Account } from '../../schema/accounts.ts';
import type { Issue } from '../../schema/issues.ts';
import { pathOf } from './code.ts';
import { closeEvent, discuss } from './issues.ts';
import { HOUR_MS } from './scene.ts';
import type { Story } from './story.ts';

type End = 'merged' | 'closed' | 'open' | 'draft';

/** Writes one pull: a branch with commits of its own, reviews, checks, and how it ended. */
export function writePull(
  story: Story,
  { atMs, isRecent }: { readonly atMs: number; readonly isRecent: boolean },
): void {
  const { scene } = story;
  const { random } = scene;
  const by = scene.somebody();
  const end = endOf(story, isRecent);
  const branched = story.code.branched();
  const module = random.pick(branched.modules);
  const base = story.head;
  const titles: string[] = [];
  let head = base;
  for (let left = random.integer(1, 3); left > 0; left -= 1) {
    const message = branched.change(module);
    titles.push(message);
    const changes = [{ path: pathOf(module), content: branched.textOf(module) }];
    head = story.commit([head], { by, message, atMs: atMs - left * HOUR_MS, changes });
  }
  const title = titles.at(-1) ?? '';
  const ref = `${by.login.split('-')[0]}/${title.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')}`;
  const endMs = Math.min(atMs + random.integer(4, 40) * HOUR_MS, scene.epochMs - HOUR_MS);
  const issue = pullIssue(story, { by, end, title, atMs, endMs });
  const merged = end === 'merged' ? merge(story, { by, issue, module, branched, head, endMs }) : null;
  story.pull(issue, {
    head_ref: ref,
    head_sha: head,
    base_sha: base,
    draft: end === 'draft',
    merged_at: merged ? momentText(endMs) : null,
    merged_by_id: merged?.by.id ?? null,
    merge_commit_sha: merged?.sha ?? null,
  });
  // Some forget to delete the branch of what is merged: there is something to clean up.
  if (end !== 'merged' || random.chance(0.3)) story.point(`refs/heads/${ref}`, head);
  check(story, head, { atMs, fails: end !== 'merged' && random.chance(0.3) });
  review(story, issue, { by, head, end, atMs });
  discuss(story, issue, { atMs, untilMs: endMs });
}

function endOf({ scene }: Story, isRecent: boolean): End {
  const { random } = scene;
  if (isRecent) return random.chance(0.15) ? 'draft' : random.chance(0.7) ? 'open' : 'merged';
  return random.chance(0.88) ? 'merged' : 'closed';
}

function pullIssue(
  story: Story,
  {
    by,
    end,
    title,
    atMs,
    endMs,
  }: {
    readonly by: Account;
    readonly end: End;
    readonly title: string;
    readonly atMs: number;
    readonly endMs: number;
  },
): Issue {
  const isOver = end === 'merged' || end === 'closed';
  const closer = story.scene.somebody();
  const issue = story.issue({
    kind: 'pull',
    title,
    body: `${title}.\n\nTested by hand.\n`,
    user_id: by.id,
    created_at: momentText(atMs),
    ...(isOver && {
      state: 'closed',
      closed_at: momentText(endMs),
      updated_at: momentText(endMs),
      closed_by_id: closer.id,
    }),
  });
  if (isOver) closeEvent(story, issue, { by: closer, reason: null });
  if (story.scene.random.chance(0.3)) story.label(issue, ['enhancement']);
  return issue;
}

/** The branch goes into the default branch by a merge commit, and with it what it changed. */
function merge(
  story: Story,
  {
    by,
    issue,
    module,
    branched,
    head,
    endMs,
  }: {
    readonly by: Account;
    readonly issue: Issue;
    readonly module: string;
    readonly branched: Story['code'];
    readonly head: string;
    readonly endMs: number;
  },
): { readonly by: Account; readonly sha: string } {
  const merger = story.scene.somebody();
  story.code.take(module, branched);
  const message = `Merge pull request #${issue.number}\n\n${issue.title}`;
  const changes = [{ path: pathOf(module), content: story.code.textOf(module) }];
  const sha = story.commit([story.head, head], { by: merger, message, atMs: endMs, changes });
  story.head = sha;
  story.worked(by);
  story.scene.tx.issue_events.insert({
    id: story.scene.id('issue_events'),
    issue_id: issue.id,
    repository_id: story.repository.id,
    event: 'merged',
    actor_id: merger.id,
    commit_id: sha,
    details: {},
    created_at: momentText(endMs),
  });
  return { by: merger, sha };
}

const ACTIONS_APP = { id: 15_368, slug: 'github-actions', name: 'GitHub Actions' };

/** Two checks on the newest commit of a pull. */
function check(
  { scene, repository }: Story,
  head_sha: string,
  { atMs, fails }: { readonly atMs: number; readonly fails: boolean },
): void {
  const { tx } = scene;
  const moment = momentText(atMs);
  const suite_id = scene.id('check_suites');
  const common = { repository_id: repository.id, head_sha, status: 'completed' };
  tx.check_suites.insert({
    ...common,
    id: suite_id,
    head_branch: null,
    before_sha: null,
    conclusion: fails ? 'failure' : 'success',
    app: ACTIONS_APP,
    created_at: moment,
    updated_at: moment,
  });
  for (const name of ['build', 'test']) {
    tx.check_runs.insert({
      ...common,
      id: scene.id('check_runs'),
      suite_id,
      name,
      external_id: '',
      details_url: null,
      conclusion: fails && name === 'test' ? 'failure' : 'success',
      title: null,
      summary: null,
      text: null,
      annotations: [],
      actions: [],
      started_at: moment,
      completed_at: moment,
    });
  }
}

/** Who is asked, and what they said. */
function review(
  { scene, repository }: Story,
  issue: Issue,
  {
    by,
    head,
    end,
    atMs,
  }: {
    readonly by: Account;
    readonly head: string;
    readonly end: End;
    readonly atMs: number;
  },
): void {
  const { tx, random } = scene;
  const reviewer = scene.somebody();
  if (reviewer.id === by.id || end === 'draft') return;
  if (end === 'open' && random.chance(0.5)) {
    tx.review_requests.insert({ issue_id: issue.id, kind: 'user', subject_id: reviewer.id, position: 1 });
    return;
  }
  const approves = end === 'merged' || random.chance(0.6);
  tx.pull_reviews.insert({
    id: scene.id('pull_reviews'),
    issue_id: issue.id,
    repository_id: repository.id,
    user_id: reviewer.id,
    author_association: 'MEMBER',
    body: approves ? 'Looks good.' : 'Please add a test.',
    state: approves ? 'APPROVED' : 'CHANGES_REQUESTED',
    commit_sha: head,
    submitted_at: momentText(Math.min(atMs + 3 * HOUR_MS, scene.epochMs)),
  });
}
