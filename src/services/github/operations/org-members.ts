import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { removeFromOrganization } from '../rules/memberships.ts';
import { membershipOf, ownsOrganization, requireOwner } from '../rules/organizations.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { accountNamed, findAccount, organizationNamed, requireViewer } from '../rules/viewer.ts';
import type { Account, OrgMember } from '../schema/accounts.ts';
import { simpleUser } from '../views/accounts.ts';
import { API } from '../views/urls.ts';

const ORG = { org: z.string() };
const PERSON = { ...ORG, username: z.string() };
const example = { org: 'octo-works', username: 'hubert' };

/** The people of an organisation, in the order of their numbers. */
export function membersOf(ctx: Reading, org: Account): readonly OrgMember[] {
  return [...ctx.tx.org_members.by('by_org', [org.id])].filter(({ state }) => state === 'active');
}

function accountsOf(ctx: Reading, members: readonly OrgMember[]): readonly Account[] {
  return members
    .map(({ user_id }) => ctx.tx.accounts.get(user_id))
    .filter((account) => account !== undefined);
}

const listMembers = operation({
  id: 'orgs/list-members',
  summary: 'Lists the members of an organisation; strangers see the public ones.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/members' },
  input: z.looseObject({
    ...ORG,
    filter: z.string().optional(),
    role: z.string().optional(),
    ...PAGE,
  }),
  output: listOf('id', 'login'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    const insider = membershipOf(ctx, org) !== undefined;
    const { filter = 'all', role = 'all' } = input;
    if (filter === '2fa_disabled' && !ownsOrganization(ctx, org)) {
      ctx.fail('unprocessable', { message: 'Only owners can use this filter.' });
    }
    const members = membersOf(ctx, org)
      .filter((member) => insider || member.public)
      .filter((member) => role === 'all' || (role === 'admin') === (member.role === 'admin'));
    const items = accountsOf(ctx, members).filter(
      (account) => filter !== '2fa_disabled' || !account.two_factor_authentication,
    );
    return paged(ctx, input, { items, path: `/organizations/${org.id}/members`, show: simpleUser });
  },
});

const checkMember = operation({
  id: 'orgs/check-membership-for-user',
  summary: 'Says whether somebody is a member; strangers are sent to the public list.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/members/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: z.union([nothing, z.literal('')]),
  example,
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    const member = memberNamed(ctx, org, input.username);
    if (!membershipOf(ctx, org)) {
      const location = `${API}/organizations/${org.id}/public_members/${input.username}`;
      ctx.reply({
        status: 302,
        headers: { location, 'content-type': 'text/html;charset=utf-8' },
        form: 'text',
      });
      return '';
    }
    if (member?.state === 'active') return null;
    return ctx.fail('absent', { message: 'User does not exist or is not a member of the organization' });
  },
});

function memberNamed(ctx: Reading, org: Account, username: string): OrgMember | undefined {
  const account = findAccount(ctx, username);
  return account && ctx.tx.org_members.get([org.id, account.id]);
}

const removeMember = operation({
  id: 'orgs/remove-member',
  summary: 'Takes somebody out of an organisation and all its teams.',
  effect: 'write',
  http: { method: 'DELETE', path: '/orgs/{org}/members/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example,
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    requireOwner(ctx, org, 'You must be an admin to remove a member from an organization.');
    const member = memberNamed(ctx, org, input.username);
    if (member?.state !== 'active') return ctx.fail('not_found');
    return removeFromOrganization(ctx, member);
  },
});

const listPublic = operation({
  id: 'orgs/list-public-members',
  summary: 'Lists the members who say so publicly.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/public_members' },
  input: z.looseObject({ ...ORG, ...PAGE }),
  output: listOf('id', 'login'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    const items = accountsOf(
      ctx,
      membersOf(ctx, org).filter((member) => member.public),
    );
    return paged(ctx, input, { items, path: `/organizations/${org.id}/public_members`, show: simpleUser });
  },
});

const checkPublic = operation({
  id: 'orgs/check-public-membership-for-user',
  summary: 'Says whether somebody is a public member.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/public_members/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example,
  run(ctx, input) {
    const member = memberNamed(ctx, organizationNamed(ctx, input.org), input.username);
    if (member?.state === 'active' && member.public) return null;
    const message = 'User does not exist or is not a public member of the organization';
    return ctx.fail('absent', { message });
  },
});

