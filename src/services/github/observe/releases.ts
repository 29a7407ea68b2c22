import { isJsonObject, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import type { Release, ReleaseAsset } from '../schema/releases.ts';
import { seeAccount } from './accounts.ts';
import { noteRef } from './git-told.ts';
import { repositoryOf } from './issues.ts';
import { notePage } from './lists.ts';
import { askedOf, repositoryOf as repositoryAsked } from './places.ts';
import {
  flagIn,
  type Maker,
  nullableTextIn,
  numberIn,
  objectIn,
  type Seer,
  type Sight,
  textIn,
  type Watcher,
} from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';
const RELEASE_URL = /\/repos\/[^/]+\/[^/]+\/releases\/(\d+)$/u;
const ASSET_URL = /\/repos\/[^/]+\/[^/]+\/releases\/assets\/\d+$/u;

function blankRelease(id: number, repository_id: number): Release {
  return {
    id,
    repository_id,
    author_id: null,
    tag_name: `release-${id}`,
    target_commitish: 'main',
    name: null,
    body: null,
    draft: false,
    prerelease: false,
    discussion_number: null,
    marked_latest: false,
    never_latest: false,
    created_at: UNSEEN_MOMENT,
    updated_at: UNSEEN_MOMENT,
    published_at: UNSEEN_MOMENT,
  };
}

export const releaseSeers: readonly Seer[] = [
  {
    fits: (object) =>
      RELEASE_URL.test(textIn(object, 'url') ?? '') && textIn(object, 'tag_name') !== undefined,
    see: (sight, object) => seeRelease(sight, object),
  },
];

function seeRelease(sight: Sight, object: JsonObject): void {
  const url = textIn(object, 'url');
  const repository_id = repositoryOf(sight, url);
  const id = numberIn(object, 'id');
  if (repository_id === undefined || id === undefined || sight.isMade('releases', id)) return;
  const author = objectIn(object, 'author');
  const discussion = /\/discussions\/(\d+)$/u.exec(textIn(object, 'discussion_url') ?? '')?.[1];
  sight.learn('releases', id, {
    blank: blankRelease(id, repository_id),
    columns: {
      author_id: author ? seeAccount(sight, author) : undefined,
      tag_name: textIn(object, 'tag_name'),
      target_commitish: textIn(object, 'target_commitish'),
      name: nullableTextIn(object, 'name'),
      body: nullableTextIn(object, 'body'),
      draft: flagIn(object, 'draft'),
      prerelease: flagIn(object, 'prerelease'),
      discussion_number: discussion === undefined ? undefined : Number(discussion),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
      published_at: nullableTextIn(object, 'published_at'),
    },
  });
  if (object.draft !== true)
    noteRef(sight, { url, ref: `refs/tags/${String(object.tag_name)}`, sha: undefined });
  for (const asset of Array.isArray(object.assets) ? object.assets : []) {
    if (isJsonObject(asset)) seeAsset(sight, asset, id);
  }
}

function blankAsset(id: number, release_id: number): ReleaseAsset {
  return {
    id,
    release_id,
    uploader_id: null,
    name: `file-${id}`,
    label: null,
    state: 'uploaded',
    content_type: 'application/octet-stream',
    size: 0,
    digest: null,
    download_count: 0,
    content: null,
    created_at: UNSEEN_MOMENT,
    updated_at: UNSEEN_MOMENT,
  };
}

/** A file of a release. */
export function seeAsset(sight: Sight, object: JsonObject, release: number): void {
  const id = numberIn(object, 'id');
  if (id === undefined || !ASSET_URL.test(textIn(object, 'url') ?? '') || sight.isMade('release_assets', id))
    return;
  const uploader = objectIn(object, 'uploader');
  sight.learn('release_assets', id, {
    blank: blankAsset(id, release),
    columns: {
      uploader_id: uploader ? seeAccount(sight, uploader) : undefined,
      name: textIn(object, 'name'),
      label: nullableTextIn(object, 'label'),
      content_type: textIn(object, 'content_type'),
      size: numberIn(object, 'size'),
      digest: nullableTextIn(object, 'digest'),
      download_count: numberIn(object, 'download_count'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
}

/** A release that a request names by its number is there, whatever else is known of it. */
function releaseCalled(sight: Sight, exchange: RecordedExchange): number | undefined {
  if (exchange.status >= 400) return undefined;
  const asked = askedOf(exchange);
  const repository_id = repositoryAsked(sight, asked);
  const id = Number(asked.release_id);
  if (repository_id === undefined || !Number.isSafeInteger(id) || sight.isMade('releases', id))
    return undefined;
  sight.learn('releases', id, { blank: blankRelease(id, repository_id), columns: {} });
  return id;
}

/** The assets that were cut off a list of a release are there too. */
function assetsCut(sight: Sight, exchange: RecordedExchange): void {
  const { response, cut = [] } = exchange;
  const releases = Array.isArray(response) ? response : [response];
  for (const { at, of } of cut) {
    const found = /^(?:\/(\d+))?\/assets$/u.exec(at);
    const release = found && releases[Number(found[1] ?? 0)];
    if (!isJsonObject(release ?? null)) continue;
    const id = numberIn(release as JsonObject, 'id') ?? 0;
    if (!sight.tx.releases.has(id) || !sight.first(`assets of ${id}`)) continue;
    const known = [...sight.tx.release_assets.by('by_release', [id])];
    const last = known.at(-1)?.id ?? 0;
    for (let index = 0; index < of - known.length; index += 1) {
      const asset = last + 1 + index;
      if (!sight.tx.release_assets.has(asset)) {
        const names = { name: `file-${index}`, label: '' };
        sight.tx.release_assets.insert({ ...blankAsset(asset, id), ...names });
      }
    }
  }
}

function releasesListed(sight: Sight, exchange: RecordedExchange): void {
  const repository_id = repositoryAsked(sight, askedOf(exchange));
  if (repository_id === undefined) return;
  assetsCut(sight, exchange);
  notePage(sight, exchange, {
    key: `releases of ${repository_id}`,
    isMade: (item) => sight.isMade('releases', item.id ?? 0),
    known: () => [...sight.tx.releases.by('by_repository', [repository_id])].length,
    fill(after, index) {
      for (let id = (after ? (numberIn(after, 'id') ?? 0) : 1_000_000) - 1 - index; id > 0; id -= 1) {
        if (sight.tx.releases.has(id)) continue;
        sight.tx.releases.insert(blankRelease(id, repository_id));
        return;
      }
    },
  });
}

const made =
  (table: 'releases' | 'release_assets'): Maker =>
  (body) => [[table, body.id ?? 0]];

export const releaseMakers: Readonly<Record<string, Maker>> = {
  'repos/create-release': made('releases'),
  'repos/upload-release-asset': made('release_assets'),
};

export const releaseWatchers: Readonly<Record<string, Watcher>> = {
  'repos/list-releases': releasesListed,
  'repos/get-release': (sight, exchange) => {
    assetsCut(sight, exchange);
  },
  'repos/get-release-by-tag': assetsCut,
  'repos/get-latest-release': assetsCut,
  'repos/update-release': (sight, exchange) => void releaseCalled(sight, exchange),
  'repos/delete-release': (sight, exchange) => void releaseCalled(sight, exchange),
  'repos/upload-release-asset': (sight, exchange) => void releaseCalled(sight, exchange),
  'reactions/create-for-release': (sight, exchange) => void releaseCalled(sight, exchange),
  'reactions/list-for-release': (sight, exchange) => void releaseCalled(sight, exchange),
  'repos/list-release-assets': (sight, exchange) => {
    const id = releaseCalled(sight, exchange);
    if (id === undefined || !Array.isArray(exchange.response)) return;
    for (const asset of exchange.response) if (isJsonObject(asset)) seeAsset(sight, asset, id);
  },
};
