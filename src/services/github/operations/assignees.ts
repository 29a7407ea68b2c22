import { z } from 'zod';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { assign, assignable, isAssignable, issueAt, touch, unassign } from '../rules/issues.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { findAccount } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import { simpleUser } from '../views/accounts.ts';
import { issueView, placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { ISSUE_PLACE } from './issues.ts';
import { REPOSITORY } from './repositories.ts';

/** Everybody who may be assigned in a repository, by number. */
function candidates(ctx: Reading, repository: Repository): Account[] {
  const { tx } = ctx;
  const ids = new Set([repository.owner_id]);
  for (const { user_id } of tx.collaborators.by('by_repository', [repository.id])) ids.add(user_id);
  for (const { user_id } of tx.org_members.by('by_org', [repository.owner_id])) ids.add(user_id);
  return [...ids]
    .sort((one, other) => one - other)
    .flatMap((id) => {
      const account = tx.accounts.get(id);
      return account && isAssignable(ctx, repository, account) ? [account] : [];
    });
}

const listAssignees = operation({
  id: 'issues/list-assignees',
  summary: 'Lists the people who may be assigned to issues and pulls of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/assignees' },
  input: z.looseObject({ ...REPOSITORY, ...PAGE }),
  output: listOf('login', 'id'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const path = numberedPath(repository, '/assignees');
    return paged(ctx, input, { items: candidates(ctx, repository), path, show: simpleUser });
  },
});

function requireAssignable(ctx: Reading, repository: Repository, login: string): null {
  const account = findAccount(ctx, login);
  if (!account || !isAssignable(ctx, repository, account)) ctx.fail('not_found');
  return null;
}

const checkAssignee = operation({
  id: 'issues/check-user-can-be-assigned',
  summary: 'Tells whether somebody may be assigned in a repository: 204, or 404.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/assignees/{assignee}', status: 204 },
  input: z.looseObject({ ...REPOSITORY, assignee: z.string() }),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', assignee: 'hubert' },
  run: (ctx, input) => requireAssignable(ctx, repositoryAt(ctx, input), input.assignee),
});

const checkAssigneeOfIssue = operation({
  id: 'issues/check-user-can-be-assigned-to-issue',
  summary: 'Tells whether somebody may be assigned to an issue: 204, or 404.',
  effect: 'read',
  http: {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/assignees/{assignee}',
    status: 204,
  },
  input: z.looseObject({ ...ISSUE_PLACE, assignee: z.string() }),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1, assignee: 'hubert' },
  run: (ctx, input) => requireAssignable(ctx, issueAt(ctx, input).repository, input.assignee),
});

const addAssignees = operation({
  id: 'issues/add-assignees',
  summary: 'Assigns people to an issue or pull; those who may not be assigned are left out.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{issue_number}/assignees', status: 201 },
  input: z.looseObject({ ...ISSUE_PLACE, assignees: z.array(z.string()).optional() }),
  output: shown('id', 'number', 'assignees'),
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 2, assignees: ['hubert'] },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    assign(ctx, issue, assignable(ctx, repository, input.assignees ?? []));
    return issueView(ctx, placeOf(ctx, repository), touch(ctx, issue));
  },
});

const removeAssignees = operation({
  id: 'issues/remove-assignees',
  summary: 'Takes people off an issue or pull.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{issue_number}/assignees' },
  input: z.looseObject({ ...ISSUE_PLACE, assignees: z.array(z.string()).optional() }),
  output: shown('id', 'number', 'assignees'),
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 2, assignees: ['hubert'] },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    unassign(ctx, issue, assignable(ctx, repository, input.assignees ?? []));
    return issueView(ctx, placeOf(ctx, repository), touch(ctx, issue));
  },
});

export const assigneeOperations = [
  listAssignees,
  checkAssignee,
  checkAssigneeOfIssue,
  addAssignees,
  removeAssignees,
];
