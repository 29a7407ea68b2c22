import { commitAt } from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import { makeCommit } from './commits.ts';
import { newRepository } from './new-repository.ts';
import { moveRef, objectsOf, refsUnder } from './refs.ts';

/** Whom a fork belongs to, and how it is made. */
export interface ForkWish {
  readonly owner: Account;
  readonly name?: string | undefined;
  readonly defaultBranchOnly?: boolean | undefined;
}

/** The fork of a repository that an account has already. */
export function forkBy({ tx }: Writing, parent: Repository, owner: Account): Repository | undefined {
  for (const known of tx.repositories.by('by_parent', [parent.id]))
    if (known.owner_id === owner.id) return known;
  return undefined;
}

/** Makes a fork: its refs name the same objects. Which language it is in, nobody has looked yet. */
export function forkOf(ctx: Writing, parent: Repository, wish: ForkWish): Repository {
  const { tx } = ctx;
  const source_id = parent.source_id ?? parent.id;
  const fork = newRepository(ctx, wish.owner, {
    name: freeName(ctx, wish.owner, wish.name ?? parent.name),
    description: parent.description,
    homepage: parent.homepage,
    visibility: parent.visibility,
    fork: true,
    parent_id: parent.id,
    source_id,
    default_branch: parent.default_branch,
    license_key: parent.license_key,
    size: parent.size,
    has_issues: false,
    has_wiki: parent.has_wiki,
    pushed_at: parent.pushed_at,
  });
  const only = `refs/heads/${parent.default_branch}`;
  for (const { ref, sha } of refsUnder(ctx, parent)) {
    const kept = ref.startsWith('refs/heads/') ? wish.defaultBranchOnly !== true || ref === only : isTag(ref);
    if (kept) tx.git_refs.insert({ repository_id: fork.id, ref, sha });
  }
  return fork;
}

/** Those that a fork comes from have one fork more. */
export function countFork({ tx }: Writing, { parent_id, source_id }: Repository): void {
  for (const id of new Set([parent_id, source_id])) {
    const counted = id === null ? undefined : tx.repositories.get(id);
    if (counted) tx.repositories.update(counted.id, { forks: counted.forks + 1 });
  }
}

function isTag(ref: string): boolean {
  return ref.startsWith('refs/tags/');
}

/** The name, or the first of `name-1`, `name-2`, … that the owner has not. */
function freeName(ctx: Writing, owner: Account, name: string): string {
  const isTaken = (candidate: string): boolean =>
    ctx.tx.repositories.unique('by_name', [owner.id, candidate.toLowerCase()]) !== undefined;
  if (!isTaken(name)) return name;
  for (let number = 1; ; number += 1) if (!isTaken(`${name}-${number}`)) return `${name}-${number}`;
}

/** What is made after a template. */
export interface GenerationWish {
  readonly owner: Account;
  readonly maker: Account;
  readonly name: string;
  readonly description: string | null;
  readonly isPrivate: boolean;
  readonly allBranches: boolean;
}

/** Makes a repository with the files of a template, each branch in one commit of its own. */
export function generated(ctx: Writing, template: Repository, wish: GenerationWish): Repository {
  const made = newRepository(ctx, wish.owner, {
    name: wish.name,
    description: wish.description,
    visibility: wish.isPrivate ? 'private' : 'public',
    template_id: template.id,
    default_branch: template.default_branch,
  });
  const reader = objectsOf(ctx);
  for (const { ref, sha } of refsUnder(ctx, template, 'refs/heads/')) {
    if (!wish.allBranches && ref !== `refs/heads/${template.default_branch}`) continue;
    const tree = commitAt(reader, sha)?.tree;
    if (tree === undefined) continue;
    const message = 'Initial commit';
    const commit = makeCommit(ctx, { account: wish.maker, tree, parents: [], message, byWebFlow: true });
    moveRef(ctx, made, { ref, sha: commit });
  }
  const moment = momentText(ctx.nowMs);
  return ctx.tx.repositories.update(made.id, { updated_at: moment });
}