function setPublic(ctx: Writing, input: { org: string; username: string }, open: boolean): null {
  const org = organizationNamed(ctx, input.org);
  const viewer = requireViewer(ctx);
  const account = accountNamed(ctx, input.username);
  const member = ctx.tx.org_members.get([org.id, account.id]);
  if (viewer.id !== account.id && (open || !ownsOrganization(ctx, org))) {
    const message = `Only the user can ${open ? 'publicize' : 'conceal'} their membership`;
    ctx.fail('forbidden', { message });
  }
  if (member?.state !== 'active') return ctx.fail('not_found');
  ctx.tx.org_members.update([org.id, account.id], { public: open });
  return null;
}

const publicize = operation({
  id: 'orgs/set-public-membership-for-authenticated-user',
  summary: 'Makes the own membership public.',
  effect: 'write',
  http: { method: 'PUT', path: '/orgs/{org}/public_members/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { org: 'octo-works', username: 'mona' },
  run: (ctx, input) => setPublic(ctx, input, true),
});

const conceal = operation({
  id: 'orgs/remove-public-membership-for-authenticated-user',
  summary: 'Hides the own membership from strangers.',
  effect: 'write',
  http: { method: 'DELETE', path: '/orgs/{org}/public_members/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { org: 'octo-works', username: 'mona' },
  run: (ctx, input) => setPublic(ctx, input, false),
});

/** Whoever works on a repository of the organisation without being in it. */
export function outsidersOf(ctx: Reading, org: Account): readonly Account[] {
  const found = new Map<number, Account>();
  for (const { id } of ctx.tx.repositories.by('by_owner', [org.id])) {
    for (const { user_id } of ctx.tx.collaborators.by('by_repository', [id])) {
      const account = ctx.tx.accounts.get(user_id);
      if (account && ctx.tx.org_members.get([org.id, user_id])?.state !== 'active') {
        found.set(user_id, account);
      }
    }
  }
  return [...found.values()].toSorted((one, other) => one.id - other.id);
}

const listOutsiders = operation({
  id: 'orgs/list-outside-collaborators',
  summary: 'Lists who works on repositories of an organisation without being in it.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/outside_collaborators' },
  input: z.looseObject({ ...ORG, filter: z.string().optional(), ...PAGE }),
  output: listOf('id', 'login'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    if (!membershipOf(ctx, org)) ctx.fail('not_found');
    const path = `/organizations/${org.id}/outside_collaborators`;
    return paged(ctx, input, { items: outsidersOf(ctx, org), path, show: simpleUser });
  },
});

const convertMember = operation({
  id: 'orgs/convert-member-to-outside-collaborator',
  summary: 'Makes a member one who only keeps the repositories that they work on.',
  effect: 'write',
  http: { method: 'PUT', path: '/orgs/{org}/outside_collaborators/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: z.union([nothing, shown()]),
  example,
  run(ctx, input): JsonObject | null {
    const org = organizationNamed(ctx, input.org);
    requireOwner(ctx, org, 'Must have admin rights to organization.');
    const member = memberNamed(ctx, org, input.username);
    if (member?.state !== 'active') {
      ctx.fail('forbidden', {
        message: `${input.username} is not a member of the ${org.login} organization.`,
      });
    }
    const owners = membersOf(ctx, org).filter(({ role }) => role === 'admin');
    if (member?.role === 'admin' && owners.length === 1) {
      ctx.fail('forbidden', { message: 'Cannot convert the last owner to an outside collaborator' });
    }
    return member ? removeFromOrganization(ctx, member) : null;
  },
});

const removeOutsider = operation({
  id: 'orgs/remove-outside-collaborator',
  summary: 'Takes an outsider from all repositories of an organisation.',
  effect: 'write',
  http: { method: 'DELETE', path: '/orgs/{org}/outside_collaborators/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { org: 'octo-works', username: 'ines' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    requireOwner(ctx, org, 'Must have admin rights to organization.');
    const account = accountNamed(ctx, input.username);
    if (ctx.tx.org_members.get([org.id, account.id])?.state === 'active') {
      const message = 'You cannot specify an organization member to remove as an outside collaborator.';
      ctx.fail('unprocessable', { message });
    }
    for (const { id } of [...ctx.tx.repositories.by('by_owner', [org.id])]) {
      if (ctx.tx.collaborators.has([id, account.id])) ctx.tx.collaborators.delete([id, account.id]);
    }
    return null;
  },
});

export const orgMemberOperations: readonly Operation[] = [
  listMembers,
  checkMember,
  removeMember,
  listPublic,
  checkPublic,
  publicize,
  conceal,
  listOutsiders,
  convertMember,
  removeOutsider,
];
