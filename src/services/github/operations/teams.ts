import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { freshId, idOf } from '../rules/ids.ts';
import { membershipOf, ownsOrganization } from '../rules/organizations.ts';
import { PAGE, paged } from '../rules/paging.ts';
import {
  grantRepository,
  joinTeam,
  requireMaintainer,
  seesTeam,
  slugOf,
  type TeamPlace,
  teamAt,
} from '../rules/teams.ts';
import { findAccount, organizationNamed, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Team } from '../schema/teams.ts';
import { fullTeam, listedTeam, teamUrl } from '../views/teams.ts';

/** The two ways to name a team: by organisation and slug, and by number as before 2020. */
export interface TeamForm {
  readonly path: string;
  readonly inputs: Readonly<Record<string, z.ZodType>>;
  readonly example: JsonObject;
  readonly id: (name: string) => string;
}

export const BY_SLUG: TeamForm = {
  path: '/orgs/{org}/teams/{team_slug}',
  inputs: { org: z.string(), team_slug: z.string() },
  example: { org: 'octo-works', team_slug: 'makers' },
  id: (name) => (name === 'get' ? 'teams/get-by-name' : `teams/${name}-in-org`),
};

export const BY_NUMBER: TeamForm = {
  path: '/teams/{team_id}',
  inputs: { team_id: z.union([z.int(), z.string()]) },
  example: { team_id: 12_000_001 },
  id: (name) => `teams/${name}-legacy`,
};

const SETTINGS = {
  description: z.string().nullish(),
  privacy: z.enum(['secret', 'closed']).optional(),
  notification_setting: z.enum(['notifications_enabled', 'notifications_disabled']).optional(),
  permission: z.string().optional(),
  parent_team_id: z.union([z.int(), z.string()]).nullish(),
  parent_team_slug: z.string().nullish(),
};
type Settings = z.infer<z.ZodObject<typeof SETTINGS>>;

const listTeams = operation({
  id: 'teams/list',
  summary: 'Lists the teams of an organisation that the caller may see.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}/teams' },
  input: z.looseObject({ org: z.string(), ...PAGE }),
  output: listOf('id', 'name', 'slug'),
  example: { org: 'octo-works' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    if (!membershipOf(ctx, org)) {
      ctx.fail('forbidden', { message: 'Must be a member of the organization to list its teams.' });
    }
    const items = teamsOf(ctx, org);
    const path = `/organizations/${org.id}/teams`;
    return paged(ctx, input, { items, path, show: (team) => listedTeam(ctx, team, org) });
  },
});

/**
 * Owners are shown all teams by name; a team of owners that organisations of before 2015 keep comes first.
 * Others are shown those that they may see, the oldest first.
 */
function teamsOf(ctx: Reading, org: Account): readonly Team[] {
  const all = [...ctx.tx.teams.by('by_slug', [org.id])];
  const isOwners = ({ slug, permission }: Team): boolean => slug === 'owners' && permission === 'admin';
  if (ownsOrganization(ctx, org)) return [...all.filter(isOwners), ...all.filter((team) => !isOwners(team))];
  return all.filter((team) => seesTeam(ctx, team, org)).toSorted((one, other) => one.id - other.id);
}

