import type { Json, JsonObject, RecordedExchange } from '../../../service/index.ts';
import { blankRepository } from '../rules/new-repository.ts';
import { accountCalled, seeAccount, seeMember } from './accounts.ts';
import { notePage } from './lists.ts';
import { askedOf, itemsOf, organizationOf, repositoryOf } from './places.ts';
import { seeRepository } from './repositories.ts';
import { flagIn, numberIn, objectIn, type Seer, type Sight, textIn, type Watcher } from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

function learnStar(
  sight: Sight,
  { user_id, repository_id }: { readonly user_id: number; readonly repository_id: number },
  starred_at: string | undefined,
): void {
  if (!sight.tx.accounts.has(user_id) || !sight.tx.repositories.has(repository_id)) return;
  sight.learn('stars', [user_id, repository_id], {
    blank: { user_id, repository_id, starred_at: starred_at ?? UNSEEN_MOMENT },
    columns: { starred_at },
  });
}

/** Moments in the order of a list that does not show them. */
function momentOf(index: number, falling: boolean): string {
  const minutes = falling ? 900_000 - index : index;
  return new Date(Date.parse(UNSEEN_MOMENT) + minutes * 60_000).toISOString().replace('.000Z', 'Z');
}

const watchStargazers: Watcher = (sight, exchange) => {
  const repository_id = exchange.status === 200 ? repositoryOf(sight, askedOf(exchange)) : undefined;
  if (repository_id === undefined) return;
  const offset = (Number(askedOf(exchange).page ?? 1) - 1) * 1_000;
  for (const [index, item] of itemsOf(exchange.response).entries()) {
    const user_id = numberIn(objectIn(item, 'user') ?? item, 'id') ?? 0;
    learnStar(
      sight,
      { user_id, repository_id },
      textIn(item, 'starred_at') ?? momentOf(offset + index, false),
    );
  }
  notePage(sight, exchange, {
    key: `stargazers ${repository_id}`,
    known: () => [...sight.tx.stars.by('by_repository', [repository_id])].length,
    fill: (after, index) => {
      const user_id = accountCalled(sight, `unseen-stargazer-${repository_id}-${sight.freshId('events')}`);
      const at = textIn(after ?? {}, 'starred_at') ?? momentOf(offset + 500 + index, false);
      learnStar(sight, { user_id, repository_id }, at);
    },
  });
};

const watchStarred: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const asked = askedOf(exchange);
  const user_id =
    asked.username === undefined ? sight.viewerId : accountCalled(sight, String(asked.username));
  const offset = (Number(asked.page ?? 1) - 1) * 1_000;
  for (const [index, item] of itemsOf(exchange.response).entries()) {
    const repository_id = seeRepository(sight, objectIn(item, 'repo') ?? item);
    learnStar(
      sight,
      { user_id, repository_id },
      textIn(item, 'starred_at') ?? momentOf(offset + index, true),
    );
  }
  notePage(sight, exchange, {
    key: `starred ${user_id}`,
    known: () => [...sight.tx.stars.by('by_user', [user_id])].length,
    fill: (after, index) => {
      const at = textIn(after ?? {}, 'starred_at') ?? momentOf(offset + 500 + index, true);
      learnStar(sight, { user_id, repository_id: madeUp(sight) }, at);
    },
  });
};

/** A public repository that nothing is known of. */
function madeUp(sight: Sight): number {
  const owner_id = accountCalled(sight, 'unseen-owner');
  const id = sight.freshId('repositories');
  const blank = blankRepository({ id, owner_id }, `unseen-${id}`, UNSEEN_MOMENT);
  sight.learn('repositories', id, { blank, columns: {} });
  return id;
}

const watchStar: Watcher = (sight, exchange) => {
  const repository_id = exchange.status === 204 ? repositoryOf(sight, askedOf(exchange)) : undefined;
  if (repository_id === undefined) return;
  const key: Json = [sight.viewerId, repository_id];
  if (exchange.request?.method === 'PUT') sight.making('stars', key);
  else learnStar(sight, { user_id: sight.viewerId, repository_id }, undefined);
};

