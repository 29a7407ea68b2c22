import type { JsonObject, RecordedExchange } from '../../../service/index.ts';
import { seeAccount } from './accounts.ts';
import { notePage } from './lists.ts';
import { askedOf, itemsOf, organizationOf, repositoryOf } from './places.ts';
import { seeRepository } from './repositories.ts';
import {
  flagIn,
  type Maker,
  nullableTextIn,
  numberIn,
  objectIn,
  type Sight,
  textIn,
  type Watcher,
} from './sight.ts';

const UNSEEN_MOMENT = '2015-01-01T00:00:00Z';

function learnAnalysis(sight: Sight, repository_id: number, object: JsonObject): void {
  const id = numberIn(object, 'id') ?? 0;
  sight.learn('scanning_analyses', id, {
    blank: {
      id,
      repository_id,
      ref: 'refs/heads/main',
      commit_sha: '0'.repeat(40),
      analysis_key: 'dynamic/github-code-scanning/codeql:analyze',
      environment: '{}',
      category: '',
      error: '',
      warning: '',
      results_count: 0,
      rules_count: 0,
      sarif_id: '',
      tool: { name: 'CodeQL', guid: null, version: null },
      created_at: UNSEEN_MOMENT,
    },
    columns: {
      ref: textIn(object, 'ref'),
      commit_sha: textIn(object, 'commit_sha'),
      analysis_key: textIn(object, 'analysis_key'),
      environment: textIn(object, 'environment'),
      category: textIn(object, 'category'),
      error: textIn(object, 'error'),
      warning: textIn(object, 'warning'),
      results_count: numberIn(object, 'results_count'),
      rules_count: numberIn(object, 'rules_count'),
      sarif_id: textIn(object, 'sarif_id'),
      tool: objectIn(object, 'tool'),
      created_at: textIn(object, 'created_at'),
    },
  });
}

const watchAnalyses: Watcher = (sight, exchange) => {
  const repository = exchange.status === 200 ? repositoryOf(sight, askedOf(exchange)) : undefined;
  if (repository === undefined) return;
  for (const item of itemsOf(exchange.response)) learnAnalysis(sight, repository, item);
  notePage(sight, exchange, {
    key: `analyses ${repository}`,
    known: () => [...sight.tx.scanning_analyses.by('by_repository', [repository])].length,
    fill: (after) => {
      let id = (numberIn(after ?? {}, 'id') ?? sight.freshId('scanning_analyses')) - 1;
      while (sight.tx.scanning_analyses.has(id)) id -= 1;
      learnAnalysis(sight, repository, { ...after, id });
    },
  });
};

/** An analysis that was found; one that cannot be deleted has a newer one of its kind. */
const watchAnalysis: Watcher = (sight, exchange) => {
  const asked = askedOf(exchange);
  const repository = exchange.status === 200 ? repositoryOf(sight, asked) : undefined;
  if (repository === undefined) return;
  const id = Number(asked.analysis_id);
  const [shown = {}] = itemsOf([exchange.response]);
  learnAnalysis(sight, repository, { ...shown, id });
  if (flagIn(shown, 'deletable') === false) {
    learnAnalysis(sight, repository, { ...shown, id: id + 1, created_at: laterThan(shown) });
  }
  // A deletion tells which one of its kind came before.
  const next = /\/analyses\/(\d+)/u.exec(String(shown.next_analysis_url ?? shown.confirm_delete_url))?.[1];
  if (next === undefined) return;
  sight.tx.scanning_analyses.update(id, { created_at: '2015-01-02T00:00:00Z' });
  learnAnalysis(sight, repository, { id: Number(next) });
  if (textIn(shown, 'next_analysis_url') !== undefined)
    learnAnalysis(sight, repository, { id: Number(next) - 1 });
};

function laterThan(object: JsonObject): string {
  const moment = Date.parse(textIn(object, 'created_at') ?? UNSEEN_MOMENT) + 1_000;
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}

function learnAlert(sight: Sight, repository_id: number, object: JsonObject): void {
  const number = numberIn(object, 'number') ?? 0;
  const dismisser = objectIn(object, 'dismissed_by');
  sight.learn('scanning_alerts', [repository_id, number], {
    blank: {
      repository_id,
      number,
      state: 'open',
      fixed_at: null,
      dismissed_by_id: null,
      dismissed_at: null,
      dismissed_reason: null,
      dismissed_comment: null,
      rule: {},
      tool: { name: 'CodeQL', guid: null, version: null },
      instance: {},
      created_at: UNSEEN_MOMENT,
      updated_at: UNSEEN_MOMENT,
    },
    columns: {
      state: textIn(object, 'state'),
      fixed_at: nullableTextIn(object, 'fixed_at'),
      dismissed_by_id: dismisser && seeAccount(sight, dismisser),
      dismissed_at: nullableTextIn(object, 'dismissed_at'),
      dismissed_reason: nullableTextIn(object, 'dismissed_reason'),
      dismissed_comment: nullableTextIn(object, 'dismissed_comment'),
      rule: objectIn(object, 'rule'),
      tool: objectIn(object, 'tool'),
      instance: objectIn(object, 'most_recent_instance'),
      created_at: textIn(object, 'created_at'),
      updated_at: textIn(object, 'updated_at'),
    },
  });
}

