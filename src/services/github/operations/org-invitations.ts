import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { idOf } from '../rules/ids.ts';
import { acceptInvitation, invitationOf, invite, removeFromOrganization } from '../rules/memberships.ts';
import { membershipOf, requireOwner } from '../rules/organizations.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { accountNamed, organizationNamed, requireViewer } from '../rules/viewer.ts';
import type { Account, OrgMember } from '../schema/accounts.ts';
import type { OrgInvitation } from '../schema/invitations.ts';
import { simpleOrganization, simpleUserOrNull } from '../views/accounts.ts';
import { invitationView } from '../views/invitations.ts';
import { listedTeam } from '../views/teams.ts';
import { API } from '../views/urls.ts';

const ORG = { org: z.string() };
const PERSON = { ...ORG, username: z.string() };
const INVITATION = { ...ORG, invitation_id: z.union([z.int(), z.string()]) };
const ADMIN_TO_INVITE = 'You must be an admin to create an invitation to an organization.';

function membershipView(ctx: Reading, org: Account, member: OrgMember): JsonObject {
  const account = ctx.tx.accounts.get(member.user_id);
  const url = `${API}/orgs/${org.login}`;
  return {
    url: `${url}/memberships/${account?.login ?? ''}`,
    state: member.state,
    role: member.role,
    organization_url: url,
    user: simpleUserOrNull(account),
    organization: simpleOrganization(org),
    direct_membership: true,
  };
}

const getMembership = operation({
  id: 'orgs/get-membership-for-user',
  summary: 'Reads how somebody belongs to an organisation.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/memberships/{username}' },
  input: z.looseObject(PERSON),
  output: shown('state', 'role', 'user'),
  example: { org: 'octo-works', username: 'hubert' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    if (!membershipOf(ctx, org)) {
      ctx.fail('forbidden', {
        message: 'You must be a member of this organization to see membership information',
      });
    }
    const account = accountNamed(ctx, input.username);
    const member = ctx.tx.org_members.get([org.id, account.id]);
    return member ? membershipView(ctx, org, member) : ctx.fail('not_found');
  },
});

const setMembership = operation({
  id: 'orgs/set-membership-for-user',
  summary: 'Asks somebody to join an organisation, or gives a member another role.',
  effect: 'write',
  http: { method: 'PUT', path: '/orgs/{org}/memberships/{username}' },
  input: z.looseObject({ ...PERSON, role: z.enum(['admin', 'member']).optional() }),
  output: shown('state', 'role', 'user'),
  example: { org: 'octo-works', username: 'ines' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    requireOwner(ctx, org, 'You must be an admin to add or update an organization membership.');
    const account = accountNamed(ctx, input.username);
    if (account.type !== 'User') ctx.fail('not_found');
    const { role = 'member' } = input;
    const key = [org.id, account.id];
    const known = ctx.tx.org_members.get(key);
    if (known) return membershipView(ctx, org, ctx.tx.org_members.update(key, { role }));
    const asked = { invitee_id: account.id, email: null, team_ids: [] };
    invite(ctx, org, { ...asked, role: role === 'admin' ? 'admin' : 'direct_member' });
    const member = ctx.tx.org_members.get(key) ?? ctx.fail('not_found');
    return membershipView(ctx, org, member);
  },
});

const removeMembership = operation({
  id: 'orgs/remove-membership-for-user',
  summary: 'Takes somebody out of an organisation, or takes back that they were invited.',
  effect: 'write',
  http: { method: 'DELETE', path: '/orgs/{org}/memberships/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { org: 'octo-works', username: 'hubert' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    requireOwner(ctx, org, 'You must be an admin to remove a member from an organization.');
    const account = accountNamed(ctx, input.username);
    const member = ctx.tx.org_members.get([org.id, account.id]) ?? ctx.fail('not_found');
    return removeFromOrganization(ctx, member);
  },
});

const listOwn = operation({
  id: 'orgs/list-memberships-for-authenticated-user',
  summary: 'Lists how the caller belongs to organisations.',
  effect: 'read',
  http: { method: 'GET', path: '/user/memberships/orgs' },
  input: z.looseObject({ state: z.string().optional(), ...PAGE }),
  output: listOf('state', 'role', 'organization'),
  example: {},
  run(ctx, input) {
    const all = [...ctx.tx.org_members.by('by_user', [requireViewer(ctx).id])];
    const items = all.filter(({ state }) => input.state === undefined || state === input.state);
    const show = (member: OrgMember): JsonObject => {
      const org = ctx.tx.accounts.get(member.org_id);
      return org ? membershipView(ctx, org, member) : {};
    };
    return paged(ctx, input, { items, path: '/user/memberships/orgs', show });
  },
});

const getOwn = operation({
  id: 'orgs/get-membership-for-authenticated-user',
  summary: 'Reads how the caller belongs to an organisation.',
  effect: 'read',
  http: { method: 'GET', path: '/user/memberships/orgs/{org}' },
  input: z.looseObject(ORG),
  output: shown('state', 'role', 'organization'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    const member = ctx.tx.org_members.get([org.id, requireViewer(ctx).id]);
    return member ? membershipView(ctx, org, member) : ctx.fail('not_found');
  },
});

const acceptOwn = operation({
  id: 'orgs/update-membership-for-authenticated-user',
  summary: 'Accepts the invitation to an organisation.',
  effect: 'write',
  http: { method: 'PATCH', path: '/user/memberships/orgs/{org}' },
  input: z.looseObject({ ...ORG, state: z.enum(['active']) }),
  output: shown('state', 'role', 'organization'),
  example: { org: 'octo-works', state: 'active' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    const member = ctx.tx.org_members.get([org.id, requireViewer(ctx).id]) ?? ctx.fail('not_found');
    return membershipView(ctx, org, member.state === 'active' ? member : acceptInvitation(ctx, org, member));
  },
});

