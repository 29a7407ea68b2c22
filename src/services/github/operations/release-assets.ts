import { z } from 'zod';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { releaseAt } from '../rules/releases.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Release, ReleaseAsset } from '../schema/releases.ts';
import { placeOf } from '../views/issues.ts';
import { assetView } from '../views/releases.ts';
import { numberedPath } from '../views/repositories.ts';
import { RELEASE_PLACE } from './releases.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const ASSET = shown('id', 'name', 'state');
const ASSET_PLACE = { ...REPOSITORY, asset_id: z.int() };

const list = operation({
  id: 'repos/list-release-assets',
  summary: 'Lists the files of a release.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/releases/{release_id}/assets' },
  input: z.looseObject({ ...RELEASE_PLACE, ...PAGE }),
  output: listOf('id', 'name'),
  example: { owner: 'octo-works', repo: 'lamp', release_id: 310_000_001 },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const release = releaseAt(ctx, repository, input.release_id);
    const items = [...ctx.tx.release_assets.by('by_release', [release.id])];
    const path = numberedPath(repository, `/releases/${release.id}/assets`);
    const place = placeOf(ctx, repository);
    const show = (asset: ReleaseAsset) => assetView(ctx, place, { release, asset });
    return paged(ctx, input, { items, path, inPath: ['release_id'], show });
  },
});

const upload = operation({
  id: 'repos/upload-release-asset',
  summary: 'Uploads a file of a release.',
  effect: 'write',
  http: {
    method: 'POST',
    path: '/repos/{owner}/{repo}/releases/{release_id}/assets',
    status: 201,
    rawBody: 'data',
  },
  input: z.looseObject({
    ...RELEASE_PLACE,
    name: z.string(),
    label: z.string().optional(),
    data: z.string().optional().describe('The file in base64.'),
    content_type: z.string().optional(),
  }),
  output: ASSET,
  example: { owner: 'octo-works', repo: 'lamp', release_id: 310_000_001, name: 'lamp.hex', data: 'AQID' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const release = releaseAt(ctx, repository, input.release_id);
    const { data = '', label = '' } = input;
    // What a file system may not take is replaced.
    const name = input.name.replaceAll(/[^\w.+-]+/gu, '.');
    if (ctx.tx.release_assets.unique('by_name', [release.id, name])) taken(ctx);
    const moment = momentText(ctx.nowMs);
    const asset = ctx.tx.release_assets.insert({
      id: freshId(ctx, 'release_assets'),
      release_id: release.id,
      uploader_id: requireViewer(ctx).id,
      name,
      label,
      state: 'uploaded',
      content_type: input.content_type ?? 'application/octet-stream',
      size: bytesIn(data),
      digest: null,
      download_count: 0,
      content: data,
      created_at: moment,
      updated_at: moment,
    });
    ctx.reply({ facts: { modified: moment } });
    return assetView(ctx, placeOf(ctx, repository), { release, asset });
  },
});

function bytesIn(base64: string): number {
  const bare = base64.replace(/=+$/u, '');
  return Math.floor((bare.length * 3) / 4);
}

function taken(ctx: Writing): never {
  return ctx.fail('validation_failed', {
    errors: [{ resource: 'ReleaseAsset', code: 'already_exists', field: 'name' }],
  });
}

function assetAt(
  ctx: Reading,
  input: { owner: string; repo: string; asset_id: number },
): { readonly asset: ReleaseAsset; readonly release: Release } {
  const repository = repositoryAt(ctx, input);
  const asset = ctx.tx.release_assets.get(input.asset_id);
  if (!asset) return ctx.fail('not_found');
  return { asset, release: releaseAt(ctx, repository, asset.release_id) };
}

const get = operation({
  id: 'repos/get-release-asset',
  summary: 'Reads what is known of a file, or the file itself.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/releases/assets/{asset_id}' },
  input: z.looseObject(ASSET_PLACE),
  output: z.union([z.null(), z.string(), ASSET]),
  example: { owner: 'octo-works', repo: 'lamp', asset_id: 360_000_001 },
  run(ctx, input) {
    const { asset, release } = assetAt(ctx, input);
    const place = placeOf(ctx, repositoryAt(ctx, input));
    if (!(ctx.headers.accept ?? '').includes('application/octet-stream'))
      return assetView(ctx, place, { release, asset });
    if (asset.content !== null) {
      ctx.reply({ form: 'base64', headers: { 'content-type': 'application/octet-stream' } });
      return asset.content;
    }
    const location = `https://objects.githubusercontent.com/github-production-release-asset/${place.repository.id}/${asset.id}`;
    ctx.reply({
      status: 302,
      form: 'empty',
      headers: { location, 'content-type': 'text/html;charset=utf-8' },
    });
    return null;
  },
});

const update = operation({
  id: 'repos/update-release-asset',
  summary: 'Renames a file of a release.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/releases/assets/{asset_id}' },
  input: z.looseObject({
    ...ASSET_PLACE,
    name: z.string().optional(),
    label: z.string().nullish(),
    state: z.enum(['uploaded', 'open']).optional(),
  }),
  output: ASSET,
  example: { owner: 'octo-works', repo: 'lamp', asset_id: 360_000_001, label: 'Firmware' },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const { asset, release } = assetAt(ctx, input);
    const { name = asset.name, label } = input;
    const other = ctx.tx.release_assets.unique('by_name', [release.id, name]);
    if (other && other.id !== asset.id) taken(ctx);
    const changed = ctx.tx.release_assets.update(asset.id, {
      name,
      ...(label !== undefined && { label }),
      updated_at: momentText(ctx.nowMs),
    });
    return assetView(ctx, placeOf(ctx, repository), { release, asset: changed });
  },
});

const remove = operation({
  id: 'repos/delete-release-asset',
  summary: 'Deletes a file of a release.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/releases/assets/{asset_id}', status: 204 },
  input: z.looseObject(ASSET_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', asset_id: 360_000_001 },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    ctx.tx.release_assets.delete(assetAt(ctx, input).asset.id);
    return null;
  },
});

export const releaseAssetOperations = [list, upload, get, update, remove];
