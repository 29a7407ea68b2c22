import {
  type Actor,
  isJsonObject,
  type Json,
  type JsonObject,
  type Observer,
  type RecordedExchange,
} from '../../service/index.ts';
import { accountCalled, accountSeers, seeAccount, seeMember } from './observe/accounts.ts';
import { runsStarted } from './observe/dispatches.ts';
import { gitCalled } from './observe/git-requests.ts';
import { buildGitWorlds } from './observe/git-worlds.ts';
import { issueWatchers } from './observe/issue-requests.ts';
import { issueCalled, issueMakers, issueSeers } from './observe/issues.ts';
import { notificationSeers, notificationWatchers } from './observe/notifications.ts';
import {
  organizationAreaMakers,
  organizationAreaSeers,
  organizationAreaWatchers,
} from './observe/organization-areas.ts';
import { namesTold, ownersGuessed, placesCalled } from './observe/places.ts';
import { pullWatchers } from './observe/pull-requests.ts';
import { pullMakers, pullSeers } from './observe/pulls.ts';
import { reactionMakers, reactionWatchers } from './observe/reactions.ts';
import { seeReferences } from './observe/references.ts';
import { releaseMakers, releaseSeers, releaseWatchers } from './observe/releases.ts';
import {
  repositoryCalled,
  repositoryMakers,
  repositorySeers,
  repositoryWatchers,
} from './observe/repositories.ts';
import {
  repositoryPartMakers,
  repositoryPartSeers,
  repositoryPartWatchers,
} from './observe/repository-parts.ts';
import { reviewMakers, reviewSeers, reviewWatchers } from './observe/reviews.ts';
import { searchWatchers } from './observe/search.ts';
import {
  type Maker,
  type Names,
  numberIn,
  objectIn,
  type Seer,
  type Shown,
  Sight,
  textIn,
  type Watcher,
} from './observe/sight.ts';
import type { GithubSchema } from './schema.ts';

/** Kinds of things, the more particular first. */
const SEERS: readonly Seer[] = [
  ...notificationSeers,
  ...organizationAreaSeers,
  ...pullSeers,
  ...reviewSeers,
  ...releaseSeers,
  ...repositoryPartSeers,
  ...issueSeers,
  ...repositorySeers,
  ...accountSeers,
];
const MAKERS: Readonly<Record<string, Maker>> = {
  ...organizationAreaMakers,
  ...repositoryMakers,
  ...releaseMakers,
  ...repositoryPartMakers,
  ...issueMakers,
  ...pullMakers,
  ...reviewMakers,
  ...reactionMakers,
};
/** Several areas may learn from one operation. */
const WATCHERS: readonly Readonly<Record<string, Watcher>>[] = [
  organizationAreaWatchers,
  repositoryWatchers,
  releaseWatchers,
  repositoryPartWatchers,
  issueWatchers,
  pullWatchers,
  reviewWatchers,
  searchWatchers,
  notificationWatchers,
  reactionWatchers,
];

/**
 * Builds the world that a recording of GitHub began in, in its order: every answer's objects show rows that
 * were there before, unless an earlier request of the recording made them. What only a request tells (that a
 * repository is there, a label was on an issue) is taken from it.
 */
export const observe: Observer<GithubSchema> = (seeding, exchanges) => {
  const sight = new Sight(seeding, namesIn(exchanges));
  const started = runsStarted(exchanges);
  for (const { id } of started) sight.making('workflow_runs', id ?? 0);
  const viewer = callerOf(exchanges) ?? actorIn(started);
  sight.viewerId = viewer
    ? seeAccount(sight, whoIs(viewer))
    : accountCalled(sight, adderIn(exchanges) ?? 'caller');
  for (const exchange of exchanges) {
    const { operation, status, response } = exchange;
    repositoryCalled(sight, exchange);
    const maker = status < 300 && operation !== null ? MAKERS[operation] : undefined;
    if (maker && isJsonObject(response)) {
      for (const [table, key] of maker(response, exchange, sight)) sight.making(table, key);
    }
    if (status < 400) see(sight, response, { exchange, top: true });
    issueCalled(sight, exchange);
    placesCalled(sight, exchange);
    gitCalled(sight, exchange);
    if (operation !== null) for (const watchers of WATCHERS) watchers[operation]?.(sight, exchange);
  }
  ownersGuessed(sight);
  sight.end();
  buildGitWorlds(sight);
  sight.finish();
  grantRights(sight, exchanges);
  return { actor: actorOf(sight, exchanges) };
};

function see(sight: Sight, value: Json, shown: Shown): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) see(sight, item, shown);
    return;
  }
  if (!isJsonObject(value)) return;
  const seer = SEERS.find(({ fits }) => fits(value));
  seer?.see(sight, value, shown);
  if ('body_html' in value) sight.atEnd(() => seeReferences(sight, value));
  for (const [name, member] of Object.entries(value)) {
    if (name === seer?.closed) continue;
    if (typeof member === 'object' && member !== null) see(sight, member, { ...shown, top: false });
  }
}

