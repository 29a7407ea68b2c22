import { z } from 'zod';
import type { Json, JsonObject, Tool } from '../../../service/index.ts';
import {
  choice,
  fail,
  fieldsOf,
  githubTool,
  type Hands,
  itemsOf,
  membersOf,
  nodesOf,
  PAGE,
  PLACE,
  pageOf,
  present,
  withFields,
} from './making.ts';
import { commitShape, type Detail, madeShape, profileShape, releaseShape, withoutNulls } from './shapes.ts';

const createBranch = githubTool({
  name: 'create_branch',
  description: 'Makes a branch, from another one or the default branch.',
  input: z.object({ ...PLACE, branch: z.string(), from_branch: z.string().optional() }),
  operations: ['repos/get', 'git/get-ref', 'git/create-ref'],
  run(hands, { owner, repo, branch, from_branch = '' }): Json {
    const place = { owner, repo };
    const from =
      from_branch !== ''
        ? from_branch
        : membersOf(hands.call('repos/get', place, 'failed to get repository')).default_branch;
    const found = hands.call('git/get-ref', { ...place, ref: `heads/${from}` }, 'failed to get reference');
    const sha = String(membersOf(membersOf(found).object).sha);
    const wish = { ...place, ref: `refs/heads/${branch}`, sha };
    return withoutNulls(hands.call('git/create-ref', wish, 'failed to create branch'));
  },
});

const createRepository = githubTool({
  name: 'create_repository',
  description: 'Makes a repository of the caller or of an organisation.',
  input: z.object({
    name: z.string(),
    description: z.string().optional(),
    organization: z.string().optional(),
    private: z.boolean().default(true),
    autoInit: z.boolean().optional(),
  }),
  operations: ['repos/create-for-authenticated-user', 'repos/create-in-org'],
  run(hands, { name, description = '', organization = '', autoInit = false, ...input }): Json {
    const wish = { name, description, private: input.private, auto_init: autoInit };
    const words = 'failed to create repository';
    const made =
      organization === ''
        ? hands.call('repos/create-for-authenticated-user', wish, words)
        : hands.call('repos/create-in-org', { org: organization, ...wish }, words);
    return madeShape(membersOf(made));
  },
});

const forkRepository = githubTool({
  name: 'fork_repository',
  description: 'Forks a repository.',
  input: z.object({ ...PLACE, organization: z.string().optional() }),
  operations: ['repos/create-fork'],
  run(hands, { owner, repo, organization = '' }): Json {
    const wish = { owner, repo, ...(organization !== '' && { organization }) };
    hands.call('repos/create-fork', wish, 'failed to fork repository');
    // The API accepts the wish and forks in the background.
    return 'Fork is in progress';
  },
});

const getCommit = githubTool({
  name: 'get_commit',
  description: 'Reads a commit, with how much it changes.',
  input: z.object({
    ...PLACE,
    sha: z.string(),
    detail: choice('none', 'stats', 'full_patch').default('stats'),
    ...PAGE,
  }),
  operations: ['repos/get-commit'],
  run(hands, { owner, repo, sha, detail, ...page }): Json {
    if (!['', 'none', 'stats', 'full_patch'].includes(detail)) {
      return fail(`invalid detail "${detail}": must be one of "none", "stats", "full_patch"`);
    }
    const input = { owner, repo, ref: sha, ...pageOf(page) };
    const commit = hands.call('repos/get-commit', input, `failed to get commit: ${sha}`);
    return commitShape(membersOf(commit), (detail || 'stats') as Detail);
  },
});

