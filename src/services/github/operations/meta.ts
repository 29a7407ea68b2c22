import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Reading } from '../operation.ts';
import { shown } from '../output.ts';
import { bucketOf, limitsOf } from '../protocol/limits.ts';
import { API, WEB } from '../views/urls.ts';

/** The addresses that the API begins with, by name. */
const PATHS: Readonly<Record<string, string>> = {
  current_user_url: `${API}/user`,
  current_user_authorizations_html_url: `${WEB}/settings/connections/applications{/client_id}`,
  authorizations_url: `${API}/authorizations`,
  code_search_url: `${API}/search/code?q={query}{&page,per_page,sort,order}`,
  commit_search_url: `${API}/search/commits?q={query}{&page,per_page,sort,order}`,
  emails_url: `${API}/user/emails`,
  emojis_url: `${API}/emojis`,
  events_url: `${API}/events`,
  feeds_url: `${API}/feeds`,
  followers_url: `${API}/user/followers`,
  following_url: `${API}/user/following{/target}`,
  gists_url: `${API}/gists{/gist_id}`,
  hub_url: `${API}/hub`,
  issue_search_url: `${API}/search/issues?q={query}{&page,per_page,sort,order}`,
  issues_url: `${API}/issues`,
  keys_url: `${API}/user/keys`,
  label_search_url: `${API}/search/labels?q={query}&repository_id={repository_id}{&page,per_page}`,
  notifications_url: `${API}/notifications`,
  organization_url: `${API}/orgs/{org}`,
  organization_repositories_url: `${API}/orgs/{org}/repos{?type,page,per_page,sort}`,
  organization_teams_url: `${API}/orgs/{org}/teams`,
  public_gists_url: `${API}/gists/public`,
  rate_limit_url: `${API}/rate_limit`,
  repository_url: `${API}/repos/{owner}/{repo}`,
  repository_search_url: `${API}/search/repositories?q={query}{&page,per_page,sort,order}`,
  current_user_repositories_url: `${API}/user/repos{?type,page,per_page,sort}`,
  starred_url: `${API}/user/starred{/owner}{/repo}`,
  starred_gists_url: `${API}/gists/starred`,
  topic_search_url: `${API}/search/topics?q={query}{&page,per_page}`,
  user_url: `${API}/users/{user}`,
  user_organizations_url: `${API}/user/orgs`,
  user_repositories_url: `${API}/users/{user}/repos{?type,page,per_page,sort}`,
  user_search_url: `${API}/search/users?q={query}{&page,per_page,sort,order}`,
};

const root = operation({
  id: 'meta/root',
  summary: 'Lists where things are.',
  effect: 'read',
  http: { method: 'GET', path: '/' },
  input: z.looseObject({}),
  output: shown('current_user_url', 'repository_url'),
  example: {},
  run: (): JsonObject => PATHS,
});

/** Addresses for documentation: nobody has them. */
const RANGES = ['192.0.2.0/26', '198.51.100.0/24', '2001:db8::/32'];
const SERVICES = [
  'hooks',
  'github_enterprise_importer',
  'web',
  'api',
  'git',
  'packages',
  'pages',
  'importer',
  'actions',
  'actions_macos',
  'codespaces',
  'dependabot',
  'copilot',
];
const FINGERPRINTS = ['SHA256_ECDSA', 'SHA256_ED25519', 'SHA256_RSA', 'SHA256_DSA'];

const getMeta = operation({
  id: 'meta/get',
  summary: 'Lists the addresses that GitHub uses.',
  effect: 'read',
  http: { method: 'GET', path: '/meta' },
  input: z.looseObject({}),
  output: shown('verifiable_password_authentication', 'hooks'),
  example: {},
  run: (): JsonObject => ({
    verifiable_password_authentication: false,
    ssh_key_fingerprints: Object.fromEntries(
      FINGERPRINTS.map((name) => [name, `example-of-${name.toLowerCase()}`]),
    ),
    ssh_keys: ['ssh-ed25519 AAAAexampleofahostkey', 'ecdsa-sha2-nistp256 AAAAexample', 'ssh-rsa AAAAexample'],
    ...Object.fromEntries(SERVICES.map((name) => [name, RANGES])),
    domains: {
      website: [
        '*.github.com',
        '*.github.dev',
        '*.github.io',
        '*.githubassets.com',
        '*.githubusercontent.com',
      ],
      codespaces: ['*.github.com', '*.api.github.com'],
      copilot: ['*.github.com', '*.githubusercontent.com'],
      packages: ['*.pkg.github.com', 'ghcr.io'],
      actions: ['*.actions.githubusercontent.com'],
    },
  }),
});

const SAYINGS = [
  'Keep it logically awesome.',
  'Speak like a human.',
  'Design for failure.',
  'Anything added dilutes everything else.',
  'Half measures are as bad as nothing at all.',
];

const getZen = operation({
  id: 'meta/get-zen',
  summary: 'Says something wise.',
  effect: 'read',
  http: { method: 'GET', path: '/zen' },
  input: z.looseObject({}),
  output: z.string(),
  example: {},
  run(ctx) {
    ctx.reply({ form: 'text', headers: { 'content-type': 'text/plain;charset=utf-8' } });
    return saying(ctx);
  },
});

function saying(ctx: Reading): string {
  return SAYINGS[Math.floor(ctx.nowMs / 1_000) % SAYINGS.length] ?? '';
}

const CAT = [
  '   /\\_____/\\',
  '  /  o   o  \\',
  ' ( ==  ^  == )',
  '  )         (',
  ' (           )',
  '(__(__)___(__)__)',
];

const getOctocat = operation({
  id: 'meta/get-octocat',
  summary: 'Draws a cat that says something.',
  effect: 'read',
  http: { method: 'GET', path: '/octocat' },
  input: z.looseObject({ s: z.string().optional() }),
  output: z.string(),
  example: {},
  run(ctx, { s }) {
    ctx.reply({ form: 'text', headers: { 'content-type': 'application/octocat-stream' } });
    return `\n  "${s ?? saying(ctx)}"\n\n${CAT.join('\n')}\n`;
  },
});

const getVersions = operation({
  id: 'meta/get-all-versions',
  summary: 'Lists the versions of the API.',
  effect: 'read',
  http: { method: 'GET', path: '/versions' },
  input: z.looseObject({}),
  output: z.array(z.string()),
  example: {},
  run: () => ['2022-11-28', '2026-03-10'],
});

const getRateLimit = operation({
  id: 'rate-limit/get',
  summary: 'Reads how much of each limit is left; asking costs nothing.',
  effect: 'read',
  http: { method: 'GET', path: '/rate_limit' },
  input: z.looseObject({}),
  output: shown('resources', 'rate'),
  example: {},
  run(ctx) {
    const { actor, nowMs } = ctx;
    const buckets = limitsOf(actor).map((limit) => {
      const { used, remaining, reset, resource } = bucketOf(ctx.tx.rate_buckets, actor, { limit, nowMs });
      return [resource, { limit: limit.limit, used, remaining, reset }] as const;
    });
    const resources = Object.fromEntries(buckets);
    return { resources, rate: resources.core ?? null };
  },
});

export const metaOperations: readonly Operation[] = [
  root,
  getMeta,
  getZen,
  getOctocat,
  getVersions,
  getRateLimit,
];
