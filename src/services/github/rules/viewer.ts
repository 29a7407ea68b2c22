import { Kept } from '../kept.ts';
import type { Reading } from '../operation.ts';
import { isAnonymous } from '../protocol/limits.ts';
import type { Account } from '../schema/accounts.ts';
import { idOf } from './ids.ts';

/**
 * The account that calls: the one that the actor's attribute `login` names, else the one named like the
 * actor, else the first person of the world. Null for a request without a token.
 */
export function viewerOf(ctx: Reading): Account | null {
  const { actor, tx } = ctx;
  if (isAnonymous(actor)) return null;
  return keptViewers.of(actor, [tx.accounts.version], () => foundViewer(ctx));
}

const VIEWERS_KEPT = 500;
const keptViewers = new Kept<Reading['actor'], Account | null>(VIEWERS_KEPT);

function foundViewer({ actor, tx }: Reading): Account | null {
  const named = actor.attributes?.login;
  const login = typeof named === 'string' ? named : actor.id;
  const found = tx.accounts.unique('by_login', [login.toLowerCase()]);
  if (found) return found;
  for (const account of tx.accounts.scan()) if (isPerson(account)) return account;
  return null;
}

/** GitHub's own account, which commits what is done on its pages, calls nobody. */
function isPerson({ type, login_key }: Account): boolean {
  return type === 'User' && login_key !== 'web-flow';
}

/** The account that calls; without a token 401. */
export function requireViewer(ctx: Reading): Account {
  return viewerOf(ctx) ?? ctx.fail('login_required');
}

/** The account of a login, or of `:7`, its number; 404 where there is none. */
export function accountNamed(ctx: Reading, login: string): Account {
  return findAccount(ctx, login) ?? ctx.fail('not_found');
}

export function findAccount(ctx: Reading, login: string): Account | undefined {
  if (login.startsWith(':')) return ctx.tx.accounts.get(idOf(login.slice(1)));
  return ctx.tx.accounts.unique('by_login', [login.toLowerCase()]);
}

/** The organisation of a login or number; 404 for people and for nobody. */
export function organizationNamed(ctx: Reading, login: string): Account {
  const account = accountNamed(ctx, login);
  return account.type === 'Organization' ? account : ctx.fail('not_found');
}
