import type { Json, JsonObject } from '../../../service/index.ts';
import { configOf } from '../rules/hooks.ts';
import { askedOf, itemsOf, organizationOf, repositoryOf } from './places.ts';
import {
  flagIn,
  type Maker,
  numberIn,
  objectIn,
  type Seer,
  type Sight,
  textIn,
  type Watcher,
} from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

export const hookSeers: readonly Seer[] = [
  {
    fits: (object) =>
      numberIn(object, 'id') !== undefined &&
      Array.isArray(object.events) &&
      objectIn(object, 'config') !== undefined,
    see: (sight, object, { exchange }) => {
      const home = homeOf(sight, askedOf(exchange));
      if (home) learnHook(sight, { id: numberIn(object, 'id') ?? 0, ...home }, object);
    },
  },
];

interface Home {
  readonly repository_id: number | null;
  readonly org_id: number | null;
}

function homeOf(sight: Sight, asked: JsonObject): Home | null {
  if (asked.org !== undefined) return { repository_id: null, org_id: organizationOf(sight, asked) };
  const repository_id = repositoryOf(sight, asked);
  return repository_id === undefined ? null : { repository_id, org_id: null };
}

function learnHook(sight: Sight, { id, ...home }: Home & { readonly id: number }, object: JsonObject): void {
  const config = objectIn(object, 'config');
  sight.learn('hooks', id, {
    blank: {
      id,
      ...home,
      app_id: null,
      name: 'web',
      active: true,
      events: ['push'],
      config: configOf({}),
      last_response: { code: null, status: 'unused', message: null },
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
    },
    columns: {
      name: textIn(object, 'name'),
      active: flagIn(object, 'active'),
      events: Array.isArray(object.events) ? object.events : undefined,
      config: config && configOf(config),
      last_response: object.last_response as Json | undefined,
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
}

/** A hook that a request finds was there. */
const watchHook: Watcher = (sight, exchange) => {
  const asked = askedOf(exchange);
  const home = exchange.status < 300 && asked.hook_id !== undefined ? homeOf(sight, asked) : null;
  if (home) learnHook(sight, { id: Number(asked.hook_id), ...home }, {});
};

const NAMES = ['get-webhook', 'update-webhook', 'delete-webhook', 'ping-webhook', 'list-webhook-deliveries'];

export const hookWatchers: Readonly<Record<string, Watcher>> = {
  ...Object.fromEntries(
    ['repos', 'orgs'].flatMap((area) => NAMES.map((name) => [`${area}/${name}`, watchHook])),
  ),
  'repos/test-push-webhook': watchHook,
};

const made: Maker = (body) => itemsOf([body]).map(({ id }) => ['hooks', id ?? 0] as const);

export const hookMakers: Readonly<Record<string, Maker>> = {
  'repos/create-webhook': made,
  'orgs/create-webhook': made,
};
