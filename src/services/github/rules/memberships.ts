import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Account, OrgMember } from '../schema/accounts.ts';
import type { OrgInvitation } from '../schema/invitations.ts';
import { freshId } from './ids.ts';
import { countTeam } from './teams.ts';
import { requireViewer } from './viewer.ts';

/** The invitation that somebody has not answered yet. */
export function invitationOf(ctx: Reading, org: Account, account: Account): OrgInvitation | undefined {
  for (const row of ctx.tx.org_invitations.by('by_org', [org.id])) {
    if (row.invitee_id === account.id && row.failed_at === null) return row;
  }
  return undefined;
}

/** Asks somebody to join; they are pending until they accept. */
export function invite(
  ctx: Writing,
  org: Account,
  wish: Pick<OrgInvitation, 'email' | 'invitee_id' | 'role' | 'team_ids'>,
): OrgInvitation {
  const row = ctx.tx.org_invitations.insert({
    id: freshId(ctx, 'org_invitations'),
    org_id: org.id,
    ...wish,
    inviter_id: requireViewer(ctx).id,
    created_at: momentText(ctx.nowMs),
    failed_at: null,
    failed_reason: null,
  });
  const { invitee_id: user_id } = wish;
  if (user_id === null || ctx.tx.org_members.has([org.id, user_id])) return row;
  const role = wish.role === 'admin' || wish.role === 'billing_manager' ? wish.role : 'member';
  ctx.tx.org_members.insert({ org_id: org.id, user_id, role, state: 'pending', public: false });
  for (const team_id of wish.team_ids) {
    if (!ctx.tx.teams.has(team_id) || ctx.tx.team_members.has([team_id, user_id])) continue;
    ctx.tx.team_members.insert({ team_id, user_id, role: 'member', state: 'pending' });
  }
  return row;
}

/** Somebody accepts: they are a member, and in the teams that they were asked into. */
export function acceptInvitation(ctx: Writing, org: Account, member: OrgMember): OrgMember {
  const account = ctx.tx.accounts.get(member.user_id);
  const invitation = account && invitationOf(ctx, org, account);
  if (invitation) ctx.tx.org_invitations.delete(invitation.id);
  for (const { team_id, state } of [...ctx.tx.team_members.by('by_user', [member.user_id])]) {
    if (state !== 'pending' || ctx.tx.teams.get(team_id)?.org_id !== org.id) continue;
    ctx.tx.team_members.update([team_id, member.user_id], { state: 'active' });
    countTeam(ctx, team_id, { members: 1 });
  }
  return ctx.tx.org_members.update([org.id, member.user_id], { state: 'active' });
}

/** Takes somebody out of an organisation, its teams, and the list of those who were asked. */
export function removeFromOrganization(ctx: Writing, { org_id, user_id }: OrgMember): null {
  for (const { team_id, state } of [...ctx.tx.team_members.by('by_user', [user_id])]) {
    if (ctx.tx.teams.get(team_id)?.org_id !== org_id) continue;
    ctx.tx.team_members.delete([team_id, user_id]);
    countTeam(ctx, team_id, { members: state === 'active' ? -1 : 0 });
  }
  for (const { id, invitee_id } of [...ctx.tx.org_invitations.by('by_org', [org_id])]) {
    if (invitee_id === user_id) ctx.tx.org_invitations.delete(id);
  }
  ctx.tx.org_members.delete([org_id, user_id]);
  return null;
}
