import type { JsonObject } from '../../../service/index.ts';
import type { Account } from '../schema/accounts.ts';
import { nodeId } from './node-ids.ts';
import { API, WEB } from './urls.ts';

const simpleUsers = new WeakMap<Account, JsonObject>();

/** An account as it stands within other things: 19 members. One object for one row: rows never change. */
export function simpleUser(account: Account): JsonObject {
  const known = simpleUsers.get(account);
  if (known) return known;
  const view = Object.freeze(madeSimpleUser(account));
  simpleUsers.set(account, view);
  return view;
}

function madeSimpleUser(account: Account): JsonObject {
  const url = `${API}/users/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    avatar_url: avatarUrl(account),
    gravatar_id: '',
    url,
    html_url: htmlUrl(account),
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    user_view_type: 'public',
    site_admin: account.site_admin,
  };
}

/** The same, or null for nobody. */
export function simpleUserOrNull(account: Account | undefined | null): JsonObject | null {
  return account ? simpleUser(account) : null;
}

function avatarUrl(account: Account): string {
  return `https://avatars.githubusercontent.com/u/${account.id}?v=4`;
}

function htmlUrl(account: Account): string {
  const bot = account.type === 'Bot' ? `${WEB}/apps/${account.login.replace(/\[bot\]$/u, '')}` : null;
  return bot ?? `${WEB}/${account.login}`;
}

/** A profile as everybody sees it. */
export function publicUser(account: Account): JsonObject {
  return {
    ...simpleUser(account),
    name: account.name,
    company: account.company,
    blog: account.blog ?? '',
    location: account.location,
    email: account.email,
    hireable: account.hireable,
    bio: account.bio,
    twitter_username: account.twitter_username,
    notification_email: account.email,
    public_repos: account.public_repos,
    public_gists: account.public_gists,
    followers: account.followers,
    following: account.following,
    created_at: account.created_at,
    updated_at: account.updated_at,
  };
}

/** A profile as its owner sees it. */
export function privateUser(account: Account): JsonObject {
  return {
    ...publicUser(account),
    user_view_type: 'private',
    private_gists: account.private_gists,
    total_private_repos: account.total_private_repos,
    owned_private_repos: account.owned_private_repos,
    disk_usage: account.disk_usage,
    collaborators: account.collaborators,
    two_factor_authentication: account.two_factor_authentication,
    plan: account.plan,
  };
}

/** An organisation as it stands in lists: 12 members. */
export function simpleOrganization(account: Account): JsonObject {
  const url = `${API}/orgs/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId('Organization', account.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: avatarUrl(account),
    description: settingsOf(account).description ?? null,
  };
}

/** What only organisations have. */
export function settingsOf(account: Account): JsonObject {
  return (account.settings ?? {}) as JsonObject;
}

/** An organisation as everybody sees it. */
export function publicOrganization(account: Account): JsonObject {
  const settings = settingsOf(account);
  return {
    ...simpleOrganization(account),
    name: account.name,
    company: account.company,
    blog: account.blog,
    location: account.location,
    email: account.email,
    twitter_username: account.twitter_username,
    is_verified: settings.is_verified ?? false,
    has_organization_projects: settings.has_organization_projects ?? true,
    has_repository_projects: settings.has_repository_projects ?? true,
    public_repos: account.public_repos,
    public_gists: account.public_gists,
    followers: account.followers,
    following: account.following,
    html_url: htmlUrl(account),
    created_at: account.created_at,
    updated_at: account.updated_at,
    archived_at: null,
    type: 'Organization',
  };
}

/** What an owner of an organisation finds set in a new one. */
export const ORGANIZATION_POLICIES: JsonObject = {
  default_repository_permission: 'read',
  members_can_create_repositories: true,
  two_factor_requirement_enabled: false,
  members_allowed_repository_creation_type: 'all',
  members_can_create_public_repositories: true,
  members_can_create_private_repositories: true,
  members_can_create_internal_repositories: false,
  members_can_create_pages: true,
  members_can_fork_private_repositories: false,
  web_commit_signoff_required: false,
  deploy_keys_enabled_for_repositories: true,
  members_can_delete_repositories: true,
  members_can_change_repo_visibility: true,
  members_can_invite_outside_collaborators: true,
  members_can_delete_issues: false,
  display_commenter_full_name_setting_enabled: false,
  readers_can_create_discussions: true,
  members_can_create_teams: true,
  members_can_view_dependency_insights: true,
  default_repository_branch: 'main',
  members_can_create_public_pages: true,
  members_can_create_private_pages: true,
};

/** Security settings for new repositories, all off until somebody turns them on. */
export const ORGANIZATION_SECURITY: JsonObject = {
  advanced_security_enabled_for_new_repositories: false,
  dependabot_alerts_enabled_for_new_repositories: false,
  dependabot_security_updates_enabled_for_new_repositories: false,
  dependency_graph_enabled_for_new_repositories: false,
  secret_scanning_enabled_for_new_repositories: false,
  secret_scanning_push_protection_enabled_for_new_repositories: false,
  secret_scanning_push_protection_custom_link_enabled: false,
  secret_scanning_push_protection_custom_link: null,
};

export const VALIDITY_CHECKS = 'secret_scanning_validity_checks_enabled';

/** An organisation as its owners see it. */
export function privateOrganization(account: Account): JsonObject {
  const settings = settingsOf(account);
  const withSettings = (defaults: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, settings[name] ?? value]));
  return {
    ...publicOrganization(account),
    total_private_repos: account.total_private_repos,
    owned_private_repos: account.owned_private_repos,
    private_gists: account.private_gists,
    disk_usage: account.disk_usage,
    collaborators: account.collaborators,
    billing_email: settings.billing_email ?? null,
    ...withSettings(ORGANIZATION_POLICIES),
    plan: account.plan,
    ...withSettings(ORGANIZATION_SECURITY),
    // Only where the plan has it.
    ...(settings[VALIDITY_CHECKS] !== undefined && { [VALIDITY_CHECKS]: settings[VALIDITY_CHECKS] }),
  };
}