const listCommits = githubTool({
  name: 'list_commits',
  description: 'Lists the commits of a branch.',
  input: z.object({
    ...PLACE,
    sha: z.string().optional(),
    author: z.string().optional(),
    path: z.string().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    fields: fieldsOf('sha', 'html_url', 'commit', 'author', 'committer'),
    ...PAGE,
  }),
  operations: ['repos/list-commits'],
  run(hands, { owner, repo, fields, sha, author, path, since, until, ...page }): Json {
    const filters = present({
      sha: sha || undefined,
      author: author || undefined,
      path: path || undefined,
      since: since || undefined,
      until: until || undefined,
    });
    const words = `failed to list commits: ${sha ?? ''}`;
    const commits = hands.call('repos/list-commits', { owner, repo, ...filters, ...pageOf(page) }, words);
    return withFields(
      itemsOf(commits).map((commit) => commitShape(commit)),
      fields,
    );
  },
});

const listBranches = githubTool({
  name: 'list_branches',
  description: 'Lists the branches of a repository.',
  input: z.object({ ...PLACE, ...PAGE }),
  operations: ['repos/list-branches'],
  run(hands, { owner, repo, ...page }): Json {
    const input = { owner, repo, ...pageOf(page) };
    return itemsOf(hands.call('repos/list-branches', input, 'failed to list branches')).map((branch) => ({
      name: branch.name ?? '',
      sha: membersOf(branch.commit).sha ?? '',
      protected: branch.protected ?? false,
    }));
  },
});

const listTags = githubTool({
  name: 'list_tags',
  description: 'Lists the tags of a repository.',
  input: z.object({ ...PLACE, ...PAGE }),
  operations: ['repos/list-tags'],
  run(hands, { owner, repo, ...page }): Json {
    const input = { owner, repo, ...pageOf(page) };
    return itemsOf(hands.call('repos/list-tags', input, 'failed to list tags')).map((tag) => ({
      name: tag.name ?? '',
      sha: membersOf(tag.commit).sha ?? '',
    }));
  },
});

const getTag = githubTool({
  name: 'get_tag',
  description: 'Reads a tag.',
  input: z.object({ ...PLACE, tag: z.string() }),
  operations: ['git/get-ref', 'git/get-tag'],
  run(hands, { owner, repo, tag }): Json {
    const at = { owner, repo, ref: `tags/${tag}` };
    const ref = hands.call('git/get-ref', at, 'failed to get tag reference');
    const { sha, type } = membersOf(membersOf(ref).object);
    if (type === 'commit') return withoutNulls(ref);
    const input = { owner, repo, tag_sha: String(sha) };
    return withoutNulls(hands.call('git/get-tag', input, 'failed to get tag object'));
  },
});

const getLatestRelease = githubTool({
  name: 'get_latest_release',
  description: 'Reads the latest release.',
  input: z.object(PLACE),
  operations: ['repos/get-latest-release'],
  run: (hands, place): Json =>
    withoutNulls(hands.call('repos/get-latest-release', place, 'failed to get latest release')),
});

const getReleaseByTag = githubTool({
  name: 'get_release_by_tag',
  description: 'Reads the release of a tag.',
  input: z.object({ ...PLACE, tag: z.string() }),
  operations: ['repos/get-release-by-tag'],
  run(hands, input): Json {
    const words = `failed to get release by tag: ${input.tag}`;
    return withoutNulls(hands.call('repos/get-release-by-tag', input, words));
  },
});

const listReleases = githubTool({
  name: 'list_releases',
  description: 'Lists the releases of a repository.',
  input: z.object({
    ...PLACE,
    fields: fieldsOf(
      ...['id', 'tag_name', 'name', 'body', 'html_url', 'published_at', 'prerelease', 'draft', 'author'],
    ),
    ...PAGE,
  }),
  operations: ['repos/list-releases'],
  run(hands, { owner, repo, fields, ...page }): Json {
    const input = { owner, repo, ...pageOf(page) };
    const releases = itemsOf(hands.call('repos/list-releases', input, 'failed to list releases'));
    return withFields(releases.map(releaseShape), fields);
  },
});