const watchAlerts: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const asked = askedOf(exchange);
  organizationOf(sight, asked);
  const items = Array.isArray(exchange.response) ? itemsOf(exchange.response) : itemsOf([exchange.response]);
  for (const item of items) {
    const home = objectIn(item, 'repository');
    const repository = home ? seeRepository(sight, home) : repositoryOf(sight, asked);
    if (repository !== undefined) learnAlert(sight, repository, item);
  }
};

/** Findings that were sent before. */
const watchSarif: Watcher = (sight, exchange) => {
  const asked = askedOf(exchange);
  const repository_id = exchange.status === 200 ? repositoryOf(sight, asked) : undefined;
  const [shown = {}] = itemsOf([exchange.response]);
  if (repository_id === undefined || typeof asked.sarif_id !== 'string') return;
  const row = { id: asked.sarif_id, repository_id, processing_status: 'complete', errors: null };
  sight.learn('sarif_uploads', asked.sarif_id, {
    blank: { ...row, created_at: UNSEEN_MOMENT },
    columns: { processing_status: textIn(shown, 'processing_status'), errors: shown.errors },
  });
};

function learnMigration(
  sight: Sight,
  { id, account_id }: { readonly id: number; readonly account_id: number },
  object: JsonObject,
): void {
  const ids = itemsOf(object, 'repositories').map((item) => seeRepository(sight, item));
  const { id: _, repositories, ...options } = object;
  sight.learn('migrations', id, {
    blank: {
      id,
      account_id,
      guid: textIn(object, 'guid') ?? '',
      state: textIn(object, 'state') ?? 'exported',
      ready_ms: null,
      has_archive: true,
      options,
      repository_ids: ids,
      locked_ids: object.lock_repositories === true ? ids : [],
      created_at: textIn(object, 'created_at') ?? UNSEEN_MOMENT,
      updated_at: textIn(object, 'updated_at') ?? UNSEEN_MOMENT,
    },
    columns: { repository_ids: repositories === undefined ? undefined : ids },
  });
}

function ownerOf(sight: Sight, exchange: RecordedExchange): number {
  const asked = askedOf(exchange);
  return asked.org === undefined ? sight.viewerId : organizationOf(sight, asked);
}

const watchMigration: Watcher = (sight, exchange) => {
  if (exchange.status >= 400) return;
  const asked = askedOf(exchange);
  const owner = ownerOf(sight, exchange);
  const id = Number(asked.migration_id);
  const named = typeof asked.repo_name === 'string' ? asked.repo_name.toLowerCase() : undefined;
  const [shown = {}] = itemsOf([exchange.response]);
  if (exchange.operation?.includes('list-repos') === true) {
    learnMigration(sight, { id, account_id: owner }, { repositories: exchange.response });
    return;
  }
  learnMigration(sight, { id, account_id: owner }, shown);
  if (named === undefined) return;
  const login = sight.tx.accounts.get(owner)?.login ?? '';
  const repository = repositoryOf(sight, { owner: login, repo: named });
  const row = sight.tx.migrations.get(id);
  if (row && repository !== undefined) {
    sight.tx.migrations.update(id, { locked_ids: [...row.locked_ids, repository] });
  }
};

const watchMigrations: Watcher = (sight, exchange) => {
  if (exchange.status !== 200) return;
  const owner = ownerOf(sight, exchange);
  for (const item of itemsOf(exchange.response)) {
    const shown = objectIn(item, 'owner');
    const account_id = shown ? seeAccount(sight, shown) : owner;
    learnMigration(sight, { id: numberIn(item, 'id') ?? 0, account_id }, item);
  }
  notePage(sight, exchange, {
    key: `migrations ${owner}`,
    isMade: (item) => sight.isMade('migrations', numberIn(item, 'id') ?? 0),
    known: () => [...sight.tx.migrations.by('by_account', [owner])].length,
    fill: (after) => {
      let id = (numberIn(after ?? {}, 'id') ?? sight.freshId('migrations')) - 1;
      while (sight.tx.migrations.has(id)) id -= 1;
      learnMigration(sight, { id, account_id: owner }, {});
    },
  });
};

const MIGRATIONS = [
  'get-status',
  'list-repos',
  'download-archive',
  'get-archive',
  'delete-archive',
  'unlock-repo',
];

export const scanningWatchers: Readonly<Record<string, Watcher>> = {
  'code-scanning/list-recent-analyses': watchAnalyses,
  'code-scanning/get-analysis': watchAnalysis,
  'code-scanning/delete-analysis': watchAnalysis,
  'code-scanning/list-alerts-for-org': watchAlerts,
  'code-scanning/list-alerts-for-repo': watchAlerts,
  'code-scanning/get-alert': watchAlerts,
  'code-scanning/update-alert': watchAlerts,
  'code-scanning/get-sarif': watchSarif,
  'migrations/list-for-org': watchMigrations,
  'migrations/list-for-authenticated-user': watchMigrations,
  ...Object.fromEntries(
    MIGRATIONS.flatMap((name) => [
      [`migrations/${name}-for-org`, watchMigration],
      [`migrations/${name}-for-authenticated-user`, watchMigration],
    ]),
  ),
};

const made: Maker = (body) => [['migrations', body.id ?? 0]];

export const scanningMakers: Readonly<Record<string, Maker>> = {
  'migrations/start-for-org': made,
  'migrations/start-for-authenticated-user': made,
  'code-scanning/upload-sarif': (body) => [['sarif_uploads', body.id ?? '']],
};
