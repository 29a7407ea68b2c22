import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import { roleIn } from '../rules/repositories.ts';
import { viewerOf } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import { type Repository, type RepositoryRole, ROLES } from '../schema/repositories.ts';
import { simpleUser } from './accounts.ts';
import { licenseView } from './licenses.ts';
import { nodeId } from './node-ids.ts';
import { fullName, repositoryUrl, WEB } from './urls.ts';

/** The owner of a repository; the world holds no repository without one. */
export function ownerOf(ctx: Reading, repository: Repository): Account {
  const owner = ctx.tx.accounts.get(repository.owner_id);
  if (!owner) throw new TypeError(`the repository ${repository.id} has no owner`);
  return owner;
}

/** The addresses that a repository shows, by member; `{…}` are the vendor's own templates. */
const PATHS: Readonly<Record<string, string>> = {
  forks_url: '/forks',
  keys_url: '/keys{/key_id}',
  collaborators_url: '/collaborators{/collaborator}',
  teams_url: '/teams',
  hooks_url: '/hooks',
  issue_events_url: '/issues/events{/number}',
  events_url: '/events',
  assignees_url: '/assignees{/user}',
  branches_url: '/branches{/branch}',
  tags_url: '/tags',
  blobs_url: '/git/blobs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  git_refs_url: '/git/refs{/sha}',
  trees_url: '/git/trees{/sha}',
  statuses_url: '/statuses/{sha}',
  languages_url: '/languages',
  stargazers_url: '/stargazers',
  contributors_url: '/contributors',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  commits_url: '/commits{/sha}',
  git_commits_url: '/git/commits{/sha}',
  comments_url: '/comments{/number}',
  issue_comment_url: '/issues/comments{/number}',
  contents_url: '/contents/{+path}',
  compare_url: '/compare/{base}...{head}',
  merges_url: '/merges',
  archive_url: '/{archive_format}{/ref}',
  downloads_url: '/downloads',
  issues_url: '/issues{/number}',
  pulls_url: '/pulls{/number}',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  labels_url: '/labels{/name}',
  releases_url: '/releases{/id}',
  deployments_url: '/deployments',
};
const PATH_ENTRIES = Object.entries(PATHS);

/** So many repositories' addresses are remembered; beyond them the one that was made first is left. */
const ADDRESSES_MOST = 500;
const addresses = new Map<string, JsonObject>();

/**
 * The addresses under a repository's own. Made once: what keeps views, such as a delivery, then shares their
 * texts in all worlds.
 */
function addressesOf(url: string): JsonObject {
  const known = addresses.get(url);
  if (known) return known;
  const made = Object.freeze(Object.fromEntries(PATH_ENTRIES.map(([name, path]) => [name, `${url}${path}`])));
  const [first] = addresses.keys();
  if (first !== undefined && addresses.size >= ADDRESSES_MOST) addresses.delete(first);
  addresses.set(url, made);
  return made;
}

/** A repository as it stands beside other things, such as an event: 46 members. */
export function simpleRepository(owner: Account, repository: Repository): JsonObject {
  const url = repositoryUrl(owner, repository);
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: fullName(owner, repository),
    private: repository.visibility !== 'public',
    owner: simpleUser(owner),
    html_url: `${WEB}/${fullName(owner, repository)}`,
    description: repository.description,
    fork: repository.fork,
    url,
    ...addressesOf(url),
  };
}

/** The same, with what lists show. */
export function minimalRepository(ctx: Reading, repository: Repository): JsonObject {
  const owner = ownerOf(ctx, repository);
  const name = fullName(owner, repository);
  return {
    ...simpleRepository(owner, repository),
    created_at: repository.created_at,
    updated_at: repository.updated_at,
    pushed_at: repository.pushed_at,
    git_url: `git://github.com/${name}.git`,
    ssh_url: `git@github.com:${name}.git`,
    clone_url: `${WEB}/${name}.git`,
    svn_url: `${WEB}/${name}`,
    homepage: repository.homepage,
    size: repository.size,
    stargazers_count: repository.stargazers,
    watchers_count: repository.watchers,
    language: repository.language,
    has_issues: repository.has_issues,
    has_projects: repository.has_projects,
    has_downloads: repository.has_downloads,
    has_wiki: repository.has_wiki,
    has_pages: repository.has_pages,
    has_discussions: repository.has_discussions,
    forks_count: repository.forks,
    mirror_url: repository.mirror_url,
    archived: repository.archived,
    disabled: repository.disabled,
    open_issues_count: repository.open_issues,
    license: licenseView(repository.license_key),
    allow_forking: repository.allow_forking,
    is_template: repository.is_template,
    web_commit_signoff_required: repository.web_commit_signoff_required,
    topics: repository.topics,
    visibility: repository.visibility,
    forks: repository.forks,
    open_issues: repository.open_issues,
    watchers: repository.watchers,
    default_branch: repository.default_branch,
    ...permissionsMember(ctx, repository),
    ...(repository.security !== null && { security_and_analysis: repository.security }),
  };
}

