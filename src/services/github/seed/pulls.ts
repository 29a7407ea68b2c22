import type { Seeding } from '../../../service/index.ts';
import { commitAt, createCommit, diffSinceBase, gitStore, patchLineAt, writeTree } from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Account } from '../schema/accounts.ts';
import type { Issue } from '../schema/issues.ts';
import type { Pull } from '../schema/pulls.ts';
import type { Repository } from '../schema/repositories.ts';
import type { GithubSchema } from '../schema.ts';
import { emailOf } from './git.ts';

const HOUR_MS = 3_600_000;

interface People {
  readonly mona: Account;
  readonly hubert: Account;
}

/**
 * In `lamp` one pull that was reviewed, one that was merged, and one that its base has left behind; the last
 * from the branch `night`, which is made here.
 */
export function seedPulls(seeding: Seeding<GithubSchema>, epochMs: number): void {
  const { tx } = seeding;
  const [mona, hubert] = [...tx.accounts.scan()];
  const lamp = [...tx.repositories.scan()].find(({ name }) => name === 'lamp');
  if (!mona || !hubert || !lamp) return;
  const people = { mona, hubert };
  const tip = (branch: string): string => tx.git_refs.get([lamp.id, `refs/heads/${branch}`])?.sha ?? '';
  const main = tip('main');
  const before = commitAt(gitStore(tx), main)?.parents[0] ?? main;
  const pulls = new Pulls(seeding, { lamp, epochMs });
  const dimmer = pulls.open(
    { user_id: hubert.id, title: 'Dim to nothing', body: 'Fixes #1', hoursAgo: 39 },
    { head_ref: 'dimmer', head_sha: tip('dimmer'), base_sha: main },
  );
  pulls.open(
    { user_id: mona.id, title: 'Dim by ten per cent', body: null, hoursAgo: 481, closedHoursAgo: 480 },
    { head_ref: 'ten-per-cent', head_sha: main, base_sha: before, merge_commit_sha: main },
  );
  const night = nightBranch(seeding, { lamp, mona, before, epochMs });
  pulls.open(
    { user_id: mona.id, title: 'Sleep at night', body: 'So that nobody wakes.', hoursAgo: 20 },
    { head_ref: 'night', head_sha: night, base_sha: main },
  );
  seedReviews(seeding, { pull: dimmer, people, epochMs });
}

/** A branch with one commit that left `main` before its last one. */
function nightBranch(
  { tx }: Seeding<GithubSchema>,
  {
    lamp,
    mona,
    before,
    epochMs,
  }: { readonly lamp: Repository; readonly mona: Account; readonly before: string; readonly epochMs: number },
): string {
  const store = gitStore(tx);
  const content = 'From ten in the evening the lamp stays dark.\n';
  const tree = writeTree(store, commitAt(store, before)?.tree ?? null, [{ path: 'docs/night.md', content }]);
  const author = {
    name: mona.name ?? mona.login,
    email: emailOf(mona),
    date: momentText(epochMs - 21 * HOUR_MS),
  };
  const sha = createCommit(store, { tree, parents: [before], message: 'Sleep at night', author });
  tx.git_refs.insert({ repository_id: lamp.id, ref: 'refs/heads/night', sha });
  return sha;
}

/** Writes pulls one after the other. */
class Pulls {
  readonly #seeding: Seeding<GithubSchema>;
  readonly #lamp: Repository;
  readonly #epochMs: number;

  constructor(
    seeding: Seeding<GithubSchema>,
    { lamp, epochMs }: { readonly lamp: Repository; readonly epochMs: number },
  ) {
    this.#seeding = seeding;
    this.#lamp = lamp;
    this.#epochMs = epochMs;
  }

