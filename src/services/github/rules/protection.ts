import type { Reading } from '../operation.ts';
import type { BranchProtection } from '../schema/git.ts';
import type { Repository } from '../schema/repositories.ts';
import { roleIn } from './repositories.ts';
import { ruleViolation } from './rulesets.ts';

/** The rules of a branch; undefined when it is not protected. */
export function protectionOf(
  ctx: Reading,
  repository: Repository,
  branch: string,
): BranchProtection | undefined {
  return ctx.tx.branch_protections.get([repository.id, branch]);
}

/** Whether the rules of a branch hold for the caller: administrators pass unless it says otherwise. */
export function isBound(ctx: Reading, repository: Repository, protection: BranchProtection): boolean {
  return protection.switches.includes('enforce_admins') || roleIn(ctx, repository) !== 'admin';
}

/** Why the caller may not push to a branch straight away; null when it may. */
export function pushRefusal(ctx: Reading, repository: Repository, branch: string): string | null {
  const violation = ruleViolation(ctx, repository, {
    ref: `refs/heads/${branch}`,
    kinds: ['update', 'pull_request'],
  });
  if (violation !== null) return violation.split('\n\n')[1] ?? violation;
  const protection = protectionOf(ctx, repository, branch);
  if (!protection || !isBound(ctx, repository, protection)) return null;
  if (protection.reviews !== null) return 'Changes must be made through a pull request.';
  if (protection.switches.includes('lock_branch')) return 'Cannot change this locked branch';
  if (protection.status_checks !== null) return 'Required status checks are expected.';
  return null;
}
