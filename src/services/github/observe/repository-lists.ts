import type { JsonObject, RecordedExchange } from '../../../service/index.ts';
import { blankRepository } from '../rules/new-repository.ts';
import { accountCalled } from './accounts.ts';
import { notePage } from './lists.ts';
import { askedOf, organizationOf } from './places.ts';
import { numberIn, objectIn, type Sight, textIn, type Watcher } from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

/** A repository that nothing is known of but that it stands right behind another one of its list. */
function fillRepository(
  sight: Sight,
  owner: number,
  { after, index }: { after: JsonObject | undefined; index: number },
): void {
  const { tx } = sight;
  const shownOwner = after && objectIn(after, 'owner');
  const owner_id = (shownOwner && numberIn(shownOwner, 'id')) ?? owner;
  const start = (after && numberIn(after, 'id')) ?? 1;
  let id = start + 1;
  while (tx.repositories.has(id)) id += 1;
  if (!tx.accounts.has(owner_id)) return;
  const base = (after && textIn(after, 'name')) ?? '';
  let number = index + 1;
  const named = (): string => `${base}~${String(number).padStart(4, '0')}`;
  while (tx.repositories.unique('by_name', [owner_id, named().toLowerCase()])) number += 1;
  const name = named();
  const moment = (after && textIn(after, 'created_at')) ?? UNSEEN_MOMENT;
  tx.repositories.insert({ ...blankRepository({ id, owner_id }, name, moment), default_branch: 'main' });
}

/** Pages of the repositories of one account. */
function listed(sight: Sight, exchange: RecordedExchange, owner: number): void {
  if (owner === 0) return;
  const { type = '', sort = '' } = askedOf(exchange);
  notePage(sight, exchange, {
    key: `repositories of ${owner} ${String(type)} ${String(sort)}`,
    isMade: (item) => sight.isMade('repositories', item.id ?? 0),
    known: () => [...sight.tx.repositories.by('by_owner', [owner])].length,
    fill: (after, index) => fillRepository(sight, owner, { after, index }),
  });
}

export const repositoryListWatchers: Readonly<Record<string, Watcher>> = {
  'repos/list-for-org': (sight, exchange) =>
    listed(sight, exchange, organizationOf(sight, askedOf(exchange))),
  'repos/list-for-user': (sight, exchange) => {
    const { username } = askedOf(exchange);
    if (typeof username !== 'string') return;
    const numbered = Number(username.slice(1));
    const owner = username.startsWith(':') ? numbered : accountCalled(sight, username);
    listed(sight, exchange, owner);
  },
  'repos/list-for-authenticated-user': (sight, exchange) => {
    const { viewerId } = sight;
    notePage(sight, exchange, {
      key: 'repositories of the caller',
      isMade: (item) => sight.isMade('repositories', item.id ?? 0),
      known: () => sight.tx.repositories.size,
      fill: (after, index) => fillRepository(sight, viewerId, { after, index }),
    });
  },
};