function pendingOf(ctx: Reading, org: Account, failed: boolean): readonly OrgInvitation[] {
  return [...ctx.tx.org_invitations.by('by_org', [org.id])].filter(
    ({ failed_at }) => (failed_at !== null) === failed,
  );
}

const listPending = operation({
  id: 'orgs/list-pending-invitations',
  summary: 'Lists who is asked to join and has not answered.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/invitations' },
  input: z.looseObject({ ...ORG, role: z.string().optional(), ...PAGE }),
  output: listOf('id', 'login', 'role'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    requireOwner(ctx, org, 'You must be an admin to view invitations of an organization.');
    const { role = 'all' } = input;
    const items = pendingOf(ctx, org, false).filter((row) => role === 'all' || row.role === role);
    const path = `/organizations/${org.id}/invitations`;
    return paged(ctx, input, { items, path, show: (row) => invitationView(ctx, row) });
  },
});

const listFailed = operation({
  id: 'orgs/list-failed-invitations',
  summary: 'Lists invitations that came to nothing.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/failed_invitations' },
  input: z.looseObject({ ...ORG, ...PAGE }),
  output: listOf('id', 'login', 'role'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    requireOwner(ctx, org, 'You must be an admin to view invitations of an organization.');
    const path = `/organizations/${org.id}/failed_invitations`;
    return paged(ctx, input, {
      items: pendingOf(ctx, org, true),
      path,
      show: (row) => invitationView(ctx, row),
    });
  },
});

const createInvitation = operation({
  id: 'orgs/create-invitation',
  summary: 'Asks somebody to join, by number or by mail.',
  effect: 'write',
  http: { method: 'POST', path: '/orgs/{org}/invitations', status: 201 },
  input: z.looseObject({
    ...ORG,
    invitee_id: z.int().optional(),
    email: z.string().optional(),
    role: z.enum(['admin', 'direct_member', 'billing_manager', 'reinstate']).optional(),
    team_ids: z.array(z.int()).optional(),
  }),
  output: shown('id', 'login', 'role'),
  example: { org: 'octo-works', email: 'juno@lamps.example' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    requireOwner(ctx, org, ADMIN_TO_INVITE);
    const { invitee_id, email, role = 'direct_member', team_ids = [] } = input;
    const account = invitee_id === undefined ? undefined : ctx.tx.accounts.get(invitee_id);
    if (invitee_id === undefined ? email === undefined : !account) ctx.fail('not_found');
    if (account && ctx.tx.org_members.get([org.id, account.id])?.state === 'active') {
      const message = 'Invitee is already a part of this organization';
      const errors = [{ resource: 'OrganizationInvitation', code: 'unprocessable', field: 'data', message }];
      ctx.fail('validation_failed', { errors });
    }
    const known = account && invitationOf(ctx, org, account);
    const asked = { invitee_id: account?.id ?? null, email: account ? null : (email ?? null) };
    return invitationView(ctx, known ?? invite(ctx, org, { ...asked, role, team_ids }));
  },
});

function invitationAt(ctx: Reading, input: { org: string; invitation_id: number | string }): OrgInvitation {
  const org = organizationNamed(ctx, input.org);
  requireOwner(ctx, org, ADMIN_TO_INVITE);
  const row = ctx.tx.org_invitations.get(idOf(input.invitation_id));
  return row?.org_id === org.id ? row : ctx.fail('not_found');
}

const cancelInvitation = operation({
  id: 'orgs/cancel-invitation',
  summary: 'Takes an invitation back.',
  effect: 'write',
  http: { method: 'DELETE', path: '/orgs/{org}/invitations/{invitation_id}', status: 204 },
  input: z.looseObject(INVITATION),
  output: nothing,
  example: { org: 'octo-works', invitation_id: 60_000_001 },
  run(ctx, input) {
    const { id, org_id, invitee_id } = invitationAt(ctx, input);
    ctx.tx.org_invitations.delete(id);
    const member = invitee_id === null ? undefined : ctx.tx.org_members.get([org_id, invitee_id]);
    return member?.state === 'pending' ? removeFromOrganization(ctx, member) : null;
  },
});

const listTeams = operation({
  id: 'orgs/list-invitation-teams',
  summary: 'Lists the teams that an invitation is for.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/invitations/{invitation_id}/teams' },
  input: z.looseObject({ ...INVITATION, ...PAGE }),
  output: listOf('id', 'name', 'slug'),
  example: { org: 'octo-works', invitation_id: 60_000_001 },
  run(ctx, input) {
    const { id, org_id, team_ids } = invitationAt(ctx, input);
    const org = ctx.tx.accounts.get(org_id) ?? ctx.fail('not_found');
    const items = team_ids.map((team) => ctx.tx.teams.get(team)).filter((team) => team !== undefined);
    const path = `/organizations/${org_id}/invitations/${id}/teams`;
    const inPath = ['invitation_id'];
    return paged(ctx, input, { items, path, inPath, show: (team) => listedTeam(ctx, team, org) });
  },
});

export const orgInvitationOperations: readonly Operation[] = [
  getMembership,
  setMembership,
  removeMembership,
  listOwn,
  getOwn,
  acceptOwn,
  listPending,
  listFailed,
  createInvitation,
  cancelInvitation,
  listTeams,
];
