import { type Comparison, commitAt, compareCommits, diffTrees, type FileDiff } from '../git/index.ts';
import type { Reading } from '../operation.ts';
import type { Repository } from '../schema/repositories.ts';
import { findCommit, objectsOf } from './refs.ts';
import { findRepository, roleIn } from './repositories.ts';
import { findAccount } from './viewer.ts';

/** One side of a comparison: where it is, as it was named, and its commit. */
export interface Side {
  readonly repository: Repository;
  /** The branch, tag or hash, without its owner. */
  readonly name: string;
  readonly sha: string;
}

/** Two sides of `base...head`, and how they stand to each other. */
export interface Compared extends Comparison {
  readonly base: Side;
  readonly head: Side;
}

/** Whether repositories have their objects in common: forks of one another, or of one source. */
export function inOneNetwork(one: Repository, other: Repository): boolean {
  return (one.source_id ?? one.id) === (other.source_id ?? other.id);
}

/**
 * The commit that `branch`, `owner:branch` or `owner:repo:branch` names, seen from a repository: another
 * owner's is looked up in that owner's fork. Undefined for nothing that the caller may see.
 */
export function sideNamed(ctx: Reading, repository: Repository, word: string): Side | undefined {
  const parts = word.split(':');
  const name = parts.at(-1) ?? '';
  const home = parts.length === 1 ? repository : forkOf(ctx, repository, parts);
  const sha = home && findCommit(ctx, home, name);
  return home && sha !== undefined ? { repository: home, name, sha } : undefined;
}

function forkOf(ctx: Reading, repository: Repository, parts: readonly string[]): Repository | undefined {
  const [owner = '', repo] = parts;
  const account = findAccount(ctx, owner);
  if (!account) return undefined;
  if (account.id === repository.owner_id && parts.length === 2) return repository;
  const named = parts.length > 2 ? findRepository(ctx, { owner, repo: repo ?? '' }) : undefined;
  const found = named ?? ownedFork(ctx, repository, account.id);
  return found && inOneNetwork(found, repository) && roleIn(ctx, found) !== null ? found : undefined;
}

function ownedFork(ctx: Reading, repository: Repository, owner: number): Repository | undefined {
  for (const one of ctx.tx.repositories.by('by_owner', [owner]))
    if (inOneNetwork(one, repository)) return one;
  return undefined;
}

/** Compares `base...head`; 404 when a side is nothing. */
export function compared(ctx: Reading, repository: Repository, basehead: string): Compared {
  const at = basehead.indexOf('...');
  if (at < 0) return ctx.fail('not_found');
  const base = sideNamed(ctx, repository, basehead.slice(0, at));
  const head = sideNamed(ctx, repository, basehead.slice(at + 3));
  if (!base || !head) return ctx.fail('not_found');
  return { base, head, ...compareCommits(objectsOf(ctx), base.sha, head.sha) };
}

/** The files that the head changed since it left the base. */
export function filesBetween(ctx: Reading, { mergeBase, base, head }: Compared): FileDiff[] {
  const reader = objectsOf(ctx);
  const before = commitAt(reader, mergeBase ?? base.sha)?.tree ?? null;
  return diffTrees(reader, before, commitAt(reader, head.sha)?.tree ?? null);
}