function learnSubscription(
  sight: Sight,
  { user_id, repository_id }: { readonly user_id: number; readonly repository_id: number },
  shown: JsonObject = {},
): void {
  if (!sight.tx.accounts.has(user_id) || !sight.tx.repositories.has(repository_id)) return;
  sight.learn('subscriptions', [user_id, repository_id], {
    blank: { user_id, repository_id, subscribed: true, ignored: false, created_at: UNSEEN_MOMENT },
    columns: {
      subscribed: flagIn(shown, 'subscribed'),
      ignored: flagIn(shown, 'ignored'),
      created_at: textIn(shown, 'created_at'),
    },
  });
}

const watchWatchers: Watcher = (sight, exchange) => {
  const repository_id = exchange.status === 200 ? repositoryOf(sight, askedOf(exchange)) : undefined;
  if (repository_id === undefined) return;
  for (const item of itemsOf(exchange.response)) {
    learnSubscription(sight, { user_id: numberIn(item, 'id') ?? 0, repository_id });
  }
  notePage(sight, exchange, {
    key: `watchers ${repository_id}`,
    known: () => [...sight.tx.subscriptions.by('by_repository', [repository_id])].length,
    fill: () => {
      const user_id = accountCalled(sight, `unseen-watcher-${repository_id}-${sight.freshId('events')}`);
      learnSubscription(sight, { user_id, repository_id });
    },
  });
};

const watchWatched: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const { username } = askedOf(exchange);
  const user = username === undefined ? sight.viewerId : accountCalled(sight, String(username));
  for (const item of itemsOf(exchange.response))
    learnSubscription(sight, { user_id: user, repository_id: seeRepository(sight, item) });
  notePage(sight, exchange, {
    key: `watched ${user}`,
    known: () => [...sight.tx.subscriptions.by('by_user', [user])].length,
    fill: () => learnSubscription(sight, { user_id: user, repository_id: madeUp(sight) }),
  });
};

const watchSubscription: Watcher = (sight, exchange) => {
  const repository_id = exchange.status < 300 ? repositoryOf(sight, askedOf(exchange)) : undefined;
  if (repository_id === undefined) return;
  const [shown = {}] = itemsOf([exchange.response]);
  const created_at = textIn(shown, 'created_at');
  // A setting answers with the moment at which the caller first watched, which may be long before.
  const writes = exchange.request?.method === 'PUT';
  const seen = writes ? (created_at === undefined ? {} : { created_at }) : shown;
  learnSubscription(sight, { user_id: sight.viewerId, repository_id }, seen);
};

/** Which rows a feed shows, and how an event that nothing is known of would get into it. */
interface Feed {
  readonly key: string;
  readonly known: () => number;
  readonly columns: JsonObject;
}

function feedOf(sight: Sight, exchange: RecordedExchange): Feed | null {
  const asked = askedOf(exchange);
  const { operation } = exchange;
  const { events } = sight.tx;
  if (operation === 'activity/list-public-events') {
    return { key: 'events', known: () => events.size, columns: {} };
  }
  if (asked.org !== undefined) {
    const org_id = organizationOf(sight, asked);
    const known = (): number => [...events.by('by_org', [org_id])].length;
    if (asked.username !== undefined) {
      seeMember(sight, org_id, { user: accountCalled(sight, String(asked.username)) });
    }
    return { key: `events of ${org_id}`, known, columns: { org_id } };
  }
  if (asked.repo !== undefined) {
    const repository_id = repositoryOf(sight, asked);
    if (repository_id === undefined) return null;
    const known = (): number => [...events.by('by_repository', [repository_id])].length;
    return { key: `events in ${repository_id}`, known, columns: { repository_id } };
  }
  const actor_id = accountNumbered(sight, String(asked.username ?? ''));
  const known = (): number => [...events.by('by_actor', [actor_id])].length;
  return { key: `events by ${actor_id}`, known, columns: { actor_id } };
}

