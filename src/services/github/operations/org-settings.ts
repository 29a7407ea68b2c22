import { z } from 'zod';
import type { Json, JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { ownsOrganization, requireHiddenOwner, requireOwner } from '../rules/organizations.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { afterNumber } from '../rules/since.ts';
import { teamAt } from '../rules/teams.ts';
import { accountNamed, findAccount, organizationNamed, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import {
  ORGANIZATION_POLICIES,
  ORGANIZATION_SECURITY,
  privateOrganization,
  settingsOf,
  simpleOrganization,
  simpleUser,
} from '../views/accounts.ts';
import { simpleTeam } from '../views/teams.ts';

const ORG = { org: z.string() };
const PERSON = { ...ORG, username: z.string() };
const SINCE = { since: z.union([z.int(), z.string()]).optional(), per_page: PAGE.per_page };

function* organizationsIn(ctx: Reading): Generator<Account> {
  for (const account of ctx.tx.accounts.scan()) if (account.type === 'Organization') yield account;
}

const listOrganizations = operation({
  id: 'orgs/list',
  summary: 'Lists all organisations, in the order in which they were made.',
  effect: 'read',
  http: { method: 'GET', path: '/organizations' },
  input: z.looseObject(SINCE),
  output: listOf('id', 'login'),
  example: {},
  run: (ctx, input) =>
    afterNumber(ctx, input, { path: '/organizations', items: organizationsIn(ctx) }).map(simpleOrganization),
});

const listForViewer = operation({
  id: 'orgs/list-for-authenticated-user',
  summary: 'Lists the organisations that the caller is in.',
  effect: 'read',
  http: { method: 'GET', path: '/user/orgs' },
  input: z.looseObject(PAGE),
  output: listOf('id', 'login'),
  example: {},
  run(ctx, input) {
    const items = organizationsOf(ctx, requireViewer(ctx), false);
    return paged(ctx, input, { items, path: '/user/orgs', show: simpleOrganization });
  },
});

const listForUser = operation({
  id: 'orgs/list-for-user',
  summary: 'Lists the organisations that somebody is in publicly.',
  effect: 'read',
  http: { method: 'GET', path: '/users/{username}/orgs' },
  input: z.looseObject({ username: z.string(), ...PAGE }),
  output: listOf('id', 'login'),
  example: { username: 'mona' },
  run(ctx, input) {
    const account = accountNamed(ctx, input.username);
    const items = organizationsOf(ctx, account, true);
    return paged(ctx, input, { items, path: `/user/${account.id}/orgs`, show: simpleOrganization });
  },
});

function organizationsOf(ctx: Reading, account: Account, publicOnly: boolean): readonly Account[] {
  return [...ctx.tx.org_members.by('by_user', [account.id])]
    .filter((member) => member.state === 'active' && (member.public || !publicOnly))
    .map(({ org_id }) => ctx.tx.accounts.get(org_id))
    .filter((org) => org !== undefined);
}

const PROFILE = ['company', 'email', 'twitter_username', 'location', 'name', 'blog'] as const;
const SETTINGS = [
  'description',
  'billing_email',
  'has_organization_projects',
  'has_repository_projects',
  ...Object.keys(ORGANIZATION_POLICIES),
  ...Object.keys(ORGANIZATION_SECURITY),
];
const words = z.string().nullish();

const updateOrganization = operation({
  id: 'orgs/update',
  summary: 'Changes the profile and the policies of an organisation.',
  effect: 'write',
  http: { method: 'PATCH', path: '/orgs/{org}' },
  input: z.looseObject({
    ...ORG,
    ...Object.fromEntries(PROFILE.map((name) => [name, words])),
    description: words,
    billing_email: words,
    has_organization_projects: z.boolean().optional(),
    has_repository_projects: z.boolean().optional(),
    default_repository_permission: z.enum(['read', 'write', 'admin', 'none']).optional(),
    members_can_create_repositories: z.boolean().optional(),
  }),
  output: shown('login', 'id'),
  example: { org: 'octo-works', description: 'Lamps that listen.' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    requireHiddenOwner(ctx, org);
    const sent = input as JsonObject;
    const profile = PROFILE.filter((name) => sent[name] !== undefined).map((name) => [name, sent[name]]);
    const settings: Record<string, Json | undefined> = { ...settingsOf(org) };
    for (const name of SETTINGS) if (sent[name] !== undefined) settings[name] = sent[name];
    const changed = ctx.tx.accounts.update(org.id, {
      ...(Object.fromEntries(profile) as Partial<Account>),
      settings: settings as JsonObject,
      updated_at: momentText(ctx.nowMs),
    });
    return privateOrganization(changed);
  },
});

const deleteOrganization = operation({
  id: 'orgs/delete',
  summary: 'Deletes an organisation with everything in it.',
  effect: 'write',
  http: { method: 'DELETE', path: '/orgs/{org}', status: 202 },
  input: z.looseObject(ORG),
  output: shown(),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    requireOwner(ctx, org, 'Must have admin rights to organization.');
    ctx.tx.accounts.delete(org.id);
    return {};
  },
});

const listBlocked = operation({
  id: 'orgs/list-blocked-users',
  summary: 'Lists whom an organisation keeps out.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/blocks' },
  input: z.looseObject({ ...ORG, ...PAGE }),
  output: listOf('id', 'login'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = blockingOrganization(ctx, input.org);
    const items = blockedBy(ctx, org);
    return paged(ctx, input, { items, path: `/organizations/${org.id}/blocks`, show: simpleUser });
  },
});

