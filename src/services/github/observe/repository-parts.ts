import { isJsonObject, type Json, type JsonObject, type RecordedExchange } from '../../../service/index.ts';
import { blankEnvironment } from '../rules/environments.ts';
import { blankFeatures } from '../rules/features.ts';
import { blankAccount } from '../seed/people.ts';
import { seeAccount } from './accounts.ts';
import { repositoryOf as repositoryAt } from './issues.ts';
import { notePage } from './lists.ts';
import { askedOf, itemsOf, repositoryOf } from './places.ts';
import { repositoryListWatchers } from './repository-lists.ts';
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

/** The repository that an exchange is about, and what it was asked; null for one that the recording made. */
function placeOf(
  sight: Sight,
  exchange: RecordedExchange,
): { readonly id: number; readonly asked: JsonObject } | null {
  const asked = askedOf(exchange);
  const id = repositoryOf(sight, asked);
  return id === undefined ? null : { id, asked };
}

const ENVIRONMENT_URL = /\/repos\/[^/]+\/[^/]+\/environments\/[^/]+$/u;
const DEPLOYMENT_URL = /\/repos\/[^/]+\/[^/]+\/deployments\/\d+$/u;

export const repositoryPartSeers: readonly Seer[] = [
  {
    fits: (object) =>
      ENVIRONMENT_URL.test(textIn(object, 'url') ?? '') && numberIn(object, 'id') !== undefined,
    see: seeEnvironment,
  },
  {
    fits: (object) =>
      DEPLOYMENT_URL.test(textIn(object, 'url') ?? '') && numberIn(object, 'id') !== undefined,
    see: seeDeployment,
  },
];

