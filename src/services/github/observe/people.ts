import type { JsonObject } from '../../../service/index.ts';
import { accountCalled } from './accounts.ts';
import { notePage } from './lists.ts';
import { askedOf, itemsOf } from './places.ts';
import { flagIn, type Maker, nullableTextIn, numberIn, type Sight, textIn, type Watcher } from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

function learnFollow(sight: Sight, user_id: number, target_id: number): void {
  if (!sight.tx.accounts.has(user_id) || !sight.tx.accounts.has(target_id)) return;
  sight.learn('follows', [user_id, target_id], { blank: { user_id, target_id }, columns: {} });
}

function watchPeople(side: 'followers' | 'following'): Watcher {
  return (sight, exchange) => {
    if (exchange.status !== 200) return;
    const { username } = askedOf(exchange);
    const home = username === undefined ? sight.viewerId : accountCalled(sight, String(username));
    const learn = (other: number): void =>
      side === 'followers' ? learnFollow(sight, other, home) : learnFollow(sight, home, other);
    for (const item of itemsOf(exchange.response)) learn(numberIn(item, 'id') ?? 0);
    notePage(sight, exchange, {
      key: `${side} ${home}`,
      known: () =>
        [
          ...(side === 'followers'
            ? sight.tx.follows.by('by_target', [home])
            : sight.tx.follows.by('by_user', [home])),
        ].length,
      fill: (_, index) => learn(accountCalled(sight, `unseen-${side}-${home}-${index + 1}`)),
    });
  };
}

const watchFollowing: Watcher = (sight, exchange) => {
  if (exchange.status !== 204) return;
  const { username, target_user } = askedOf(exchange);
  const target = accountCalled(sight, String(target_user ?? username));
  const user = target_user === undefined ? sight.viewerId : accountCalled(sight, String(username));
  if (exchange.request?.method === 'PUT') sight.making('follows', [user, target]);
  else learnFollow(sight, user, target);
};

/** Addresses are objects, and before 2013 were texts. */
const watchEmails: Watcher = (sight, exchange) => {
  if (exchange.status >= 300) return;
  const items = itemsOf(exchange.response);
  for (const [position, item] of items.entries()) {
    learnEmail(sight, { ...item, position });
  }
};

function learnEmail(sight: Sight, item: JsonObject): void {
  const email = textIn(item, 'email') ?? '';
  const account_id = sight.viewerId;
  sight.learn('emails', [account_id, email], {
    blank: { account_id, email, primary: false, verified: true, visibility: null, position: 0 },
    columns: {
      primary: flagIn(item, 'primary'),
      verified: flagIn(item, 'verified'),
      visibility: nullableTextIn(item, 'visibility'),
      position: numberIn(item, 'position'),
    },
  });
}

/** Addresses that are taken away were there; those that are added were not. */
const watchEmailChange: Watcher = (sight, exchange) => {
  const { emails } = askedOf(exchange);
  const body = exchange.request?.body;
  const sent = Array.isArray(body) ? body : Array.isArray(emails) ? emails : [emails ?? ''];
  for (const [position, email] of (sent as readonly unknown[]).entries()) {
    if (typeof email !== 'string' || email === '') continue;
    if (exchange.request?.method === 'POST') sight.making('emails', [sight.viewerId, email]);
    else learnEmail(sight, { email, position });
  }
};

const KINDS = { ssh: 'public-ssh-key', signing: 'ssh-signing-key', gpg: 'gpg-key' } as const;
type Kind = keyof typeof KINDS;

function learnKey(sight: Sight, kind: Kind, { owner, item }: { owner: number; item: JsonObject }): void {
  const id = numberIn(item, 'id') ?? 0;
  if (id === 0) return;
  const { id: _, name, ...details } = item;
  sight.learn('user_keys', id, {
    blank: {
      id,
      account_id: owner,
      kind,
      title: textIn({ name: name ?? null }, 'name') ?? '',
      key: '',
      verified: true,
      read_only: false,
      details: null,
      created_at: UNSEEN_MOMENT,
    },
    columns: {
      title: textIn(item, 'title'),
      key: textIn(item, 'key') ?? textIn(item, 'raw_key'),
      verified: flagIn(item, 'verified'),
      read_only: flagIn(item, 'read_only'),
      details: kind === 'gpg' && item.key_id !== undefined ? details : undefined,
      created_at: textIn(item, 'created_at'),
    },
  });
}

function watchKeys(kind: Kind): Watcher {
  return (sight, exchange) => {
    if (exchange.status >= 300) return;
    const asked = askedOf(exchange);
    const owner = ownerOf(sight, asked);
    const items = Array.isArray(exchange.response)
      ? itemsOf(exchange.response)
      : itemsOf([exchange.response]);
    for (const item of items) learnKey(sight, kind, { owner, item });
    const id = asked.key_id ?? asked.gpg_key_id ?? asked.ssh_signing_key_id;
    if (id !== undefined) learnKey(sight, kind, { owner, item: { id: Number(id) } });
  };
}

function ownerOf(sight: Sight, { username }: JsonObject): number {
  return username === undefined ? sight.viewerId : accountCalled(sight, String(username));
}

function keyWatchers(kind: Kind): Record<string, Watcher> {
  const noun = KINDS[kind];
  const ids = [
    `users/list-${noun}s-for-authenticated-user`,
    `users/list-${kind === 'ssh' ? 'public-key' : noun}s-for-user`,
    `users/get-${noun}-for-authenticated-user`,
    `users/delete-${noun}-for-authenticated-user`,
  ];
  return Object.fromEntries(ids.map((id) => [id, watchKeys(kind)]));
}

export const peopleWatchers: Readonly<Record<string, Watcher>> = {
  'users/list-followers-for-user': watchPeople('followers'),
  'users/list-followers-for-authenticated-user': watchPeople('followers'),
  'users/list-following-for-user': watchPeople('following'),
  'users/list-followed-by-authenticated-user': watchPeople('following'),
  'users/check-person-is-followed-by-authenticated': watchFollowing,
  'users/check-following-for-user': watchFollowing,
  'users/follow': watchFollowing,
  'users/unfollow': watchFollowing,
  'users/list-emails-for-authenticated-user': watchEmails,
  'users/add-email-for-authenticated-user': watchEmailChange,
  'users/delete-email-for-authenticated-user': watchEmailChange,
  ...keyWatchers('ssh'),
  ...keyWatchers('signing'),
  ...keyWatchers('gpg'),
};

const madeKey: Maker = (body) => [['user_keys', body.id ?? 0]];

export const peopleMakers: Readonly<Record<string, Maker>> = Object.fromEntries(
  Object.values(KINDS).map((noun) => [`users/create-${noun}-for-authenticated-user`, madeKey]),
);
