import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import {
  checkedName,
  ENVIRONMENT_HOME,
  freshRow,
  type Home,
  organizationHome,
  type PlaceInput,
  pathOf,
  publicKeyOf,
  REPOSITORY_HOME,
  reaches,
  type Scope,
  secretView,
} from '../rules/secrets.ts';
import { SECRET_APPS, type Secret, type SecretApp } from '../schema/secrets.ts';
import { selectedRepositoryOperations } from './selected-repositories.ts';

const ORGANIZATION_HOME = organizationHome('secrets');
const NAMED = { secret_name: z.string() };
const SEALED = { encrypted_value: z.string(), key_id: z.string() };
const SELECTION = {
  visibility: z.enum(['all', 'private', 'selected']),
  selected_repository_ids: z.array(z.union([z.int(), z.string()])).optional(),
};
/** A secret of the small seed, and one that is not there. */
const SEEDED = 'DEPLOY_KEY';

/** The five operations on secrets of one product in one kind of place. */
function secretOperations(app: SecretApp, home: Home): readonly Operation[] {
  const path = pathOf(app, home, 'secrets');
  const what = `secret of ${app}, of ${home.named === 'org' ? 'an organisation' : `a ${home.named}`}`;
  const one = { ...home.example, secret_name: SEEDED };
  return [
    operation({
      id: `${app}/list-${home.named}-secrets`,
      summary: `Lists each ${what}, without its value.`,
      effect: 'read',
      http: { method: 'GET', path },
      input: z.looseObject({ ...home.inputs, ...PAGE }),
      output: shown('total_count', 'secrets'),
      example: home.example,
      run: (ctx, input) => secretsOf(ctx, { app, scope: home.open(ctx, input) }, input),
    }),
    operation({
      id: `${app}/get-${home.named}-public-key`,
      summary: `Reads the key to seal a ${what} with.`,
      effect: 'read',
      http: { method: 'GET', path: `${path}/public-key` },
      input: z.looseObject(home.inputs),
      output: shown('key_id', 'key'),
      example: home.example,
      run: (ctx, input) => publicKeyOf(app, home.open(ctx, input)),
    }),
    operation({
      id: `${app}/get-${home.named}-secret`,
      summary: `Reads a ${what}, without its value.`,
      effect: 'read',
      http: { method: 'GET', path: `${path}/{secret_name}` },
      input: z.looseObject({ ...home.inputs, ...NAMED }),
      output: shown('name', 'created_at', 'updated_at'),
      example: one,
      run: (ctx, input) =>
        secretView(ctx, secretAt(ctx, { app, scope: home.open(ctx, input) }, input.secret_name)),
    }),
    settingOperation(app, home, path),
    operation({
      id: `${app}/delete-${home.named}-secret`,
      summary: `Deletes a ${what}.`,
      effect: 'write',
      http: { method: 'DELETE', path: `${path}/{secret_name}`, status: 204 },
      input: z.looseObject({ ...home.inputs, ...NAMED }),
      output: nothing,
      example: one,
      run(ctx, input) {
        const { scope } = home.open(ctx, input);
        const key = [app, scope, input.secret_name.toUpperCase()];
        // The one refusal that says nothing.
        if (!ctx.tx.secrets.has(key)) ctx.fail('not_found', { wordless: true });
        ctx.tx.secrets.delete(key);
        return null;
      },
    }),
  ];
}

/** Making and replacing: 201 with an empty object for a new name, 204 for one that is there. */
function settingOperation(app: SecretApp, home: Home, path: string): Operation {
  const ofOrganization = home.named === 'org';
  return operation({
    id: `${app}/create-or-update-${home.named}-secret`,
    summary: `Sets a secret of ${app}.`,
    effect: 'write',
    http: { method: 'PUT', path: `${path}/{secret_name}`, status: 201 },
    input: z.looseObject({ ...home.inputs, ...NAMED, ...SEALED, ...(ofOrganization && SELECTION) }),
    output: z.union([nothing, shown()]),
    // What is sealed is sealed differently every time.
    unhashedInputs: ['encrypted_value'],
    example: {
      ...home.example,
      secret_name: 'NEW_KEY',
      encrypted_value: 'c2VhbGVk',
      key_id: '1',
      ...(ofOrganization && { visibility: 'all' }),
    } as never,
    run: (ctx, input) => setSecret(ctx, { app, scope: home.open(ctx, input) }, input),
  });
}

interface SecretPlace {
  readonly app: SecretApp;
  readonly scope: Scope;
}

function secretsOf(ctx: Reading, { app, scope }: SecretPlace, input: PageInput & PlaceInput): JsonObject {
  const items = [...ctx.tx.secrets.by('by_scope', [app, scope.scope])];
  const secrets = paged(ctx, input, {
    items,
    path: `${scope.path}${'environment_name' in input ? '' : `/${app}`}/secrets`,
    inPath: ['environment_name'],
    show: (row) => secretView(ctx, row),
  });
  return { total_count: items.length, secrets };
}

function secretAt(ctx: Reading, { app, scope }: SecretPlace, name: string): Secret {
  return ctx.tx.secrets.get([app, scope.scope, name.toUpperCase()]) ?? ctx.fail('not_found');
}

function setSecret(ctx: Writing, { app, scope }: SecretPlace, input: PlaceInput): JsonObject | null {
  const name = checkedName(ctx, String(input.secret_name), 'Secret');
  const key = [app, scope.scope, name];
  const sealed = {
    encrypted_value: String(input.encrypted_value),
    key_id: String(input.key_id),
    ...selectionOf(input),
  };
  if (ctx.tx.secrets.has(key)) {
    ctx.tx.secrets.update(key, { ...sealed, updated_at: momentText(ctx.nowMs) });
    ctx.reply({ status: 204 });
    return null;
  }
  ctx.tx.secrets.insert({ ...freshRow(ctx, app, scope), ...sealed, name });
  return {};
}

function selectionOf({ visibility, selected_repository_ids: ids }: PlaceInput): Partial<Secret> {
  return {
    ...(visibility !== undefined && { visibility: visibility as Secret['visibility'] }),
    ...(Array.isArray(ids) && { selected_repository_ids: ids.map(idOf) }),
  };
}

const listOrganizationsOfRepository = operation({
  id: 'actions/list-repo-organization-secrets',
  summary: 'Lists the secrets of its organisation that reach a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/organization-secrets' },
  input: z.looseObject({ owner: z.string(), repo: z.string(), ...PAGE }),
  output: shown('total_count', 'secrets'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const { repository, path } = REPOSITORY_HOME.open(ctx, input);
    const items = repository
      ? [...ctx.tx.secrets.by('by_scope', ['actions', `org:${repository.owner_id}`])].filter((row) =>
          reaches(row, repository),
        )
      : [];
    const secrets = paged(ctx, input, {
      items,
      path: `${path}/actions/organization-secrets`,
      show: ({ name, created_at, updated_at }) => ({ name, created_at, updated_at }),
    });
    return { total_count: items.length, secrets };
  },
});

export const secretOperationList: readonly Operation[] = [
  ...SECRET_APPS.flatMap((app) => [
    ...secretOperations(app, REPOSITORY_HOME),
    ...secretOperations(app, ORGANIZATION_HOME),
    ...selectedRepositoryOperations(app, 'secrets'),
  ]),
  ...secretOperations('actions', ENVIRONMENT_HOME),
  listOrganizationsOfRepository,
];
