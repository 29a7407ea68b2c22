import { isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import { seeAccount } from './accounts.ts';
import { notePage } from './lists.ts';
import { askedOf, itemsOf } from './places.ts';
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

export const gistSeers: readonly Seer[] = [
  {
    fits: (object) => textIn(object, 'git_pull_url') !== undefined && textIn(object, 'id') !== undefined,
    see: (sight, object, shown) => {
      seeGist(sight, object);
      if (shown.top && shown.exchange.operation === 'gists/get') noteRevision(sight, object);
    },
  },
];

function seeGist(sight: Sight, object: JsonObject): string {
  const id = textIn(object, 'id') ?? '';
  if (sight.isMade('gists', id)) return id;
  const owner = objectIn(object, 'owner');
  sight.learn('gists', id, {
    blank: {
      id,
      owner_id: owner ? seeAccount(sight, owner) : null,
      description: null,
      public: true,
      comments: 0,
      parent_id: null,
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
    },
    columns: {
      description: nullableTextIn(object, 'description'),
      public: flagIn(object, 'public'),
      comments: numberIn(object, 'comments'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
  seeHistory(sight, id, object);
  for (const fork of itemsOf(object, 'forks')) seeFork(sight, id, fork);
  return id;
}

function seeFork(sight: Sight, parent_id: string, fork: JsonObject): void {
  const id = textIn(fork, 'id') ?? '';
  const user = objectIn(fork, 'user') ?? objectIn(fork, 'owner');
  if (id === '') return;
  sight.learn('gists', id, {
    blank: {
      id,
      owner_id: user ? seeAccount(sight, user) : null,
      description: null,
      public: true,
      comments: 0,
      parent_id,
      created_at: textIn(fork, 'created_at') ?? UNSEEN_MOMENT,
      updated_at: textIn(fork, 'updated_at') ?? UNSEEN_MOMENT,
    },
    columns: { parent_id },
  });
}

/** The oldest revision is the first one; the files shown are those of the newest. */
function seeHistory(sight: Sight, gist_id: string, object: JsonObject): void {
  if (sight.isMade('gists', gist_id) || !sight.tx.gists.has(gist_id)) return;
  const shown = itemsOf(object, 'history').toReversed();
  const history = shown.length > 0 ? shown : [{}];
  const files = filesShown(object);
  for (const [position, revision] of history.entries()) {
    const user = objectIn(revision, 'user');
    const status = objectIn(revision, 'change_status') ?? {};
    const isNewest = position === history.length - 1;
    sight.learn('gist_revisions', [gist_id, position], {
      blank: {
        gist_id,
        position,
        version: textIn(revision, 'version') ?? '0'.repeat(40),
        user_id: user ? seeAccount(sight, user) : null,
        additions: numberIn(status, 'additions') ?? 0,
        deletions: numberIn(status, 'deletions') ?? 0,
        files: {},
        committed_at: textIn(revision, 'committed_at') ?? UNSEEN_MOMENT,
      },
      columns: isNewest && files ? { files } : {},
    });
  }
}

function filesShown(object: JsonObject): JsonObject | undefined {
  const files = objectIn(object, 'files');
  if (!files) return undefined;
  const contents = Object.entries(files).map(([name, file]) => {
    const shown = isJsonObject(file ?? null) ? (file as JsonObject) : {};
    const size = numberIn(shown, 'size') ?? 1;
    // A list says how long a file is, not what it says; of a long file a recording keeps the beginning.
    const content = textIn(shown, 'content') ?? '';
    return [name, content.padEnd(Math.min(size, 100_000), '.')] as const;
  });
  return Object.fromEntries(contents) as JsonObject;
}

/** A revision that was asked for by its hash. */
function noteRevision(sight: Sight, object: JsonObject): void {
  seeHistory(sight, textIn(object, 'id') ?? '', object);
}

/** A gist that a request finds was there, the caller's own where it was changed. */
const watchGist: Watcher = (sight, exchange) => {
  const { gist_id, comment_id, sha } = askedOf(exchange);
  if (exchange.status >= 300 || typeof gist_id !== 'string' || sight.isMade('gists', gist_id)) return;
  if (!sight.tx.gists.has(gist_id)) {
    const writes = exchange.request?.method === 'PATCH' || exchange.operation === 'gists/delete';
    seeGist(sight, { id: gist_id });
    if (writes) sight.tx.gists.update(gist_id, { owner_id: sight.viewerId });
  }
  const [shown = {}] = itemsOf([exchange.response]);
  if (exchange.operation === 'gists/get-revision' && typeof sha === 'string') {
    const row = sight.tx.gist_revisions.get([gist_id, 0]);
    if (
      row &&
      ![...sight.tx.gist_revisions.by('by_gist', [gist_id])].some(({ version }) => version === sha)
    ) {
      sight.tx.gist_revisions.update([gist_id, 0], { version: sha });
    }
  }
  if (comment_id !== undefined) learnComment(sight, gist_id, { ...shown, id: Number(comment_id) });
};

function learnComment(sight: Sight, gist_id: string, object: JsonObject): void {
  const id = numberIn(object, 'id') ?? 0;
  const user = objectIn(object, 'user');
  if (!sight.tx.gists.has(gist_id) || id === 0) return;
  const user_id = user ? seeAccount(sight, user) : sight.viewerId;
  sight.learn('gist_comments', id, {
    blank: { id, gist_id, user_id, body: '', created_at: UNSEEN_MOMENT, updated_at: UNSEEN_MOMENT },
    columns: {
      body: textIn(object, 'body'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
}

const watchComments: Watcher = (sight, exchange) => {
  watchGist(sight, exchange);
  const { gist_id } = askedOf(exchange);
  if (exchange.status !== 200 || typeof gist_id !== 'string') return;
  for (const item of itemsOf(exchange.response)) learnComment(sight, gist_id, item);
  notePage(sight, exchange, {
    key: `gist comments ${gist_id}`,
    isMade: (item) => sight.isMade('gist_comments', numberIn(item, 'id') ?? 0),
    known: () => [...sight.tx.gist_comments.by('by_gist', [gist_id])].length,
    fill: () => learnComment(sight, gist_id, { id: sight.freshId('gist_comments') }),
  });
};

const watchStar: Watcher = (sight, exchange) => {
  watchGist(sight, exchange);
  const { gist_id } = askedOf(exchange);
  const key: Json = [sight.viewerId, String(gist_id)];
  if (exchange.status !== 204 || typeof gist_id !== 'string') return;
  if (exchange.request?.method === 'PUT') sight.making('gist_stars', key);
  else if (sight.tx.gists.has(gist_id)) {
    sight.learn('gist_stars', key, { blank: { user_id: sight.viewerId, gist_id }, columns: {} });
  }
};

/** Lists of gists: the caller's own, somebody's, all public ones, and those that are starred. */
const watchGists: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const ids = itemsOf(exchange.response).map((item) => textIn(item, 'id') ?? '');
  const { operation } = exchange;
  if (operation === 'gists/list-starred') {
    for (const gist_id of ids) {
      const key: Json = [sight.viewerId, gist_id];
      if (!sight.tx.gists.has(gist_id)) continue;
      sight.learn('gist_stars', key, { blank: { user_id: sight.viewerId, gist_id }, columns: {} });
    }
    return;
  }
  if (operation === 'gists/list-forks') {
    const parent = String(askedOf(exchange).gist_id);
    watchGist(sight, exchange);
    for (const item of itemsOf(exchange.response)) seeFork(sight, parent, item);
    return;
  }
  notePage(sight, exchange, {
    key: `gists ${operation ?? ''}`,
    isMade: (item) => sight.isMade('gists', textIn(item, 'id') ?? ''),
    known: () => [...sight.tx.gists.scan()].length,
    fill: (after, index) => {
      const owner = after && objectIn(after, 'owner');
      const id = `${(textIn(after ?? {}, 'id') ?? '').slice(0, 12)}${String(index).padStart(20, '0')}`;
      seeGist(sight, {
        id,
        public: true,
        ...(owner && { owner }),
        updated_at: textIn(after ?? {}, 'updated_at') ?? UNSEEN_MOMENT,
      });
    },
  });
};

export const gistWatchers: Readonly<Record<string, Watcher>> = {
  'gists/get': watchGist,
  'gists/update': watchGist,
  'gists/delete': watchGist,
  'gists/fork': watchGist,
  'gists/get-revision': watchGist,
  'gists/list-commits': watchGist,
  'gists/create-comment': watchGist,
  'gists/get-comment': watchGist,
  'gists/update-comment': watchGist,
  'gists/delete-comment': watchGist,
  'gists/list-comments': watchComments,
  'gists/star': watchStar,
  'gists/unstar': watchStar,
  'gists/check-is-starred': watchStar,
  'gists/list': watchGists,
  'gists/list-public': watchGists,
  'gists/list-starred': watchGists,
  'gists/list-forks': watchGists,
  'gists/list-for-user': watchGists,
};

const made: Maker = (body) => [['gists', body.id ?? '']];

export const gistMakers: Readonly<Record<string, Maker>> = {
  'gists/create': made,
  'gists/fork': made,
  'gists/create-comment': (body) => [['gist_comments', body.id ?? 0]],
};
