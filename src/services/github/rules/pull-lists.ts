import { z } from 'zod';
import type { Reading } from '../operation.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { headLabel, type PullFound } from './pulls.ts';
import { bareName } from './refs.ts';

/** Query members of lists of pulls. */
export const PULL_FILTERS = {
  state: z.enum(['open', 'closed', 'all']).optional(),
  head: z.string().optional().describe('`owner:branch`.'),
  base: z.string().optional().describe('The name of a branch.'),
  sort: z.enum(['created', 'updated', 'popularity', 'long-running']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
};

type Filters = Partial<z.infer<z.ZodObject<typeof PULL_FILTERS>>>;

/** The pulls of a repository that a list asks for, in its order. */
export function pullsListed(ctx: Reading, repository: Repository, filters: Filters): PullFound[] {
  const { sort = 'created', direction = sort === 'created' ? 'desc' : 'asc' } = filters;
  const sign = direction === 'asc' ? 1 : -1;
  const compare = ({ issue: one }: PullFound, { issue: other }: PullFound): number => {
    const [first, second] = [sortKey(one, sort), sortKey(other, sort)];
    if (first !== second) return first < second ? -sign : sign;
    return sign * (one.number - other.number);
  };
  return candidates(ctx, repository, filters)
    .filter((found) => fits(ctx, found, filters))
    .sort(compare);
}

function candidates({ tx }: Reading, repository: Repository, { state = 'open' }: Filters): PullFound[] {
  const rows =
    state === 'all'
      ? tx.issues.by('by_number', [repository.id])
      : tx.issues.by('by_state', [repository.id, state]);
  return [...rows].flatMap((issue) => {
    const pull = tx.pulls.get(issue.id);
    return pull ? [{ repository, issue, pull }] : [];
  });
}

const MONTH_MS = 30 * 86_400_000;

function fits(ctx: Reading, { issue, pull }: PullFound, { head, base, sort }: Filters): boolean {
  if (base !== undefined && base !== '' && pull.base_ref !== bareName(base)) return false;
  // A head without its owner is not looked at.
  const isNamed = head?.includes(':') === true;
  if (isNamed && headLabel(ctx, pull).toLowerCase() !== head.replace(':refs/heads/', ':').toLowerCase()) {
    return false;
  }
  if (sort !== 'long-running') return true;
  const isOld = Date.parse(issue.created_at) < ctx.nowMs - MONTH_MS;
  return isOld && Date.parse(issue.updated_at) > ctx.nowMs - MONTH_MS;
}

function sortKey(issue: Issue, sort: NonNullable<Filters['sort']>): string | number {
  if (sort === 'popularity') return issue.comments;
  return sort === 'updated' ? issue.updated_at : issue.created_at;
}
