import { isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import { gitStore, isAncestor, mergeCommits, rebase, type Signature, splitMessage } from '../git/index.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Repository } from '../schema/repositories.ts';
import { MERGING } from '../views/repositories.ts';
import { makeCommit, signatureOf } from './commits.ts';
import { addEvent } from './issues.ts';
import { isBound, protectionOf } from './protection.ts';
import { closeNamed, markMerged } from './pull-branches.ts';
import { bareChecksOf, missingCheck } from './pull-checks.ts';
import { isBehind } from './pull-trials.ts';
import { commitsOf, headLabel, type PullFound, pullOf } from './pulls.ts';
import { branchAt, dropRef, moveRef } from './refs.ts';
import { reviewRefusal } from './review-rules.ts';
import { requireViewer } from './viewer.ts';

export type MergeMethod = 'merge' | 'squash' | 'rebase';

/** How a pull is to be merged. */
export interface MergeWish {
  readonly merge_method?: MergeMethod | undefined;
  readonly commit_title?: string | null | undefined;
  readonly commit_message?: string | null | undefined;
  readonly sha?: string | null | undefined;
}

const METHODS = {
  merge: { setting: 'allow_merge_commit', name: 'Merge commits' },
  squash: { setting: 'allow_squash_merge', name: 'Squash merges' },
  rebase: { setting: 'allow_rebase_merge', name: 'Rebase merges' },
} as const;

/** Merges a pull and gives the commit that did it; 405 or 409 where that cannot be. */
export function mergePull(ctx: Writing, found: PullFound, wish: MergeWish): string {
  const { repository, issue, pull } = found;
  const refuse = (message: string): never => ctx.fail('method_not_allowed', { message });
  if (issue.state === 'closed') refuse('Pull Request is not mergeable');
  if (pull.draft) refuse('Pull Request is still a draft');
  const { sha, merge_method: method = 'merge' } = wish;
  if (sha !== null && sha !== undefined && sha !== '' && sha !== pull.head_sha) {
    ctx.fail('conflict', { message: 'Head branch was modified. Review and try the merge again.' });
  }
  const settings = settingsOf(repository);
  if (settings[METHODS[method].setting] === false) {
    refuse(`${METHODS[method].name} are not allowed on this repository.`);
  }
  const stop = refusalOf(ctx, found);
  if (stop !== null) refuse(stop);
  const base = branchAt(ctx, repository, pull.base_ref);
  const made =
    method === 'rebase' ? rebased(ctx, found, base.sha) : joined(ctx, found, { wish, base: base.sha });
  markMerged(ctx, pull, { sha: made, base_sha: base.sha });
  moveRef(ctx, repository, { ref: `refs/heads/${base.name}`, sha: made });
  if (base.name === repository.default_branch)
    closeNamed(ctx, repository, { text: issue.body ?? '', sha: made });
  if (settings.delete_branch_on_merge === true) deleteHead(ctx, found);
  return made;
}

/** How a repository merges, its own settings over the usual ones. */
function settingsOf({ merging }: Repository): JsonObject {
  return { ...MERGING, ...(merging as JsonObject) };
}

/** What the rules of the base say against a merge by the caller; null for nothing. */
function refusalOf(ctx: Reading, { repository, pull }: PullFound): string | null {
  const protection = protectionOf(ctx, repository, pull.base_ref);
  if (!protection || !isBound(ctx, repository, protection)) return null;
  const reviews = reviewRefusal(ctx, repository, pull);
  if (reviews !== null) return reviews;
  const checks = bareChecksOf(ctx, repository, pull.head_sha);
  const check = missingCheck(ctx, { repository, pull }, checks);
  if (check !== null) return `Required status check "${check}" is expected.`;
  if (!mayPush(ctx, protection.restrictions)) return 'You’re not authorized to push to this branch.';
  return isBehind(ctx, repository, pull) ? 'The head branch is not up to date with the base branch.' : null;
}

/** Whether those who may push to the base include the caller: by name, or by a team. */
function mayPush(ctx: Reading, restrictions: Json): boolean {
  if (!isJsonObject(restrictions)) return true;
  const viewer = requireViewer(ctx);
  const { users, teams } = restrictions;
  const names = (list: Json | undefined): Json[] => (Array.isArray(list) ? (list as Json[]) : []);
  if (names(users).some((login) => String(login).toLowerCase() === viewer.login_key)) return true;
  const own = [...ctx.tx.team_members.by('by_user', [viewer.id])];
  return own.some(({ team_id }) => names(teams).includes(ctx.tx.teams.get(team_id)?.slug ?? null));
}

function rebased(ctx: Writing, { pull }: PullFound, onto: string): string {
  const committer = signatureOf(ctx, requireViewer(ctx));
  const done = rebase(gitStore(ctx.tx), { onto, head: pull.head_sha, committer });
  if (done.kind !== 'made') {
    return ctx.fail('method_not_allowed', { message: "This branch can't be rebased" });
  }
  return done.sha;
}

function joined(
  ctx: Writing,
  found: PullFound,
  { wish, base }: { readonly wish: MergeWish; readonly base: string },
): string {
  const { pull, issue } = found;
  const merged = mergeCommits(gitStore(ctx.tx), base, pull.head_sha);
  if (!merged.ok) return ctx.fail('method_not_allowed', { message: 'Pull Request is not mergeable' });
  const isSquash = wish.merge_method === 'squash';
  const usual = isSquash ? squashWords(ctx, found) : mergeWords(ctx, found);
  const title = wish.commit_title ?? usual.title;
  const message = wish.commit_message ?? usual.message;
  const viewer = requireViewer(ctx);
  const author = issue.user_id === null ? viewer : (ctx.tx.accounts.get(issue.user_id) ?? viewer);
  return makeCommit(ctx, {
    tree: merged.tree,
    parents: isSquash ? [base] : [base, pull.head_sha],
    message: message === '' ? title : `${title}\n\n${message}`,
    account: isSquash ? author : viewer,
    byWebFlow: true,
  });
}

interface Words {
  readonly title: string;
  readonly message: string;
}

/** The words of a merge commit, as the repository's settings have them. */
function mergeWords(ctx: Reading, { repository, issue, pull }: PullFound): Words {
  const { merge_commit_title, merge_commit_message } = settingsOf(repository);
  const from = headLabel(ctx, pull).replace(':', '/');
  const title =
    merge_commit_title === 'PR_TITLE'
      ? `${issue.title} (#${issue.number})`
      : `Merge pull request #${issue.number} from ${from}`;
  const messages: Readonly<Record<string, string>> = {
    PR_TITLE: issue.title,
    PR_BODY: issue.body ?? '',
    BLANK: '',
  };
  return { title, message: messages[String(merge_commit_message)] ?? issue.title };
}

/** The words of a commit that holds all of a pull. */
function squashWords(ctx: Reading, { repository, issue, pull }: PullFound): Words {
  const { squash_merge_commit_title: titled, squash_merge_commit_message: worded } = settingsOf(repository);
  const commits = commitsOf(ctx, pull).filter(({ commit }) => commit.parents.length < 2);
  const only = commits.length === 1 ? commits[0]?.commit : undefined;
  const own = only && splitMessage(only.message);
  const title = `${own && titled !== 'PR_TITLE' ? own.title : issue.title} (#${issue.number})`;
  if (worded === 'BLANK') return { title, message: '' };
  if (worded === 'PR_BODY') return { title, message: issue.body ?? '' };
  const listed = commits.map(({ commit }) => `* ${commit.message.trimEnd()}`).join('\n\n');
  const message = own ? own.body : listed;
  return { title, message: [message, ...credits(ctx, issue.user_id, commits)].join('') };
}

/** Lines that name those who wrote commits of a pull beside who opened it. */
function credits(
  ctx: Reading,
  opener: number | null,
  commits: readonly { readonly commit: { readonly author: Signature } }[],
): string[] {
  const account = opener === null ? undefined : ctx.tx.accounts.get(opener);
  const known = account ? [...ctx.tx.commit_authors.by('by_account', [account.id])] : [];
  const own = new Set([account && signatureOf(ctx, account).email, ...known.map(({ email }) => email)]);
  const others = new Map<string, string>();
  for (const { commit } of commits) {
    const { name, email } = commit.author;
    if (!own.has(email.toLowerCase()) && !own.has(email)) others.set(email, name);
  }
  if (others.size === 0) return [];
  const lines = [...others].map(([email, name]) => `Co-authored-by: ${name} <${email}>`);
  return [`${commits.length > 1 ? '\n\n---------' : ''}\n\n${lines.join('\n')}`];
}

/** Repositories may have the branches of merged pulls taken away. */
function deleteHead(ctx: Writing, { issue, pull }: PullFound): void {
  const home =
    pull.head_repository_id === null ? undefined : ctx.tx.repositories.get(pull.head_repository_id);
  const ref = `refs/heads/${pull.head_ref}`;
  if (!home || pull.head_ref === home.default_branch || !ctx.tx.git_refs.has([home.id, ref])) return;
  dropRef(ctx, home, ref);
  addEvent(ctx, pullOf(ctx, issue.id).issue, { event: 'head_ref_deleted' });
}

/** Brings the head of a pull up to its base, with a merge commit on the head branch. */
export function updateHead(ctx: Writing, { repository, issue, pull }: PullFound): void {
  const home =
    pull.head_repository_id === null ? undefined : ctx.tx.repositories.get(pull.head_repository_id);
  const base = branchAt(ctx, repository, pull.base_ref);
  const store = gitStore(ctx.tx);
  const isDone = issue.state === 'closed' || isAncestor(store, base.sha, pull.head_sha);
  if (!home || isDone) {
    ctx.fail('unprocessable', { message: 'There are no new commits on the base branch.' });
  }
  const merged = mergeCommits(store, pull.head_sha, base.sha);
  if (!merged.ok) ctx.fail('unprocessable', { message: 'merge conflict between base and head' });
  const sha = makeCommit(ctx, {
    tree: merged.tree,
    parents: [pull.head_sha, base.sha],
    message: `Merge branch '${base.name}' into ${pull.head_ref}`,
    account: requireViewer(ctx),
    byWebFlow: true,
  });
  moveRef(ctx, home, { ref: `refs/heads/${pull.head_ref}`, sha });
}