/** Numbers of accounts and repositories by name, from all answers. */
function namesIn(exchanges: readonly RecordedExchange[]): Names {
  const accounts = new Map<string, number>();
  const repositories = new Map<string, number>();
  const walk = (value: Json | undefined): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isJsonObject(value)) {
      const id = numberIn(value, 'id');
      const [login, name] = [textIn(value, 'login'), textIn(value, 'full_name')];
      if (id !== undefined && login !== undefined) keepFirst(accounts, login, id);
      if (id !== undefined && name !== undefined) keepFirst(repositories, name, id);
    }
    for (const member of Object.values(value) as (Json | undefined)[]) walk(member);
  };
  for (const exchange of exchanges) {
    walk(exchange.response);
    for (const { kind, name, id } of namesTold(exchange)) {
      keepFirst(kind === 'accounts' ? accounts : repositories, name, id);
    }
  }
  return { accounts, repositories, madeAnew: madeAnewIn(exchanges) };
}

const CREATIONS = new Set(['repos/create-for-authenticated-user', 'repos/create-in-org']);

/** Names of repositories that a request makes though earlier ones went there, and none took it away. */
function madeAnewIn(exchanges: readonly RecordedExchange[]): ReadonlyMap<string, number> {
  const visits = new Map<string, number>();
  const found = new Map<string, number>();
  for (const { operation, status, input, response } of exchanges) {
    const { owner, repo } = isJsonObject(input) ? input : {};
    const place =
      typeof owner === 'string' && typeof repo === 'string' ? `${owner}/${repo}`.toLowerCase() : null;
    if (place !== null && status < 400) {
      if (operation === 'repos/delete' || operation === 'repos/transfer') visits.delete(place);
      else visits.set(place, (visits.get(place) ?? 0) + 1);
    }
    const made = status === 201 && operation !== null && CREATIONS.has(operation) && isJsonObject(response);
    const name = made ? textIn(response, 'full_name')?.toLowerCase() : undefined;
    const before = name === undefined ? undefined : visits.get(name);
    if (name !== undefined && before !== undefined) found.set(name, before);
  }
  return found;
}

function keepFirst(names: Map<string, number>, name: string, id: number): void {
  const key = name.toLowerCase();
  if (!names.has(key)) names.set(key, id);
}

const AUTHORS = ['user', 'author', 'creator', 'owner', 'uploader', 'actor'];

/** The account that made the calls: as it read itself, or as the author of the first thing that it made. */
function callerOf(exchanges: readonly RecordedExchange[]): JsonObject | undefined {
  const own = exchanges.find(
    ({ operation, status, response }) =>
      status === 200 &&
      (operation === 'users/get-authenticated' ||
        (operation === 'users/get-by-username' &&
          isJsonObject(response) &&
          'two_factor_authentication' in response)),
  );
  if (own && isJsonObject(own.response)) return own.response;
  for (const { operation, status, response } of exchanges) {
    const isOwn =
      status === 201 ||
      status === 202 ||
      operation === 'pulls/create-review' ||
      operation === 'pulls/submit-review';
    if (!isOwn || status >= 300 || !isJsonObject(response)) continue;
    const author = AUTHORS.map((name) => objectIn(response, name)).find((found) => found?.type === 'User');
    if (author) return author;
  }
  return undefined;
}

/** An account without what is told of it when its turn comes: counts may tell of what requests made. */
function whoIs({ id, login, type }: JsonObject): JsonObject {
  return { id: id ?? 0, login: login ?? '', ...(type !== undefined && { type }) };
}

/** Who started the first of some runs. */
function actorIn(started: readonly JsonObject[]): JsonObject | undefined {
  return started.map((run) => objectIn(run, 'actor')).find((actor) => actor?.type === 'User');
}

/** Who added the first key that a request made: nothing but a name tells of the account. */
function adderIn(exchanges: readonly RecordedExchange[]): string | undefined {
  const own = exchanges.find(
    ({ status, response }) => status === 201 && isJsonObject(response) && 'added_by' in response,
  );
  return own && isJsonObject(own.response) ? textIn(own.response, 'added_by') : undefined;
}

/** Where no answer says what the caller may do, it may do what it did: everything, as far as is known. */
function grantRights(sight: Sight, exchanges: readonly RecordedExchange[]): void {
  const user_id = sight.viewerId;
  const refused = new Set(
    exchanges.filter(({ status }) => status === 403).map((exchange) => repositoryCalled(sight, exchange)),
  );
  const limited = new Set<number>();
  for (const { id, owner_id } of [...sight.tx.repositories.scan()]) {
    const known = sight.tx.collaborators.get([id, user_id]);
    if (refused.has(id) || (known && known.role !== 'admin')) limited.add(owner_id);
    else if (owner_id === user_id) continue;
    else if (sight.strangers.has(id)) {
      // An owner who conceals being one may do everything, and counts as nobody: in organisations alone.
      if (known) sight.tx.collaborators.delete([id, user_id]);
      sight.tx.accounts.update(owner_id, { type: 'Organization' });
    } else if (!known) {
      sight.tx.collaborators.insert({ repository_id: id, user_id, role: 'admin' });
    }
  }
  for (const { id, type } of [...sight.tx.accounts.scan()]) {
    if (type === 'Organization' && !limited.has(id)) seeMember(sight, id, { user: user_id, role: 'admin' });
  }
}

function actorOf(sight: Sight, exchanges: readonly RecordedExchange[]): Actor {
  const login = sight.tx.accounts.get(sight.viewerId)?.login;
  const scopes = exchanges
    .map(({ headers }) => headers?.['x-oauth-scopes'])
    .find((found) => found !== undefined);
  const token: JsonObject =
    scopes === undefined
      ? { permissions: 'all' }
      : {
          scopes: scopes
            .split(',')
            .map((scope) => scope.trim())
            .filter((scope) => scope !== ''),
        };
  return { id: login ?? 'caller', attributes: { ...(login !== undefined && { login }), ...token } };
}
