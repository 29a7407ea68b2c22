import { findRepository, roleIn } from '../rules/repositories.ts';
import { findAccount, viewerOf } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import type { Team } from '../schema/teams.ts';
import { settingsOf, simpleUser } from '../views/accounts.ts';
import { issueTypeView } from '../views/issue-types.ts';
import { globalId, nodeId } from '../views/node-ids.ts';
import { WEB } from '../views/urls.ts';
import { connection, type NamedPage, type Order, ordered, type PageArguments, page } from './connections.ts';
import { gistsIn } from './gists.ts';
import { type Graph, GraphError, type GraphValue } from './graph.ts';
import { projectNamed, projectsOf } from './projects.ts';
import { repositoryNode } from './repositories.ts';

/** Any account as the kind that it is. */
export function accountNode(graph: Graph, account: Account): GraphValue {
  if (account.type === 'Organization') return organizationNode(graph, account);
  const url = String(simpleUser(account).html_url);
  const common = {
    __typename: account.type,
    avatarUrl: simpleUser(account).avatar_url,
    createdAt: account.created_at,
    databaseId: account.id,
    id: nodeId(account.type, account.id),
    login: account.type === 'Bot' ? account.login.replace(/\[bot\]$/u, '') : account.login,
    resourcePath: url.slice(WEB.length),
    updatedAt: account.updated_at,
    url,
  };
  return account.type === 'Bot' ? common : { ...common, ...userMembers(graph, account) };
}

/** The account of this number, or null: GitHub's ghost has no node. */
export function accountNodeOrNull(graph: Graph, id: number | null | undefined): GraphValue | null {
  const account = id === null || id === undefined ? undefined : graph.ctx.tx.accounts.get(id);
  return account ? accountNode(graph, account) : null;
}

function userMembers(graph: Graph, account: Account): GraphValue {
  const { tx } = graph.ctx;
  return {
    bio: account.bio,
    company: account.company,
    email: account.email ?? '',
    isSiteAdmin: account.site_admin,
    isViewer: () => viewerOf(graph.ctx)?.id === account.id,
    location: account.location,
    name: account.name,
    twitterUsername: account.twitter_username,
    websiteUrl: account.blog === '' ? null : account.blog,
    followers: (args: PageArguments) =>
      accounts(graph, page(args, 'followers'), () =>
        [...tx.follows.by('by_target', [account.id])].map(({ user_id }) => user_id),
      ),
    following: (args: PageArguments) =>
      accounts(graph, page(args, 'following'), () =>
        [...tx.follows.by('by_user', [account.id])].map(({ target_id }) => target_id),
      ),
    gists: (args: PageArguments) => gistsIn(graph, args, account),
    organization: ({ login }: { login: string }) => {
      const org = findAccount(graph.ctx, login);
      const member = org && tx.org_members.get([org.id, account.id]);
      return org && member?.state === 'active' ? organizationNode(graph, org) : null;
    },
    organizations: (args: PageArguments) =>
      accounts(graph, page(args, 'organizations'), () =>
        [...tx.org_members.by('by_user', [account.id])]
          .filter(({ state }) => state === 'active')
          .map(({ org_id }) => org_id),
      ),
    ...ownerMembers(graph, account),
  };
}

function organizationNode(graph: Graph, account: Account): GraphValue {
  const { ctx } = graph;
  const viewer = viewerOf(ctx);
  const membership = viewer ? ctx.tx.org_members.get([account.id, viewer.id]) : undefined;
  const isMember = membership?.state === 'active';
  return {
    __typename: 'Organization',
    avatarUrl: simpleUser(account).avatar_url,
    createdAt: account.created_at,
    databaseId: account.id,
    description: settingsOf(account).description ?? null,
    email: account.email,
    id: nodeId('Organization', account.id),
    issueFields: (args: PageArguments) => nothing(args, 'issueFields'),
    issueTypes: (args: PageArguments) => issueTypesOf(graph, args, account.id),
    location: account.location,
    login: account.login,
    membersWithRole: (args: PageArguments) =>
      accounts(graph, page(args, 'membersWithRole'), () =>
        [...ctx.tx.org_members.by('by_org', [account.id])]
          .filter((member) => member.state === 'active' && (member.public || isMember))
          .map(({ user_id }) => user_id),
      ),
    name: account.name,
    resourcePath: `/${account.login}`,
    team: ({ slug }: { slug: string }) => {
      const team = ctx.tx.teams.unique('by_slug', [account.id, slug.toLowerCase()]);
      return team && isMember ? teamNode(graph, team, account) : null;
    },
    teams: (args: PageArguments & { userLogins?: readonly string[]; query?: string }) =>
      teamsOf(graph, account, { ...args, isMember }),
    url: `${WEB}/${account.login}`,
    viewerCanAdminister: isMember && membership.role === 'admin',
    viewerIsAMember: isMember,
    websiteUrl: account.blog === '' ? null : account.blog,
    ...ownerMembers(graph, account),
  };
}

function teamsOf(
  graph: Graph,
  org: Account,
  args: PageArguments & {
    readonly userLogins?: readonly string[];
    readonly query?: string;
    readonly isMember: boolean;
  },
): GraphValue {
  const { tx } = graph.ctx;
  return connection(args, {
    name: 'teams',
    items: () => {
      if (!args.isMember) return [];
      const all = [...tx.teams.scan()].filter(({ org_id }) => org_id === org.id);
      const members = args.userLogins?.flatMap((login) => findAccount(graph.ctx, login)?.id ?? []);
      const within = members
        ? all.filter((team) => members.some((id) => tx.team_members.get([team.id, id])?.state === 'active'))
        : all;
      const { query = '' } = args;
      const word = (query ?? '').toLowerCase();
      return ordered(
        within.filter(({ name }) => name.toLowerCase().includes(word)),
        ({ slug }) => slug,
        'ASC',
      );
    },
    key: ({ id }) => id,
    show: (team) => teamNode(graph, team, org),
  });
}