  open(
    words: Pick<Issue, 'user_id' | 'title' | 'body'> & {
      readonly hoursAgo: number;
      readonly closedHoursAgo?: number;
    },
    ends: Pick<Pull, 'head_ref' | 'head_sha' | 'base_sha'> & { readonly merge_commit_sha?: string },
  ): Pull {
    const { tx, nextId } = this.#seeding;
    const { id: repository_id } = this.#lamp;
    const { next_number: number = 1, open_issues = 0 } = tx.repositories.get(repository_id) ?? {};
    const { hoursAgo, closedHoursAgo, ...rest } = words;
    const moment = momentText(this.#epochMs - hoursAgo * HOUR_MS);
    const closed_at =
      closedHoursAgo === undefined ? null : momentText(this.#epochMs - closedHoursAgo * HOUR_MS);
    const merger = closed_at === null ? null : rest.user_id;
    const issue = tx.issues.insert({
      id: Number(nextId('issues')),
      repository_id,
      number,
      kind: 'pull',
      ...rest,
      author_association: 'MEMBER',
      state: closed_at === null ? 'open' : 'closed',
      state_reason: null,
      locked: false,
      active_lock_reason: null,
      milestone_id: null,
      comments: 0,
      closed_by_id: merger,
      parent_id: null,
      position: 0,
      type: null,
      created_at: moment,
      updated_at: closed_at ?? moment,
      closed_at,
    });
    tx.repositories.update(repository_id, {
      next_number: number + 1,
      open_issues: open_issues + (closed_at === null ? 1 : 0),
    });
    tx.git_refs.insert({ repository_id, ref: `refs/pull/${number}/head`, sha: ends.head_sha });
    return tx.pulls.insert({
      issue_id: issue.id,
      pull_id: Number(nextId('pulls')),
      repository_id,
      head_repository_id: repository_id,
      head_owner_id: this.#lamp.owner_id,
      base_ref: 'main',
      draft: false,
      maintainer_can_modify: false,
      auto_merge: null,
      merged_at: closed_at,
      merged_by_id: merger,
      merge_commit_sha: null,
      mergeable: null,
      tried_ms: 0,
      ...ends,
    });
  }
}

/** An approval with one remark, and a review that `mona` has not submitted yet. */
function seedReviews(
  { tx, nextId }: Seeding<GithubSchema>,
  { pull, people, epochMs }: { readonly pull: Pull; readonly people: People; readonly epochMs: number },
): void {
  const { issue_id, repository_id, head_sha } = pull;
  const author = { user_id: people.mona.id, author_association: 'MEMBER' };
  const moment = momentText(epochMs - 30 * HOUR_MS);
  const common = { issue_id, repository_id, ...author };
  const review = tx.pull_reviews.insert({
    ...common,
    id: Number(nextId('pull_reviews')),
    body: 'Good. One question.',
    state: 'APPROVED',
    commit_sha: head_sha,
    submitted_at: moment,
  });
  tx.pull_reviews.insert({
    ...common,
    id: Number(nextId('pull_reviews')),
    body: 'Still looking.',
    state: 'PENDING',
    commit_sha: head_sha,
    submitted_at: null,
  });
  const path = 'src/dim.js';
  const patch = diffSinceBase(gitStore(tx), pull.base_sha, head_sha).find(
    (file) => file.path === path,
  )?.patch;
  const place = patchLineAt(patch ?? '', { line: 2, side: 'RIGHT' });
  if (!place) return;
  const comment = tx.review_comments.insert({
    ...common,
    id: Number(nextId('review_comments')),
    review_id: review.id,
    body: 'Why five?',
    path,
    subject_type: 'line',
    diff_hunk: place.hunk,
    commit_sha: head_sha,
    original_commit_sha: head_sha,
    position: place.position,
    original_position: place.position,
    side: place.side,
    line: place.line,
    original_line: place.line,
    start_side: null,
    start_line: null,
    original_start_line: null,
    in_reply_to_id: null,
    created_at: moment,
    updated_at: moment,
  });
  tx.reactions.insert({
    id: Number(nextId('reactions')),
    subject: 'review-comment',
    subject_id: comment.id,
    repository_id,
    user_id: people.mona.id,
    content: '+1',
    created_at: moment,
  });
}
