import { z } from 'zod';
import { isAncestor } from '../git/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { isBound, protectionOf } from '../rules/protection.ts';
import {
  dropRef,
  isEmpty,
  isWellFormed,
  moveRef,
  objectsOf,
  type Ref,
  refNamed,
  refsUnder,
} from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { ruleViolation } from '../rules/rulesets.ts';
import type { Repository } from '../schema/repositories.ts';
import { refView } from '../views/git.ts';
import { placeOf } from '../views/issues.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const REF = shown('ref', 'object');
const REF_PLACE = { ...REPOSITORY, ref: z.string() };

/** Branches, tags and more refs may be asked for without `refs/`. */
function fullRef(ref: string): string {
  return ref.startsWith('refs/') ? ref : `refs/${ref}`;
}

function refAt(ctx: Reading, repository: Repository, ref: string): Ref {
  if (isEmpty(ctx, repository)) ctx.fail('conflict', { message: 'Git Repository is empty.' });
  return refNamed(ctx, repository, fullRef(ref)) ?? ctx.fail('not_found');
}

const getRef = operation({
  id: 'git/get-ref',
  summary: 'Reads what a ref names.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/git/ref/{ref*}' },
  input: z.looseObject(REF_PLACE),
  output: REF,
  example: { owner: 'octo-works', repo: 'lamp', ref: 'heads/main' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const found = refAt(ctx, repository, input.ref);
    ctx.reply({ headers: POLL, facts: { modified: repository.pushed_at } });
    return refView(ctx, placeOf(ctx, repository), found);
  },
});

/** How long clients are asked to wait before they look again. */
const POLL = { 'x-poll-interval': '300' };

const listMatching = operation({
  id: 'git/list-matching-refs',
  summary: 'Lists refs that start alike.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/git/matching-refs/{ref*}' },
  input: z.looseObject(REF_PLACE),
  output: listOf('ref', 'object'),
  example: { owner: 'octo-works', repo: 'lamp', ref: 'heads/' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    if (isEmpty(ctx, repository)) ctx.fail('conflict', { message: 'Git Repository is empty.' });
    const place = placeOf(ctx, repository);
    ctx.reply({ headers: POLL, facts: { modified: repository.pushed_at } });
    return refsUnder(ctx, repository, fullRef(input.ref)).map((found) => refView(ctx, place, found));
  },
});

const createRef = operation({
  id: 'git/create-ref',
  summary: 'Makes a branch, a tag or another ref.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/git/refs', status: 201 },
  input: z.looseObject({ ...REF_PLACE, sha: z.string() }),
  output: REF,
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    ref: 'refs/heads/brighter',
    sha: '510fb7830815143bd825087477f14c8f53997460',
  },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    if (isEmpty(ctx, repository)) ctx.fail('conflict', { message: 'Git Repository is empty.' });
    const { ref, sha } = input;
    if (!/^refs\/.*\//u.test(ref)) {
      ctx.fail('unprocessable', {
        message: "Reference name must start with 'refs/' and contain at least two slashes.",
      });
    }
    if (!isWellFormed(ref)) ctx.fail('unprocessable', { message: `${ref} is not a valid ref name.` });
    if (refNamed(ctx, repository, ref)) ctx.fail('unprocessable', { message: 'Reference already exists' });
    requireObject(ctx, ref, sha);
    if (standsInTheWay(ctx, repository, ref))
      ctx.fail('unprocessable', { message: 'Reference update failed' });
    guard(ctx, repository, { ref, what: 'create' });
    moveRef(ctx, repository, { ref, sha });
    const view = refView(ctx, placeOf(ctx, repository), { ref, sha });
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

/** Whether a ref is where this one would need a folder, or the other way round: git keeps them as files. */
function standsInTheWay(ctx: Reading, repository: Repository, ref: string): boolean {
  const names = ref.split('/');
  const above = names.slice(3).map((_, index) => names.slice(0, index + 3).join('/'));
  return (
    above.some((one) => refNamed(ctx, repository, one)) || refsUnder(ctx, repository, `${ref}/`).length > 0
  );
}