/** Whom an account keeps out. */
export function blockedBy(ctx: Reading, account: Account): readonly Account[] {
  return [...ctx.tx.blocks.by('by_account', [account.id])]
    .map(({ user_id }) => ctx.tx.accounts.get(user_id))
    .filter((found) => found !== undefined);
}

function blockingOrganization(ctx: Reading, login: string): Account {
  const org = organizationNamed(ctx, login);
  requireHiddenOwner(ctx, org);
  return org;
}

const checkBlocked = operation({
  id: 'orgs/check-blocked-user',
  summary: 'Says whether an organisation keeps somebody out.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/blocks/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { org: 'octo-works', username: 'rowan' },
  run(ctx, input) {
    const org = blockingOrganization(ctx, input.org);
    const account = findAccount(ctx, input.username);
    return account && ctx.tx.blocks.has([org.id, account.id]) ? null : ctx.fail('not_found');
  },
});

const block = operation({
  id: 'orgs/block-user',
  summary: 'Keeps somebody out of an organisation.',
  effect: 'write',
  http: { method: 'PUT', path: '/orgs/{org}/blocks/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { org: 'octo-works', username: 'ines' },
  run(ctx, input) {
    const org = blockingOrganization(ctx, input.org);
    const account = accountNamed(ctx, input.username);
    if (ctx.tx.org_members.get([org.id, account.id])?.state === 'active') {
      const message = 'Cannot block a member of the organization';
      ctx.fail('validation_failed', { errors: [{ resource: 'BlockedUser', code: 'custom', message }] });
    }
    if (!ctx.tx.blocks.has([org.id, account.id])) {
      ctx.tx.blocks.insert({ account_id: org.id, user_id: account.id });
    }
    return null;
  },
});

const unblock = operation({
  id: 'orgs/unblock-user',
  summary: 'Lets somebody into an organisation again.',
  effect: 'write',
  http: { method: 'DELETE', path: '/orgs/{org}/blocks/{username}', status: 204 },
  input: z.looseObject(PERSON),
  output: nothing,
  example: { org: 'octo-works', username: 'rowan' },
  run(ctx, input) {
    const org = blockingOrganization(ctx, input.org);
    const account = accountNamed(ctx, input.username);
    if (ctx.tx.blocks.has([org.id, account.id])) ctx.tx.blocks.delete([org.id, account.id]);
    return null;
  },
});

const listManagers = operation({
  id: 'orgs/list-security-manager-teams',
  summary: 'Lists the teams that manage security.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/security-managers' },
  input: z.looseObject(ORG),
  output: listOf('id', 'name', 'slug'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    if (!ownsOrganization(ctx, org)) ctx.fail('not_found');
    const teams = [...ctx.tx.teams.by('by_slug', [org.id])].filter((team) => team.security_manager);
    return teams.map((team) => simpleTeam(team, org, ctx.nowMs));
  },
});

function managing(effect: { id: string; method: 'PUT' | 'DELETE'; value: boolean }): Operation {
  return operation({
    id: effect.id,
    summary: effect.value ? 'Has a team manage security.' : 'Has a team manage security no longer.',
    effect: 'write',
    http: { method: effect.method, path: '/orgs/{org}/security-managers/teams/{team_slug}', status: 204 },
    input: z.looseObject({ ...ORG, team_slug: z.string() }),
    output: nothing,
    example: { org: 'octo-works', team_slug: 'makers' },
    run(ctx, input) {
      const { team, org } = teamAt(ctx, input);
      requireHiddenOwner(ctx, org);
      ctx.tx.teams.update(team.id, { security_manager: effect.value });
      return null;
    },
  });
}

export const orgSettingOperations: readonly Operation[] = [
  listOrganizations,
  listForViewer,
  listForUser,
  updateOrganization,
  deleteOrganization,
  listBlocked,
  checkBlocked,
  block,
  unblock,
  listManagers,
  managing({ id: 'orgs/add-security-manager-team', method: 'PUT', value: true }),
  managing({ id: 'orgs/remove-security-manager-team', method: 'DELETE', value: false }),
];