function accountNumbered(sight: Sight, username: string): number {
  return username.startsWith(':') ? Number(username.slice(1)) : accountCalled(sight, username);
}

const watchFeed: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const feed = feedOf(sight, exchange);
  if (!feed || exchange.operation?.includes('received') === true) return;
  notePage(sight, exchange, {
    key: feed.key,
    known: feed.known,
    fill: (after) => {
      let id = Number(after?.id ?? sight.freshId('events')) - 1;
      while (sight.tx.events.has(id)) id -= 1;
      const created_at = textIn(after ?? {}, 'created_at') ?? UNSEEN_MOMENT;
      sight.learn('events', id, { blank: { ...blankEvent(id, created_at), ...feed.columns }, columns: {} });
    },
  });
};

export const activitySeers: readonly Seer[] = [
  {
    fits: (object) =>
      textIn(object, 'type') !== undefined &&
      objectIn(object, 'actor') !== undefined &&
      objectIn(object, 'repo') !== undefined &&
      objectIn(object, 'payload') !== undefined,
    see: (sight, object) => learnEvent(sight, object),
    closed: 'payload',
  },
];

function blankEvent(id: number, created_at: string): JsonObject {
  const nobody = { actor_id: null, repository_id: null, org_id: null };
  return { id, type: 'WatchEvent', ...nobody, payload: { action: 'started' }, public: true, created_at };
}

function learnEvent(sight: Sight, object: JsonObject): void {
  const id = Number(object.id);
  const actor = objectIn(object, 'actor');
  const org = objectIn(object, 'org');
  const repo = objectIn(object, 'repo');
  const repository_id = repo && repositoryTold(sight, repo);
  sight.learn('events', id, {
    blank: {
      ...blankEvent(id, UNSEEN_MOMENT),
      actor_id: actor ? seeAccount(sight, actor) : null,
      repository_id: repository_id ?? null,
      org_id: org ? seeAccount(sight, { ...org, type: 'Organization' }) : null,
    },
    columns: {
      type: textIn(object, 'type'),
      payload: object.payload,
      public: flagIn(object, 'public'),
      created_at: textIn(object, 'created_at'),
    },
  });
}

/** Feeds tell of a repository its number and its full name. */
function repositoryTold(sight: Sight, repo: JsonObject): number | undefined {
  const id = numberIn(repo, 'id') ?? 0;
  const [login = '', name = ''] = (textIn(repo, 'name') ?? '').split('/');
  if (id === 0 || name === '') return undefined;
  const owner_id = accountCalled(sight, login);
  const known = sight.tx.repositories.unique('by_name', [owner_id, name.toLowerCase()]);
  if (known) return known.id;
  const blank = blankRepository({ id, owner_id }, name, UNSEEN_MOMENT);
  sight.learn('repositories', id, { blank, columns: {} });
  return id;
}

const FEEDS = [
  'list-public-events',
  'list-repo-events',
  'list-public-events-for-repo-network',
  'list-events-for-authenticated-user',
  'list-public-events-for-user',
  'list-received-events-for-user',
  'list-received-public-events-for-user',
  'list-public-org-events',
  'list-org-events-for-authenticated-user',
];

export const activityWatchers: Readonly<Record<string, Watcher>> = {
  ...Object.fromEntries(FEEDS.map((name) => [`activity/${name}`, watchFeed])),
  'activity/list-stargazers-for-repo': watchStargazers,
  'activity/list-repos-starred-by-user': watchStarred,
  'activity/list-repos-starred-by-authenticated-user': watchStarred,
  'activity/check-repo-is-starred-by-authenticated-user': watchStar,
  'activity/star-repo-for-authenticated-user': watchStar,
  'activity/unstar-repo-for-authenticated-user': watchStar,
  'activity/list-watchers-for-repo': watchWatchers,
  'activity/list-repos-watched-by-user': watchWatched,
  'activity/list-watched-repos-for-authenticated-user': watchWatched,
  'activity/get-repo-subscription': watchSubscription,
  'activity/set-repo-subscription': watchSubscription,
  'activity/delete-repo-subscription': watchSubscription,
};
