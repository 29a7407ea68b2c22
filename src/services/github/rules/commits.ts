import {
  commitAt,
  createCommit,
  type GitReader,
  gitStore,
  peelToCommit,
  type Signature,
  type TreeChange,
  writeTree,
} from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import { blankAccount } from '../seed/people.ts';
import { moveRef } from './refs.ts';

const WEB_FLOW = { id: 19_864_447, login: 'web-flow', name: 'GitHub Web Flow', email: 'noreply@github.com' };
const NOREPLY = /^(?:(\d+)\+)?([^@]+)@users\.noreply\.github\.com$/iu;

/** The account that a commit's address belongs to; null for nobody's. */
export function accountOfEmail({ tx }: Reading, email: string): Account | null {
  const address = email.toLowerCase();
  const known = tx.commit_authors.get(address);
  if (known) return tx.accounts.get(known.account_id) ?? null;
  if (address === WEB_FLOW.email) return tx.accounts.get(WEB_FLOW.id) ?? null;
  const [, number, login] = NOREPLY.exec(address) ?? [];
  if (number !== undefined) return tx.accounts.get(Number(number)) ?? null;
  return login === undefined ? null : (tx.accounts.unique('by_login', [login]) ?? null);
}

/** An account as the author of a commit that is made now. */
export function signatureOf(ctx: Reading, account: Account): Signature {
  const { id, login, name } = account;
  const own = [...ctx.tx.commit_authors.by('by_account', [id], { limit: 1 })][0]?.email;
  const email = account.email ?? own ?? `${id}+${login}@users.noreply.github.com`;
  return { name: name ?? login, email, date: momentText(ctx.nowMs) };
}

/** Addresses of profiles are known as their owner's as soon as a commit carries one. */
function learnEmail(ctx: Writing, account: Account, { email }: Signature): void {
  const address = email.toLowerCase();
  if (NOREPLY.test(address) || ctx.tx.commit_authors.has(address)) return;
  ctx.tx.commit_authors.insert({ email: address, account_id: account.id });
}

/** GitHub itself as the committer of what is done on its pages: made known when it is first needed. */
export function webFlow(ctx: Writing): Signature {
  const { tx } = ctx;
  if (!tx.accounts.has(WEB_FLOW.id) && !tx.accounts.unique('by_login', [WEB_FLOW.login])) {
    const blank = blankAccount(WEB_FLOW.id, WEB_FLOW.login, '2016-06-10T17:29:53Z');
    tx.accounts.insert({ ...blank, name: WEB_FLOW.name });
  }
  return { name: 'GitHub', email: WEB_FLOW.email, date: momentText(ctx.nowMs) };
}

/** A commit to make. */
export interface CommitWish {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Who wrote it: the account that calls, in most cases. */
  readonly account: Account;
  readonly author?: Partial<Signature> | undefined;
  readonly committer?: Partial<Signature> | undefined;
  /** True for what GitHub does itself, such as the first commit or a merge: it commits and signs. */
  readonly byWebFlow?: boolean;
  /** An armoured signature that came with the request. */
  readonly signature?: string | null | undefined;
}

/** How GitHub signs what it commits itself. */
export const WEB_SIGNATURE = [
  '-----BEGIN PGP SIGNATURE-----',
  '',
  'not/a/real/signature/of/anybody',
  '-----END PGP SIGNATURE-----',
  '',
].join('\n');

/** Makes a commit and gives its hash; no ref names it yet. */
export function makeCommit(ctx: Writing, wish: CommitWish): string {
  const { tree, parents, message, account, byWebFlow = false } = wish;
  const own = signatureOf(ctx, account);
  const author = { ...own, ...given(wish.author) };
  const named = wish.committer ?? wish.author;
  const committer = byWebFlow ? webFlow(ctx) : { ...own, ...given(named) };
  learnEmail(ctx, account, own);
  const signature = byWebFlow ? WEB_SIGNATURE : wish.signature;
  const sha = createCommit(gitStore(ctx.tx), { tree, parents, message, author, committer, signature });
  if (byWebFlow) certify(ctx, sha, { verified: true, reason: 'valid' });
  else if (signature) certify(ctx, sha, { verified: false, reason: standingOf(signature) });
  return sha;
}

/** The members that were sent, in the zone they were given in. */
function given(signature: Partial<Signature> | undefined): Partial<Signature> {
  if (!signature) return {};
  const { name, email, date } = signature;
  return { ...(name && { name }), ...(email && { email }), ...(date && { date }) };
}

/** Keeps what came of checking a signature. */
export function certify(
  ctx: Writing,
  sha: string,
  found: { readonly verified: boolean; readonly reason: string },
): void {
  if (ctx.tx.commit_verifications.has(sha)) return;
  ctx.tx.commit_verifications.insert({
    sha,
    ...found,
    verified_at: found.verified ? momentText(ctx.nowMs) : null,
  });
}

const ARMOUR =
  /^-----BEGIN (PGP SIGNATURE|SSH SIGNATURE|SIGNED MESSAGE)-----\r?\n([\s\S]*)-----END \1-----\s*$/u;

/** What the check of a signature that came with a request finds: its key is nobody's here. */
function standingOf(signature: string): string {
  const found = ARMOUR.exec(signature);
  if (!found) return 'unknown_signature_type';
  const lines = (found[2] ?? '').split(/\r?\n/u).filter((line) => line !== '' && !line.includes(':'));
  const packet = lines.join('');
  return /^[A-Za-z0-9+/=]{40,}$/u.test(packet) ? 'unknown_key' : 'gpgverify_error';
}

/** Changes to files, as a commit on a branch. */
export interface BranchCommit extends Omit<CommitWish, 'tree' | 'parents'> {
  /** Without `refs/heads/`. The branch is made where it is not there. */
  readonly branch: string;
  readonly changes: readonly TreeChange[];
}

/** Commits changes of files on top of a branch, and moves it; gives the new commit's hash. */
export function commitOnBranch(ctx: Writing, repository: Repository, wish: BranchCommit): string {
  const store = gitStore(ctx.tx);
  const ref = `refs/heads/${wish.branch}`;
  const head = ctx.tx.git_refs.get([repository.id, ref])?.sha;
  const tree = writeTree(store, head === undefined ? null : rootOf(store, head), wish.changes);
  const sha = makeCommit(ctx, { ...wish, tree, parents: head === undefined ? [] : [head] });
  moveRef(ctx, repository, { ref, sha });
  return sha;
}

function rootOf(reader: GitReader, head: string): string | null {
  const commit = commitAt(reader, peelToCommit(reader, head) ?? '');
  return commit?.tree ?? null;
}
