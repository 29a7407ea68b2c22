import type { Reading } from '../../operation.ts';
import { findRepository, roleIn } from '../repositories.ts';
import { findAccount } from '../viewer.ts';
import { type Query, valuesOf } from './query.ts';

const HIDDEN = [
  'The listed users and repositories cannot be searched either because the resources do not exist',
  'or you do not have permission to view them.',
].join(' ');

/** Which repositories a search looks through. */
export interface Scope {
  readonly has: (repositoryId: number) => boolean;
  /** The only ones that it may look through, where they are named one by one. */
  readonly named: ReadonlySet<number> | null;
}

/**
 * Which repositories a search looks through: those that `repo:`, `user:` and `org:` name, and the caller may
 * see; without them all that the caller may see. 422 where a named one is hidden or not there.
 */
export function scopeOf(ctx: Reading, query: Query): Scope {
  const repositories = new Set(valuesOf(query, 'repo').map((name) => repositoryNamed(ctx, name)));
  const owners = new Set(valuesOf(query, 'user', 'org').map((login) => ownerNamed(ctx, login)));
  const visible = new Map<number, boolean>();
  const has = (id: number): boolean => {
    const known = visible.get(id);
    if (known !== undefined) return known;
    const repository = ctx.tx.repositories.get(id);
    const named =
      (repositories.size === 0 && owners.size === 0) ||
      repositories.has(id) ||
      (repository !== undefined && owners.has(repository.owner_id));
    const seen = named && repository !== undefined && roleIn(ctx, repository) !== null;
    visible.set(id, seen);
    return seen;
  };
  return { has, named: repositories.size > 0 && owners.size === 0 ? repositories : null };
}

function repositoryNamed(ctx: Reading, name: string): number {
  const [owner = '', repo = ''] = name.split('/');
  const repository = findRepository(ctx, { owner, repo });
  return repository && roleIn(ctx, repository) !== null ? repository.id : refuse(ctx);
}

function ownerNamed(ctx: Reading, login: string): number {
  return (
    findAccount(ctx, login === '@me' ? String(ctx.actor.attributes?.login ?? ctx.actor.id) : login)?.id ??
    refuse(ctx)
  );
}

function refuse(ctx: Reading): never {
  return ctx.fail('validation_failed', {
    errors: [{ message: HIDDEN, resource: 'Search', field: 'q', code: 'invalid' }],
  });
}
