import type { JsonObject } from '../../../service/index.ts';
import { commitsBetween } from '../git/index.ts';
import type { Writing } from '../operation.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { addEvent, setState, touch } from './issues.ts';
import { tryMerge } from './pull-trials.ts';
import { headLabel, openFrom, type PullFound, pullOf } from './pulls.ts';
import { type Branch, bareName, findBranch, objectsOf } from './refs.ts';

/** What may be changed of a pull; `null` for a member changes nothing but the body. */
export interface PullChanges {
  readonly title?: string | number | null | undefined;
  readonly body?: string | null | undefined;
  readonly state?: 'open' | 'closed' | null | undefined;
  readonly base?: string | null | undefined;
  readonly maintainer_can_modify?: boolean | null | undefined;
}

/** Changes a pull; 422 for what cannot be. */
export function changePull(ctx: Writing, found: PullFound, changes: PullChanges): void {
  const { repository, issue, pull } = found;
  const { base, body, state, maintainer_can_modify: open } = changes;
  if (base !== null && base !== undefined) retarget(ctx, found, bareName(base));
  const columns = {
    ...retitled(ctx, issue, changes.title),
    ...(body !== undefined && { body }),
  };
  touch(ctx, issue, columns);
  if (typeof open === 'boolean' && pull.head_repository_id !== repository.id) {
    ctx.tx.pulls.update(issue.id, { maintainer_can_modify: open });
  }
  if (state === 'closed') setState(ctx, pullOf(ctx, issue.id).issue, { state, reason: null });
  if (state === 'open') reopenPull(ctx, pullOf(ctx, issue.id));
}

function invalid(ctx: Writing, error: JsonObject): never {
  return ctx.fail('validation_failed', { errors: [{ resource: 'PullRequest', ...error }] });
}

function retitled(ctx: Writing, issue: Issue, wished: PullChanges['title']): Partial<Issue> {
  if (wished === undefined || wished === null) return {};
  const title = String(wished);
  if (title.trim() === '') invalid(ctx, { code: 'missing_field', field: 'title' });
  if (title === issue.title) return {};
  addEvent(ctx, issue, { event: 'renamed', details: { rename: { from: issue.title, to: title } } });
  return { title };
}

/** Lets a pull go into another branch. */
function retarget(ctx: Writing, { repository, issue, pull }: PullFound, name: string): void {
  if (name === pull.base_ref) return;
  const base = findBranch(ctx, repository, name) ?? noBranch(ctx, name);
  const custom = (message: string): never => invalid(ctx, { code: 'custom', field: 'base', message });
  if (issue.state === 'closed') custom('Cannot change the base branch of a closed pull request.');
  const same = openFrom(ctx, pullHome(ctx, { repository, issue, pull }), pull.head_ref);
  if (same.some((one) => one.repository_id === repository.id && one.base_ref === name)) {
    const label = headLabel(ctx, pull);
    custom(
      `A pull request already exists for base branch '${name}' and head branch '${label.split(':')[1]}'`,
    );
  }
  if (commitsBetween(objectsOf(ctx), base.sha, pull.head_sha).length === 0) {
    custom(`There are no new commits between base branch '${name}' and head branch '${pull.head_ref}'`);
  }
  const changed = ctx.tx.pulls.update(issue.id, { base_ref: name, base_sha: base.sha });
  addEvent(ctx, issue, { event: 'base_ref_changed' });
  tryMerge(ctx, changed, 'pushed');
}

/** The member names of this error stand in an order of their own. */
function noBranch(ctx: Writing, name: string): never {
  const message = `Proposed base branch '${name}' was not found`;
  const errors = [{ message, resource: 'PullRequest', field: 'base', code: 'invalid' }];
  return ctx.fail('validation_failed', { errors });
}

function pullHome(ctx: Writing, { repository, pull }: PullFound): Repository {
  const { head_repository_id: id } = pull;
  return (id === null ? undefined : ctx.tx.repositories.get(id)) ?? repository;
}

/** Opens a closed pull again, if its branches still allow it. */
export function reopenPull(ctx: Writing, found: PullFound): void {
  const { repository, issue, pull } = found;
  if (issue.state === 'open') return;
  const refuse = (message: string): never =>
    invalid(ctx, { code: 'invalid', field: 'state', message: `state cannot be changed. ${message}` });
  if (pull.merged_at !== null) refuse('The pull request cannot be reopened.');
  const home = pullHome(ctx, found);
  const branch = (where: Repository, name: string): Branch =>
    findBranch(ctx, where, name) ?? refuse(`The ${name} branch has been deleted.`);
  const head = branch(home, pull.head_ref);
  const base = branch(repository, pull.base_ref);
  const other = openFrom(ctx, home, pull.head_ref).find(
    ({ repository_id, base_ref }) => repository_id === repository.id && base_ref === pull.base_ref,
  );
  if (other)
    refuse(`There is already an open pull request from ${headLabel(ctx, pull)} to ${pull.base_ref}.`);
  if (head.sha !== pull.head_sha) refuse(`The ${pull.head_ref} branch was force-pushed or recreated.`);
  setState(ctx, issue, { state: 'open', reason: 'reopened' });
  tryMerge(ctx, ctx.tx.pulls.update(issue.id, { base_sha: base.sha }), 'pushed');
}
