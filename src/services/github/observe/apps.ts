import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { configOf } from '../rules/hooks.ts';
import type { App } from '../schema/apps.ts';
import { accountCalled, seeAccount } from './accounts.ts';
import { askedOf, itemsOf } from './places.ts';
import { seeRepository } from './repositories.ts';
import {
  flagIn,
  type Maker,
  nullableTextIn,
  numberIn,
  objectIn,
  type Seer,
  type Shown,
  type Sight,
  textIn,
  type Watcher,
} from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

export const appSeers: readonly Seer[] = [
  {
    fits: (object) =>
      textIn(object, 'access_tokens_url') !== undefined && numberIn(object, 'id') !== undefined,
    see: (sight, object, { exchange }) => seeInstallation(sight, object, exchange),
  },
  {
    fits: (object) => textIn(object, 'external_url') !== undefined && numberIn(object, 'id') !== undefined,
    see: (sight, object, shown) => {
      if (isOfApps(shown)) seeApp(sight, object);
    },
  },
  {
    fits: (object) => textIn(object, 'price_model') !== undefined && numberIn(object, 'id') !== undefined,
    see: (sight, object) => seePlan(sight, object),
  },
];

/** Apps stand within checks too, where they say nothing of who calls but in those that the call made. */
function isOfApps({ exchange, top }: Shown): boolean {
  const { operation, status } = exchange;
  return (
    (top && operation?.startsWith('apps/') === true) || (operation === 'checks/create' && status === 201)
  );
}

function blankApp(id: number, owner_id: number): App {
  return {
    id,
    slug: `app-${id}`,
    client_id: `client-${id}`,
    client_secret: '',
    name: `App ${id}`,
    owner_id,
    description: null,
    external_url: '',
    permissions: {},
    events: [],
    installations_count: 1,
    created_at: UNSEEN_MOMENT,
    updated_at: UNSEEN_MOMENT,
  };
}

