import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import {
  addRevision,
  changedFiles,
  countGist,
  filesOf,
  gistAt,
  gistsOf,
  newGist,
  ownGist,
  revisionsOf,
} from '../rules/gists.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import { accountNamed, requireViewer, viewerOf } from '../rules/viewer.ts';
import type { Gist } from '../schema/gists.ts';
import { fullGist, listedGist, revisionView } from '../views/gists.ts';
import { API } from '../views/urls.ts';

const GIST = { gist_id: z.string() };
const SINCE = { since: z.string().optional() };
/** A gist of the small seed. */
export const SEEDED_GIST = 'aa5a315d61ae9438b18d0000000000aa';
const example = { gist_id: SEEDED_GIST };
const FILES = z.record(z.string(), z.json());

function page(
  ctx: Reading,
  input: PageInput & { readonly since?: string | undefined },
  { items, path }: { readonly items: readonly Gist[]; readonly path: string },
): JsonObject[] {
  const { since } = input;
  const recent = items.filter(({ updated_at }) => since === undefined || updated_at >= since);
  return paged(ctx, input, { items: recent, path, show: (gist) => listedGist(ctx, gist) });
}

function publicGists(ctx: Reading): readonly Gist[] {
  const all = [...ctx.tx.gists.scan()].filter((gist) => gist.public);
  return all.toSorted((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
}

const listOwn = operation({
  id: 'gists/list',
  summary: "Lists the caller's gists, or everybody's public ones for callers without a token.",
  effect: 'read',
  http: { method: 'GET', path: '/gists' },
  input: z.looseObject({ ...SINCE, ...PAGE }),
  output: listOf('id', 'files'),
  example: {},
  run(ctx, input) {
    const viewer = viewerOf(ctx);
    return page(ctx, input, { items: viewer ? gistsOf(ctx, viewer) : publicGists(ctx), path: '/gists' });
  },
});

const listPublic = operation({
  id: 'gists/list-public',
  summary: 'Lists all public gists, the latest changed first.',
  effect: 'read',
  http: { method: 'GET', path: '/gists/public' },
  input: z.looseObject({ ...SINCE, ...PAGE }),
  output: listOf('id', 'files'),
  example: {},
  run: (ctx, input) => page(ctx, input, { items: publicGists(ctx), path: '/gists/public' }),
});

const listStarred = operation({
  id: 'gists/list-starred',
  summary: 'Lists the gists that the caller has starred.',
  effect: 'read',
  http: { method: 'GET', path: '/gists/starred' },
  input: z.looseObject({ ...SINCE, ...PAGE }),
  output: listOf('id', 'files'),
  example: {},
  run(ctx, input) {
    const items = [...ctx.tx.gist_stars.by('by_user', [requireViewer(ctx).id])]
      .map(({ gist_id }) => ctx.tx.gists.get(gist_id))
      .filter((gist) => gist !== undefined);
    return page(ctx, input, { items, path: '/gists/starred' });
  },
});

const listForUser = operation({
  id: 'gists/list-for-user',
  summary: "Lists somebody's public gists.",
  effect: 'read',
  http: { method: 'GET', path: '/users/{username}/gists' },
  input: z.looseObject({ username: z.string(), ...SINCE, ...PAGE }),
  output: listOf('id', 'files'),
  example: { username: 'mona' },
  run(ctx, input) {
    const account = accountNamed(ctx, input.username);
    const items = gistsOf(ctx, account).filter((gist) => gist.public);
    return page(ctx, input, { items, path: `/user/${account.id}/gists` });
  },
});

const createGist = operation({
  id: 'gists/create',
  summary: 'Makes a gist.',
  effect: 'write',
  http: { method: 'POST', path: '/gists', status: 201 },
  input: z.looseObject({
    files: FILES,
    description: z.string().nullish(),
    public: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
  }),
  output: shown('id', 'files', 'html_url'),
  example: { files: { 'note.md': { content: '# Warm light' } }, public: true },
  run(ctx, input) {
    const owner = requireViewer(ctx);
    const gist = newGist(ctx, {
      owner,
      description: input.description ?? null,
      public: input.public === true || input.public === 'true',
      files: changedFiles(ctx, {}, input.files as JsonObject),
      parent_id: null,
    });
    ctx.reply({ facts: { location: `${API}/gists/${gist.id}` } });
    return fullGist(ctx, gist);
  },
});

const getGist = operation({
  id: 'gists/get',
  summary: 'Reads a gist with its files and its history.',
  effect: 'read',
  http: { method: 'GET', path: '/gists/{gist_id}' },
  input: z.looseObject(GIST),
  output: shown('id', 'files', 'history'),
  example,
  run: (ctx, { gist_id }) => fullGist(ctx, gistAt(ctx, gist_id)),
});

const getRevision = operation({
  id: 'gists/get-revision',
  summary: 'Reads a gist as it was.',
  effect: 'read',
  http: { method: 'GET', path: '/gists/{gist_id}/{sha}' },
  input: z.looseObject({ ...GIST, sha: z.string() }),
  output: shown('id', 'files', 'history'),
  example: { ...example, sha: 'b'.repeat(40) },
  run(ctx, { gist_id, sha }) {
    const gist = gistAt(ctx, gist_id);
    const revision = revisionsOf(ctx, gist).find(({ version }) => version === sha) ?? ctx.fail('not_found');
    return fullGist(ctx, gist, revision);
  },
});

const updateGist = operation({
  id: 'gists/update',
  summary: "Changes a gist's description and files.",
  effect: 'write',
  http: { method: 'PATCH', path: '/gists/{gist_id}' },
  input: z.looseObject({ ...GIST, description: z.string().nullish(), files: FILES.nullish() }),
  output: shown('id', 'files', 'history'),
  example: { ...example, files: { 'note.md': { content: '# Warmer light' } } },
  run(ctx, input) {
    const gist = ownGist(ctx, input.gist_id);
    const before = filesOf(revisionsOf(ctx, gist)[0]);
    const files = input.files ? changedFiles(ctx, before, input.files as JsonObject) : before;
    if (JSON.stringify(files) !== JSON.stringify(before)) {
      addRevision(ctx, gist, { files, owner: requireViewer(ctx) });
    }
    const changed = ctx.tx.gists.update(gist.id, {
      ...(input.description !== undefined && { description: input.description }),
      updated_at: momentText(ctx.nowMs),
    });
    return fullGist(ctx, changed);
  },
});

const deleteGist = operation({
  id: 'gists/delete',
  summary: 'Deletes a gist.',
  effect: 'write',
  http: { method: 'DELETE', path: '/gists/{gist_id}', status: 204 },
  input: z.looseObject(GIST),
  output: nothing,
  example,
  run(ctx, { gist_id }) {
    const gist = ownGist(ctx, gist_id);
    countGist(ctx, gist, -1);
    ctx.tx.gists.delete(gist.id);
    return null;
  },
});

const listCommits = operation({
  id: 'gists/list-commits',
  summary: "Lists a gist's revisions, the newest first.",
  effect: 'read',
  http: { method: 'GET', path: '/gists/{gist_id}/commits' },
  input: z.looseObject({ ...GIST, ...PAGE }),
  output: listOf('version', 'committed_at'),
  example,
  run(ctx, input) {
    const gist = gistAt(ctx, input.gist_id);
    const path = `/gists/${gist.id}/commits`;
    const inPath = ['gist_id'];
    const items = revisionsOf(ctx, gist);
    return paged(ctx, input, { items, path, inPath, show: (row) => revisionView(ctx, gist, row) });
  },
});

const listForks = operation({
  id: 'gists/list-forks',
  summary: "Lists a gist's forks.",
  effect: 'read',
  http: { method: 'GET', path: '/gists/{gist_id}/forks' },
  input: z.looseObject({ ...GIST, ...PAGE }),
  output: listOf('id', 'files'),
  example,
  run(ctx, input) {
    const gist = gistAt(ctx, input.gist_id);
    const items = [...ctx.tx.gists.by('by_parent', [gist.id])];
    const path = `/gists/${gist.id}/forks`;
    return paged(ctx, input, { items, path, inPath: ['gist_id'], show: (fork) => listedGist(ctx, fork) });
  },
});

const forkGist = operation({
  id: 'gists/fork',
  summary: "Makes a copy of somebody's gist.",
  effect: 'write',
  http: { method: 'POST', path: '/gists/{gist_id}/forks', status: 201 },
  input: z.looseObject(GIST),
  output: shown('id', 'files'),
  example: { gist_id: 'bb5a315d61ae9438b18d0000000000bb' },
  run(ctx, { gist_id }) {
    const gist = gistAt(ctx, gist_id);
    const owner = requireViewer(ctx);
    if (gist.owner_id === owner.id) {
      const message = 'You cannot fork your own gist.';
      ctx.fail('validation_failed', {
        errors: [{ resource: 'Gist', code: 'custom', field: 'forks', message }],
      });
    }
    const { description } = gist;
    const files = filesOf(revisionsOf(ctx, gist)[0]);
    const fork = newGist(ctx, { owner, description, public: gist.public, files, parent_id: gist.id });
    ctx.reply({ facts: { location: `${API}/gists/${fork.id}` } });
    return listedGist(ctx, fork);
  },
});

export const gistOperations: readonly Operation[] = [
  listOwn,
  listPublic,
  listStarred,
  listForUser,
  createGist,
  getGist,
  getRevision,
  updateGist,
  deleteGist,
  listCommits,
  listForks,
  forkGist,
];
