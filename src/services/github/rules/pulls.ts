import {
  commitsBetween,
  diffSinceBase,
  type FileDiff,
  type LoggedCommit,
  log,
  mergeBase,
  UNKNOWN_SHA,
} from '../git/index.ts';
import type { Reading } from '../operation.ts';
import type { Issue } from '../schema/issues.ts';
import type { Pull } from '../schema/pulls.ts';
import type { Repository } from '../schema/repositories.ts';
import { requireLive } from './issues.ts';
import { objectsOf } from './refs.ts';
import { repositoryAt, roleIn } from './repositories.ts';
import { requireViewer } from './viewer.ts';

/** Where a pull is, as operations are given it. */
export interface PullPlace {
  readonly owner: string;
  readonly repo: string;
  readonly pull_number: number;
}

/** A pull with its row among the issues, and the repository that it goes into. */
export interface PullFound {
  readonly repository: Repository;
  readonly issue: Issue;
  readonly pull: Pull;
}

/** The pull of a number; 404 where there is none. */
export function pullAt(ctx: Reading, place: PullPlace): PullFound {
  const repository = repositoryAt(ctx, place);
  const issue = ctx.tx.issues.unique('by_number', [repository.id, place.pull_number]);
  const pull = issue && ctx.tx.pulls.get(issue.id);
  return issue && pull ? { repository, issue, pull } : ctx.fail('not_found');
}

/** The pull of an issue's row, as it stands now. */
export function pullOf(ctx: Reading, issue_id: number): PullFound {
  const issue = ctx.tx.issues.get(issue_id);
  const pull = ctx.tx.pulls.get(issue_id);
  const repository = issue && ctx.tx.repositories.get(issue.repository_id);
  return issue && pull && repository ? { repository, issue, pull } : ctx.fail('not_found');
}

/** Pulls of these rows that are open. */
export function openOnes({ tx }: Reading, pulls: Iterable<Pull>): Pull[] {
  return [...pulls].filter(({ issue_id }) => tx.issues.get(issue_id)?.state === 'open');
}

/** Open pulls that come from a branch, the oldest first. */
export function openFrom(ctx: Reading, repository: Repository, branch: string): Pull[] {
  return openOnes(ctx, ctx.tx.pulls.by('by_head', [repository.id, branch]));
}

/** Open pulls that go into a branch, the oldest first. Few are open, whatever was closed over the years. */
export function openInto({ tx }: Reading, { id }: Repository, branch: string): Pull[] {
  return [...tx.issues.by('by_state', [id, 'open'])].flatMap((issue) => {
    const pull = issue.kind === 'pull' ? tx.pulls.get(issue.id) : undefined;
    return pull?.base_ref === branch ? [pull] : [];
  });
}

/**
 * The commits that a pull would add, the oldest first. Of what is known by its hash alone nobody can say that
 * the base has it not.
 */
export function commitsOf(ctx: Reading, { base_sha, head_sha }: Ends): LoggedCommit[] {
  return commitsBetween(objectsOf(ctx), base_sha, head_sha).filter(
    ({ commit }) => commit.tree !== UNKNOWN_SHA,
  );
}

type Ends = Pick<Pull, 'base_sha' | 'head_sha'>;

/** Whether two histories have nothing in common, as far as they are known. */
export function areStrangers(ctx: Reading, { base_sha, head_sha }: Ends): boolean {
  const reader = objectsOf(ctx);
  if (mergeBase(reader, base_sha, head_sha) !== null) return false;
  for (const { commit } of log(reader, [head_sha])) if (commit.tree === UNKNOWN_SHA) return false;
  return true;
}

/** The files that a pull changes. */
export function filesOf(ctx: Reading, { base_sha, head_sha }: Pull): FileDiff[] {
  return diffSinceBase(objectsOf(ctx), base_sha, head_sha);
}

/** `owner:branch`, as pulls name where they come from. */
export function headLabel({ tx }: Reading, { head_owner_id, head_ref }: HeadNamed): string {
  const owner = head_owner_id === null ? undefined : tx.accounts.get(head_owner_id);
  return `${owner?.login ?? 'unknown repository'}:${head_ref}`;
}

type HeadNamed = Pick<Pull, 'head_owner_id' | 'head_ref'>;

/** @throws 403 unless the caller opened the pull or may write to its repository. */
export function requireOwnOrWrite(
  ctx: Reading,
  { repository, issue }: Pick<PullFound, 'repository' | 'issue'>,
): void {
  const own = issue.user_id === requireViewer(ctx).id;
  const role = roleIn(ctx, repository);
  if (own || (role !== null && role !== 'read')) return;
  ctx.fail('forbidden', { message: 'Must have push access to repository' });
}

/** A pull that the caller may say something to; 403 where it is locked, or its repository is archived. */
export function openToWords(ctx: Reading, place: PullPlace): PullFound {
  const found = pullAt(ctx, place);
  requireViewer(ctx);
  requireLive(ctx, found.repository);
  if (found.issue.locked && roleIn(ctx, found.repository) === 'read') {
    ctx.fail('forbidden', { message: 'Unable to create comment because issue is locked.' });
  }
  return found;
}
