import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { joinTeam, leaveTeam, memberOf, requireMaintainer, roleInTeam, teamAt } from '../rules/teams.ts';
import { accountNamed, requireViewer } from '../rules/viewer.ts';
import type { Team, TeamMember } from '../schema/teams.ts';
import { simpleUser } from '../views/accounts.ts';
import { invitationView } from '../views/invitations.ts';
import { teamUrl } from '../views/teams.ts';
import { BY_NUMBER, BY_SLUG, type TeamForm } from './teams.ts';

const PERSON = { username: z.string() };

function membershipView(ctx: Reading, team: Team, member: TeamMember): JsonObject {
  const login = ctx.tx.accounts.get(member.user_id)?.login ?? '';
  return {
    state: member.state,
    role: roleInTeam(ctx, team, member),
    url: `${teamUrl(team, ctx.nowMs)}/memberships/${login}`,
  };
}

function memberLists({ path, inputs, example, id }: TeamForm): readonly Operation[] {
  return [
    operation({
      id: id('list-members'),
      summary: 'Lists the members of a team, those of teams below it among them.',
      effect: 'read',
      http: { method: 'GET', path: `${path}/members` },
      input: z.looseObject({ ...inputs, role: z.string().optional(), ...PAGE }),
      output: listOf('id', 'login'),
      example,
      run(ctx, input) {
        const { team, org } = teamAt(ctx, input);
        // Anything but the two roles asks for everybody.
        const role = ['member', 'maintainer'].find((name) => name === input.role) ?? 'all';
        const items = membersWithin(ctx, team)
          .filter((member) => role === 'all' || roleInTeam(ctx, team, member) === role)
          .map(({ user_id }) => ctx.tx.accounts.get(user_id))
          .filter((account) => account !== undefined);
        return paged(ctx, input, {
          items,
          path: `/organizations/${org.id}/team/${team.id}/members`,
          inPath: ['team_id'],
          show: simpleUser,
        });
      },
    }),
    operation({
      id: id('list-pending-invitations'),
      summary: 'Lists who is invited to the organisation by way of a team.',
      effect: 'read',
      http: { method: 'GET', path: `${path}/invitations` },
      input: z.looseObject({ ...inputs, ...PAGE }),
      output: listOf('id', 'login', 'role'),
      example,
      run(ctx, input) {
        const { team, org } = teamAt(ctx, input);
        const all = ctx.tx.org_invitations.by('by_org', [org.id]);
        return paged(ctx, input, {
          items: [...all].filter((row) => row.team_ids.includes(team.id) && row.failed_at === null),
          path: `/organizations/${org.id}/team/${team.id}/invitations`,
          inPath: ['team_id'],
          show: (row) => invitationView(ctx, row),
        });
      },
    }),
  ];
}

/** Active members of a team and of all teams below it, each once. */
function membersWithin(ctx: Reading, team: Team): readonly TeamMember[] {
  const found = new Map<number, TeamMember>();
  const open = [team.id];
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    for (const member of ctx.tx.team_members.by('by_team', [id])) {
      if (member.state === 'active' && !found.has(member.user_id)) found.set(member.user_id, member);
    }
    for (const child of ctx.tx.teams.by('by_parent', [id])) open.push(child.id);
  }
  return [...found.values()];
}

