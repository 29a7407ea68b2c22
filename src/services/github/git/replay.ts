import { createCommit } from './commits.ts';
import { commitsBetween, isAncestor, type LoggedCommit } from './history.ts';
import { mergeCommits, mergeTrees } from './merge.ts';
import { commitAt, type GitWriter, type Signature } from './store.ts';

/** What joining two histories came to. */
export type Joined =
  | { readonly kind: 'made'; readonly sha: string }
  /** The base holds all of the head already. */
  | { readonly kind: 'up-to-date' }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/** A merge to make. */
export interface MergeRequest {
  /** The commit that is merged into: the first parent. */
  readonly base: string;
  readonly head: string;
  readonly message: string;
  readonly author: Signature;
  readonly committer?: Signature | undefined;
  readonly signature?: string | null | undefined;
}

/** Merges a head into a base with a merge commit, also where the base could just move on. */
export function merge(writer: GitWriter, request: MergeRequest): Joined {
  return join(writer, request, [request.base, request.head]);
}

/** Puts all that a head adds into one commit on a base. */
export function squash(writer: GitWriter, request: MergeRequest): Joined {
  return join(writer, request, [request.base]);
}

function join(writer: GitWriter, request: MergeRequest, parents: readonly string[]): Joined {
  const { base, head, message, author, committer, signature } = request;
  if (isAncestor(writer, head, base)) return { kind: 'up-to-date' };
  const merged = mergeCommits(writer, base, head);
  if (!merged.ok) return { kind: 'conflict', paths: merged.conflicts };
  const { tree } = merged;
  return {
    kind: 'made',
    sha: createCommit(writer, { tree, parents, message, author, committer, signature }),
  };
}

/** What replaying commits came to. */
export type Replayed =
  | { readonly kind: 'made'; readonly sha: string; readonly commits: readonly ReplayedCommit[] }
  | { readonly kind: 'up-to-date' }
  | { readonly kind: 'conflict'; readonly at: string; readonly paths: readonly string[] };

/** A commit and what it became. */
export interface ReplayedCommit {
  readonly from: string;
  readonly to: string;
}

/** Commits to put on another one. */
export interface RebaseRequest {
  readonly onto: string;
  readonly head: string;
  readonly committer: Signature;
}

/**
 * Puts the commits of a head one by one on another commit, each anew, even where the head stands on it
 * already. Merge commits are left out, and commits that change nothing any more.
 */
export function rebase(writer: GitWriter, { onto, head, committer }: RebaseRequest): Replayed {
  const single = commitsBetween(writer, onto, head).filter(({ commit }) => commit.parents.length < 2);
  if (single.length === 0) return { kind: 'up-to-date' };
  const commits: ReplayedCommit[] = [];
  let tip = onto;
  for (const one of single) {
    const picked = replay(writer, one, { onto: tip, committer });
    if (picked.kind === 'conflict') return { kind: 'conflict', at: one.sha, paths: picked.paths };
    if (picked.kind === 'up-to-date') continue;
    commits.push({ from: one.sha, to: picked.sha });
    tip = picked.sha;
  }
  return { kind: 'made', sha: tip, commits };
}

/** A commit to put on another one. */
export interface PickRequest {
  readonly commit: string;
  readonly onto: string;
  readonly committer: Signature;
  /** That of the commit, when it is absent. */
  readonly message?: string;
  /** Which parent of a merge commit to compare with, counted from 1. */
  readonly mainline?: number;
}

/** Puts what one commit changed on another commit, as a backport does. */
export function cherryPick(writer: GitWriter, { commit: sha, ...request }: PickRequest): Joined {
  const commit = commitAt(writer, sha);
  return commit ? replay(writer, { sha, commit }, request) : { kind: 'up-to-date' };
}

function replay(
  writer: GitWriter,
  { commit }: LoggedCommit,
  { onto, committer, message = commit.message, mainline = 1 }: Omit<PickRequest, 'commit'>,
): Joined {
  const parent = commit.parents[mainline - 1];
  const base = parent === undefined ? null : (commitAt(writer, parent)?.tree ?? null);
  const ours = commitAt(writer, onto)?.tree ?? '';
  const merged = mergeTrees(writer, { base, ours, theirs: commit.tree });
  if (!merged.ok) return { kind: 'conflict', paths: merged.conflicts };
  if (merged.tree === ours && commit.tree !== base) return { kind: 'up-to-date' };
  const { author } = commit;
  const sha = createCommit(writer, { tree: merged.tree, parents: [onto], message, author, committer });
  return { kind: 'made', sha };
}

/** A commit to take back. */
export interface RevertRequest {
  readonly commit: string;
  readonly onto: string;
  readonly message: string;
  readonly author: Signature;
  readonly committer?: Signature;
  /** Which parent of a merge commit to go back to, counted from 1. */
  readonly mainline?: number;
}

/** Takes back what one commit changed. */
export function revert(writer: GitWriter, request: RevertRequest): Joined {
  const { commit: sha, onto, message, author, committer, mainline = 1 } = request;
  const commit = commitAt(writer, sha);
  const parent = commit && commitAt(writer, commit.parents[mainline - 1] ?? '');
  const ours = commitAt(writer, onto)?.tree;
  if (!commit || ours === undefined) return { kind: 'up-to-date' };
  const theirs = parent?.tree ?? writer.put({ kind: 'tree', entries: [] });
  const merged = mergeTrees(writer, { base: commit.tree, ours, theirs });
  if (!merged.ok) return { kind: 'conflict', paths: merged.conflicts };
  if (merged.tree === ours) return { kind: 'up-to-date' };
  const made = createCommit(writer, { tree: merged.tree, parents: [onto], message, author, committer });
  return { kind: 'made', sha: made };
}
