import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { mediaTypeOf } from '../protocol/media.ts';
import { ownsOrganization } from '../rules/organizations.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { countTeam, grantRepository, seesTeam, teamAt } from '../rules/teams.ts';
import { type RepositoryRole, ROLES } from '../schema/repositories.ts';
import { minimalRepository, numberedPath, permissionFlags } from '../views/repositories.ts';
import { listedTeam } from '../views/teams.ts';
import { BY_NUMBER, BY_SLUG, type TeamForm } from './teams.ts';

function repositoryOperations({ path, inputs, example, id }: TeamForm): readonly Operation[] {
  const one = { ...inputs, owner: z.string(), repo: z.string() };
  const lamp = { ...example, owner: 'octo-works', repo: 'lamp' } as never;
  const at = `${path}/repos/{owner}/{repo}`;
  const place = (input: { [name: string]: unknown }): { owner: string; repo: string } => ({
    owner: String(input.owner),
    repo: String(input.repo),
  });
  return [
    operation({
      id: id('list-repos'),
      summary: 'Lists the repositories of a team.',
      effect: 'read',
      http: { method: 'GET', path: `${path}/repos` },
      input: z.looseObject({ ...inputs, ...PAGE }),
      output: listOf('id', 'name', 'full_name'),
      example,
      run(ctx, input) {
        const { team, org } = teamAt(ctx, input);
        const items = [...ctx.tx.team_repositories.by('by_team', [team.id])];
        return paged(ctx, input, {
          items,
          path: `/organizations/${org.id}/team/${team.id}/repos`,
          inPath: ['team_id'],
          show: (granted) => grantedRepository(ctx, granted),
        });
      },
    }),
    operation({
      id: id('check-permissions-for-repo'),
      summary: 'Says whether a team has a repository; asked for the repository, shows it.',
      effect: 'read',
      http: { method: 'GET', path: at, status: 204 },
      input: z.looseObject(one),
      output: z.union([nothing, shown('id', 'full_name')]),
      example: lamp,
      run(ctx, input) {
        const { team } = teamAt(ctx, input);
        const repository = repositoryAt(ctx, place(input));
        const granted = ctx.tx.team_repositories.get([team.id, repository.id]) ?? ctx.fail('not_found');
        if (!mediaTypeOf(ctx.headers.accept, ctx.nowMs).forms.includes('repository')) return null;
        ctx.reply({ status: 200 });
        return grantedRepository(ctx, granted);
      },
    }),
  ];
}

function grantingOperations({ path, inputs, example, id }: TeamForm): readonly Operation[] {
  const one = { ...inputs, owner: z.string(), repo: z.string() };
  const lamp = { ...example, owner: 'octo-works', repo: 'lamp' } as never;
  const at = `${path}/repos/{owner}/{repo}`;
  const place = (input: { [name: string]: unknown }): { owner: string; repo: string } => ({
    owner: String(input.owner),
    repo: String(input.repo),
  });
  return [
    operation({
      id: id('add-or-update-repo-permissions'),
      summary: 'Gives a team a repository, or another role in it.',
      effect: 'write',
      http: { method: 'PUT', path: at, status: 204 },
      input: z.looseObject({ ...one, permission: z.string().optional() }),
      output: nothing,
      example: lamp,
      run(ctx, input) {
        const { team, org } = teamAt(ctx, input);
        const repository = repositoryAt(ctx, place(input));
        if (!ownsOrganization(ctx, org)) requireRole(ctx, repository, 'admin');
        if (repository.owner_id !== org.id) {
          const errors = [{ code: 'not_owned', field: 'repository', resource: 'Team' }];
          ctx.fail('validation_failed', { errors });
        }
        const role = roleOfPermission(ctx, input.permission ?? team.permission);
        grantRepository(ctx, team, { repository, role });
        return null;
      },
    }),
    operation({
      id: id('remove-repo'),
      summary: 'Takes a repository from a team.',
      effect: 'write',
      http: { method: 'DELETE', path: at, status: 204 },
      input: z.looseObject(one),
      output: nothing,
      example: lamp,
      run(ctx, input) {
        const { team, org } = teamAt(ctx, input);
        const repository = repositoryAt(ctx, place(input));
        if (!ownsOrganization(ctx, org)) requireRole(ctx, repository, 'admin');
        if (ctx.tx.team_repositories.has([team.id, repository.id])) {
          ctx.tx.team_repositories.delete([team.id, repository.id]);
          countTeam(ctx, team.id, { repositories: -1 });
        }
        return null;
      },
    }),
  ];
}

function grantedRepository(
  ctx: Reading,
  { repository_id, role }: { readonly repository_id: number; readonly role: RepositoryRole },
): JsonObject {
  const repository = ctx.tx.repositories.get(repository_id);
  if (!repository) return {};
  return {
    ...minimalRepository(ctx, repository),
    permissions: permissionFlags(role),
    role_name: role,
  };
}

/** A role as requests name it: `pull` and `push` are read and write. @throws 422 for anything else. */
function roleOfPermission(ctx: Reading, permission: string): RepositoryRole {
  const name = permission === 'pull' ? 'read' : permission === 'push' ? 'write' : permission;
  const role = ROLES.find((known) => known === name);
  return role ?? ctx.fail('unprocessable', { message: `\`${permission}\` is not a valid permission.` });
}

const listOfRepository = operation({
  id: 'repos/list-teams',
  summary: 'Lists the teams that have a repository, with what they may do.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/teams' },
  input: z.looseObject({ owner: z.string(), repo: z.string(), ...PAGE }),
  output: listOf('id', 'name', 'slug', 'permission'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'read');
    const org = ctx.tx.accounts.get(repository.owner_id);
    const items = [...ctx.tx.team_repositories.by('by_repository', [repository.id])]
      .map(({ team_id, role }) => ({ role, team: ctx.tx.teams.get(team_id) }))
      .filter(({ team }) => team !== undefined && org !== undefined && seesTeam(ctx, team, org))
      .toSorted((one, other) => ((one.team?.slug ?? '') < (other.team?.slug ?? '') ? -1 : 1));
    return paged(ctx, input, {
      items,
      path: numberedPath(repository, '/teams'),
      show({ team, role }) {
        if (!team || !org) return {};
        // As teams had it before there were more roles.
        const flags = permissionFlags(role);
        const permission = flags.admin === true ? 'admin' : flags.push === true ? 'push' : 'pull';
        return { ...listedTeam(ctx, team, org), permission, permissions: flags };
      },
    });
  },
});

export const teamRepositoryOperations: readonly Operation[] = [
  ...[BY_SLUG, BY_NUMBER].flatMap((form) => [...repositoryOperations(form), ...grantingOperations(form)]),
  listOfRepository,
];