function membershipOperations({ path, inputs, example, id }: TeamForm): readonly Operation[] {
  const one = { ...inputs, ...PERSON };
  const hubert = { ...example, username: 'hubert' } as never;
  return [
    operation({
      id: id('get-membership-for-user'),
      summary: 'Reads how somebody belongs to a team.',
      effect: 'read',
      http: { method: 'GET', path: `${path}/memberships/{username}` },
      input: z.looseObject(one),
      output: shown('state', 'role', 'url'),
      example: hubert,
      run(ctx, input) {
        const { team } = teamAt(ctx, input);
        return membershipView(ctx, team, memberOf(ctx, team, input.username).member);
      },
    }),
    operation({
      id: id('add-or-update-membership-for-user'),
      summary: 'Puts somebody into a team, or gives them another role in it.',
      effect: 'write',
      http: { method: 'PUT', path: `${path}/memberships/{username}` },
      input: z.looseObject({ ...one, role: z.enum(['member', 'maintainer']).optional() }),
      output: shown('state', 'role', 'url'),
      example: hubert,
      run(ctx, input) {
        const { team, org } = teamAt(ctx, input);
        requireMaintainer(ctx, team, org);
        const account = accountNamed(ctx, input.username);
        if (account.type === 'Organization') {
          const message = 'Cannot add an organization as a member';
          const errors = [{ resource: 'TeamMember', code: 'org', field: 'user', message }];
          ctx.fail('validation_failed', { errors });
        }
        return membershipView(ctx, team, joinTeam(ctx, team, { account, role: input.role ?? 'member' }));
      },
    }),
    operation({
      id: id('remove-membership-for-user'),
      summary: 'Takes somebody out of a team, or takes back that they were invited.',
      effect: 'write',
      http: { method: 'DELETE', path: `${path}/memberships/{username}`, status: 204 },
      input: z.looseObject(one),
      output: nothing,
      example: hubert,
      run(ctx, input) {
        const { team, org } = teamAt(ctx, input);
        const { member, account } = memberOf(ctx, team, input.username);
        if (account.id !== requireViewer(ctx).id) requireMaintainer(ctx, team, org);
        leaveTeam(ctx, member);
        return null;
      },
    }),
  ];
}

const legacyMember = { ...BY_NUMBER.inputs, ...PERSON };
const legacyExample = { ...BY_NUMBER.example, username: 'hubert' } as never;
const legacyPath = `${BY_NUMBER.path}/members/{username}`;

const legacyMembers: readonly Operation[] = [
  operation({
    id: 'teams/get-member-legacy',
    summary: 'Says whether somebody is in a team.',
    effect: 'read',
    http: { method: 'GET', path: legacyPath, status: 204 },
    input: z.looseObject(legacyMember),
    output: nothing,
    example: legacyExample,
    run(ctx, input) {
      const { team } = teamAt(ctx, input);
      return memberOf(ctx, team, input.username).member.state === 'active' ? null : ctx.fail('not_found');
    },
  }),
  operation({
    id: 'teams/add-member-legacy',
    summary: 'Puts a member of the organisation into a team.',
    effect: 'write',
    http: { method: 'PUT', path: legacyPath, status: 204 },
    input: z.looseObject(legacyMember),
    output: nothing,
    example: legacyExample,
    run(ctx, input) {
      const { team, org } = teamAt(ctx, input);
      requireMaintainer(ctx, team, org);
      const account = accountNamed(ctx, input.username);
      if (ctx.tx.org_members.get([org.id, account.id])?.state !== 'active') {
        const message = "User isn't a member of this organization. Please invite them first.";
        const errors = [{ code: 'unaffiliated', field: 'user', resource: 'TeamMember' }];
        ctx.fail('unprocessable', { message, errors });
      }
      joinTeam(ctx, team, { account, role: 'member' });
      return null;
    },
  }),
  operation({
    id: 'teams/remove-member-legacy',
    summary: 'Takes somebody out of a team.',
    effect: 'write',
    http: { method: 'DELETE', path: legacyPath, status: 204 },
    input: z.looseObject(legacyMember),
    output: nothing,
    example: legacyExample,
    run(ctx, input) {
      const { team, org } = teamAt(ctx, input);
      requireMaintainer(ctx, team, org);
      leaveTeam(ctx, memberOf(ctx, team, input.username).member);
      return null;
    },
  }),
];

export const teamMemberOperations: readonly Operation[] = [
  ...[BY_SLUG, BY_NUMBER].flatMap((form) => [...memberLists(form), ...membershipOperations(form)]),
  ...legacyMembers,
];
