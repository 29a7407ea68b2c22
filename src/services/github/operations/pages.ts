import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { findCommit } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Repository } from '../schema/repositories.ts';
import type { PagesBuild, PagesSite } from '../schema/repository-parts.ts';
import { simpleUserOrNull } from '../views/accounts.ts';
import { placeOf } from '../views/issues.ts';
import { numberedPath, ownerOf } from '../views/repositories.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const PATH = '/repos/{owner}/{repo}/pages';
const EXAMPLE = { owner: 'octo-works', repo: 'website' };
const SITE = shown('url', 'status', 'cname');
const BUILD = shown('url', 'status');

function siteView(ctx: Reading, repository: Repository, site: PagesSite): JsonObject {
  const { login } = ownerOf(ctx, repository);
  const host = `${login.toLowerCase()}.github.io`;
  const address = repository.name_key === host ? `https://${host}/` : `https://${host}/${repository.name}/`;
  return {
    url: `${placeOf(ctx, repository).url}/pages`,
    status: site.status,
    cname: site.cname,
    custom_404: site.custom_404,
    html_url: site.cname === null ? address : `https://${site.cname}/`,
    build_type: site.build_type,
    ...(site.branch !== null && { source: { branch: site.branch, path: site.path ?? '/' } }),
    public: true,
    https_enforced: site.https_enforced,
    protected_domain_state: null,
    pending_domain_unverified_at: null,
  };
}

function siteAt(ctx: Reading, input: { owner: string; repo: string }) {
  const repository = repositoryAt(ctx, input);
  const site = ctx.tx.pages_sites.get(repository.id);
  return site ? { repository, site } : ctx.fail('not_found');
}

const get = operation({
  id: 'repos/get-pages',
  summary: 'Reads the site that a repository publishes.',
  effect: 'read',
  http: { method: 'GET', path: PATH },
  input: z.looseObject(REPOSITORY),
  output: SITE,
  example: EXAMPLE,
  run(ctx, input) {
    const { repository, site } = siteAt(ctx, input);
    ctx.reply({ facts: { modified: repository.pushed_at } });
    return siteView(ctx, repository, site);
  },
});

const SOURCE = z.looseObject({ branch: z.string(), path: z.enum(['/', '/docs']).optional() });

const create = operation({
  id: 'repos/create-pages-site',
  summary: 'Publishes a site from a branch or by a workflow.',
  effect: 'write',
  http: { method: 'POST', path: PATH, status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    build_type: z.enum(['legacy', 'workflow']).optional(),
    source: SOURCE.optional(),
  }),
  output: SITE,
  example: { owner: 'octo-works', repo: 'lamp', source: { branch: 'main' } },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'admin');
    if (ctx.tx.pages_sites.has(repository.id)) {
      ctx.fail('conflict', { message: 'GitHub Pages is already enabled.' });
    }
    const { build_type = 'legacy', source } = input;
    if (build_type === 'legacy' && !source) {
      ctx.fail('invalid_request', { problem: '"source" wasn\'t supplied.' });
    }
    if (source && findCommit(ctx, repository, `refs/heads/${source.branch}`) === undefined) {
      ctx.fail('unprocessable', {
        message: `The ${source.branch} branch must exist before GitHub Pages can be built.`,
      });
    }
    const site = ctx.tx.pages_sites.insert({
      repository_id: repository.id,
      status: null,
      cname: null,
      custom_404: false,
      build_type,
      branch: source?.branch ?? null,
      path: source?.path ?? (source ? '/' : null),
      https_enforced: true,
    });
    ctx.tx.repositories.update(repository.id, { has_pages: true });
    return siteView(ctx, repository, site);
  },
});

const update = operation({
  id: 'repos/update-information-about-pages-site',
  summary: 'Changes where a site is published from, or its domain.',
  effect: 'write',
  http: { method: 'PUT', path: PATH, status: 204 },
  input: z.looseObject({
    ...REPOSITORY,
    cname: z.string().nullish(),
    https_enforced: z.boolean().optional(),
    build_type: z.enum(['legacy', 'workflow']).optional(),
    source: z.union([SOURCE, z.string()]).optional(),
  }),
  output: nothing,
  example: { ...EXAMPLE, cname: 'www.octo-works.example' },
  run(ctx, input) {
    const { repository, site } = siteAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    const { cname, https_enforced, build_type, source } = input;
    const place = typeof source === 'string' ? { branch: source } : source;
    ctx.tx.pages_sites.update(site.repository_id, {
      ...(cname !== undefined && { cname }),
      ...(https_enforced !== undefined && { https_enforced }),
      ...(build_type !== undefined && { build_type }),
      ...(place && { branch: place.branch, path: ('path' in place ? place.path : '/') ?? '/' }),
    });
    return null;
  },
});

