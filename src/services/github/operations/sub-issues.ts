import { z } from 'zod';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, shown } from '../output.ts';
import { addEvent, issueAt } from '../rules/issues.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { requireRole } from '../rules/repositories.ts';
import type { Issue } from '../schema/issues.ts';
import { issueView, placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { ISSUE_PLACE } from './issues.ts';

const ISSUE = shown('id', 'number', 'title');
const MOST_PARTS = 100;

/** An issue as its own repository shows it. */
function viewOf(ctx: Reading, issue: Issue) {
  const repository = ctx.tx.repositories.get(issue.repository_id) ?? ctx.fail('not_found');
  return issueView(ctx, placeOf(ctx, repository), issue);
}

function partsOf({ tx }: Reading, issue: Issue): Issue[] {
  return [...tx.issues.by('by_parent', [issue.id])];
}

const listSubIssues = operation({
  id: 'issues/list-sub-issues',
  summary: 'Lists the parts of an issue, in their order.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{issue_number}/sub_issues' },
  input: z.looseObject({ ...ISSUE_PLACE, ...PAGE }),
  output: listOf('id', 'number', 'title'),
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1 },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    const path = numberedPath(repository, `/issues/${issue.number}/sub_issues`);
    const items = partsOf(ctx, issue);
    return paged(ctx, input, { items, path, inPath: ['issue_number'], show: (part) => viewOf(ctx, part) });
  },
});

const getParent = operation({
  id: 'issues/get-parent',
  summary: 'Reads the issue that this one is a part of.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{issue_number}/parent' },
  input: z.looseObject(ISSUE_PLACE),
  output: ISSUE,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 2 },
  run(ctx, input) {
    const { issue } = issueAt(ctx, input);
    const parent = issue.parent_id === null ? undefined : ctx.tx.issues.get(issue.parent_id);
    return parent ? viewOf(ctx, parent) : ctx.fail('not_found');
  },
});

function partNumbered(ctx: Writing, id: number): Issue {
  return ctx.tx.issues.get(id) ?? ctx.fail('absent', { message: 'The provided sub-issue does not exist' });
}

/** Whether an issue is among those that another is a part of, or is it. */
function isWithin(ctx: Reading, issue: Issue, other: Issue): boolean {
  for (
    let at: Issue | undefined = issue;
    at;
    at = at.parent_id === null ? undefined : ctx.tx.issues.get(at.parent_id)
  ) {
    if (at.id === other.id) return true;
  }
  return false;
}

function refuse(ctx: Writing, message: string): never {
  return ctx.fail('unprocessable', {
    message: `An error occured while adding the sub-issue to the parent issue. ${message}`,
  });
}

const addSubIssue = operation({
  id: 'issues/add-sub-issue',
  summary: 'Makes an issue a part of another.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{issue_number}/sub_issues', status: 201 },
  input: z.looseObject({ ...ISSUE_PLACE, sub_issue_id: z.int(), replace_parent: z.boolean().optional() }),
  output: ISSUE,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1, sub_issue_id: 3_400_000_003 },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    const part = partNumbered(ctx, input.sub_issue_id);
    const parts = partsOf(ctx, issue);
    if (part.parent_id === issue.id) refuse(ctx, 'Issue may not contain duplicate sub-issues');
    if (part.parent_id !== null && input.replace_parent !== true) {
      refuse(ctx, 'Sub issue may only have one parent');
    }
    if (isWithin(ctx, issue, part)) refuse(ctx, 'Sub issue cannot create a circular dependency');
    if (parts.length >= MOST_PARTS) refuse(ctx, `Parent cannot have more than ${MOST_PARTS} sub-issues`);
    const position = (parts.at(-1)?.position ?? 0) + 1;
    ctx.tx.issues.update(part.id, { parent_id: issue.id, position });
    addEvent(ctx, issue, { event: 'sub_issue_added' });
    addEvent(ctx, part, { event: 'parent_issue_added' });
    return viewOf(ctx, issue);
  },
});

const removeSubIssue = operation({
  id: 'issues/remove-sub-issue',
  summary: 'Makes an issue no longer a part of another.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{issue_number}/sub_issue' },
  input: z.looseObject({ ...ISSUE_PLACE, sub_issue_id: z.int() }),
  output: ISSUE,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1, sub_issue_id: 3_400_000_002 },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    const part = partNumbered(ctx, input.sub_issue_id);
    if (part.parent_id !== issue.id) ctx.fail('not_found');
    ctx.tx.issues.update(part.id, { parent_id: null, position: 0 });
    addEvent(ctx, issue, { event: 'sub_issue_removed' });
    addEvent(ctx, part, { event: 'parent_issue_removed' });
    return viewOf(ctx, issue);
  },
});

const moveSubIssue = operation({
  id: 'issues/reprioritize-sub-issue',
  summary: 'Moves a part of an issue before or behind another part.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/issues/{issue_number}/sub_issues/priority' },
  input: z.looseObject({
    ...ISSUE_PLACE,
    sub_issue_id: z.int(),
    after_id: z.int().optional(),
    before_id: z.int().optional(),
  }),
  output: ISSUE,
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    issue_number: 1,
    sub_issue_id: 3_400_000_002,
    after_id: 3_400_000_002,
  },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    const { sub_issue_id, after_id, before_id } = input;
    const parts = partsOf(ctx, issue);
    const moved = parts.find(({ id }) => id === sub_issue_id) ?? ctx.fail('not_found');
    const anchor = after_id ?? before_id;
    if (anchor === undefined || !parts.some(({ id }) => id === anchor)) {
      ctx.fail('unprocessable', { message: 'Provide an after_id or before_id of a sub-issue of this issue' });
    }
    const rest = parts.filter(({ id }) => id !== moved.id || id === anchor);
    const at = rest.findIndex(({ id }) => id === anchor) + (after_id === undefined ? 0 : 1);
    const order = moved.id === anchor ? parts : [...rest.slice(0, at), moved, ...rest.slice(at)];
    for (const [index, part] of order.entries()) ctx.tx.issues.update(part.id, { position: index + 1 });
    return viewOf(ctx, issue);
  },
});

export const subIssueOperations = [listSubIssues, getParent, addSubIssue, removeSubIssue, moveSubIssue];