export function teamNode(graph: Graph, team: Team, org: Account): GraphValue {
  const url = `${WEB}/orgs/${org.login}/teams/${team.slug}`;
  return {
    __typename: 'Team',
    combinedSlug: `${org.login}/${team.slug}`,
    createdAt: team.created_at,
    databaseId: team.id,
    description: team.description,
    id: globalId('T', [0, team.org_id, team.id]),
    members: (args: PageArguments) =>
      accounts(graph, page(args, 'members'), () =>
        [...graph.ctx.tx.team_members.by('by_team', [team.id])]
          .filter(({ state }) => state === 'active')
          .map(({ user_id }) => user_id),
      ),
    name: team.name,
    organization: () => organizationNode(graph, org),
    privacy: team.privacy === 'secret' ? 'SECRET' : 'VISIBLE',
    resourcePath: url.slice(WEB.length),
    slug: team.slug,
    updatedAt: team.updated_at,
    url,
  };
}

/** The kinds of issues of an organisation. */
export function issueTypesOf(graph: Graph, args: PageArguments, org_id: number): GraphValue {
  return connection(args, {
    name: 'issueTypes',
    items: () => [...graph.ctx.tx.issue_types.by('by_org', [org_id])],
    key: ({ id }) => id,
    show: (type) => ({
      __typename: 'IssueType',
      color: (type.color ?? 'gray').toUpperCase(),
      description: type.description,
      id: issueTypeView(type).node_id,
      isEnabled: type.is_enabled,
      name: type.name,
    }),
  });
}

/** Accounts of these numbers, page by page. */
export function accounts(graph: Graph, { args, name }: NamedPage, ids: () => readonly number[]): GraphValue {
  return connection(args, {
    name,
    items: () => ids().flatMap((id) => graph.ctx.tx.accounts.get(id) ?? []),
    key: ({ id }) => id,
    show: (account) => accountNode(graph, account),
  });
}

/** A list in which there is never anything. */
export function nothing(args: PageArguments, name: string): GraphValue {
  return connection<never>(args, { name, items: () => [], key: () => 0, show: () => null });
}

interface RepositoryArguments extends PageArguments {
  readonly privacy?: 'PRIVATE' | 'PUBLIC' | null;
  readonly visibility?: string | null;
  readonly isFork?: boolean | null;
  readonly isArchived?: boolean | null;
  readonly orderBy?: Order | null;
}

const SORTS: Readonly<Record<string, (repository: Repository) => number | string>> = {
  CREATED_AT: ({ created_at }) => created_at,
  NAME: ({ name_key }) => name_key,
  PUSHED_AT: ({ pushed_at }) => pushed_at ?? '',
  STARGAZERS: ({ stargazers }) => stargazers,
  UPDATED_AT: ({ updated_at }) => updated_at,
};

function ownerMembers(graph: Graph, owner: Account): GraphValue {
  const { ctx } = graph;
  return {
    repository: ({ name }: { name: string }) => repositoryNamed(graph, owner.login, name),
    repositories: (args: RepositoryArguments) => {
      const owned = [...ctx.tx.repositories.by('by_owner', [owner.id])];
      return repositoriesIn(graph, page(args, 'repositories'), owned);
    },
    projectV2: ({ number }: { number: number }) => projectNamed(graph, owner, number),
    projectsV2: (args: PageArguments) => projectsOf(graph, args, { owner }),
  };
}

/** Those of the repositories that the caller may see, filtered and sorted as asked. */
export function repositoriesIn(
  graph: Graph,
  { args, name }: NamedPage<RepositoryArguments>,
  all: readonly Repository[],
): GraphValue {
  const { ctx } = graph;
  const { privacy, visibility, isFork, isArchived, orderBy } = args;
  return connection(args, {
    name,
    items: () => {
      const seen = all.filter(
        (repository) =>
          roleIn(ctx, repository) !== null &&
          (!privacy || (repository.visibility === 'public') === (privacy === 'PUBLIC')) &&
          (!visibility || repository.visibility === visibility.toLowerCase()) &&
          (typeof isFork !== 'boolean' || repository.fork === isFork) &&
          (typeof isArchived !== 'boolean' || repository.archived === isArchived),
      );
      return orderBy ? ordered(seen, SORTS[orderBy.field] ?? (({ id }) => id), orderBy.direction) : seen;
    },
    key: ({ id }) => id,
    show: (repository) => repositoryNode(graph, repository),
    extra: { totalDiskUsage: () => all.reduce((sum, { size }) => sum + size, 0) },
  });
}

/** The repository of a name, under its old names too. */
export function repositoryNamed(graph: Graph, owner: string, name: string): GraphValue {
  const { ctx } = graph;
  const repository = renamed(graph, owner, name) ?? findRepository(ctx, { owner, repo: name });
  if (!repository || owner.startsWith(':') || roleIn(ctx, repository) === null) {
    throw new GraphError('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`);
  }
  return repositoryNode(graph, repository);
}

function renamed({ ctx }: Graph, owner: string, name: string): Repository | undefined {
  const account = findAccount(ctx, owner);
  const moved = account && ctx.tx.repository_names.get([account.id, name.toLowerCase()]);
  return moved && ctx.tx.repositories.get(moved.repository_id);
}
