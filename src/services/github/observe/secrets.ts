import type { Json, JsonObject, RecordedExchange } from '../../../service/index.ts';
import { SECRET_APPS, type SecretApp } from '../schema/secrets.ts';
import { notePage } from './lists.ts';
import { askedOf, itemsOf, organizationOf, repositoryOf } from './places.ts';
import { type Maker, type Sight, textIn, type Watcher } from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';
type Kind = 'secrets' | 'variables';

interface Scope {
  readonly app: SecretApp;
  readonly scope: string;
  readonly repository_id: number | null;
  readonly account_id: number | null;
}

/** Where an operation's secrets or variables are; null where the recording made the place itself. */
function scopeOf(sight: Sight, exchange: RecordedExchange): Scope | null {
  const asked = askedOf(exchange);
  const app = SECRET_APPS.find((name) => exchange.operation?.startsWith(`${name}/`)) ?? 'actions';
  if (asked.org !== undefined) {
    const account_id = organizationOf(sight, asked);
    return { app, scope: `org:${account_id}`, repository_id: null, account_id };
  }
  if (asked.repo === undefined) {
    return { app, scope: `user:${sight.viewerId}`, repository_id: null, account_id: sight.viewerId };
  }
  const repository_id = repositoryOf(sight, asked);
  if (repository_id === undefined) return null;
  const { environment_name: environment } = asked;
  const scope =
    environment === undefined ? `repo:${repository_id}` : `env:${repository_id}/${String(environment)}`;
  return { app, scope, repository_id, account_id: null };
}

function nameIn(exchange: RecordedExchange): string {
  const { secret_name, name } = askedOf(exchange);
  return String(secret_name ?? name ?? '').toUpperCase();
}

/** One secret or variable that was there, as far as an object shows it. */
function learnNamed(sight: Sight, kind: Kind, { scope, object }: { scope: Scope; object: JsonObject }): void {
  const name = textIn(object, 'name')?.toUpperCase() ?? '';
  const key = [scope.app, scope.scope, name];
  if (name === '') return;
  const ofAccount = scope.account_id !== null;
  sight.learn(kind, key, {
    blank: {
      ...scope,
      name,
      visibility: ofAccount ? 'all' : null,
      selected_repository_ids: [],
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
      ...(kind === 'secrets' ? { encrypted_value: '', key_id: '' } : { value: '' }),
    },
    columns: {
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
      ...(ofAccount && { visibility: textIn(object, 'visibility') }),
      ...(kind === 'variables' && { value: textIn(object, 'value') }),
    },
  });
}

function watchList(kind: Kind): Watcher {
  return (sight, exchange) => {
    const scope = exchange.status === 200 ? scopeOf(sight, exchange) : null;
    if (!scope) return;
    for (const object of itemsOf(exchange.response, kind)) learnNamed(sight, kind, { scope, object });
    notePage(sight, exchange, {
      key: `${kind} ${scope.app} ${scope.scope}`,
      member: kind,
      isMade: (object) => isMade(sight, kind, { scope, object }),
      known: () => [...sight.tx[kind].by('by_scope', [scope.app, scope.scope])].length,
      fill: (after, index) => {
        const name = `${textIn(after ?? {}, 'name') ?? ''}_UNSEEN_${index + 1}`;
        learnNamed(sight, kind, { scope, object: { name } });
      },
    });
  };
}

function isMade(sight: Sight, kind: Kind, { scope, object }: { scope: Scope; object: JsonObject }): boolean {
  return sight.isMade(kind, [scope.app, scope.scope, textIn(object, 'name') ?? '']);
}

/** A read, a change or a removal that went well tells that the thing was there. */
function watchNamed(kind: Kind): Watcher {
  return (sight, exchange) => {
    if (exchange.status !== 200 && exchange.status !== 204) return;
    const scope = scopeOf(sight, exchange);
    if (!scope) return;
    const shown = itemsOf([exchange.response])[0] ?? {};
    learnNamed(sight, kind, { scope, object: { ...shown, name: nameIn(exchange) } });
  };
}