const remove = operation({
  id: 'repos/delete-pages-site',
  summary: 'Takes a published site down.',
  effect: 'write',
  http: { method: 'DELETE', path: PATH, status: 204 },
  input: z.looseObject(REPOSITORY),
  output: nothing,
  example: EXAMPLE,
  run(ctx, input) {
    const { repository } = siteAt(ctx, input);
    requireRole(ctx, repository, 'admin');
    ctx.tx.pages_sites.delete(repository.id);
    ctx.tx.repositories.update(repository.id, { has_pages: false });
    return null;
  },
});

function buildView(ctx: Reading, repository: Repository, build: PagesBuild): JsonObject {
  return {
    url: `${placeOf(ctx, repository).url}/pages/builds/${build.id}`,
    status: build.status,
    error: { message: build.error },
    pusher: simpleUserOrNull(build.pusher_id === null ? null : ctx.tx.accounts.get(build.pusher_id)),
    commit: build.commit_sha,
    duration: build.duration,
    created_at: build.created_at,
    updated_at: build.updated_at,
  };
}

const listBuilds = operation({
  id: 'repos/list-pages-builds',
  summary: 'Lists how a site was built, the youngest first.',
  effect: 'read',
  http: { method: 'GET', path: `${PATH}/builds` },
  input: z.looseObject({ ...REPOSITORY, ...PAGE }),
  output: listOf('url', 'status'),
  example: EXAMPLE,
  run(ctx, input) {
    const { repository } = siteAt(ctx, input);
    const items = [...ctx.tx.pages_builds.by('by_repository', [repository.id], { reverse: true })];
    const path = numberedPath(repository, '/pages/builds');
    return paged(ctx, input, { items, path, show: (build) => buildView(ctx, repository, build) });
  },
});

const requestBuild = operation({
  id: 'repos/request-pages-build',
  summary: 'Builds a site anew.',
  effect: 'write',
  http: { method: 'POST', path: `${PATH}/builds`, status: 201 },
  input: z.looseObject(REPOSITORY),
  output: BUILD,
  example: EXAMPLE,
  run(ctx, input) {
    const { repository, site } = siteAt(ctx, input);
    requireRole(ctx, repository, 'write');
    const moment = momentText(ctx.nowMs);
    const build = ctx.tx.pages_builds.insert({
      id: freshId(ctx, 'pages_builds'),
      repository_id: repository.id,
      status: 'built',
      error: null,
      pusher_id: requireViewer(ctx).id,
      commit_sha: findCommit(ctx, repository, site.branch ?? repository.default_branch) ?? null,
      duration: 0,
      created_at: moment,
      updated_at: moment,
    });
    ctx.tx.pages_sites.update(repository.id, { status: 'built' });
    return { url: `${placeOf(ctx, repository).url}/pages/builds/${build.id}`, status: 'queued' };
  },
});

const getLatestBuild = operation({
  id: 'repos/get-latest-pages-build',
  summary: 'Reads how a site was built last.',
  effect: 'read',
  http: { method: 'GET', path: `${PATH}/builds/latest` },
  input: z.looseObject(REPOSITORY),
  output: BUILD,
  example: EXAMPLE,
  run(ctx, input) {
    const { repository } = siteAt(ctx, input);
    const [last] = [...ctx.tx.pages_builds.by('by_repository', [repository.id], { reverse: true, limit: 1 })];
    return last ? buildView(ctx, repository, last) : ctx.fail('not_found');
  },
});

const getBuild = operation({
  id: 'repos/get-pages-build',
  summary: 'Reads how a site was built.',
  effect: 'read',
  http: { method: 'GET', path: `${PATH}/builds/{build_id}` },
  input: z.looseObject({ ...REPOSITORY, build_id: z.int() }),
  output: BUILD,
  example: { ...EXAMPLE, build_id: 600_000_001 },
  run(ctx, input) {
    const { repository } = siteAt(ctx, input);
    const build = ctx.tx.pages_builds.get(input.build_id);
    if (build?.repository_id !== repository.id) return ctx.fail('not_found');
    return buildView(ctx, repository, build);
  },
});

export const pagesOperations = [
  get,
  create,
  update,
  remove,
  listBuilds,
  requestBuild,
  getLatestBuild,
  getBuild,
];
