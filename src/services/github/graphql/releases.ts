import { findCommit } from '../rules/refs.ts';
import { latestOf } from '../rules/releases.ts';
import type { Release, ReleaseAsset } from '../schema/releases.ts';
import type { Repository } from '../schema/repositories.ts';
import { placeOf } from '../views/issues.ts';
import { globalId } from '../views/node-ids.ts';
import { releaseView } from '../views/releases.ts';
import { WEB } from '../views/urls.ts';
import { accountNodeOrNull } from './accounts.ts';
import { connection, type PageArguments } from './connections.ts';
import { commitNode } from './git-objects.ts';
import type { Graph, GraphValue } from './graph.ts';
import { repositoryNode } from './repositories.ts';

export function releaseNode(graph: Graph, repository: Repository, release: Release): GraphValue {
  const { ctx } = graph;
  const view = releaseView(ctx, placeOf(ctx, repository), release);
  const url = String(view.html_url);
  return {
    __typename: 'Release',
    author: () => accountNodeOrNull(graph, release.author_id),
    createdAt: release.created_at,
    databaseId: release.id,
    description: release.body,
    id: globalId('RE', [0, repository.id, release.id]),
    immutable: view.immutable,
    isDraft: release.draft,
    isLatest: () => latestOf(ctx, repository)?.id === release.id,
    isPrerelease: release.prerelease,
    name: release.name,
    publishedAt: release.published_at,
    releaseAssets: (args: PageArguments & { name?: string | null }) =>
      connection(args, {
        name: 'releaseAssets',
        items: () =>
          [...ctx.tx.release_assets.by('by_release', [release.id])].filter(
            ({ name }) => !args.name || name === args.name,
          ),
        key: ({ id }) => id,
        show: (asset) => assetNode(repository, url, asset),
      }),
    repository: () => repositoryNode(graph, repository),
    resourcePath: url.slice(WEB.length),
    tagCommit: () => {
      const sha = findCommit(ctx, repository, `refs/tags/${release.tag_name}`);
      return sha === undefined ? null : commitNode(graph, repository, sha);
    },
    tagName: release.tag_name,
    updatedAt: release.updated_at,
    url,
  };
}

function assetNode(repository: Repository, page: string, asset: ReleaseAsset): GraphValue {
  return {
    contentType: asset.content_type,
    createdAt: asset.created_at,
    downloadCount: asset.download_count,
    downloadUrl: `${page.replace('/tag/', '/download/')}/${encodeURIComponent(asset.name.toWellFormed())}`,
    id: globalId('RA', [0, repository.id, asset.id]),
    name: asset.name,
    size: asset.size,
    updatedAt: asset.updated_at,
  };
}