function seeApp(sight: Sight, object: JsonObject): number {
  const id = numberIn(object, 'id') ?? 0;
  if (sight.isMade('apps', id)) return id;
  const owner = objectIn(object, 'owner');
  const slug = textIn(object, 'slug') ?? /\/apps\/([\w-]+)$/u.exec(textIn(object, 'html_url') ?? '')?.[1];
  const known = slug === undefined ? undefined : sight.tx.apps.unique('by_slug', [slug]);
  if (known && known.id !== id) return known.id;
  sight.learn('apps', id, {
    blank: blankApp(id, owner ? seeAccount(sight, owner) : sight.viewerId),
    columns: {
      slug,
      client_id: textIn(object, 'client_id'),
      name: textIn(object, 'name'),
      owner_id: owner && seeAccount(sight, owner),
      description: nullableTextIn(object, 'description'),
      external_url: textIn(object, 'external_url'),
      permissions: objectIn(object, 'permissions'),
      events: Array.isArray(object.events) ? object.events : undefined,
      installations_count: numberIn(object, 'installations_count'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
  return id;
}

/** The app that calls: the first one that an answer shows, else one of which nothing is known. */
function callingApp(sight: Sight): number {
  const [known] = [...sight.tx.apps.scan({ limit: 1 })];
  if (known) return known.id;
  const id = sight.freshId('apps');
  sight.learn('apps', id, { blank: blankApp(id, sight.viewerId), columns: {} });
  return id;
}

function seeInstallation(sight: Sight, object: JsonObject, exchange: RecordedExchange): void {
  const account = objectIn(object, 'account');
  const app_id = numberIn(object, 'app_id');
  const slug = textIn(object, 'app_slug');
  const app =
    app_id === undefined ? undefined : seeApp(sight, { id: app_id, ...(slug !== undefined && { slug }) });
  const suspender = objectIn(object, 'suspended_by');
  // A single one is found by the number that it was asked for with.
  const { installation_id } = askedOf(exchange);
  const single = !Array.isArray(exchange.response) && installation_id !== undefined;
  const id = single ? Number(installation_id) : (numberIn(object, 'id') ?? 0);
  learnInstallation(sight, id, {
    account_id: account && seeAccount(sight, account),
    app_id: app,
    repository_selection: textIn(object, 'repository_selection'),
    permissions: told(objectIn(object, 'permissions')),
    events: Array.isArray(object.events) ? object.events : undefined,
    single_file_name: nullableTextIn(object, 'single_file_name'),
    suspended_by_id: suspender ? seeAccount(sight, suspender) : undefined,
    suspended_at: nullableTextIn(object, 'suspended_at'),
    created_at: textIn(object, 'created_at')?.replace('.000Z', 'Z'),
    updated_at: textIn(object, 'updated_at')?.replace('.000Z', 'Z'),
  });
}

/** No installation has no permissions: where none are shown, none are told of. */
function told(permissions: JsonObject | undefined): JsonObject | undefined {
  return permissions && Object.keys(permissions).length > 0 ? permissions : undefined;
}

function learnInstallation(sight: Sight, id: number, columns: Readonly<Record<string, unknown>>): void {
  sight.learn('installations', id, {
    blank: {
      id,
      app_id: callingApp(sight),
      account_id: sight.viewerId,
      repository_selection: 'all',
      repository_ids: [],
      permissions: {},
      events: [],
      single_file_name: null,
      suspended_by_id: null,
      suspended_at: null,
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
    },
    columns,
  });
  sight.atEnd(() => {
    // One that nothing told the app of is the calling app's.
    if (!sight.tx.installations.has(id) || sight.isShown('installations', id, 'app_id')) return;
    sight.tx.installations.update(id, { app_id: callingApp(sight) });
  });
}

const watchInstallation: Watcher = (sight, exchange) => {
  const id = Number(askedOf(exchange).installation_id);
  if (exchange.status >= 300 || !Number.isSafeInteger(id)) return;
  learnInstallation(sight, id, {});
};

/** A token has what its installation has, unless less was asked for. */
const watchToken: Watcher = (sight, exchange) => {
  const { installation_id, repositories, repository_ids, permissions } = askedOf(exchange);
  const [shown = {}] = itemsOf([exchange.response]);
  if (exchange.status !== 201) return;
  const all = repositories === undefined && repository_ids === undefined;
  const ids = itemsOf(shown, 'repositories').map((item) => seeRepository(sight, item));
  const home = sight.tx.repositories.get(ids[0] ?? 0)?.owner_id;
  learnInstallation(sight, Number(installation_id), {
    permissions: permissions === undefined ? objectIn(shown, 'permissions') : undefined,
    repository_selection: all ? textIn(shown, 'repository_selection') : undefined,
    account_id: home,
  });
  const row = sight.tx.installations.get(Number(installation_id));
  if (
    permissions !== undefined &&
    isJsonObject(permissions) &&
    row &&
    Object.keys(row.permissions ?? {}).length === 0
  ) {
    sight.tx.installations.update(row.id, { permissions });
  }
  if (row && ids.length > 0) sight.tx.installations.update(row.id, { repository_ids: ids });
};

/** The repositories of the installation that calls, which is the one that was given a token last. */
const watchRepositories: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const asked = Number(askedOf(exchange).installation_id);
  const rows = [...sight.tx.installations.scan()];
  const row = Number.isSafeInteger(asked) ? sight.tx.installations.get(asked) : rows.at(-1);
  if (Number.isSafeInteger(asked) && !row) learnInstallation(sight, asked, {});
  const id = row?.id ?? asked;
  const [shown = {}] = itemsOf([exchange.response]);
  if (!sight.tx.installations.has(id)) return;
  const ids = itemsOf(shown, 'repositories').map((item) => seeRepository(sight, item));
  sight.tx.installations.update(id, { repository_selection: 'selected', repository_ids: ids });
};

const watchRequests: Watcher = (sight, exchange) => {
  for (const item of exchange.status === 200 ? itemsOf(exchange.response) : []) {
    const [account, requester] = [objectIn(item, 'account'), objectIn(item, 'requester')];
    const id = numberIn(item, 'id') ?? 0;
    if (!account || !requester) continue;
    const columns = { created_at: textIn(item, 'created_at') };
    const people = { account_id: seeAccount(sight, account), requester_id: seeAccount(sight, requester) };
    const blank = { id, app_id: callingApp(sight), ...people, created_at: UNSEEN_MOMENT };
    sight.learn('installation_requests', id, { blank, columns });
  }
};

/** The manifest that was sent before, as the app that came of it shows it. */
const watchManifest: Watcher = (sight, exchange) => {
  const { code } = askedOf(exchange);
  const [shown = {}] = itemsOf([exchange.response]);
  const owner = objectIn(shown, 'owner');
  if (exchange.status !== 201 || typeof code !== 'string' || !owner) return;
  const manifest: JsonObject = {
    name: shown.name ?? '',
    url: shown.external_url ?? '',
    ...(typeof shown.description === 'string' && { description: shown.description }),
    default_permissions: shown.permissions ?? {},
    default_events: shown.events ?? [],
  };
  const blank = { code, owner_id: seeAccount(sight, owner), manifest };
  sight.learn('app_manifests', code, { blank, columns: {} });
};

/** A token that a person gave an app. */
const watchAuthorization: Watcher = (sight, exchange) => {
  const { client_id, access_token } = askedOf(exchange);
  const [shown = {}] = itemsOf([exchange.response]);
  if (exchange.status >= 300 || typeof client_id !== 'string' || typeof access_token !== 'string') return;
  const app = objectIn(shown, 'app') ?? {};
  const known = sight.tx.apps.unique('by_client', [client_id]);
  const app_id = known?.id ?? sight.freshId('apps');
  if (!known) {
    const blank = { ...blankApp(app_id, sight.viewerId), client_id };
    const columns = { name: textIn(app, 'name'), external_url: textIn(app, 'url') };
    sight.learn('apps', app_id, { blank, columns });
  }
  const user = objectIn(shown, 'user');
  const number = numberIn(shown, 'id') ?? 1;
  sight.learn('issued_tokens', access_token, {
    blank: {
      token: access_token,
      number,
      app_id,
      installation_id: null,
      account_id: user ? seeAccount(sight, user) : sight.viewerId,
      permissions: {},
      repository_ids: null,
      scopes: Array.isArray(shown.scopes) ? shown.scopes : [],
      created_at: textIn(shown, 'created_at') ?? UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
      expires_at: null,
    },
    columns: {},
  });
};

function seePlan(sight: Sight, object: JsonObject): void {
  const id = numberIn(object, 'id') ?? 0;
  sight.learn('marketplace_plans', id, {
    blank: {
      id,
      number: numberIn(object, 'number') ?? 1,
      name: textIn(object, 'name') ?? '',
      description: textIn(object, 'description') ?? '',
      monthly_price_in_cents: numberIn(object, 'monthly_price_in_cents') ?? 0,
      yearly_price_in_cents: numberIn(object, 'yearly_price_in_cents') ?? 0,
      price_model: textIn(object, 'price_model') ?? 'FREE',
      has_free_trial: flagIn(object, 'has_free_trial') ?? false,
      unit_name: nullableTextIn(object, 'unit_name') ?? null,
      state: textIn(object, 'state') ?? 'published',
      bullets: Array.isArray(object.bullets) ? object.bullets : [],
    },
    columns: {},
  });
}

/** Who has bought a plan. */
const watchPurchases: Watcher = (sight, exchange) => {
  const items = Array.isArray(exchange.response) ? itemsOf(exchange.response) : itemsOf([exchange.response]);
  if (exchange.status !== 200) return;
  for (const item of items) {
    const terms = objectIn(item, 'marketplace_purchase');
    const plan = terms && objectIn(terms, 'plan');
    if (!terms || !plan) continue;
    seePlan(sight, plan);
    const type = item.type === 'Organization' ? 'Organization' : 'User';
    const account_id = seeAccount(sight, { ...item, type });
    sight.learn('marketplace_purchases', account_id, {
      blank: {
        account_id,
        plan_id: numberIn(plan, 'id') ?? 0,
        billing_cycle: textIn(terms, 'billing_cycle') ?? 'monthly',
        next_billing_date: nullableTextIn(terms, 'next_billing_date') ?? null,
        on_free_trial: flagIn(terms, 'on_free_trial') ?? false,
        free_trial_ends_on: nullableTextIn(terms, 'free_trial_ends_on') ?? null,
        unit_count: numberIn(terms, 'unit_count') ?? null,
        pending_change: null,
        billing_email: textIn(item, 'organization_billing_email') ?? null,
        updated_at: textIn(terms, 'updated_at') ?? UNSEEN_MOMENT,
      },
      columns: {},
    });
  }
};

/** The hook of the app that calls. */
function hookOfApp(sight: Sight): number {
  const app_id = callingApp(sight);
  const [known] = [...sight.tx.hooks.by('by_app', [app_id])];
  if (known) return known.id;
  const id = sight.freshId('hooks');
  const row = { id, repository_id: null, org_id: null, app_id, name: 'web', active: true, events: ['*'] };
  const blank = {
    ...row,
    config: configOf({}),
    last_response: null,
    created_at: UNSEEN_MOMENT,
    updated_at: UNSEEN_MOMENT,
  };
  sight.learn('hooks', id, { blank, columns: {} });
  return id;
}

const watchDeliveries: Watcher = (sight, exchange) => {
  if (exchange.status >= 300) return;
  for (const item of itemsOf(exchange.response)) learnDelivery(sight, item);
  const next = /cursor=v1_(\d+)[^>]*>; rel="next"/u.exec(exchange.headers?.link ?? '')?.[1];
  const asked = askedOf(exchange).delivery_id;
  for (const id of [next, asked])
    if (id !== undefined) sight.atEnd(() => learnDelivery(sight, { id: Number(id) }));
};

function learnDelivery(sight: Sight, object: JsonObject): void {
  const id = numberIn(object, 'id') ?? 0;
  if (sight.tx.hook_deliveries.has(id)) return;
  sight.learn('hook_deliveries', id, {
    blank: {
      id,
      hook_id: hookOfApp(sight),
      guid: textIn(object, 'guid') ?? '',
      delivered_at: textIn(object, 'delivered_at') ?? UNSEEN_MOMENT,
      redelivery: flagIn(object, 'redelivery') ?? false,
      duration: numberIn(object, 'duration') ?? 0,
      status: textIn(object, 'status') ?? 'OK',
      status_code: numberIn(object, 'status_code') ?? 200,
      event: textIn(object, 'event') ?? 'ping',
      action: textIn(object, 'action') ?? null,
      installation_id: numberIn(object, 'installation_id') ?? null,
      repository_id: numberIn(object, 'repository_id') ?? null,
      request: {},
      response: {},
    },
    columns: {},
  });
}

const watchCalling: Watcher = (sight, exchange) => {
  if (exchange.status >= 300) return;
  const { org, username, owner } = askedOf(exchange);
  const [shown = {}] = itemsOf([exchange.response]);
  const login = org ?? username ?? owner;
  const id = numberIn(shown, 'id');
  // An account that was asked for by name is the one that the app is installed with.
  if (typeof login !== 'string' || login.startsWith(':') || id === undefined) return;
  const account_id = accountCalled(sight, login);
  if (sight.tx.installations.has(id)) sight.tx.installations.update(id, { account_id });
};

export const appWatchers: Readonly<Record<string, Watcher>> = {
  'apps/get-installation': watchInstallation,
  'apps/delete-installation': watchInstallation,
  'apps/suspend-installation': watchInstallation,
  'apps/unsuspend-installation': watchInstallation,
  'apps/create-installation-access-token': watchToken,
  'apps/list-repos-accessible-to-installation': watchRepositories,
  'apps/list-installation-repos-for-authenticated-user': watchRepositories,
  'apps/list-installation-requests-for-authenticated-app': watchRequests,
  'apps/create-from-manifest': watchManifest,
  'apps/check-token': watchAuthorization,
  'apps/reset-token': watchAuthorization,
  'apps/delete-token': watchAuthorization,
  'apps/delete-authorization': watchAuthorization,
  'apps/list-accounts-for-plan': watchPurchases,
  'apps/get-subscription-plan-for-account': watchPurchases,
  'apps/list-webhook-deliveries': watchDeliveries,
  'apps/redeliver-webhook-delivery': watchDeliveries,
  'apps/get-org-installation': watchCalling,
  'apps/get-user-installation': watchCalling,
  'apps/get-repo-installation': watchCalling,
};

export const appMakers: Readonly<Record<string, Maker>> = {
  'apps/create-from-manifest': (body) => [['apps', (body.id ?? 0) as Json]],
};