const createTeam = operation({
  id: 'teams/create',
  summary: 'Makes a team of an organisation.',
  effect: 'write',
  http: { method: 'POST', path: '/orgs/{org}/teams', status: 201 },
  input: z.looseObject({
    org: z.string(),
    name: z.string(),
    ...SETTINGS,
    maintainers: z.array(z.string()).optional(),
    repo_names: z.array(z.string()).optional(),
  }),
  output: shown('id', 'name', 'slug'),
  example: { org: 'octo-works', name: 'Night shift' },
  run(ctx, input) {
    const org = organizationNamed(ctx, input.org);
    const viewer = requireViewer(ctx);
    if (!membershipOf(ctx, org)) ctx.fail('not_found');
    const parent = parentOf(ctx, org, input) ?? null;
    const moment = momentText(ctx.nowMs);
    const team = ctx.tx.teams.insert({
      id: freshId(ctx, 'teams'),
      org_id: org.id,
      name: input.name,
      slug: freeSlug(ctx, org, { name: input.name }),
      description: input.description ?? null,
      // A team below another is never secret.
      privacy: parent ? 'closed' : (input.privacy ?? 'secret'),
      notification_setting: input.notification_setting ?? 'notifications_enabled',
      permission: input.permission ?? 'pull',
      parent_id: parent?.id ?? null,
      members: 0,
      repositories: 0,
      security_manager: false,
      created_at: moment,
      updated_at: moment,
    });
    joinTeam(ctx, team, { account: viewer, role: 'maintainer' });
    fill(ctx, { team, org }, input);
    const made = ctx.tx.teams.get(team.id) ?? team;
    ctx.reply({ facts: { location: teamUrl(made, ctx.nowMs) } });
    return fullTeam(ctx, made, org);
  },
});

/** The people and repositories that a team is made with. */
function fill(
  ctx: Writing,
  { team, org }: { readonly team: Team; readonly org: Account },
  input: {
    readonly maintainers?: string[] | undefined;
    readonly repo_names?: string[] | undefined;
    readonly permission?: string | undefined;
  },
): void {
  for (const login of input.maintainers ?? []) {
    const account = findAccount(ctx, login);
    if (account) joinTeam(ctx, team, { account, role: 'maintainer' });
  }
  for (const name of input.repo_names ?? []) {
    const short = (name.split('/').at(-1) ?? name).toLowerCase();
    const repository = ctx.tx.repositories.unique('by_name', [org.id, short]);
    if (!repository) {
      const errors = [{ resource: 'TeamRepository', code: 'invalid', field: 'repo_names' }];
      ctx.fail('validation_failed', { errors });
    } else {
      grantRepository(ctx, team, { repository, role: input.permission === 'push' ? 'write' : 'read' });
    }
  }
}

/** @throws 422 where the organisation has a team of that name. */
function freeSlug(
  ctx: Writing,
  org: Account,
  { name, own }: { readonly name: string; readonly own?: Team },
): string {
  const slug = slugOf(name);
  const taken = ctx.tx.teams.unique('by_slug', [org.id, slug]);
  if (slug !== '' && (!taken || taken.id === own?.id)) return slug;
  const message = 'Name must be unique for this org';
  return ctx.fail('validation_failed', {
    errors: [{ resource: 'Team', code: 'custom', field: 'name', message }],
  });
}

/** The team above, as settings name it: null for none any more, undefined where they do not say. */
function parentOf(ctx: Reading, org: Account, settings: Settings): Team | null | undefined {
  const { parent_team_id: id, parent_team_slug: slug } = settings;
  if (id === undefined && slug === undefined) return undefined;
  if (id === null || (id === undefined && slug === null)) return null;
  const parent =
    id === undefined ? ctx.tx.teams.unique('by_slug', [org.id, String(slug)]) : ctx.tx.teams.get(idOf(id));
  if (parent?.org_id === org.id) return parent;
  return ctx.fail('validation_failed', {
    errors: [{ resource: 'Team', code: 'invalid', field: 'parent_team_id' }],
  });
}

