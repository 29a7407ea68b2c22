import { z } from 'zod';
import { digestText, isJsonObject, type JsonObject, type Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { freshId, idOf } from '../rules/ids.ts';
import { requireHiddenOwner } from '../rules/organizations.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { findRepository } from '../rules/repositories.ts';
import { organizationNamed, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Migration } from '../schema/migrations.ts';
import { simpleUser } from '../views/accounts.ts';
import { globalId } from '../views/node-ids.ts';
import { minimalRepository } from '../views/repositories.ts';
import { API } from '../views/urls.ts';

/** Whose migrations: an organisation's, for its owners, or the caller's own. */
interface Form {
  readonly base: string;
  readonly inputs: Readonly<Record<string, z.ZodType>>;
  readonly example: JsonObject;
  readonly migration: number;
  readonly suffix: string;
  readonly open: (ctx: Reading, input: Readonly<Record<string, unknown>>) => Account;
}

const OF_ORGANIZATION: Form = {
  base: '/orgs/{org}/migrations',
  inputs: { org: z.string() },
  example: { org: 'octo-works' },
  migration: 1_700_001,
  suffix: 'org',
  open(ctx, input) {
    const org = organizationNamed(ctx, String(input.org));
    requireHiddenOwner(ctx, org);
    return org;
  },
};

const OF_VIEWER: Form = {
  base: '/user/migrations',
  inputs: {},
  example: {},
  migration: 1_700_002,
  suffix: 'authenticated-user',
  open: (ctx) => requireViewer(ctx),
};

const NUMBER = { migration_id: z.union([z.int(), z.string()]) };
const FLAGS = [
  'lock_repositories',
  'exclude_metadata',
  'exclude_git_data',
  'exclude_attachments',
  'exclude_releases',
  'exclude_owner_projects',
  'org_metadata_only',
] as const;
const EXPORT_MS = 12_000;

function stateOf({ state, ready_ms }: Migration, nowMs: number): string {
  if (ready_ms === null) return state;
  return nowMs >= ready_ms ? 'exported' : nowMs >= ready_ms - EXPORT_MS / 2 ? 'exporting' : 'pending';
}

function migrationView(ctx: Reading, owner: Account, row: Migration): JsonObject {
  const base = owner.type === 'Organization' ? `${API}/orgs/${owner.login}` : `${API}/user`;
  const url = `${base}/migrations/${row.id}`;
  const state = stateOf(row, ctx.nowMs);
  const options = isJsonObject(row.options) ? row.options : {};
  return {
    id: row.id,
    node_id: globalId('M', [0, row.id]),
    owner: simpleUser(owner),
    guid: row.guid,
    state,
    ...Object.fromEntries(FLAGS.map((name) => [name, options[name] === true])),
    repositories: row.repository_ids
      .map((id) => ctx.tx.repositories.get(id))
      .filter((repository) => repository !== undefined)
      .map((repository) => minimalRepository(ctx, repository)),
    url,
    ...(state === 'exported' && row.has_archive && { archive_url: `${url}/archive` }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function migrationAt(ctx: Reading, owner: Account, id: unknown): Migration {
  const row = ctx.tx.migrations.get(idOf(id));
  return row?.account_id === owner.id ? row : ctx.fail('not_found');
}

function startMigration(ctx: Writing, owner: Account, input: Readonly<Record<string, unknown>>): JsonObject {
  const names = (input.repositories as readonly string[]).map((name) => name.split('/'));
  const repositories = names.map(([login = '', name]) =>
    findRepository(
      ctx,
      name === undefined ? { owner: owner.login, repo: login } : { owner: login, repo: name },
    ),
  );
  if (repositories.length === 0 || repositories.some((repository) => repository?.owner_id !== owner.id)) {
    ctx.fail('validation_failed', {
      errors: [{ resource: 'Migration', code: 'invalid', field: 'repositories' }],
    });
  }
  const ids = repositories.flatMap((repository) => (repository ? [repository.id] : []));
  const moment = momentText(ctx.nowMs);
  const id = freshId(ctx, 'migrations');
  const hex = digestText(`migration ${id}`);
  const row = ctx.tx.migrations.insert({
    id,
    account_id: owner.id,
    guid: [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
      '-',
    ),
    state: 'pending',
    ready_ms: ctx.nowMs + EXPORT_MS,
    has_archive: true,
    options: Object.fromEntries(FLAGS.map((name) => [name, input[name] === true])),
    repository_ids: ids,
    locked_ids: input.lock_repositories === true ? ids : [],
    created_at: moment,
    updated_at: moment,
  });
  const view = migrationView(ctx, owner, row);
  ctx.reply({ facts: { location: view.url ?? API } });
  return view;
}

function mainOperations({ base, inputs, example, migration, suffix, open }: Form): readonly Operation[] {
  const one = { ...inputs, ...NUMBER };
  const first = { ...example, migration_id: migration } as never;
  const repositoriesExample = suffix === 'org' ? ['octo-works/lamp'] : ['mona/dotfiles'];
  return [
    operation({
      id: `migrations/list-for-${suffix}`,
      summary: 'Lists migrations, the newest first.',
      effect: 'read',
      http: { method: 'GET', path: base },
      input: z.looseObject({ ...inputs, ...PAGE }),
      output: listOf('id', 'state', 'repositories'),
      example,
      run(ctx, input) {
        const owner = open(ctx, input);
        const items = [...ctx.tx.migrations.by('by_account', [owner.id], { reverse: true })];
        const path = suffix === 'org' ? `/organizations/${owner.id}/migrations` : base;
        return paged(ctx, input, { items, path, show: (row) => migrationView(ctx, owner, row) });
      },
    }),
    operation({
      id: `migrations/start-for-${suffix}`,
      summary: 'Packs repositories up.',
      effect: 'write',
      http: { method: 'POST', path: base, status: 201 },
      input: z.looseObject({
        ...inputs,
        repositories: z.array(z.string()),
        ...Object.fromEntries(FLAGS.map((name) => [name, z.boolean().optional()])),
      }),
      output: shown('id', 'state', 'repositories'),
      example: { ...example, repositories: repositoriesExample } as never,
      run: (ctx, input) => startMigration(ctx, open(ctx, input), input),
    }),
    operation({
      id: `migrations/get-status-for-${suffix}`,
      summary: 'Reads how far a migration is.',
      effect: 'read',
      http: { method: 'GET', path: `${base}/{migration_id}` },
      input: z.looseObject(one),
      output: shown('id', 'state', 'repositories'),
      example: first,
      run(ctx, input) {
        const owner = open(ctx, input);
        return migrationView(ctx, owner, migrationAt(ctx, owner, input.migration_id));
      },
    }),
    operation({
      id: `migrations/list-repos-for-${suffix}`,
      summary: 'Lists the repositories of a migration.',
      effect: 'read',
      http: { method: 'GET', path: `${base}/{migration_id}/repositories` },
      input: z.looseObject({ ...one, ...PAGE }),
      output: listOf('id', 'full_name'),
      example: first,
      run(ctx, input) {
        const row = migrationAt(ctx, open(ctx, input), input.migration_id);
        const items = row.repository_ids
          .map((id) => ctx.tx.repositories.get(id))
          .filter((repository) => repository !== undefined);
        const path = `${base.replace('/orgs/{org}', `/organizations/${row.account_id}`)}/${row.id}/repositories`;
        const inPath = ['migration_id'];
        return paged(ctx, input, { items, path, inPath, show: (found) => minimalRepository(ctx, found) });
      },
    }),
  ];
}

function archiveOperations({ base, inputs, example, migration, suffix, open }: Form): readonly Operation[] {
  const one = { ...inputs, ...NUMBER };
  const first = { ...example, migration_id: migration } as never;
  const archive = `${base}/{migration_id}/archive`;
  return [
    operation({
      id: suffix === 'org' ? 'migrations/download-archive-for-org' : `migrations/get-archive-for-${suffix}`,
      summary: 'Sends the caller to what was packed up.',
      effect: 'read',
      http: { method: 'GET', path: archive, status: 302 },
      input: z.looseObject(one),
      output: z.literal(''),
      example: first,
      run(ctx, input): '' {
        const row = migrationAt(ctx, open(ctx, input), input.migration_id);
        if (stateOf(row, ctx.nowMs) !== 'exported' || !row.has_archive) return ctx.fail('not_found');
        const location = `https://github-cloud.s3.amazonaws.com/migration/${row.id}?X-Amz-Expires=300`;
        ctx.reply({ form: 'text', headers: { location, 'content-type': 'text/html;charset=utf-8' } });
        return '';
      },
    }),
    operation({
      id: `migrations/delete-archive-for-${suffix}`,
      summary: 'Deletes what was packed up.',
      effect: 'write',
      http: { method: 'DELETE', path: archive, status: 204 },
      input: z.looseObject(one),
      output: nothing,
      example: first,
      run(ctx, input) {
        const row = migrationAt(ctx, open(ctx, input), input.migration_id);
        if (!row.has_archive) ctx.fail('not_found');
        ctx.tx.migrations.update(row.id, { has_archive: false });
        return null;
      },
    }),
    operation({
      id: `migrations/unlock-repo-for-${suffix}`,
      summary: 'Lets people work on a repository again that was packed up.',
      effect: 'write',
      http: { method: 'DELETE', path: `${base}/{migration_id}/repos/{repo_name}/lock`, status: 204 },
      input: z.looseObject({ ...one, repo_name: z.string() }),
      output: nothing,
      example: {
        ...example,
        migration_id: migration,
        repo_name: suffix === 'org' ? 'lamp' : 'dotfiles',
      } as never,
      run(ctx, input) {
        const owner = open(ctx, input);
        const row = migrationAt(ctx, owner, input.migration_id);
        const named = { owner: owner.login, repo: String(input.repo_name) };
        const repository = findRepository(ctx, named);
        if (!repository || !row.locked_ids.includes(repository.id)) return ctx.fail('not_found');
        ctx.tx.migrations.update(row.id, { locked_ids: row.locked_ids.filter((id) => id !== repository.id) });
        return null;
      },
    }),
  ];
}

export const migrationOperations: readonly Operation[] = [OF_ORGANIZATION, OF_VIEWER].flatMap((form) => [
  ...mainOperations(form),
  ...archiveOperations(form),
]);
