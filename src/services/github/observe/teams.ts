import type { JsonObject, RecordedExchange } from '../../../service/index.ts';
import type { Team } from '../schema/teams.ts';
import { accountCalled, seeMember } from './accounts.ts';
import { roleShown } from './collaborators.ts';
import { notePage } from './lists.ts';
import { askedOf, itemsOf, organizationOf, repositoryOf } from './places.ts';
import {
  type Maker,
  nullableTextIn,
  numberIn,
  objectIn,
  type Seer,
  type Shown,
  type Sight,
  textIn,
  type Watcher,
} from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

export const teamSeers: readonly Seer[] = [
  {
    fits: (object) =>
      textIn(object, 'slug') !== undefined &&
      textIn(object, 'repositories_url') !== undefined &&
      numberIn(object, 'id') !== undefined,
    see: (sight, object, shown) => void seeTeam(sight, object, shown),
  },
];

function blankTeam(ids: { readonly id: number; readonly org_id: number }, name: string): Team {
  return {
    ...ids,
    name,
    slug: name.toLowerCase(),
    description: null,
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission: 'pull',
    parent_id: null,
    members: 1,
    repositories: 0,
    security_manager: false,
    created_at: UNSEEN_MOMENT,
    updated_at: UNSEEN_MOMENT,
  };
}

