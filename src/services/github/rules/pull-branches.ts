import { commitAt, gitReader, isAncestor, log } from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Issue } from '../schema/issues.ts';
import type { Pull } from '../schema/pulls.ts';
import type { Repository } from '../schema/repositories.ts';
import { addEvent, setState, touch } from './issues.ts';
import { tryMerge } from './pull-trials.ts';
import { openFrom, openInto, pullOf } from './pulls.ts';
import { placeComments } from './review-places.ts';
import { dismissesStale } from './review-rules.ts';
import { viewerOf } from './viewer.ts';

/** A branch that was moved: its name, and its last commit before and now. */
export interface MovedBranch {
  readonly name: string;
  readonly before: string | undefined;
  readonly sha: string;
}

/**
 * What a push does to pulls: those from the branch stand on its new commits, those into it are looked at
 * anew, and are merged if it holds their commits now. On the default branch messages close issues.
 */
export function followBranch(ctx: Writing, repository: Repository, moved: MovedBranch): void {
  if (viewerOf(ctx) === null) return;
  for (const pull of openFrom(ctx, repository, moved.name)) pushedTo(ctx, pull, moved.sha);
  for (const pull of openInto(ctx, repository, moved.name)) {
    if (moved.before !== undefined && isAncestor(gitReader(ctx.tx), pull.head_sha, moved.sha)) {
      markMerged(ctx, pull, { sha: moved.sha, base_sha: moved.before });
    } else ctx.tx.pulls.update(pull.issue_id, { mergeable: null });
  }
  if (moved.name === repository.default_branch) closeByMessages(ctx, repository, moved);
}

function pushedTo(ctx: Writing, pull: Pull, head_sha: string): void {
  const { repository, issue } = pullOf(ctx, pull.issue_id);
  if (pull.head_sha === head_sha) return;
  const base = ctx.tx.git_refs.get([repository.id, `refs/heads/${pull.base_ref}`])?.sha;
  const follows = isAncestor(gitReader(ctx.tx), pull.head_sha, head_sha);
  if (!follows) addEvent(ctx, issue, { event: 'head_ref_force_pushed', commit_id: head_sha });
  const changed = ctx.tx.pulls.update(issue.id, { head_sha, base_sha: base ?? pull.base_sha });
  nameHead(ctx, issue, head_sha);
  placeComments(ctx, changed);
  if (dismissesStale(ctx, repository, pull)) dismissStale(ctx, issue);
  tryMerge(ctx, changed, 'pushed');
  touch(ctx, issue);
}

function dismissStale(ctx: Writing, issue: Issue): void {
  for (const { id, state } of [...ctx.tx.pull_reviews.by('by_issue', [issue.id])]) {
    if (state !== 'APPROVED') continue;
    ctx.tx.pull_reviews.update(id, { state: 'DISMISSED' });
    const dismissed_review = { state: 'approved', review_id: id, dismissal_message: null };
    addEvent(ctx, issue, { event: 'review_dismissed', details: { dismissed_review } });
  }
}

/** The ref that keeps the head of a pull whatever becomes of its branch. */
export function nameHead({ tx }: Writing, { repository_id: id, number }: Issue, sha: string): void {
  const ref = `refs/pull/${number}/head`;
  if (tx.git_refs.has([id, ref])) tx.git_refs.update([id, ref], { sha });
  else tx.git_refs.insert({ repository_id: id, ref, sha });
}

/** A pull is merged: by this commit, into a base that stood at another one before. */
export function markMerged(
  ctx: Writing,
  pull: Pull,
  { sha, base_sha }: { readonly sha: string; readonly base_sha: string },
): void {
  const { issue } = pullOf(ctx, pull.issue_id);
  ctx.tx.pulls.update(issue.id, {
    merged_at: momentText(ctx.nowMs),
    merged_by_id: viewerOf(ctx)?.id ?? null,
    merge_commit_sha: sha,
    base_sha,
    mergeable: null,
  });
  addEvent(ctx, issue, { event: 'merged', commit_id: sha });
  setState(ctx, issue, { state: 'closed', reason: null, commit_id: sha });
}

/** A branch is gone: pulls from it and into it cannot go on. */
export function leaveBranch(ctx: Writing, repository: Repository, branch: string): void {
  if (viewerOf(ctx) === null) return;
  for (const pull of openFrom(ctx, repository, branch)) {
    const { issue } = pullOf(ctx, pull.issue_id);
    addEvent(ctx, issue, { event: 'head_ref_deleted' });
    setState(ctx, issue, { state: 'closed', reason: null });
  }
  for (const pull of openInto(ctx, repository, branch)) {
    const { issue } = pullOf(ctx, pull.issue_id);
    addEvent(ctx, issue, { event: 'base_ref_deleted' });
    setState(ctx, issue, { state: 'closed', reason: null });
  }
}

/** A word that closes what it names: `Fixes #3`, `closes owner/name#3`, or an issue's address. */
const CLOSING = new RegExp(
  [
    String.raw`\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+`,
    String.raw`(?:https://github\.com/([\w.-]+/[\w.-]+)/issues/|([\w.-]+/[\w.-]+)?#)(\d+)\b`,
  ].join(''),
  'giu',
);

/** Numbers of issues of a repository that a text closes. */
export function closedIn({ tx }: Reading, repository: Repository, text: string): number[] {
  const owner = tx.accounts.get(repository.owner_id)?.login ?? '';
  const own = `${owner}/${repository.name}`.toLowerCase();
  return [...text.matchAll(CLOSING)].flatMap(([, page, name, number]) => {
    const elsewhere = (page ?? name ?? own).toLowerCase() !== own;
    return elsewhere ? [] : [Number(number)];
  });
}

/** Closes the open issues that a text says a commit does away with. */
export function closeNamed(
  ctx: Writing,
  repository: Repository,
  { text, sha: commit_id }: { readonly text: string; readonly sha: string },
): void {
  for (const number of new Set(closedIn(ctx, repository, text))) {
    const issue = ctx.tx.issues.unique('by_number', [repository.id, number]);
    if (issue?.kind === 'issue' && issue.state === 'open') {
      setState(ctx, issue, { state: 'closed', reason: 'completed', commit_id });
    }
  }
}

function closeByMessages(ctx: Writing, repository: Repository, { before, sha }: MovedBranch): void {
  if (before === undefined) return;
  const reader = gitReader(ctx.tx);
  if (!commitAt(reader, before)) return;
  for (const { sha: commit, commit: made } of log(reader, [sha], { excluding: [before] })) {
    closeNamed(ctx, repository, { text: made.message, sha: commit });
  }
}
