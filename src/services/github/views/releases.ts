import type { JsonObject } from '../../../service/index.ts';
import type { Reading } from '../operation.ts';
import type { Release, ReleaseAsset } from '../schema/releases.ts';
import { simpleUserOrNull } from './accounts.ts';
import { encodedPath } from './git.ts';
import type { Place } from './issues.ts';
import { globalId } from './node-ids.ts';
import { reactionSummary } from './reactions.ts';
import { UPLOADS } from './urls.ts';

/** A release with its assets. */
export function releaseView(ctx: Reading, place: Place, release: Release): JsonObject {
  const { repository, url, web } = place;
  const own = `${url}/releases/${release.id}`;
  const tag = encodedPath(release.tag_name);
  const assets = [...ctx.tx.release_assets.by('by_release', [release.id])];
  const reactions = reactionSummary(ctx, { kind: 'release', id: release.id }, own);
  // A draft has no tag yet, and stands on a page of its own.
  const page = release.draft ? `untagged-${release.id.toString(16)}` : tag;
  return {
    url: own,
    assets_url: `${own}/assets`,
    upload_url: `${own.replace('https://api.github.com', UPLOADS)}/assets{?name,label}`,
    html_url: `${web}/releases/tag/${page}`,
    id: release.id,
    author: simpleUserOrNull(release.author_id === null ? null : ctx.tx.accounts.get(release.author_id)),
    node_id: globalId('RE', [0, repository.id, release.id]),
    tag_name: release.tag_name,
    target_commitish: release.target_commitish,
    name: release.name,
    draft: release.draft,
    immutable: ctx.tx.repository_features.get(repository.id)?.immutable_releases ?? false,
    prerelease: release.prerelease,
    created_at: release.created_at,
    updated_at: release.updated_at,
    published_at: release.published_at,
    assets: assets.map((asset) => assetView(ctx, place, { release, asset })),
    tarball_url: release.draft ? null : `${url}/tarball/${tag}`,
    zipball_url: release.draft ? null : `${url}/zipball/${tag}`,
    body: release.body,
    ...(reactions.total_count !== 0 && { reactions }),
    ...(release.discussion_number !== null && {
      discussion_url: `${web}/discussions/${release.discussion_number}`,
    }),
  };
}

/** A file of a release. */
export function assetView(
  ctx: Reading,
  { repository, url, web }: Place,
  { release, asset }: { readonly release: Release; readonly asset: ReleaseAsset },
): JsonObject {
  const path = `${encodedPath(release.tag_name)}/${encodeURIComponent(asset.name.toWellFormed())}`;
  return {
    url: `${url}/releases/assets/${asset.id}`,
    id: asset.id,
    node_id: globalId('RA', [0, repository.id, asset.id]),
    name: asset.name,
    label: asset.label,
    uploader: simpleUserOrNull(asset.uploader_id === null ? null : ctx.tx.accounts.get(asset.uploader_id)),
    content_type: asset.content_type,
    state: asset.state,
    size: asset.size,
    digest: asset.digest,
    download_count: asset.download_count,
    created_at: asset.created_at,
    updated_at: asset.updated_at,
    browser_download_url: `${web}/releases/download/${path}`,
  };
}