/** Writes a team as far as an object shows it; gives its number, or 0 where its organisation is not known. */
function seeTeam(sight: Sight, object: JsonObject, shown: Shown): number {
  const id = numberIn(object, 'id') ?? 0;
  const org_id = organizationIn(sight, object, shown);
  if (sight.isMade('teams', id) || org_id === 0) return sight.isMade('teams', id) ? id : 0;
  const slug = textIn(object, 'slug') ?? '';
  const known = sight.tx.teams.unique('by_slug', [org_id, slug]);
  if (known && known.id !== id) return known.id;
  const parent = objectIn(object, 'parent');
  sight.learn('teams', id, {
    blank: blankTeam({ id, org_id }, slug),
    columns: {
      name: textIn(object, 'name'),
      slug,
      description: nullableTextIn(object, 'description'),
      privacy: textIn(object, 'privacy'),
      notification_setting: textIn(object, 'notification_setting'),
      permission: textIn(object, 'permission'),
      members: numberIn(object, 'members_count'),
      repositories: numberIn(object, 'repos_count'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
      parent_id: parent ? seeTeam(sight, parent, shown) || undefined : undefined,
    },
  });
  return id;
}

/** A team says its organisation itself, in its address, or is listed under it. */
function organizationIn(sight: Sight, object: JsonObject, { exchange }: Shown): number {
  const own = numberIn(objectIn(object, 'organization') ?? {}, 'id');
  const inUrl = /\/organizations\/(\d+)\/team\//u.exec(textIn(object, 'url') ?? '')?.[1];
  const id = own ?? (inUrl === undefined ? undefined : Number(inUrl));
  if (id !== undefined) return organizationOf(sight, { org: `:${id}` });
  const login = /\/orgs\/([^/]+)\/teams\//u.exec(textIn(object, 'html_url') ?? '')?.[1];
  return organizationOf(sight, login === undefined ? askedOf(exchange) : { org: login });
}

/** The team that a request names, written if nothing else told of it; undefined for one that it made. */
function teamCalled(sight: Sight, exchange: RecordedExchange): number | undefined {
  const { org, owner, team_slug, team_id, parent_team_id } = askedOf(exchange);
  if (typeof parent_team_id === 'number' && exchange.status < 300) {
    learnTeam(sight, parent_team_id, organizationOf(sight, { org: org ?? '' }));
  }
  const number = team_id ?? (/^:\d+$/u.test(String(team_slug)) ? String(team_slug).slice(1) : undefined);
  const inPath = /^\/organizations\/(\d+)\//u.exec(exchange.request?.path ?? '')?.[1];
  // A team has repositories of its own organisation alone.
  const home = exchange.status < 300 ? owner : undefined;
  const org_id = organizationOf(sight, { org: org ?? (inPath === undefined ? (home ?? '') : `:${inPath}`) });
  // Teams are for members: whoever was answered is one.
  if (exchange.status < 400) seeMember(sight, org_id, { user: sight.viewerId });
  if (Number.isSafeInteger(Number(number))) return learnTeam(sight, Number(number), org_id);
  if (team_slug === undefined || org_id === 0) return undefined;
  return sight.tx.teams.unique('by_slug', [org_id, String(team_slug)])?.id;
}

function learnTeam(sight: Sight, id: number, org: number): number | undefined {
  if (sight.isMade('teams', id)) return undefined;
  if (sight.tx.teams.has(id)) return id;
  const org_id = org === 0 ? organizationOf(sight, { org: 'unseen-organization' }) : org;
  const row = blankTeam({ id, org_id }, `team-${id}`);
  sight.learn('teams', id, { blank: row, columns: {} });
  return id;
}

function learnMember(
  sight: Sight,
  { team, user }: { readonly team: number; readonly user: number },
  shown: JsonObject,
): void {
  if (!sight.tx.teams.has(team) || !sight.tx.accounts.has(user)) return;
  const role = textIn(shown, 'role');
  const state = textIn(shown, 'state');
  const org = sight.tx.teams.get(team)?.org_id;
  // An owner would be shown as a maintainer: whoever is shown as a member is none.
  if (org !== undefined && state !== 'pending') {
    seeMember(sight, org, { user, ...(role === 'member' && { role: 'member' as const }) });
  }
  sight.learn('team_members', [team, user], {
    blank: { team_id: team, user_id: user, role: 'member', state: 'active' },
    columns: { role, state },
  });
}

/** Who is shown to be, or taken out of, a team that was there. */
const watchMember: Watcher = (sight, exchange) => {
  const team = teamCalled(sight, exchange);
  const { username } = askedOf(exchange);
  const method = exchange.request?.method;
  if (team === undefined || exchange.status >= 300 || typeof username !== 'string') return;
  const user = accountCalled(sight, username);
  const org = sight.tx.teams.get(team)?.org_id ?? 0;
  const shown = itemsOf([exchange.response])[0] ?? {};
  if (method !== 'PUT') learnMember(sight, { team, user }, shown);
  else if (textIn(shown, 'state') !== 'pending') seeMember(sight, org, { user });
  if (method === 'PUT') sight.making('team_members', [team, user]);
};

/** A list shows members; of those that it does not show there are as many as it says. */
const watchMembers: Watcher = (sight, exchange) => {
  const team = exchange.status === 200 ? teamCalled(sight, exchange) : undefined;
  if (team === undefined) return;
  const { role } = askedOf(exchange);
  const shown = role === 'maintainer' || role === 'member' ? { role } : {};
  for (const item of itemsOf(exchange.response)) {
    const user = numberIn(item, 'id') ?? 0;
    if (sight.tx.accounts.has(user)) learnMember(sight, { team, user }, shown);
  }
  notePage(sight, exchange, {
    key: `members ${team} ${String(role)}`,
    isMade: (item) => sight.isMade('team_members', [team, numberIn(item, 'id') ?? 0]),
    known: () => [...sight.tx.team_members.by('by_team', [team])].length,
    fill: (_, index) => {
      const user = accountCalled(sight, `unseen-member-${team}-${index + 1}`);
      learnMember(sight, { team, user }, shown);
    },
  });
};

const watchRepository: Watcher = (sight, exchange) => {
  const team = exchange.status < 300 ? teamCalled(sight, exchange) : undefined;
  const repository = repositoryOf(sight, askedOf(exchange));
  if (team === undefined || repository === undefined) return;
  if (exchange.request?.method === 'PUT') sight.making('team_repositories', [team, repository]);
  else learnGrant(sight, { team, repository });
};

/** A repository's teams were given it, with the roles that are shown. */
const watchTeamsOfRepository: Watcher = (sight, exchange) => {
  const repository = exchange.status === 200 ? repositoryOf(sight, askedOf(exchange)) : undefined;
  if (repository === undefined) return;
  for (const item of itemsOf(exchange.response)) {
    const team = numberIn(item, 'id') ?? 0;
    if (sight.tx.teams.has(team)) learnGrant(sight, { team, repository }, roleShown(item));
    if (textIn(item, 'privacy') === 'secret') learnMember(sight, { team, user: sight.viewerId }, {});
    const org = sight.tx.teams.get(team)?.org_id ?? 0;
    seeMember(sight, org, { user: sight.viewerId });
  }
};

const watchRepositories: Watcher = (sight, exchange) => {
  const team = exchange.status === 200 ? teamCalled(sight, exchange) : undefined;
  if (team === undefined) return;
  for (const item of itemsOf(exchange.response)) {
    const repository = numberIn(item, 'id') ?? 0;
    if (sight.tx.repositories.has(repository))
      learnGrant(sight, { team, repository }, textIn(item, 'role_name'));
  }
};

function learnGrant(
  sight: Sight,
  { team, repository }: { readonly team: number; readonly repository: number },
  role?: string,
): void {
  sight.learn('team_repositories', [team, repository], {
    blank: { team_id: team, repository_id: repository, role: 'read' },
    columns: { role },
  });
}

/** A list of teams has as many as it says, and the caller's own list says that the caller is in each. */
const watchTeams: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const asked = askedOf(exchange);
  const org_id = organizationOf(sight, asked);
  const own = exchange.operation === 'teams/list-for-authenticated-user';
  const items = itemsOf(exchange.response);
  const home = own ? organizationOf(sight, { org: 'unseen-organization' }) : org_id;
  if (home === 0) return;
  // Owners see teams by name, others see them by age.
  if (!own && !inOrder(items.map((item) => textIn(item, 'slug') ?? ''))) {
    seeMember(sight, home, { user: sight.viewerId, role: 'member' });
    for (const item of items.filter(({ privacy }) => privacy === 'secret')) {
      learnMember(sight, { team: numberIn(item, 'id') ?? 0, user: sight.viewerId }, {});
    }
  }
  seeMember(sight, home, { user: sight.viewerId });
  if (own) {
    for (const item of items) {
      learnMember(sight, { team: numberIn(item, 'id') ?? 0, user: sight.viewerId }, {});
    }
  }
  notePage(sight, exchange, {
    key: own ? 'own teams' : `teams ${home} ${String(asked.team_id ?? asked.team_slug ?? '')}`,
    isMade: (item) => sight.isMade('teams', numberIn(item, 'id') ?? 0),
    known: () =>
      own
        ? [...sight.tx.team_members.by('by_user', [sight.viewerId])].length
        : [...sight.tx.teams.by('by_slug', [home])].length,
    fill: (after) => {
      const id = idAfter(sight, after);
      const blank = blankTeam({ id, org_id: home }, `${textIn(after ?? {}, 'slug') ?? ''}-unseen-${id}`);
      sight.learn('teams', id, { blank, columns: {} });
      if (own) learnMember(sight, { team: id, user: sight.viewerId }, {});
    },
  });
};

