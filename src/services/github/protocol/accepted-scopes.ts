import { PUBLISHED } from '../coverage.ts';

const READS = ['GET'];
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];
const ALL = [...READS, ...WRITES];
const ORG_READ = 'admin:org, read:org, repo, user, write:org';
const HOOKS = 'admin:repo_hook, public_repo, read:repo_hook, repo, write:repo_hook';

/** What families of paths accept, where the one operation was never seen; the first that fits holds. */
const FAMILIES: readonly (readonly [path: RegExp, methods: readonly string[], scopes: string])[] = [
  [/^\/orgs\/[^/]+\/(actions|agents|codespaces|dependabot)\//u, ALL, 'admin:org'],
  [/^\/orgs\/[^/]+\/hooks/u, ALL, 'admin:org_hook'],
  [/^\/orgs\/[^/]+\/(blocks|memberships|migrations|failed_invitations)/u, ALL, 'admin:org, repo'],
  [/^\/orgs\/[^/]+\/invitations/u, ALL, 'admin:org'],
  [/^\/(orgs\/[^/]+\/teams|teams)\/[^/]+\/memberships/u, READS, 'admin:org, read:org, repo, write:org'],
  [/^\/(orgs\/[^/]+\/teams|teams)\/[^/]+\/invitations/u, READS, 'admin:org, repo'],
  [/^\/(orgs\/[^/]+\/teams|teams)\/[^/]+\/repos/u, ALL, ORG_READ],
  [/^\/(orgs\/[^/]+\/teams|teams)(\/|$)/u, READS, ORG_READ],
  [/^\/(orgs\/[^/]+\/teams|teams)(\/|$)/u, WRITES, 'admin:org, repo'],
  [/^\/repos\/[^/]+\/[^/]+\/hooks/u, ['GET'], HOOKS],
  [/^\/repos\/[^/]+\/[^/]+\/hooks\/[^/]+\/(pings|deliveries)/u, ALL, HOOKS],
  [/^\/repos\/[^/]+\/[^/]+\/hooks/u, ['DELETE'], 'admin:repo_hook, public_repo, repo'],
  [/^\/repos\/[^/]+\/[^/]+\/hooks/u, WRITES, 'admin:repo_hook, public_repo, repo, write:repo_hook'],
  [/^\/user\/memberships\/orgs/u, READS, ORG_READ],
  [/^\/user\/blocks/u, ALL, 'user'],
];

/** What keys of a kind accept: reading, adding, and taking away want ever more. */
function keyScopes(path: string, method: string): string | undefined {
  const kind = /^\/user\/(gpg_keys|keys|ssh_signing_keys)/u.exec(path)?.[1];
  if (kind === undefined) return undefined;
  const name = kind === 'keys' ? 'public_key' : kind.slice(0, -1);
  const scopes = [`admin:${name}`];
  if (method === 'GET') scopes.push(`read:${name}`);
  if (method !== 'DELETE') scopes.push(`write:${name}`);
  return scopes.join(', ');
}

/** The value of `x-accepted-oauth-scopes` of an operation: as it was seen, or as its family has it. */
export function acceptedScopesOf(operation: string): string {
  const published = PUBLISHED.get(operation);
  if (!published) return '';
  const { path, method, acceptedScopes } = published;
  // Lists with `site_admin` were given before 2019, and no longer.
  const isOld = acceptedScopes?.includes('site_admin') === true;
  if (acceptedScopes !== undefined && !isOld) return acceptedScopes;
  const family = FAMILIES.find(([where, methods]) => methods.includes(method) && where.test(path));
  return family?.[2] ?? keyScopes(path, method) ?? '';
}