/** How many pages there are is only looked up where this one is full. */
function lastPage(hands: Hands, input: JsonObject, { page, size }: { page: number; size: number }): number {
  let last = page;
  for (;;) {
    const next = { ...input, page: last + 1, per_page: size };
    const found = itemsOf(hands.call('repos/list-collaborators', next, 'failed to list collaborators'));
    if (found.length === 0) return last;
    last += 1;
  }
}

const listCollaborators = githubTool({
  name: 'list_repository_collaborators',
  description: 'Lists who may do what with a repository.',
  input: z.object({ ...PLACE, affiliation: choice('outside', 'direct', 'all').optional(), ...PAGE }),
  operations: ['repos/list-collaborators'],
  run(hands, { owner, repo, affiliation, ...asked }): Json {
    const { page, per_page: size } = pageOf(asked);
    const input = { owner, repo, ...present({ affiliation: affiliation || undefined }) };
    const words = 'failed to list collaborators';
    const found = itemsOf(hands.call('repos/list-collaborators', { ...input, page, per_page: size }, words));
    const last = found.length === size ? lastPage(hands, input, { page, size }) : page;
    return {
      items: found.map(({ login = '', id = 0, role_name = '' }) => ({ login, id, role_name })),
      nextPage: last > page ? page + 1 : 0,
      prevPage: page > 1 ? page - 1 : 0,
      firstPage: page > 1 ? 1 : 0,
      lastPage: last > page ? last : 0,
    };
  },
});

const getMe = githubTool({
  name: 'get_me',
  description: 'Reads the profile of whom the token belongs to.',
  input: z.object({}),
  operations: ['users/get-authenticated'],
  run: (hands): Json =>
    profileShape(membersOf(hands.call('users/get-authenticated', {}, 'failed to get user'))),
});

const TEAMS = `query($login: String!) { user(login: $login) { organizations(first: 100) { nodes { login
  teams(first: 100, userLogins: [$login]) { nodes { name slug description } } } } } }`;

const getTeams = githubTool({
  name: 'get_teams',
  description: 'Lists the teams that somebody is in, by organisation.',
  input: z.object({ user: z.string().optional() }),
  operations: ['users/get-authenticated', 'graphql/query'],
  run(hands, { user = '' }): Json {
    const login =
      user !== '' ? user : membersOf(hands.call('users/get-authenticated', {}, 'failed to get user')).login;
    const data = hands.query(TEAMS, { login: login ?? '' }, 'Failed to find teams');
    return nodesOf(membersOf(data.user).organizations).map((org) => ({
      org: org.login ?? '',
      teams: nodesOf(org.teams).map(({ name = '', slug = '', description }) => ({
        name,
        slug,
        description: description ?? '',
      })),
    }));
  },
});

const MEMBERS = `query($org: String!, $teamSlug: String!) { organization(login: $org) {
  team(slug: $teamSlug) { members(first: 100) { nodes { login } } } } }`;

const getTeamMembers = githubTool({
  name: 'get_team_members',
  description: 'Lists who is in a team.',
  input: z.object({ org: z.string(), team_slug: z.string() }),
  operations: ['graphql/query'],
  run(hands, { org, team_slug: teamSlug }): Json {
    const data = hands.query(MEMBERS, { org, teamSlug }, 'Failed to get team members');
    const { members } = membersOf(membersOf(data.organization).team);
    return nodesOf(members).map(({ login = '' }) => login);
  },
});

/** Tools for repositories and people, by name. */
export const repositoryTools: Readonly<Record<string, Tool>> = {
  create_branch: createBranch,
  create_repository: createRepository,
  fork_repository: forkRepository,
  get_commit: getCommit,
  get_latest_release: getLatestRelease,
  get_me: getMe,
  get_release_by_tag: getReleaseByTag,
  get_tag: getTag,
  get_team_members: getTeamMembers,
  get_teams: getTeams,
  list_branches: listBranches,
  list_commits: listCommits,
  list_releases: listReleases,
  list_repository_collaborators: listCollaborators,
  list_tags: listTags,
};
