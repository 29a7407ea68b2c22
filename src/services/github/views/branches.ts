import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { Branch } from '../rules/refs.ts';
import type { BranchProtection } from '../schema/git.ts';
import { commitView, encodedPath } from './git.ts';
import type { Place } from './issues.ts';

/** What must pass before a branch may move, as `{strict, checks}`. */
export interface StatusChecks {
  readonly strict: boolean;
  readonly checks: readonly { readonly context: string; readonly app_id: number | null }[];
}

export function statusChecksOf(protection: BranchProtection | undefined): StatusChecks | null {
  return (protection?.status_checks ?? null) as StatusChecks | null;
}

/** A protected branch's rules as branches themselves show them. */
function protectionSummary(protection: BranchProtection | undefined): JsonObject {
  const checks = statusChecksOf(protection);
  const everyone = protection?.switches.includes('enforce_admins') === true;
  return {
    enabled: protection !== undefined,
    required_status_checks: {
      enforcement_level: checks ? (everyone ? 'everyone' : 'non_admins') : 'off',
      contexts: checks?.checks.map(({ context }) => context) ?? [],
      checks: (checks?.checks.map(({ context, app_id }) => ({ context, app_id })) ?? []) as JsonObject[],
    },
  };
}

/** A branch as lists show it. */
export function shortBranch(ctx: Reading, { repository, url }: Place, { name, sha }: Branch): JsonObject {
  const protection = ctx.tx.branch_protections.get([repository.id, name]);
  return {
    name,
    commit: { sha, url: `${url}/commits/${sha}` },
    protected: protection !== undefined,
    protection: protectionSummary(protection),
    protection_url: `${url}/branches/${encodedPath(name)}/protection`,
  };
}

/** A branch with its last commit. */
export function branchView(ctx: Reading, place: Place, branch: Branch): JsonObject {
  const { repository, url, web } = place;
  const path = encodedPath(branch.name);
  const protection = ctx.tx.branch_protections.get([repository.id, branch.name]);
  return {
    name: branch.name,
    commit: commitView(ctx, place, branch.sha),
    _links: { self: `${url}/branches/${path}`, html: `${web}/tree/${path}` },
    protected: protection !== undefined,
    protection: protectionSummary(protection),
    protection_url: `${url}/branches/${path}/protection`,
  };
}
