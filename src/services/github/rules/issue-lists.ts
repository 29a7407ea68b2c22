import { z } from 'zod';
import type { Reading } from '../operation.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { milestoneNumbered } from './issues.ts';
import { findAccount } from './viewer.ts';

/** Query members of lists of issues. */
export const LIST_FILTERS = {
  milestone: z.union([z.string(), z.int()]).optional().describe('Number, `*` for any or `none`.'),
  state: z.enum(['open', 'closed', 'all']).optional(),
  assignee: z.string().optional().describe('Login, `*` for any or `none`.'),
  creator: z.string().optional(),
  mentioned: z.string().optional(),
  labels: z.string().optional().describe('Names, parted by commas; all of them must be on it.'),
  sort: z.enum(['created', 'updated', 'comments']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
  since: z.string().optional().describe('A moment: only what changed since.'),
};

type Filters = Partial<z.infer<z.ZodObject<typeof LIST_FILTERS>>>;

/** Issues in the order that a list asks for: by creation, the newest first, unless told otherwise. */
export function sortedIssues(
  issues: Iterable<Issue>,
  { sort = 'created', direction = 'desc' }: Filters,
): Issue[] {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (one: Issue, other: Issue): number => {
    const first = sortKey(one, sort);
    const second = sortKey(other, sort);
    if (first !== second) return first < second ? -sign : sign;
    return sign * (one.number - other.number);
  };
  return [...issues].sort(compare);
}

function sortKey(issue: Issue, sort: NonNullable<Filters['sort']>): string | number {
  return sort === 'comments' ? issue.comments : sort === 'updated' ? issue.updated_at : issue.created_at;
}

/** Whether an issue is in a list; the state was looked at before. */
export function issueFilter(
  ctx: Reading,
  filters: Filters,
  repository: Repository,
): (issue: Issue) => boolean {
  const { tx } = ctx;
  const tests: ((issue: Issue) => boolean)[] = [];
  const { milestone, assignee, creator, mentioned, labels, since } = filters;
  if (milestone !== undefined && milestone !== '')
    tests.push(milestoneTest(ctx, String(milestone), repository));
  if (assignee !== undefined && assignee !== '') tests.push(assigneeTest(ctx, assignee));
  if (creator !== undefined && creator !== '') {
    const account = findAccount(ctx, creator);
    tests.push((issue) => account !== undefined && issue.user_id === account.id);
  }
  if (mentioned !== undefined && mentioned !== '') {
    const pattern = new RegExp(`(^|[^\\w-])@${mentioned.replaceAll(/[^\w-]/gu, '')}($|[^\\w-])`, 'iu');
    tests.push((issue) => pattern.test(issue.body ?? ''));
  }
  const names = (labels ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  if (names.length > 0) {
    const wanted = names.map((name) => tx.labels.unique('by_name', [repository.id, name])?.id);
    tests.push((issue) => wanted.every((id) => id !== undefined && tx.issue_labels.has([issue.id, id])));
  }
  if (since !== undefined && since !== '')
    tests.push((issue) => Date.parse(issue.updated_at) >= Date.parse(since));
  return (issue) => tests.every((test) => test(issue));
}

function milestoneTest(ctx: Reading, wanted: string, repository: Repository): (issue: Issue) => boolean {
  if (wanted === '*') return (issue) => issue.milestone_id !== null;
  if (wanted === 'none') return (issue) => issue.milestone_id === null;
  const milestone = milestoneNumbered(ctx, repository, wanted);
  if (!milestone) {
    ctx.fail('validation_failed', {
      errors: [{ value: wanted, resource: 'Issue', field: 'milestone', code: 'invalid' }],
    });
  }
  return (issue) => issue.milestone_id === milestone.id;
}

function assigneeTest(ctx: Reading, wanted: string): (issue: Issue) => boolean {
  const { tx } = ctx;
  const anybody = (issue: Issue): boolean => !tx.issue_assignees.by('by_position', [issue.id]).next().done;
  if (wanted === '*') return anybody;
  if (wanted === 'none') return (issue) => !anybody(issue);
  const account = findAccount(ctx, wanted);
  return (issue) => account !== undefined && tx.issue_assignees.has([issue.id, account.id]);
}
