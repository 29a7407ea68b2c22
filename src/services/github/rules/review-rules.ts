import { isJsonObject, type JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { Pull, PullReview } from '../schema/pulls.ts';
import { type Repository, ROLES } from '../schema/repositories.ts';
import { protectionOf } from './protection.ts';
import { roleOf } from './repositories.ts';

/** The reviews of a pull that the caller may see: those that are submitted, and its own pending one. */
export function reviewsOf({ tx }: Reading, { issue_id }: Pull): PullReview[] {
  return [...tx.pull_reviews.by('by_issue', [issue_id])];
}

/** What a person last said to a pull, apart from comments; dismissed reviews say nothing. */
export function verdictsOf(ctx: Reading, pull: Pull): PullReview[] {
  const last = new Map<number, PullReview>();
  for (const review of reviewsOf(ctx, pull)) {
    const { user_id, state } = review;
    if (user_id === null || state === 'PENDING' || state === 'COMMENTED') continue;
    if (state === 'DISMISSED') continue;
    last.set(user_id, review);
  }
  return [...last.values()];
}

/** Why the reviews of a pull stand against merging it; null when they don't. */
export function reviewRefusal(ctx: Reading, repository: Repository, pull: Pull): string | null {
  const rules = protectionOf(ctx, repository, pull.base_ref)?.reviews ?? null;
  if (!isJsonObject(rules)) return null;
  const counted = verdictsOf(ctx, pull).filter((review) => counts(ctx, repository, review));
  if (counted.some(({ state }) => state === 'CHANGES_REQUESTED')) {
    return 'Changes have been requested by a reviewer with write access.';
  }
  const needed = approvalsOf(rules);
  const approvals = counted.filter(({ state }) => state === 'APPROVED').length;
  if (approvals >= needed) return null;
  const number = needed === 1 ? 'At least 1 approving review is' : `At least ${needed} approving reviews are`;
  return `${number} required by reviewers with write access.`;
}

function approvalsOf({ required_approving_review_count: count }: JsonObject): number {
  return typeof count === 'number' ? count : 1;
}

/** Only the word of those who may write counts. */
function counts(ctx: Reading, repository: Repository, { user_id }: PullReview): boolean {
  const account = user_id === null ? undefined : ctx.tx.accounts.get(user_id);
  const role = account ? roleOf(ctx, repository, account) : null;
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf('write');
}

/** Whether what was said of a head counts no more once it is pushed to. */
export function dismissesStale(ctx: Reading, repository: Repository, { base_ref }: Pull): boolean {
  const rules = protectionOf(ctx, repository, base_ref)?.reviews ?? null;
  return isJsonObject(rules) && rules.dismiss_stale_reviews === true;
}