/** What the caller may do, as the five flags; not shown to callers without a token. */
function permissionsMember(ctx: Reading, repository: Repository): JsonObject {
  const viewer = viewerOf(ctx);
  return viewer ? { permissions: permissionFlags(roleIn(ctx, repository)) } : {};
}

/** A role as the flags `admin`, `maintain`, `push`, `triage`, `pull`. */
export function permissionFlags(role: RepositoryRole | null): JsonObject {
  const rank = role === null ? -1 : ROLES.indexOf(role);
  return { admin: rank >= 4, maintain: rank >= 3, push: rank >= 2, triage: rank >= 1, pull: rank >= 0 };
}

/** How pulls may be merged in a new repository. */
export const MERGING: JsonObject = {
  allow_squash_merge: true,
  allow_merge_commit: true,
  allow_rebase_merge: true,
  allow_auto_merge: false,
  delete_branch_on_merge: false,
  allow_update_branch: false,
  use_squash_pr_title_as_default: false,
  squash_merge_commit_message: 'COMMIT_MESSAGES',
  squash_merge_commit_title: 'COMMIT_OR_PR_TITLE',
  merge_commit_message: 'PR_TITLE',
  merge_commit_title: 'MERGE_MESSAGE',
};

/** A single repository: everything. How it merges is for those who may push. */
export function fullRepository(ctx: Reading, repository: Repository): JsonObject {
  const owner = ownerOf(ctx, repository);
  const viewer = viewerOf(ctx);
  const pushes = viewer !== null && ROLES.indexOf(roleIn(ctx, repository) ?? 'read') >= 2;
  const related = (id: number | null): JsonObject | null => {
    const found = id === null ? undefined : ctx.tx.repositories.get(id);
    return found ? minimalRepository(ctx, found) : null;
  };
  const parent = related(repository.parent_id);
  const template = related(repository.template_id);
  return {
    ...minimalRepository(ctx, repository),
    temp_clone_token: viewer ? '' : null,
    ...(pushes && { ...MERGING, ...(repository.merging as JsonObject) }),
    ...(owner.type === 'Organization' && { custom_properties: {}, organization: simpleUser(owner) }),
    ...(parent && { parent, source: related(repository.source_id) ?? parent }),
    ...(template && { template_repository: templateView(ctx, template, repository.template_id) }),
    network_count: sourceOf(ctx, repository).forks,
    subscribers_count: repository.subscribers,
  };
}

/** A template shows more of itself than what a fork comes from. */
function templateView({ tx }: Reading, view: JsonObject, id: number | null): JsonObject {
  const template = id === null ? undefined : tx.repositories.get(id);
  const merging = { ...MERGING, ...(template?.merging as JsonObject | undefined) };
  const shown = [
    'allow_squash_merge',
    'allow_merge_commit',
    'allow_rebase_merge',
    'allow_auto_merge',
    'delete_branch_on_merge',
  ];
  return {
    ...view,
    temp_clone_token: '',
    ...Object.fromEntries(shown.map((name) => [name, merging[name] ?? null])),
    subscribers_count: template?.subscribers ?? 0,
    network_count: template?.forks ?? 0,
  };
}

/** What a fork, or a fork of one, comes from in the end; a repository that is no fork is its own. */
function sourceOf({ tx }: Reading, repository: Repository): Repository {
  const { source_id, parent_id } = repository;
  const id = source_id ?? parent_id;
  return (id === null ? undefined : tx.repositories.get(id)) ?? repository;
}

/** The path by number that `Link` headers name. */
export function numberedPath(repository: Repository, rest: string): string {
  return `/repositories/${repository.id}${rest}`;
}
