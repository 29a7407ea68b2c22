import type { Reading } from '../operation.ts';
import type { Account, OrgMember } from '../schema/accounts.ts';
import { viewerOf } from './viewer.ts';

/** How the caller belongs to an organisation; undefined for strangers and for those who have not accepted. */
export function membershipOf(ctx: Reading, org: Account): OrgMember | undefined {
  const viewer = viewerOf(ctx);
  const member = viewer ? ctx.tx.org_members.get([org.id, viewer.id]) : undefined;
  return member?.state === 'active' ? member : undefined;
}

export function ownsOrganization(ctx: Reading, org: Account): boolean {
  return membershipOf(ctx, org)?.role === 'admin';
}

/** @throws 403 with this message unless the caller is an owner. */
export function requireOwner(ctx: Reading, org: Account, message: string): void {
  if (!ownsOrganization(ctx, org)) ctx.fail('forbidden', { message });
}

/** @throws 404 unless the caller is an owner: things that others must not know of. */
export function requireHiddenOwner(ctx: Reading, org: Account): void {
  if (!ownsOrganization(ctx, org)) ctx.fail('not_found');
}
