import { digestText, isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { App, Installation, IssuedToken } from '../schema/apps.ts';
import type { Repository, RepositoryRole } from '../schema/repositories.ts';
import { blankAccount } from '../seed/people.ts';
import { freshId, idOf } from './ids.ts';

const HOUR_MS = 3_600_000;

/**
 * The app that calls: the one that the actor's attribute `app` names, by slug or number, else the first one
 * of the world.
 */
export function callingApp(ctx: Reading): App {
  const named = ctx.actor.attributes?.app;
  const found =
    typeof named === 'number'
      ? ctx.tx.apps.get(named)
      : typeof named === 'string'
        ? ctx.tx.apps.unique('by_slug', [named])
        : [...ctx.tx.apps.scan({ limit: 1 })][0];
  return found ?? ctx.fail('not_found');
}

/** The installation that calls: the one whose token was shown, else the one that was given a token last. */
export function callingInstallation(ctx: Reading): Installation {
  const shown = ctx.actor.attributes?.installation_id;
  const given = [...ctx.tx.issued_tokens.scan()].filter(({ installation_id }) => installation_id !== null);
  const last = given.toSorted((one, other) => one.number - other.number).at(-1)?.installation_id;
  const id =
    typeof shown === 'number' ? shown : (last ?? [...ctx.tx.installations.scan({ limit: 1 })][0]?.id);
  return (id === undefined ? undefined : ctx.tx.installations.get(id)) ?? ctx.fail('not_found');
}

/** The installation of the calling app that has this number; 404 for another app's. */
export function installationAt(ctx: Reading, id: number | string): Installation {
  const installation = ctx.tx.installations.get(idOf(id));
  return installation?.app_id === callingApp(ctx).id ? installation : ctx.fail('not_found');
}

/** The repositories that an installation has. */
export function repositoriesOf(ctx: Reading, installation: Installation): readonly Repository[] {
  const { repository_selection, repository_ids, account_id } = installation;
  if (repository_selection === 'all') return [...ctx.tx.repositories.by('by_owner', [account_id])];
  return repository_ids.map((id) => ctx.tx.repositories.get(id)).filter((row) => row !== undefined);
}

/** What an installation's token lets its holder do with a repository; null for nothing. */
export function roleOfInstallation(ctx: Reading, repository: Repository): RepositoryRole | null {
  const shown = ctx.actor.attributes?.installation_id;
  const installation = typeof shown === 'number' ? ctx.tx.installations.get(shown) : undefined;
  if (!installation || installation.suspended_at !== null) return null;
  if (!repositoriesOf(ctx, installation).some(({ id }) => id === repository.id)) return null;
  // A token may be for some of the repositories alone.
  const { repository_ids: chosen } = ctx.actor.attributes ?? {};
  if (Array.isArray(chosen) && !(chosen as readonly unknown[]).includes(repository.id)) return null;
  const permissions = isJsonObject(installation.permissions) ? installation.permissions : {};
  // What exactly it may do is settled by its permissions, before any operation runs.
  if (permissions.administration === 'write') return 'admin';
  return Object.values(permissions).includes('write') ? 'write' : 'read';
}

export interface TokenWish {
  readonly repositories?: readonly string[] | undefined;
  readonly repository_ids?: readonly number[] | undefined;
  readonly permissions?: JsonObject | undefined;
}

/** Gives an installation a token for an hour, for all that it may do or for less. */
export function installationToken(ctx: Writing, installation: Installation, wish: TokenWish): IssuedToken {
  const all = repositoriesOf(ctx, installation);
  const { repositories: names, repository_ids: ids } = wish;
  const chosen =
    names || ids
      ? all.filter(
          ({ id, name_key }) => ids?.includes(id) || names?.some((name) => name.toLowerCase() === name_key),
        )
      : null;
  if (chosen?.length === 0 || (ids && chosen && chosen.length < ids.length)) {
    const message =
      'There is at least one repository that does not exist or is not accessible to the parent installation.';
    ctx.fail('unprocessable', { message });
  }
  const permissions = checkedPermissions(ctx, installation, wish.permissions);
  ensureBot(ctx, installation);
  return issueToken(ctx, {
    prefix: 'ghs',
    app_id: installation.app_id,
    installation_id: installation.id,
    permissions,
    repository_ids: chosen ? chosen.map(({ id }) => id) : null,
    expires_at: momentText(ctx.nowMs + HOUR_MS),
  });
}

/** @throws 422 for a permission that the installation does not have. */
function checkedPermissions(ctx: Writing, installation: Installation, wished: JsonObject | undefined): Json {
  if (!wished) return installation.permissions;
  const has = isJsonObject(installation.permissions) ? installation.permissions : {};
  const missing = Object.entries(wished).find(
    ([name, level]) => has[name] === undefined || (level === 'write' && has[name] === 'read'),
  );
  if (!missing) return wished;
  const message = 'The permissions requested are not granted to this installation.';
  return ctx.fail('unprocessable', { message });
}

/** The account that an installation acts as. */
function ensureBot(ctx: Writing, { app_id }: Installation): void {
  const slug = ctx.tx.apps.get(app_id)?.slug;
  const login = `${slug}[bot]`;
  if (slug === undefined || ctx.tx.accounts.unique('by_login', [login.toLowerCase()])) return;
  const row = blankAccount(freshId(ctx, 'accounts'), login, momentText(ctx.nowMs));
  ctx.tx.accounts.insert({ ...row, type: 'Bot' });
}

export function issueToken(
  ctx: Writing,
  {
    prefix,
    ...wish
  }: { readonly prefix: string } & Partial<IssuedToken> & Pick<IssuedToken, 'expires_at' | 'permissions'>,
): IssuedToken {
  const moment = momentText(ctx.nowMs);
  const number = Number(ctx.nextId('installation_requests'));
  return ctx.tx.issued_tokens.insert({
    app_id: null,
    installation_id: null,
    account_id: null,
    repository_ids: null,
    scopes: [],
    ...wish,
    token: `${prefix}-${digestText(`token ${number}`).slice(0, 36)}`,
    number,
    created_at: moment,
    updated_at: moment,
  });
}