/** Reading, changing and deleting a team, and what is below it, in one form. */
function teamOperations({ path, inputs, example, id }: TeamForm): readonly Operation[] {
  return [
    operation({
      id: id('get'),
      summary: 'Reads a team.',
      effect: 'read',
      http: { method: 'GET', path },
      input: z.looseObject(inputs),
      output: shown('id', 'name', 'slug', 'organization'),
      example,
      run(ctx, input) {
        const { team, org } = teamAt(ctx, input);
        return fullTeam(ctx, team, org);
      },
    }),
    operation({
      id: id('update'),
      summary: 'Changes a team.',
      effect: 'write',
      http: { method: 'PATCH', path },
      input: z.looseObject({ ...inputs, name: z.string().optional(), ...SETTINGS }),
      output: shown('id', 'name', 'slug', 'organization'),
      example: { ...example, description: 'Those who solder' } as never,
      run: (ctx, input) => updateTeam(ctx, input, input),
    }),
    operation({
      id: id('delete'),
      summary: 'Deletes a team; those below it stay.',
      effect: 'write',
      http: { method: 'DELETE', path, status: 204 },
      input: z.looseObject(inputs),
      output: nothing,
      example,
      run(ctx, input) {
        const { team, org } = teamAt(ctx, input);
        requireMaintainer(ctx, team, org);
        ctx.tx.teams.delete(team.id);
        return null;
      },
    }),
    operation({
      id: id('list-child'),
      summary: 'Lists the teams right below a team.',
      effect: 'read',
      http: { method: 'GET', path: `${path}/teams` },
      input: z.looseObject({ ...inputs, ...PAGE }),
      output: listOf('id', 'name', 'slug'),
      example,
      run(ctx, input) {
        const { team, org } = teamAt(ctx, input);
        return paged(ctx, input, {
          items: [...ctx.tx.teams.by('by_parent', [team.id])],
          path: `/organizations/${org.id}/team/${team.id}/teams`,
          inPath: ['team_id'],
          show: (child) => listedTeam(ctx, child, org),
        });
      },
    }),
  ];
}

function updateTeam(
  ctx: Writing,
  at: TeamPlace,
  settings: Settings & { readonly name?: string | undefined },
): JsonObject {
  const { team, org } = teamAt(ctx, at);
  requireMaintainer(ctx, team, org);
  const { name, description, privacy, notification_setting: notices, permission } = settings;
  const parent = parentOf(ctx, org, settings);
  if (privacy === 'secret' && (parent ?? team.parent_id) !== null && parent !== null) {
    ctx.fail('validation_failed', {
      errors: [
        { resource: 'Team', code: 'custom', field: 'privacy', message: 'Nested teams must be closed' },
      ],
    });
  }
  const changed = ctx.tx.teams.update(team.id, {
    ...(name !== undefined && { name, slug: freeSlug(ctx, org, { name, own: team }) }),
    ...(description !== undefined && { description }),
    ...(privacy !== undefined && { privacy }),
    ...(parent && { privacy: 'closed' as const }),
    ...(notices !== undefined && { notification_setting: notices }),
    ...(permission !== undefined && { permission }),
    ...(parent !== undefined && { parent_id: parent?.id ?? null }),
    updated_at: momentText(ctx.nowMs),
  });
  return fullTeam(ctx, changed, org);
}

const listForViewer = operation({
  id: 'teams/list-for-authenticated-user',
  summary: 'Lists the teams that the caller is in, in all organisations.',
  effect: 'read',
  http: { method: 'GET', path: '/user/teams' },
  input: z.looseObject(PAGE),
  output: listOf('id', 'name', 'organization'),
  example: {},
  run(ctx, input) {
    const viewer = requireViewer(ctx);
    const items = [...ctx.tx.team_members.by('by_user', [viewer.id])]
      .filter(({ state }) => state === 'active')
      .map(({ team_id }) => ctx.tx.teams.get(team_id))
      .filter((team) => team !== undefined);
    const show = (team: Team): JsonObject => {
      const org = ctx.tx.accounts.get(team.org_id);
      return org ? fullTeam(ctx, team, org) : {};
    };
    return paged(ctx, input, { items, path: '/user/teams', show });
  },
});

export const teamOperationList: readonly Operation[] = [
  listTeams,
  createTeam,
  ...teamOperations(BY_SLUG),
  ...teamOperations(BY_NUMBER),
  listForViewer,
];
