import {
  type Actor,
  type Authorisation,
  isJsonObject,
  type ProviderError,
  providerError,
} from '../../../service/index.ts';
import { PUBLISHED } from '../coverage.ts';
import { errors } from '../errors.ts';
import { isAnonymous } from './limits.ts';

/**
 * Actors say in their attributes what their token is: `scopes` (a list) for a classic one, `permissions`
 * (an object such as `{issues: "write"}`, or `"all"`) for a fine-grained one, `kind: "app"` beside it for
 * an installation's. An actor that says nothing has a classic token with every scope.
 */
export const ALL_SCOPES: readonly string[] = [
  'admin:gpg_key',
  'admin:org',
  'admin:org_hook',
  'admin:public_key',
  'admin:repo_hook',
  'delete_repo',
  'gist',
  'notifications',
  'project',
  'repo',
  'user',
  'workflow',
  'write:discussion',
];

/** The scopes of a classic token, or null for one that has none: fine-grained, an app's, or no token. */
export function scopesOf(actor: Actor): readonly string[] | null {
  const { attributes = {} } = actor;
  if (Array.isArray(attributes.scopes)) return attributes.scopes.map(String);
  if (attributes.permissions !== undefined || isAnonymous(actor)) return null;
  return ALL_SCOPES;
}

/** Whether a token may read what is private. */
export function seesPrivate(actor: Actor): boolean {
  const scopes = scopesOf(actor);
  return scopes ? scopes.includes('repo') : !isAnonymous(actor);
}

/** What a fine-grained token must have, by where an operation is; the first that fits holds. */
const PERMISSIONS: readonly (readonly [RegExp, string])[] = [
  [/\/environments\/[^/]+\/secrets/u, 'secrets,environments'],
  [/\/dependabot\/secrets/u, 'dependabot_secrets'],
  [/\/codespaces\/secrets/u, 'codespaces_secrets'],
  [/\/secrets/u, 'secrets'],
  [/\/variables/u, 'actions_variables'],
  [/\/actions\//u, 'actions'],
  [/\/environments\/[^/]+$/u, 'administration'],
  [/\/(contents|git|commits|compare|merges|merge-upstream|releases|readme|tarball|zipball)\b/u, 'contents'],
  [/\/branches\/[^/]+\/protection/u, 'administration'],
  [/\/branches/u, 'contents'],
  [/\/pulls/u, 'pull_requests'],
  [/\/(issues|labels|milestones|assignees)/u, 'issues'],
  [/\/(check-runs|check-suites)/u, 'checks'],
  [/\/statuses/u, 'statuses'],
  [/\/deployments/u, 'deployments'],
  [/\/hooks/u, 'repository_hooks'],
  [/\/pages/u, 'pages'],
  [/^\/orgs\/[^/]+\/(teams|members|memberships)/u, 'members'],
  [/^\/gists/u, 'gists'],
  [/^\/repos\/[^/]+\/[^/]+$/u, 'metadata'],
  [/^\/(repos|orgs\/[^/]+\/repos|user\/repos)/u, 'administration'],
];

/** The value of `x-accepted-github-permissions`, such as `issues=write`; null where none is asked. */
export function permissionOf(operation: string, effect: 'read' | 'write'): string | null {
  const found = permissionsNeeded(operation, effect);
  return found?.map(([name, level]) => `${name}=${level}`).join(',') ?? null;
}

function permissionsNeeded(operation: string, effect: 'read' | 'write'): [string, 'read' | 'write'][] | null {
  const path = PUBLISHED.get(operation)?.path;
  const found = path === undefined ? undefined : PERMISSIONS.find(([where]) => where.test(path))?.[1];
  if (found === undefined) return null;
  const names = found === 'metadata' && effect === 'write' ? 'administration' : found;
  return names.split(',').map((name) => [name, effect]);
}

/** The refusal of a token that may not do this at all, whatever it is about; null when it may. */
export function refusalOf(call: Authorisation): ProviderError | null {
  const { actor, operation } = call;
  // Apps and browsers come to the flows without a token: they are there to get one.
  if (operation.id.startsWith('login/')) return null;
  const path = PUBLISHED.get(operation.id)?.path ?? '';
  if (isAnonymous(actor)) {
    const own = /^\/(user|notifications|issues|installation)(\/|$)/u.test(path);
    return own || operation.effect === 'write' ? providerError(errors, 'login_required') : null;
  }
  const scopes = scopesOf(actor);
  return scopes ? refusedByScopes(scopes, { path, ...operation }) : refusedByPermissions(actor, operation);
}

/** Scopes of which a write needs one, by where it is. */
const WRITE_SCOPES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/repos\/[^/]+\/[^/]+\/hooks/u, ['admin:repo_hook', 'write:repo_hook', 'repo', 'public_repo']],
  [/^\/repos\/[^/]+\/[^/]+\/statuses/u, ['repo', 'public_repo', 'repo:status']],
  [/^\/repos\/[^/]+\/[^/]+\/deployments/u, ['repo', 'public_repo', 'repo_deployment']],
  [/^\/(repos|user\/repos|orgs\/[^/]+\/repos)/u, ['repo', 'public_repo']],
  [/^\/gists/u, ['gist']],
  [/^\/orgs\/[^/]+\/hooks/u, ['admin:org_hook']],
  [/^\/(orgs|teams)/u, ['admin:org', 'write:org', 'repo']],
  [/^\/notifications/u, ['notifications', 'repo']],
  [/^\/user\/keys/u, ['admin:public_key', 'write:public_key', 'user']],
  [/^\/user\/(starred|subscriptions)/u, ['repo', 'public_repo', 'user']],
  [/^\/user(\/|$)/u, ['user', 'repo']],
];

function refusedByScopes(
  scopes: readonly string[],
  { id, effect, path }: { readonly id: string; readonly effect: string; readonly path: string },
): ProviderError | null {
  if (id === 'repos/delete' && !scopes.includes('delete_repo')) {
    return providerError(errors, 'forbidden', {
      details: { message: 'Must have admin rights to Repository.' },
    });
  }
  if (effect === 'read') return null;
  const needed = WRITE_SCOPES.find(([where]) => where.test(path))?.[1];
  if (!needed || needed.some((scope) => scopes.includes(scope))) return null;
  return providerError(errors, 'not_found');
}

function refusedByPermissions(
  actor: Actor,
  { id, effect }: Authorisation['operation'],
): ProviderError | null {
  const permissions = actor.attributes?.permissions;
  const needed = permissionsNeeded(id, effect);
  if (!needed || permissions === 'all' || !isJsonObject(permissions ?? null)) return null;
  const has = permissions as Readonly<Record<string, unknown>>;
  const enough = needed.every(
    ([name, level]) =>
      (name === 'metadata' && level === 'read') ||
      has[name] === 'write' ||
      has[name] === 'admin' ||
      (level === 'read' && has[name] === 'read'),
  );
  if (enough) return null;
  const whose = actor.attributes?.kind === 'app' ? 'integration' : 'personal access token';
  return providerError(errors, 'forbidden', { details: { message: `Resource not accessible by ${whose}` } });
}
