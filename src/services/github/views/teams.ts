import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Team } from '../schema/teams.ts';
import { publicOrganization } from './accounts.ts';
import { globalId } from './node-ids.ts';
import { API, WEB } from './urls.ts';

/** When teams moved to addresses under their organisation. */
const MOVED_MS = Date.UTC(2020, 0, 21);

/** The address by number that a team is known by in the API, as it was on that day. */
export function teamUrl(team: Team, nowMs: number): string {
  return nowMs < MOVED_MS ? `${API}/teams/${team.id}` : `${API}/organizations/${team.org_id}/team/${team.id}`;
}

/** A team as it stands within another thing, such as a team below it. */
export function simpleTeam(team: Team, org: Account, nowMs = MOVED_MS): JsonObject {
  const url = teamUrl(team, nowMs);
  return {
    name: team.name,
    id: team.id,
    node_id: globalId('T', [0, team.org_id, team.id]),
    slug: team.slug,
    description: team.description,
    privacy: team.privacy,
    notification_setting: team.notification_setting,
    url,
    html_url: `${WEB}/orgs/${org.login}/teams/${team.slug}`,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    type: 'organization',
    organization_id: team.org_id,
    permission: team.permission,
  };
}

/** A team as lists show it, with the one above it. */
export function listedTeam(ctx: Reading, team: Team, org: Account): JsonObject {
  const parent = team.parent_id === null ? undefined : ctx.tx.teams.get(team.parent_id);
  const { nowMs } = ctx;
  return { ...simpleTeam(team, org, nowMs), parent: parent ? simpleTeam(parent, org, nowMs) : null };
}

/** A single team: everything. */
export function fullTeam(ctx: Reading, team: Team, org: Account): JsonObject {
  return {
    ...listedTeam(ctx, team, org),
    created_at: team.created_at,
    updated_at: team.updated_at,
    members_count: team.members,
    repos_count: team.repositories,
    organization: publicOrganization(org),
  };
}
