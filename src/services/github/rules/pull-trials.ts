import { gitStore, isAncestor, mergeCommits, mergeConflicts } from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Pull } from '../schema/pulls.ts';
import type { Repository } from '../schema/repositories.ts';
import { makeCommit } from './commits.ts';
import { protectionOf } from './protection.ts';
import { bareChecksOf, missingCheck } from './pull-checks.ts';
import { pullOf } from './pulls.ts';
import { findBranch, objectsOf } from './refs.ts';
import { reviewRefusal } from './review-rules.ts';
import { requireViewer } from './viewer.ts';

/** How long it takes to try a merge: a new pull is tried at once, what was pushed to waits its turn. */
const TRIAL_MS = { opened: 20, pushed: 500 } as const;

/**
 * Tries to merge a pull, as GitHub does after every change of it: a commit that nothing names shows the
 * merge. What came of it is told a little later.
 */
export function tryMerge(ctx: Writing, { issue_id }: Pull, after: keyof typeof TRIAL_MS): Pull {
  const { tx } = ctx;
  const { repository, pull } = pullOf(ctx, issue_id);
  const base = findBranch(ctx, repository, pull.base_ref)?.sha ?? pull.base_sha;
  const tried_ms = ctx.nowMs + TRIAL_MS[after];
  const merged = mergeCommits(gitStore(tx), base, pull.head_sha);
  if (!merged.ok) return tx.pulls.update(issue_id, { mergeable: false, tried_ms });
  const merge_commit_sha = makeCommit(ctx, {
    tree: merged.tree,
    parents: [base, pull.head_sha],
    message: `Merge ${pull.head_sha} into ${base}`,
    account: requireViewer(ctx),
    byWebFlow: true,
  });
  return tx.pulls.update(issue_id, { mergeable: true, merge_commit_sha, tried_ms });
}

/** Whether a pull can be merged, and how it stands; null while nobody knows. */
export interface Standing {
  readonly mergeable: boolean | null;
  readonly rebaseable: boolean | null;
  readonly state: 'unknown' | 'dirty' | 'draft' | 'blocked' | 'behind' | 'unstable' | 'clean';
}

const UNKNOWN: Standing = { mergeable: null, rebaseable: null, state: 'unknown' };

export function standingOf(ctx: Reading, pull: Pull): Standing {
  const { repository, issue } = pullOf(ctx, pull.issue_id);
  if (ctx.nowMs < pull.tried_ms) return UNKNOWN;
  if (pull.merged_at !== null && pull.mergeable === null) return UNKNOWN;
  const mergeable = pull.mergeable ?? isMergeable(ctx, repository, pull);
  // Of a closed pull nobody tries that any more; what was known when it was closed is told once.
  const isOld = issue.closed_at !== null && issue.closed_at !== momentText(ctx.nowMs);
  const rebaseable = mergeable && !isOld;
  return { mergeable, rebaseable, state: mergeable ? stateOf(ctx, repository, pull) : 'dirty' };
}

/** Whether the head merges into the base branch as it is now. */
export function isMergeable(ctx: Reading, repository: Repository, pull: Pull): boolean {
  const base = findBranch(ctx, repository, pull.base_ref)?.sha ?? pull.base_sha;
  return mergeConflicts(objectsOf(ctx), base, pull.head_sha).length === 0;
}

function stateOf(ctx: Reading, repository: Repository, pull: Pull): Standing['state'] {
  if (pull.draft) return 'draft';
  if (reviewRefusal(ctx, repository, pull) !== null) return 'blocked';
  const checks = bareChecksOf(ctx, repository, pull.head_sha);
  if (missingCheck(ctx, { repository, pull }, checks) !== null) return 'blocked';
  if (isBehind(ctx, repository, pull)) return 'behind';
  return [...checks.values()].every((state) => state === 'success') ? 'clean' : 'unstable';
}

/** Whether the base asks heads to be up to date, and this one is not. */
export function isBehind(ctx: Reading, repository: Repository, pull: Pull): boolean {
  const checks = protectionOf(ctx, repository, pull.base_ref)?.status_checks as
    | { readonly strict?: boolean }
    | null
    | undefined;
  if (checks?.strict !== true) return false;
  const base = findBranch(ctx, repository, pull.base_ref)?.sha ?? pull.base_sha;
  return !isAncestor(objectsOf(ctx), base, pull.head_sha);
}
