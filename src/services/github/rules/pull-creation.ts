import type { JsonObject } from '../../../service/index.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Pull } from '../schema/pulls.ts';
import type { Repository } from '../schema/repositories.ts';
import { sideNamed } from './comparisons.ts';
import { issueAt, newIssue, touch } from './issues.ts';
import { requireIssueFit } from './lengths.ts';
import { nameHead } from './pull-branches.ts';
import { tryMerge } from './pull-trials.ts';
import { areStrangers, commitsOf, headLabel, openFrom, requireOwnOrWrite } from './pulls.ts';
import { type Branch, bareName, findBranch } from './refs.ts';
import { findRepository, roleIn } from './repositories.ts';
import { requireViewer } from './viewer.ts';

/** What a new pull is made of. */
export interface PullWish {
  readonly title?: string | number | null | undefined;
  readonly issue?: number | null | undefined;
  readonly head: string;
  readonly head_repo?: string | null | undefined;
  readonly base: string;
  readonly body?: string | null | undefined;
  readonly draft?: boolean | null | undefined;
  readonly maintainer_can_modify?: boolean | null | undefined;
}

/** A branch and the repository that it is in. */
interface Source extends Branch {
  readonly home: Repository;
}

type Found = JsonObject & { readonly resource: 'PullRequest' };

/** Opens a pull; 422 for what cannot be one. */
export function openPull(ctx: Writing, repository: Repository, wish: PullWish): Pull {
  const { tx } = ctx;
  const [head, base] = [sourceNamed(ctx, repository, wish), findBranch(ctx, repository, wish.base)];
  const errors: Found[] = [];
  if (!wordsIn(wish)) errors.push({ resource: 'PullRequest', code: 'missing_field', field: 'title' });
  if (!base) errors.push({ resource: 'PullRequest', field: 'base', code: 'invalid' });
  if (!head) errors.push({ resource: 'PullRequest', field: 'head', code: 'invalid' });
  if (!head || !base || errors.length > 0) return ctx.fail('validation_failed', { errors });
  requireIssueFit(ctx, wish);
  requireDifference(ctx, repository, { head, base });
  const issue = issueFor(ctx, repository, wish);
  const isFork = head.home.id !== repository.id;
  const pull = tx.pulls.insert({
    issue_id: issue.id,
    pull_id: freshPullId(ctx),
    repository_id: repository.id,
    head_repository_id: head.home.id,
    head_owner_id: head.home.owner_id,
    head_ref: head.name,
    head_sha: head.sha,
    base_ref: base.name,
    base_sha: base.sha,
    draft: wish.draft === true,
    maintainer_can_modify: isFork && wish.maintainer_can_modify === true,
    auto_merge: null,
    merged_at: null,
    merged_by_id: null,
    merge_commit_sha: null,
    mergeable: null,
    tried_ms: ctx.nowMs,
  });
  nameHead(ctx, issue, head.sha);
  return tryMerge(ctx, pull, 'opened');
}

function wordsIn({ title, issue }: PullWish): boolean {
  const isIssue = issue !== null && issue !== undefined;
  return isIssue || (title !== null && title !== undefined && String(title).trim() !== '');
}

/** The branch of `branch`, `owner:branch`, or of a branch with its repository beside it. */
function sourceNamed(ctx: Reading, repository: Repository, wish: PullWish): Source | undefined {
  const { head, head_repo: elsewhere } = wish;
  const bare = head.slice(head.lastIndexOf(':') + 1);
  const home =
    elsewhere !== null && elsewhere !== undefined && elsewhere !== ''
      ? repositoryNamed(ctx, repository, elsewhere)
      : sideNamed(ctx, repository, head)?.repository;
  const branch = home && findBranch(ctx, home, bareName(bare));
  return home && branch && { ...branch, home };
}

/** `owner/name`, or a name of the same owner. */
function repositoryNamed(ctx: Reading, beside: Repository, word: string): Repository | undefined {
  const [first = '', second] = word.split('/');
  const owner = second === undefined ? ctx.tx.accounts.get(beside.owner_id)?.login : first;
  const found = findRepository(ctx, { owner: owner ?? '', repo: second ?? first });
  return found && roleIn(ctx, found) !== null ? found : undefined;
}

/** @throws 422 where a pull from the head is open, or the head has nothing that the base has not. */
function requireDifference(
  ctx: Reading,
  repository: Repository,
  { head, base }: { readonly head: Source; readonly base: Branch },
): void {
  const custom = (message: string): never =>
    ctx.fail('validation_failed', { errors: [{ resource: 'PullRequest', code: 'custom', message }] });
  const label = headLabel(ctx, { head_owner_id: head.home.owner_id, head_ref: head.name });
  if (duplicateOf(ctx, repository, { head, base })) custom(`A pull request already exists for ${label}.`);
  const names =
    head.home.id === repository.id ? [base.name, head.name] : [baseLabel(ctx, repository, base), label];
  const ends = { base_sha: base.sha, head_sha: head.sha };
  if (areStrangers(ctx, ends)) custom(`The ${names[1]} branch has no history in common with ${names[0]}`);
  if (commitsOf(ctx, ends).length === 0) custom(`No commits between ${names[0]} and ${names[1]}`);
}

function baseLabel({ tx }: Reading, { owner_id }: Repository, { name }: Branch): string {
  return `${tx.accounts.get(owner_id)?.login ?? ''}:${name}`;
}

/** The open pull from one branch into another. */
export function duplicateOf(
  ctx: Reading,
  repository: Repository,
  { head, base }: { readonly head: Source; readonly base: { readonly name: string } },
): Pull | undefined {
  return openFrom(ctx, head.home, head.name).find(
    ({ repository_id, base_ref }) => repository_id === repository.id && base_ref === base.name,
  );
}

/** A new row among the issues, or the issue that becomes a pull. */
function issueFor(ctx: Writing, repository: Repository, { title, body, issue: number }: PullWish) {
  if (number === null || number === undefined) {
    return newIssue(ctx, repository, { kind: 'pull', title: String(title).trim(), body: body ?? null });
  }
  const place = { owner: ':id', repo: String(repository.id), issue_number: number };
  const { issue } = issueAt(ctx, place);
  if (issue.kind === 'pull') {
    const errors = [{ resource: 'PullRequest', field: 'issue', code: 'invalid' }];
    ctx.fail('validation_failed', { errors });
  }
  requireOwnOrWrite(ctx, { repository, issue });
  return touch(ctx, issue, { kind: 'pull' });
}

function freshPullId(ctx: Writing): number {
  requireViewer(ctx);
  for (;;) {
    const id = Number(ctx.nextId('pulls'));
    if (!ctx.tx.pulls.unique('by_pull_id', [id])) return id;
  }
}