/** By name, but for a team of owners at the start. */
function inOrder(slugs: readonly string[]): boolean {
  const names = slugs[0] === 'owners' ? slugs.slice(1) : slugs;
  return names.every((name, index) => index === 0 || (names[index - 1] ?? '') <= name);
}

/** The first free number after an item's. */
function idAfter(sight: Sight, after: JsonObject | undefined): number {
  const from = numberIn(after ?? {}, 'id');
  if (from === undefined) return sight.freshId('teams');
  let id = from + 1;
  while (sight.tx.teams.has(id)) id += 1;
  return id;
}

/** People and repositories that a team is made with were there. */
const watchCreation: Watcher = (sight, exchange) => {
  const asked = askedOf(exchange);
  watchTeam(sight, exchange);
  if (exchange.status >= 300) return;
  const named = (member: 'maintainers' | 'repo_names'): readonly string[] =>
    Array.isArray(asked[member]) ? (asked[member] as readonly unknown[]).map(String) : [];
  for (const login of named('maintainers')) accountCalled(sight, login);
  for (const name of named('repo_names')) {
    repositoryOf(sight, { owner: asked.org ?? '', repo: name.split('/').at(-1) ?? name });
  }
};

const watchTeam: Watcher = (sight, exchange) => {
  if (exchange.status < 300) teamCalled(sight, exchange);
};

/** The same watcher for an operation in both its forms. */
function bothForms(names: Readonly<Record<string, Watcher>>): Record<string, Watcher> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, watcher]) => [
      [`teams/${name}-legacy`, watcher],
      [`teams/${name}-in-org`, watcher],
    ]),
  );
}

export const teamWatchers: Readonly<Record<string, Watcher>> = {
  ...bothForms({
    get: watchTeam,
    update: watchTeam,
    delete: watchTeam,
    'list-child': watchTeams,
    'list-members': watchMembers,
    'list-pending-invitations': watchTeam,
    'get-membership-for-user': watchMember,
    'add-or-update-membership-for-user': watchMember,
    'remove-membership-for-user': watchMember,
    'get-member': watchMember,
    'add-member': watchMember,
    'remove-member': watchMember,
    'list-repos': watchRepositories,
    'check-permissions-for-repo': watchRepository,
    'add-or-update-repo-permissions': watchRepository,
    'remove-repo': watchRepository,
  }),
  'repos/list-teams': watchTeamsOfRepository,
  'teams/get-by-name': watchTeam,
  'teams/create': watchCreation,
  'teams/list': watchTeams,
  'teams/list-for-authenticated-user': watchTeams,
};

const made: Maker = (body) => [['teams', body.id ?? 0]];

export const teamMakers: Readonly<Record<string, Maker>> = { 'teams/create': made };
