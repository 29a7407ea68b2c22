import { type Completion, isJsonObject, type Row } from '../../../service/index.ts';
import type { Repository } from '../schema/repositories.ts';
import type { Team } from '../schema/teams.ts';

/** The day on which the version was published that leaves out the member `assignee`. */
const SUCCESSOR_MS = Date.UTC(2026, 2, 10);
const SUNSET_MS = Date.UTC(2028, 2, 10);

/** Answers that the next version changes say so, once there is one, to those who don't ask for it. */
export function deprecationHeaders(call: Completion): Record<string, string> {
  const { headers, nowMs, answer, error, operation } = call;
  if (operation?.http?.path.startsWith('/teams/') === true) return ofOldTeams(call);
  const changes = isJsonObject(answer.body) && answer.body.assignee !== undefined;
  if (error || !changes || nowMs < SUCCESSOR_MS || headers['x-github-api-version'] !== undefined) return {};
  return {
    deprecation: new Date(SUCCESSOR_MS).toUTCString(),
    sunset: new Date(SUNSET_MS).toUTCString(),
    link: '<https://docs.github.com/en/rest/about-the-rest-api/api-versions>; rel="deprecation"; type="text/html"',
  };
}

/** Since this day teams are had under their organisation, and the older paths say where. */
const TEAMS_MOVED_MS = Date.UTC(2020, 1, 1);
const TEAMS_SUNSET_MS = Date.UTC(2021, 1, 1);

function ofOldTeams(call: Completion): Record<string, string> {
  const place = call.nowMs < TEAMS_MOVED_MS || call.error ? null : newPlaceOf(call);
  if (place === null) return {};
  return {
    deprecation: new Date(TEAMS_MOVED_MS).toUTCString(),
    sunset: new Date(TEAMS_SUNSET_MS).toUTCString(),
    link:
      '<https://developer.github.com/changes/2020-01-21-moving-the-team-api-endpoints/>; rel="deprecation"; ' +
      `type="text/html", <https://api.github.com${place}>; rel="alternate"`,
  };
}

/** The newer path of what an old path of a team leads to; null where the team is gone by now. */
function newPlaceOf({ table, input, operation }: Completion): string | null {
  const asked = isJsonObject(input) ? input : {};
  const team = table('teams').get(Number(asked.team_id)) as (Row & Team) | undefined;
  if (!team) return null;
  const name = String(asked.repo).toLowerCase();
  const known = table('repositories').unique('by_name', [team.org_id, name]) as
    | (Row & Repository)
    | undefined;
  const rest = (operation?.http?.path ?? '')
    .slice('/teams/{team_id}'.length)
    .replace('/repos/{owner}/{repo}', `/repositories/${known?.id ?? ''}`)
    .replaceAll(/\{(\w+)\}/gu, (_, part: string) => String(asked[part]));
  return `/organizations/${team.org_id}/team/${team.id}${rest}`;
}
