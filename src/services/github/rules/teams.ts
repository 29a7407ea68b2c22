import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository, RepositoryRole } from '../schema/repositories.ts';
import type { Team, TeamMember } from '../schema/teams.ts';
import { idOf } from './ids.ts';
import { membershipOf, ownsOrganization } from './organizations.ts';
import { accountNamed, organizationNamed, viewerOf } from './viewer.ts';

/** What a path names a team by: its organisation and slug (`:7` for a number), or the number alone. */
export type TeamPlace = Readonly<Record<string, unknown>>;

/** The team at a place, with its organisation, if the caller may see it; else 404. */
export function teamAt(ctx: Reading, at: TeamPlace): { readonly team: Team; readonly org: Account } {
  const team = findTeam(ctx, at);
  const org = team && ctx.tx.accounts.get(team.org_id);
  if (!team || !org || !seesTeam(ctx, team, org)) return ctx.fail('not_found');
  return { team, org };
}

function findTeam(ctx: Reading, { org, team_slug, team_id }: TeamPlace): Team | undefined {
  const { teams } = ctx.tx;
  if (team_id !== undefined) return teams.get(idOf(team_id));
  const account = organizationNamed(ctx, String(org));
  const slug = String(team_slug);
  if (!slug.startsWith(':')) return teams.unique('by_slug', [account.id, slug.toLowerCase()]);
  const team = teams.get(idOf(slug.slice(1)));
  return team?.org_id === account.id ? team : undefined;
}

/** Members of the organisation see its closed teams; secret ones are seen by those in them, and by owners. */
export function seesTeam(ctx: Reading, team: Team, org: Account): boolean {
  if (!membershipOf(ctx, org)) return false;
  if (team.privacy === 'closed' || ownsOrganization(ctx, org)) return true;
  const viewer = viewerOf(ctx);
  return viewer !== null && ctx.tx.team_members.has([team.id, viewer.id]);
}

/** @throws 403 unless the caller is an owner of the organisation or a maintainer of the team. */
export function requireMaintainer(ctx: Reading, team: Team, org: Account): void {
  const viewer = viewerOf(ctx);
  const own = viewer ? ctx.tx.team_members.get([team.id, viewer.id]) : undefined;
  if (ownsOrganization(ctx, org) || own?.role === 'maintainer') return;
  ctx.fail('forbidden', { message: 'Must have admin rights to Repository.' });
}

/** A name as addresses spell it: lower case, everything but letters and digits as single hyphens. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
}

/** How somebody belongs to a team; owners of the organisation maintain every team that they are in. */
export function roleInTeam(ctx: Reading, team: Team, member: TeamMember): TeamMember['role'] {
  const inOrganization = ctx.tx.org_members.get([team.org_id, member.user_id]);
  return inOrganization?.role === 'admin' ? 'maintainer' : member.role;
}

/** The account with this login that is in the team, pending or not; 404 for everybody else. */
export function memberOf(
  ctx: Reading,
  team: Team,
  username: string,
): { readonly member: TeamMember; readonly account: Account } {
  const account = accountNamed(ctx, username);
  return { account, member: ctx.tx.team_members.get([team.id, account.id]) ?? ctx.fail('not_found') };
}

/** Puts somebody into a team; who is not in the organisation is invited to it. */
export function joinTeam(
  ctx: Writing,
  team: Team,
  { account, role }: { readonly account: Account; readonly role: TeamMember['role'] },
): TeamMember {
  const { tx } = ctx;
  const key = [team.id, account.id];
  const inOrganization = tx.org_members.get([team.org_id, account.id]);
  if (!inOrganization) {
    const row = { org_id: team.org_id, user_id: account.id, role: 'member' as const, public: false };
    tx.org_members.insert({ ...row, state: 'pending' });
  }
  const state = inOrganization?.state === 'active' ? 'active' : 'pending';
  const known = tx.team_members.get(key);
  if (known) return tx.team_members.update(key, { role });
  countTeam(ctx, team.id, { members: state === 'active' ? 1 : 0 });
  return tx.team_members.insert({ team_id: team.id, user_id: account.id, role, state });
}

export function leaveTeam(ctx: Writing, member: TeamMember): void {
  ctx.tx.team_members.delete([member.team_id, member.user_id]);
  countTeam(ctx, member.team_id, { members: member.state === 'active' ? -1 : 0 });
}

/** Gives a team a repository, or another role in one that it has. */
export function grantRepository(
  ctx: Writing,
  team: Team,
  { repository, role }: { readonly repository: Repository; readonly role: RepositoryRole },
): void {
  const key = [team.id, repository.id];
  if (ctx.tx.team_repositories.has(key)) {
    ctx.tx.team_repositories.update(key, { role });
    return;
  }
  ctx.tx.team_repositories.insert({ team_id: team.id, repository_id: repository.id, role });
  countTeam(ctx, team.id, { repositories: 1 });
}

/** Keeps a team's counts. */
export function countTeam(
  ctx: Writing,
  id: number,
  { members = 0, repositories = 0 }: { readonly members?: number; readonly repositories?: number },
): void {
  const team = ctx.tx.teams.get(id);
  if (!team) return;
  ctx.tx.teams.update(id, {
    members: Math.max(0, team.members + members),
    repositories: Math.max(0, team.repositories + repositories),
    updated_at: momentText(ctx.nowMs),
  });
}

/** A team's own repositories and those of the teams above it, the strongest role for each. */
export function rolesOfTeams(ctx: Reading, repository: Repository, account: Account): RepositoryRole[] {
  const roles: RepositoryRole[] = [];
  for (const { team_id, state } of ctx.tx.team_members.by('by_user', [account.id])) {
    if (state !== 'active') continue;
    let team = ctx.tx.teams.get(team_id);
    while (team && team.org_id === repository.owner_id) {
      const granted = ctx.tx.team_repositories.get([team.id, repository.id]);
      if (granted) roles.push(granted.role);
      team = team.parent_id === null ? undefined : ctx.tx.teams.get(team.parent_id);
    }
  }
  return roles;
}