/** The repositories that something shared reaches were there, and were selected. */
const watchSelected =
  (kind: Kind): Watcher =>
  (sight, exchange) => {
    const scope = exchange.status < 300 ? scopeOf(sight, exchange) : null;
    if (!scope) return;
    const name = nameIn(exchange);
    learnNamed(sight, kind, { scope, object: { name, visibility: 'selected' } });
    const asked = askedOf(exchange);
    const key = [scope.app, scope.scope, name];
    const row = kind === 'secrets' ? sight.tx.secrets.get(key) : sight.tx.variables.get(key);
    const listed = itemsOf(exchange.response, 'repositories').map(({ id }) => Number(id));
    const taken = exchange.request?.method === 'DELETE' ? [Number(asked.repository_id)] : [];
    if (!row || sight.isMade(kind, key)) return;
    const ids = [...new Set([...row.selected_repository_ids, ...listed, ...taken])];
    if (kind === 'secrets') sight.tx.secrets.update(key, { selected_repository_ids: ids });
    else sight.tx.variables.update(key, { selected_repository_ids: ids });
  };

/** A repository's view of its organisation's: they reach it, whatever their visibility. */
const watchReaching =
  (kind: Kind): Watcher =>
  (sight, exchange) => {
    const repository_id = repositoryOf(sight, askedOf(exchange));
    const owner =
      repository_id === undefined ? undefined : sight.tx.repositories.get(repository_id)?.owner_id;
    if (owner === undefined) return;
    const scope = { app: 'actions' as const, scope: `org:${owner}`, repository_id: null, account_id: owner };
    for (const object of itemsOf(exchange.response, kind)) learnNamed(sight, kind, { scope, object });
  };

/** Repositories that a request selects by number were there. */
const NAMED_BY: Readonly<Record<Kind, { read: readonly string[]; set: readonly string[] }>> = {
  secrets: { read: ['get', 'delete'], set: ['create-or-update'] },
  variables: { read: ['get', 'delete', 'update'], set: ['create'] },
};
const PLACES = ['org', 'repo', 'environment'];

function watchersOf(kind: Kind): Readonly<Record<string, Watcher>> {
  const noun = kind.slice(0, -1);
  const watchers: Record<string, Watcher> = {};
  for (const app of SECRET_APPS) {
    for (const place of PLACES) {
      watchers[`${app}/list-${place}-${kind}`] = watchList(kind);
      for (const verb of [...NAMED_BY[kind].read, ...NAMED_BY[kind].set]) {
        watchers[`${app}/${verb}-${place}-${noun}`] = watchNamed(kind);
      }
    }
    for (const id of ['list-selected-repos-for', 'remove-selected-repo-from', 'add-selected-repo-to']) {
      watchers[`${app}/${id}-org-${noun}`] = watchSelected(kind);
    }
  }
  watchers[`actions/list-repo-organization-${kind}`] = watchReaching(kind);
  return watchers;
}

export const secretWatchers: Readonly<Record<string, Watcher>> = {
  ...watchersOf('secrets'),
  ...watchersOf('variables'),
};

/** A setting answered with 201 made the thing. */
function makersOf(kind: Kind): Readonly<Record<string, Maker>> {
  const made: Maker = (_, exchange, sight) => {
    const scope = exchange.status === 201 ? scopeOf(sight, exchange) : null;
    return scope ? [[kind, [scope.app, scope.scope, nameIn(exchange)] as Json]] : [];
  };
  const ids = SECRET_APPS.flatMap((app) =>
    PLACES.flatMap((place) =>
      NAMED_BY[kind].set.map((verb) => `${app}/${verb}-${place}-${kind.slice(0, -1)}`),
    ),
  );
  return Object.fromEntries(ids.map((id) => [id, made]));
}

export const secretMakers: Readonly<Record<string, Maker>> = {
  ...makersOf('secrets'),
  ...makersOf('variables'),
};
