import { Kept } from '../kept.ts';
import type { Reading } from '../operation.ts';
import { seesPrivate } from '../protocol/access.ts';
import type { Account } from '../schema/accounts.ts';
import { type Repository, type RepositoryRole, ROLES } from '../schema/repositories.ts';
import { roleOfInstallation } from './apps.ts';
import { idOf } from './ids.ts';
import { rolesOfTeams } from './teams.ts';
import { unfound } from './unfound.ts';
import { findAccount, viewerOf } from './viewer.ts';

/** A repository's place, as operations are given it; `owner` is `:id` where `repo` is the number. */
export interface RepositoryPlace {
  readonly owner: string;
  readonly repo: string;
}

/**
 * The repository at a place, if the caller may see it. 404 where there is none or it is hidden; 301 where it
 * has another name now.
 */
export function repositoryAt(ctx: Reading, { owner, repo }: RepositoryPlace): Repository {
  const repository = findRepository(ctx, { owner, repo });
  if (!repository || roleIn(ctx, repository) === null) return unfound(ctx);
  return repository;
}

export function findRepository(ctx: Reading, { owner, repo }: RepositoryPlace): Repository | undefined {
  const { tx } = ctx;
  if (owner === ':id') return tx.repositories.get(idOf(repo));
  const account = findAccount(ctx, owner);
  const name = repo.toLowerCase();
  if (!account) return undefined;
  return tx.repositories.unique('by_name', [account.id, name]) ?? movedFrom(ctx, account, name);
}

function movedFrom(ctx: Reading, account: Account, name: string): undefined {
  const moved = ctx.tx.repository_names.get([account.id, name]);
  const now = moved && ctx.tx.repositories.get(moved.repository_id);
  if (!now || roleIn(ctx, now) === null) return undefined;
  ctx.reply({ facts: { acceptedScopes: MOVED_SCOPES } });
  return ctx.fail('moved', { url: `${API}/repositories/${now.id}` });
}

const API = 'https://api.github.com';

/** What a token may have to be sent on: anything that lets it at repositories. */
const MOVED_SCOPES =
  'admin:repo_hook, delete_repo, read:repo_hook, repo, repo:status, repo_deployment, ' +
  'security_events, write:repo_hook';

const ROLES_KEPT = 500;
const keptRoles = new Kept<string, RepositoryRole | null>(ROLES_KEPT);

/** What the caller may do with a repository; null when it is hidden from them. */
export function roleIn(ctx: Reading, repository: Repository): RepositoryRole | null {
  const { actor, tx } = ctx;
  // What an installation may do hangs on more than this.
  if (actor.attributes?.installation_id !== undefined) return foundRole(ctx, repository);
  const { accounts, collaborators, org_members, teams, team_members, team_repositories } = tx;
  const tables = [accounts, collaborators, org_members, teams, team_members, team_repositories];
  const { id, owner_id, visibility } = repository;
  const of = [actor, owner_id, visibility, ...tables.map(({ version }) => version)];
  return keptRoles.of(`${actor.id} ${id}`, of, () => foundRole(ctx, repository));
}

function foundRole(ctx: Reading, repository: Repository): RepositoryRole | null {
  const open = repository.visibility === 'public';
  const viewer = viewerOf(ctx);
  if (!viewer) return open ? 'read' : null;
  if (!open && !seesPrivate(ctx.actor)) return null;
  // An installation may do what it was let do, whoever else may do what.
  const installed = roleOfInstallation(ctx, repository);
  if (installed !== null) return installed;
  return roleOf(ctx, repository, viewer) ?? (open ? 'read' : null);
}

/** What an account may do with a repository beyond what everybody may. */
export function roleOf(ctx: Reading, repository: Repository, account: Account): RepositoryRole | null {
  if (repository.owner_id === account.id) return 'admin';
  const roles: RepositoryRole[] = [];
  const collaborator = ctx.tx.collaborators.get([repository.id, account.id]);
  if (collaborator) roles.push(collaborator.role);
  const membership = ctx.tx.org_members.get([repository.owner_id, account.id]);
  if (membership?.state === 'active') roles.push(...rolesOfMember(ctx, repository, membership.role));
  roles.push(...rolesOfTeams(ctx, repository, account));
  return roles.reduce<RepositoryRole | null>(
    (best, role) => (best === null || ROLES.indexOf(role) > ROLES.indexOf(best) ? role : best),
    null,
  );
}

function rolesOfMember(
  { tx }: Reading,
  repository: Repository,
  role: 'admin' | 'member' | 'billing_manager',
): RepositoryRole[] {
  if (role === 'admin') return ['admin'];
  const settings = tx.accounts.get(repository.owner_id)?.settings;
  const base = (settings as { default_repository_permission?: unknown } | null)
    ?.default_repository_permission;
  if (base === 'none') return [];
  return [base === 'admin' ? 'admin' : base === 'write' ? 'write' : 'read'];
}

/** @throws 403, or 404 for what is private, unless the caller has this role at least. */
export function requireRole(ctx: Reading, repository: Repository, role: RepositoryRole): void {
  const has = roleIn(ctx, repository);
  if (has !== null && ROLES.indexOf(has) >= ROLES.indexOf(role)) return;
  if (repository.visibility !== 'public') ctx.fail(has === null ? 'not_found' : 'forbidden', refusal(role));
  ctx.fail('forbidden', refusal(role));
}

function refusal(role: RepositoryRole): { message: string } {
  const message =
    role === 'admin' ? 'Must have admin rights to Repository.' : 'Must have push access to repository';
  return { message };
}
