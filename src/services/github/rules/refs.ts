import { commitAt, type GitReader, gitReader, log, peelToCommit } from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Repository } from '../schema/repositories.ts';
import { accountOfEmail } from './commits.ts';
import { followBranch, leaveBranch } from './pull-branches.ts';

const HEADS = 'refs/heads/';
const TAGS = 'refs/tags/';

/** A ref: its full name such as `refs/heads/main`, and the object that it names. */
export interface Ref {
  readonly ref: string;
  readonly sha: string;
}

/** A branch: its name without `refs/heads/`, and its last commit. */
export interface Branch {
  readonly name: string;
  readonly sha: string;
}

/** What git allows in a ref's name. */
export function isWellFormed(ref: string): boolean {
  return !/[\0-\x20~^:?*[\\\x7f]|\.\.|@\{|\/\/|\.lock(\/|$)|\/\.|^\/|[/.]$/u.test(ref);
}

/** The ref of a full name such as `refs/heads/main`; undefined when there is none. */
export function refNamed({ tx }: Reading, repository: Repository, ref: string): Ref | undefined {
  return tx.git_refs.get([repository.id, ref]);
}

/** All refs of a repository whose full name starts like this, by name. */
export function refsUnder({ tx }: Reading, { id }: Repository, start = 'refs/'): Ref[] {
  const found: Ref[] = [];
  for (const row of tx.git_refs.scan({ after: [id, start.slice(0, -1)] })) {
    if (row.repository_id !== id || row.ref > `${start}\u{10ffff}`) break;
    if (row.ref.startsWith(start)) found.push(row);
  }
  return found;
}

/** The branch of a name, with or without `refs/heads/`; undefined when there is none. */
export function findBranch(ctx: Reading, repository: Repository, name: string): Branch | undefined {
  const bare = bareName(name);
  const found = refNamed(ctx, repository, HEADS + bare);
  return found && { name: bare, sha: found.sha };
}

/** The branch of a name; 404 when there is none. */
export function branchAt(ctx: Reading, repository: Repository, name: string): Branch {
  return findBranch(ctx, repository, name) ?? ctx.fail('absent', { message: 'Branch not found' });
}

/** A branch's name without `refs/heads/`. */
export function bareName(name: string): string {
  return name.startsWith(HEADS) ? name.slice(HEADS.length) : name;
}

/** All branches, by name. */
export function branchesOf(ctx: Reading, repository: Repository): Branch[] {
  return refsUnder(ctx, repository, HEADS).map(({ ref, sha }) => ({ name: ref.slice(HEADS.length), sha }));
}

/** All tags; the youngest version first, as GitHub lists them: by name, numbers by value. */
export function tagsOf(ctx: Reading, repository: Repository): Branch[] {
  const tags = refsUnder(ctx, repository, TAGS).map(({ ref, sha }) => ({
    name: ref.slice(TAGS.length),
    sha,
  }));
  return tags.sort((one, other) => compareVersions(other.name, one.name));
}

function compareVersions(one: string, other: string): number {
  const parts = (name: string): string[] => name.match(/\d+|\D+/gu) ?? [];
  const [left, right] = [parts(one), parts(other)];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const [a = '', b = ''] = [left[at], right[at]];
    if (a === b) continue;
    const difference = Number(a) - Number(b);
    return Number.isNaN(difference) || difference === 0 ? (a < b ? -1 : 1) : difference;
  }
  return left.length - right.length;
}

/** Whether nothing was ever pushed to a repository. */
export function isEmpty(ctx: Reading, repository: Repository): boolean {
  return refsUnder(ctx, repository).length === 0;
}

/** Reads the git objects of this world. */
export function objectsOf({ tx }: Reading): GitReader {
  return gitReader(tx);
}

/**
 * The object that a word names in a repository, as git looks it up: `HEAD`, a full or short ref, a tag, a
 * branch, a hash or the beginning of a commit's. Undefined when it names nothing.
 */
export function resolve(ctx: Reading, repository: Repository, word: string): string | undefined {
  const name = word === 'HEAD' || word === '' ? HEADS + repository.default_branch : word;
  const start = name.startsWith('refs/') ? '' : 'refs/';
  for (const ref of [start + name, TAGS + name, HEADS + name]) {
    const found = refNamed(ctx, repository, ref);
    if (found) return found.sha;
  }
  if (/^[0-9a-f]{40}$/iu.test(name)) return objectsOf(ctx).get(name.toLowerCase()) && name.toLowerCase();
  return /^[0-9a-f]{4,39}$/iu.test(name) ? beginningWith(ctx, repository, name.toLowerCase()) : undefined;
}

function beginningWith(ctx: Reading, repository: Repository, start: string): string | undefined {
  const heads = refsUnder(ctx, repository).map(({ sha }) => sha);
  for (const { sha } of log(objectsOf(ctx), heads)) if (sha.startsWith(start)) return sha;
  return undefined;
}

/** The commit that a word names; undefined when it names none. */
export function findCommit(ctx: Reading, repository: Repository, word: string): string | undefined {
  const sha = resolve(ctx, repository, word);
  return sha === undefined ? undefined : (peelToCommit(objectsOf(ctx), sha) ?? undefined);
}

/** The commit that a word names; 422 when it names none, 409 in an empty repository. */
export function commitNamed(ctx: Reading, repository: Repository, word: string): string {
  const found = findCommit(ctx, repository, word);
  if (found !== undefined) return found;
  if (isEmpty(ctx, repository)) return ctx.fail('conflict', { message: 'Git Repository is empty.' });
  return ctx.fail('unprocessable', { message: `No commit found for SHA: ${word}` });
}

/**
 * Lets a ref name an object from now on, a new ref included: keeps when the repository was pushed to, who
 * contributed to its default branch, and the pulls that come from the branch.
 */
export function moveRef(ctx: Writing, repository: Repository, { ref, sha }: Ref): void {
  const { tx } = ctx;
  const before = tx.git_refs.get([repository.id, ref]);
  if (before) tx.git_refs.update([repository.id, ref], { sha });
  else tx.git_refs.insert({ repository_id: repository.id, ref, sha });
  pushed(ctx, repository);
  if (!ref.startsWith(HEADS)) return;
  const branch = ref.slice(HEADS.length);
  followBranch(ctx, repository, { name: branch, before: before?.sha, sha });
  if (branch === repository.default_branch) countContributions(ctx, repository, [before?.sha, sha]);
}

/** Takes a ref away; pulls from a branch that is gone are closed. */
export function dropRef(ctx: Writing, repository: Repository, ref: string): void {
  ctx.tx.git_refs.delete([repository.id, ref]);
  pushed(ctx, repository);
  if (ref.startsWith(HEADS)) leaveBranch(ctx, repository, ref.slice(HEADS.length));
}

function pushed(ctx: Writing, { id }: Repository): void {
  const moment = momentText(ctx.nowMs);
  ctx.tx.repositories.update(id, { pushed_at: moment, updated_at: moment });
}

function countContributions(
  ctx: Writing,
  { id }: Repository,
  [before, after]: readonly [string | undefined, string],
): void {
  const excluding = before === undefined ? [] : [before];
  for (const { commit } of log(objectsOf(ctx), [after], { excluding })) {
    const account = accountOfEmail(ctx, commit.author.email);
    if (!account) continue;
    const key = [id, account.id];
    const known = ctx.tx.contributions.get(key)?.contributions;
    if (known !== undefined) ctx.tx.contributions.update(key, { contributions: known + 1 });
    else ctx.tx.contributions.insert({ repository_id: id, user_id: account.id, contributions: 1 });
  }
}

/** The tree of a commit, or of what a word names: a tree itself or a commit's. Undefined for neither. */
export function treeOf(reader: GitReader, sha: string): string | undefined {
  const object = reader.get(sha);
  if (object?.kind === 'tree') return sha;
  const commit = peelToCommit(reader, sha);
  return commit === null ? undefined : commitAt(reader, commit)?.tree;
}