/** An environment as it was before, or what a request that made it anew leaves as it was. */
function seeEnvironment(sight: Sight, object: JsonObject): void {
  const repository_id = repositoryAt(sight, textIn(object, 'url'));
  const id = numberIn(object, 'id') ?? 0;
  const name = textIn(object, 'name') ?? '';
  if (repository_id === undefined || sight.isMade('environments', id)) return;
  const known = sight.tx.environments.unique('by_name', [repository_id, name]);
  if (known && known.id !== id) return;
  const rules = itemsOf(object, 'protection_rules');
  const timer = rules.find(({ type }) => type === 'wait_timer');
  sight.learn('environments', id, {
    blank: { ...blankEnvironment(repository_id, name, UNSEEN_MOMENT), id },
    columns: {
      can_admins_bypass: flagIn(object, 'can_admins_bypass'),
      wait_timer: timer ? numberIn(timer, 'wait_timer') : undefined,
      branch_policy: object.deployment_branch_policy,
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
}

function seeDeployment(sight: Sight, object: JsonObject): void {
  const repository_id = repositoryAt(sight, textIn(object, 'url'));
  const id = numberIn(object, 'id') ?? 0;
  if (repository_id === undefined || sight.isMade('deployments', id)) return;
  const creator = objectIn(object, 'creator');
  const environment = textIn(object, 'environment') ?? 'production';
  sight.learn('deployments', id, {
    blank: {
      id,
      repository_id,
      creator_id: null,
      sha: '',
      ref: 'main',
      task: 'deploy',
      payload: {},
      original_environment: environment,
      environment,
      description: null,
      transient_environment: false,
      production_environment: false,
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
    },
    columns: {
      creator_id: creator ? seeAccount(sight, creator) : undefined,
      sha: textIn(object, 'sha'),
      ref: textIn(object, 'ref'),
      task: textIn(object, 'task'),
      payload: object.payload,
      original_environment: textIn(object, 'original_environment'),
      description: nullableTextIn(object, 'description'),
      transient_environment: flagIn(object, 'transient_environment'),
      production_environment: flagIn(object, 'production_environment'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
}

/** A put that shows an older moment of creation changed an environment that was there. */
const environmentMade: Maker = (body, exchange, sight) => {
  const place = placeOf(sight, exchange);
  const isOld = body.created_at !== body.updated_at || body.can_admins_bypass === false;
  return isOld && place ? [] : [['environments', body.id ?? 0]];
};

/** An environment that a request names is there. */
function environmentCalled(sight: Sight, exchange: RecordedExchange): void {
  const place = placeOf(sight, exchange);
  const name = place?.asked.environment_name;
  if (!place || typeof name !== 'string' || exchange.status >= 400) return;
  const made = sight.isMade('environments', [place.id, name]);
  if (made || sight.tx.environments.unique('by_name', [place.id, name])) return;
  const id = sight.freshId('environments');
  sight.tx.environments.insert({ ...blankEnvironment(place.id, name, UNSEEN_MOMENT), id });
}

function keysListed(sight: Sight, exchange: RecordedExchange): void {
  const place = placeOf(sight, exchange);
  if (!place) return;
  for (const item of itemsOf(exchange.response)) {
    const id = numberIn(item, 'id') ?? 0;
    if (sight.isMade('deploy_keys', id)) continue;
    sight.learn('deploy_keys', id, {
      blank: {
        id,
        repository_id: place.id,
        title: '',
        key: '',
        read_only: true,
        verified: true,
        added_by: null,
        last_used: null,
        created_at: UNSEEN_MOMENT,
      },
      columns: {
        title: textIn(item, 'title'),
        key: textIn(item, 'key'),
        read_only: flagIn(item, 'read_only'),
        verified: flagIn(item, 'verified'),
        added_by: nullableTextIn(item, 'added_by'),
        last_used: nullableTextIn(item, 'last_used'),
        created_at: textIn(item, 'created_at'),
      },
    });
  }
}

function linksListed(sight: Sight, exchange: RecordedExchange): void {
  const place = placeOf(sight, exchange);
  if (!place) return;
  for (const item of [...itemsOf(exchange.response), ...itemsOf([exchange.response])]) {
    const id = numberIn(item, 'id') ?? 0;
    if (id === 0 || sight.isMade('autolinks', id) || sight.tx.autolinks.has(id)) continue;
    sight.tx.autolinks.insert({
      id,
      repository_id: place.id,
      key_prefix: textIn(item, 'key_prefix') ?? '',
      url_template: textIn(item, 'url_template') ?? '',
      is_alphanumeric: flagIn(item, 'is_alphanumeric') ?? true,
    });
  }
}

/** Days of a repository's traffic, as they were counted. */
function trafficRead(kind: 'views' | 'clones'): Watcher {
  return (sight, exchange) => {
    const place = placeOf(sight, exchange);
    // Weeks are sums of days.
    if (!place || place.asked.per === 'week') return;
    const total = isJsonObject(exchange.response) ? { ...exchange.response, timestamp: '' } : {};
    for (const item of [total, ...itemsOf(exchange.response, kind)]) {
      const timestamp = textIn(item, 'timestamp') ?? '';
      const row = { repository_id: place.id, kind, timestamp };
      const counts = { count: numberIn(item, 'count') ?? 0, uniques: numberIn(item, 'uniques') ?? 0 };
      sight.learn('traffic', [place.id, kind, timestamp], { blank: { ...row, ...counts }, columns: {} });
    }
  };
}

function placesRead(kind: 'path' | 'referrer'): Watcher {
  return (sight, exchange) => {
    const place = placeOf(sight, exchange);
    if (!place) return;
    for (const item of itemsOf(exchange.response)) {
      const name = textIn(item, kind) ?? '';
      sight.learn('popular_places', [place.id, kind, name], {
        blank: {
          repository_id: place.id,
          kind,
          name,
          title: textIn(item, 'title') ?? null,
          count: numberIn(item, 'count') ?? 0,
          uniques: numberIn(item, 'uniques') ?? 0,
        },
        columns: {},
      });
    }
  };
}

/** What is on in a repository, as far as an answer, or its status, tells. */
function feature(
  name: 'vulnerability_alerts' | 'automated_security_fixes',
  isOn: (exchange: RecordedExchange) => boolean,
): Watcher {
  return (sight, exchange) => {
    const place = placeOf(sight, exchange);
    if (!place) return;
    sight.learn('repository_features', place.id, {
      blank: blankFeatures(place.id),
      columns: { [name]: isOn(exchange) },
    });
  };
}

function languagesRead(sight: Sight, exchange: RecordedExchange): void {
  const place = placeOf(sight, exchange);
  if (!place || !isJsonObject(exchange.response)) return;
  for (const [name, bytes] of Object.entries(exchange.response)) {
    const key = [place.id, name];
    if (typeof bytes !== 'number' || sight.tx.languages.has(key)) continue;
    sight.tx.languages.insert({ repository_id: place.id, name, bytes });
  }
}

function contributorsRead(sight: Sight, exchange: RecordedExchange): void {
  const place = placeOf(sight, exchange);
  if (!place) return;
  for (const item of itemsOf(exchange.response)) {
    if (numberIn(item, 'id') === undefined) continue;
    const user_id = seeAccount(sight, item);
    const contributions = numberIn(item, 'contributions') ?? 1;
    sight.learn('contributions', [place.id, user_id], {
      blank: { repository_id: place.id, user_id, contributions },
      columns: { contributions },
    });
  }
}

/** Contributors were listed, a page at a time. */
function contributorsListed(sight: Sight, exchange: RecordedExchange): void {
  const place = placeOf(sight, exchange);
  if (!place) return;
  contributorsRead(sight, exchange);
  const { tx } = sight;
  const strangers = itemsOf(exchange.response).filter(({ type }) => type === 'Anonymous').length;
  notePage(sight, exchange, {
    key: `contributors of ${place.id} ${String(place.asked.anon)}`,
    known: () =>
      strangers +
      [...tx.contributions.scan()].filter(({ repository_id }) => repository_id === place.id).length,
    fill() {
      const user_id = sight.freshId('accounts');
      tx.accounts.insert(blankAccount(user_id, `somebody-${user_id}`, UNSEEN_MOMENT));
      tx.contributions.insert({ repository_id: place.id, user_id, contributions: 1 });
    },
  });
}

function topicsRead(sight: Sight, exchange: RecordedExchange): void {
  const place = placeOf(sight, exchange);
  const repository = place && sight.tx.repositories.get(place.id);
  const names = isJsonObject(exchange.response) ? exchange.response.names : undefined;
  if (!place || !repository || !Array.isArray(names)) return;
  if (sight.first(`topics of ${place.id}`)) {
    sight.learn('repositories', place.id, { blank: repository, columns: { topics: names } });
  }
}

/** Runs and suites of checks were listed. */
function checksListed(sight: Sight, exchange: RecordedExchange): void {
  const place = placeOf(sight, exchange);
  if (!place) return;
  for (const suite of itemsOf(exchange.response, 'check_suites')) seeSuite(sight, place.id, suite);
  for (const run of itemsOf(exchange.response, 'check_runs')) seeRun(sight, place, run);
}

function seeSuite(sight: Sight, repository_id: number, suite: JsonObject): number {
  const id = numberIn(suite, 'id') ?? 0;
  const head_sha = textIn(suite, 'head_sha') ?? '';
  if (sight.isMade('check_suites', id)) return id;
  sight.learn('check_suites', id, {
    blank: {
      id,
      repository_id,
      head_branch: null,
      head_sha,
      before_sha: null,
      status: 'completed',
      conclusion: null,
      app: null,
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
    },
    columns: {
      head_branch: nullableTextIn(suite, 'head_branch'),
      before_sha: nullableTextIn(suite, 'before'),
      status: textIn(suite, 'status'),
      conclusion: nullableTextIn(suite, 'conclusion'),
      app: suite.app ?? undefined,
      created_at: textIn(suite, 'created_at'),
      updated_at: textIn(suite, 'updated_at'),
    },
  });
  return id;
}

function seeRun(
  sight: Sight,
  { id: repository_id, asked }: { id: number; asked: JsonObject },
  run: JsonObject,
): void {
  const id = numberIn(run, 'id') ?? 0;
  if (sight.isMade('check_runs', id)) return;
  // Runs stand under the commit that they were asked for by.
  const head_sha = String(asked.ref ?? run.head_sha);
  const suite = { ...objectIn(run, 'check_suite'), head_sha, app: run.app ?? null };
  const output = objectIn(run, 'output') ?? {};
  sight.learn('check_runs', id, {
    blank: {
      id,
      repository_id,
      suite_id: seeSuite(sight, repository_id, suite),
      head_sha,
      name: textIn(run, 'name') ?? '',
      external_id: textIn(run, 'external_id') ?? '',
      details_url: nullableTextIn(run, 'details_url') ?? null,
      status: textIn(run, 'status') ?? 'completed',
      conclusion: nullableTextIn(run, 'conclusion') ?? null,
      title: nullableTextIn(output, 'title') ?? null,
      summary: nullableTextIn(output, 'summary') ?? null,
      text: nullableTextIn(output, 'text') ?? null,
      annotations: [],
      actions: [],
      started_at: nullableTextIn(run, 'started_at') ?? null,
      completed_at: nullableTextIn(run, 'completed_at') ?? null,
    },
    columns: {},
  });
}

/** A repository that was made after a template has its default branch. */
function branchOf({ response }: RecordedExchange): string | undefined {
  return isJsonObject(response) ? textIn(response, 'default_branch') : undefined;
}

/** The order of topics that were set shows which of them stood there before. */
function topicsSet(sight: Sight, exchange: RecordedExchange): void {
  const place = placeOf(sight, exchange);
  if (!place || !sight.first(`topics of ${place.id}`)) return;
  const sent = exchange.request?.body;
  const wished = isJsonObject(sent ?? null) ? (sent as JsonObject).names : undefined;
  const shown = isJsonObject(exchange.response) ? exchange.response.names : undefined;
  if (!Array.isArray(wished) || !Array.isArray(shown) || isSame(wished, shown)) return;
  const repository = sight.tx.repositories.get(place.id);
  const moved = (shown as Json[]).slice(0, (shown as Json[]).length - 1);
  if (repository) sight.learn('repositories', place.id, { blank: repository, columns: { topics: moved } });
}

function isSame(one: readonly Json[], other: readonly Json[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

const made =
  (
    table:
      | 'check_runs'
      | 'check_suites'
      | 'deployments'
      | 'deployment_statuses'
      | 'deploy_keys'
      | 'autolinks'
      | 'commit_statuses',
  ): Maker =>
  (body) => [[table, body.id ?? 0]];

export const repositoryPartMakers: Readonly<Record<string, Maker>> = {
  'repos/create-or-update-environment': environmentMade,
  'checks/create': made('check_runs'),
  'checks/create-suite': made('check_suites'),
  'repos/create-deployment': made('deployments'),
  'repos/create-deployment-status': made('deployment_statuses'),
  'repos/create-deploy-key': made('deploy_keys'),
  'repos/create-autolink': made('autolinks'),
  'repos/create-commit-status': made('commit_statuses'),
};

export const repositoryPartWatchers: Readonly<Record<string, Watcher>> = {
  ...repositoryListWatchers,
  'repos/delete-an-environment': environmentCalled,
  'repos/list-deploy-keys': keysListed,
  'repos/get-deploy-key': keysListed,
  'repos/list-autolinks': linksListed,
  'repos/get-autolink': linksListed,
  'repos/get-views': trafficRead('views'),
  'repos/get-clones': trafficRead('clones'),
  'repos/get-top-paths': placesRead('path'),
  'repos/get-top-referrers': placesRead('referrer'),
  'repos/check-vulnerability-alerts': feature('vulnerability_alerts', ({ status }) => status === 204),
  'repos/check-automated-security-fixes': feature(
    'automated_security_fixes',
    ({ response }) => isJsonObject(response) && response.enabled === true,
  ),
  'repos/list-languages': languagesRead,
  'checks/list-for-ref': checksListed,
  'checks/list-suites-for-ref': checksListed,
  'repos/list-contributors': contributorsListed,
  'repos/get-all-topics': topicsRead,
  'repos/replace-all-topics': topicsSet,
  'repos/create-using-template': (sight, exchange) => {
    const { template_owner: owner = null, template_repo: repo = null } = askedOf(exchange);
    const id = exchange.status < 300 ? repositoryOf(sight, { owner, repo }) : undefined;
    const template = id === undefined ? undefined : sight.tx.repositories.get(id);
    if (template)
      sight.learn('repositories', template.id, {
        blank: template,
        columns: { is_template: true, default_branch: branchOf(exchange) },
      });
  },
};