function requireObject(ctx: Writing, ref: string, sha: string): void {
  const object = objectsOf(ctx).get(sha);
  const fits = ref.startsWith('refs/heads/') ? object?.kind === 'commit' : object !== undefined;
  if (!fits) ctx.fail('unprocessable', { message: 'Object does not exist' });
}

const updateRef = operation({
  id: 'git/update-ref',
  summary: 'Lets a ref name another object; by force also one that does not follow.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/git/refs/{ref*}' },
  input: z.looseObject({ ...REF_PLACE, sha: z.string(), force: z.boolean().nullish() }),
  output: REF,
  example: {
    owner: 'octo-works',
    repo: 'lamp',
    ref: 'heads/main',
    sha: '510fb7830815143bd825087477f14c8f53997460',
    force: true,
  },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const ref = fullRef(input.ref);
    const { sha } = input;
    const before = refNamed(ctx, repository, ref);
    if (!before) return ctx.fail('unprocessable', { message: 'Reference does not exist' });
    requireObject(ctx, ref, sha);
    const follows = isAncestor(objectsOf(ctx), before.sha, sha);
    if (!follows && input.force !== true) {
      ctx.fail('unprocessable', { message: 'Update is not a fast forward' });
    }
    guard(ctx, repository, { ref, what: follows ? 'move' : 'force' });
    moveRef(ctx, repository, { ref, sha });
    return refView(ctx, placeOf(ctx, repository), { ref, sha });
  },
});

type RefChange = 'create' | 'move' | 'force' | 'delete';

/** What sets of rules may forbid of each change. */
const FORBIDDEN: Readonly<Record<RefChange, readonly string[]>> = {
  create: ['creation'],
  move: ['update', 'pull_request'],
  force: ['non_fast_forward', 'update', 'pull_request'],
  delete: ['deletion'],
};

/** Protected branches are neither deleted nor moved by force, unless their rules allow it. */
function guard(
  ctx: Writing,
  repository: Repository,
  { ref, what }: { readonly ref: string; readonly what: RefChange },
): void {
  const violation = ruleViolation(ctx, repository, { ref, kinds: FORBIDDEN[what] });
  if (violation !== null) ctx.fail('unprocessable', { message: violation });
  if (!ref.startsWith('refs/heads/') || what === 'create') return;
  const protection = protectionOf(ctx, repository, ref.slice('refs/heads/'.length));
  if (!protection) return;
  if (what === 'delete' && !protection.switches.includes('allow_deletions')) {
    ctx.fail('unprocessable', { message: 'Cannot delete this protected branch' });
  }
  if (what === 'force' && !protection.switches.includes('allow_force_pushes')) {
    ctx.fail('unprocessable', { message: 'Cannot force-push to this protected branch' });
  }
  if (what === 'move' && protection.reviews !== null && isBound(ctx, repository, protection)) {
    ctx.fail('unprocessable', { message: 'Changes must be made through a pull request.' });
  }
}

const deleteRef = operation({
  id: 'git/delete-ref',
  summary: 'Deletes a branch, a tag or another ref.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/git/refs/{ref*}', status: 204 },
  input: z.looseObject(REF_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', ref: 'heads/dimmer' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const ref = fullRef(input.ref);
    if (!refNamed(ctx, repository, ref)) ctx.fail('unprocessable', { message: 'Reference does not exist' });
    if (ref === `refs/heads/${repository.default_branch}`) {
      ctx.fail('unprocessable', { message: 'Cannot delete the default branch' });
    }
    guard(ctx, repository, { ref, what: 'delete' });
    dropRef(ctx, repository, ref);
    return null;
  },
});

export const gitRefOperations = [getRef, listMatching, createRef, updateRef, deleteRef];
