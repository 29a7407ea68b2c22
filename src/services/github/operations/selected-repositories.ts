import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import { organizationHome, type PlaceInput, type Scope, viewerScope } from '../rules/secrets.ts';
import type { SecretApp, Variable } from '../schema/secrets.ts';
import { minimalRepository } from '../views/repositories.ts';

type Kind = 'secrets' | 'variables';
type Row = Pick<Variable, 'name' | 'selected_repository_ids' | 'visibility'>;

/** Where rows with selected repositories are: an organisation's, or a person's codespaces. */
interface Selecting {
  readonly app: SecretApp;
  readonly kind: Kind;
  readonly path: string;
  /** The parameter that names the row. */
  readonly parameter: 'secret_name' | 'name';
  readonly inputs: Readonly<Record<string, z.ZodType>>;
  readonly example: JsonObject;
  readonly ids: readonly [list: string, set: string, add: string, remove: string];
  readonly open: (ctx: Reading, input: PlaceInput) => Scope;
}

const REPOSITORY_IDS = z.array(z.union([z.int(), z.string()]));

/** The four operations on the repositories that a secret or variable of an organisation reaches. */
export function selectedRepositoryOperations(app: SecretApp, kind: Kind): readonly Operation[] {
  const home = organizationHome(kind);
  const parameter = kind === 'secrets' ? 'secret_name' : 'name';
  const noun = kind === 'secrets' ? 'secret' : 'variable';
  return operationsOn({
    app,
    kind,
    parameter,
    path: `${home.path}/${app}/${kind}/{${parameter}}/repositories`,
    inputs: { ...home.inputs, [parameter]: z.string() },
    example: { ...home.example, [parameter]: kind === 'secrets' ? 'SHARED_KEY' : 'SHARED_COLOUR' },
    ids: [
      `${app}/list-selected-repos-for-org-${noun}`,
      `${app}/set-selected-repos-for-org-${noun}`,
      `${app}/add-selected-repo-to-org-${noun}`,
      `${app}/remove-selected-repo-from-org-${noun}`,
    ],
    open: (ctx, input) => home.open(ctx, input),
  });
}

/** The same of a person's secrets for codespaces. */
export const viewerRepositoryOperations = operationsOn({
  app: 'codespaces',
  kind: 'secrets',
  parameter: 'secret_name',
  path: '/user/codespaces/secrets/{secret_name}/repositories',
  inputs: { secret_name: z.string() },
  example: { secret_name: 'DEPLOY_KEY' },
  ids: [
    'codespaces/list-repositories-for-secret-for-authenticated-user',
    'codespaces/set-repositories-for-secret-for-authenticated-user',
    'codespaces/add-repository-for-secret-for-authenticated-user',
    'codespaces/remove-repository-for-secret-for-authenticated-user',
  ],
  open: (ctx) => viewerScope(ctx),
});

function operationsOn(selecting: Selecting): readonly Operation[] {
  const { inputs, example, path, ids } = selecting;
  const [list, set, add, remove] = ids;
  const one = { ...example, repository_id: 990_000_001 };
  const oneInputs = { ...inputs, repository_id: z.union([z.int(), z.string()]) };
  return [
    operation({
      id: list,
      summary: 'Lists the repositories that a shared value reaches.',
      effect: 'read',
      http: { method: 'GET', path },
      input: z.looseObject({ ...inputs, ...PAGE }),
      output: shown('total_count', 'repositories'),
      example,
      run: (ctx, input) => listRepositories(ctx, selecting, input),
    }),
    operation({
      id: set,
      summary: 'Sets the repositories that a shared value reaches.',
      effect: 'write',
      http: { method: 'PUT', path, status: 204 },
      input: z.looseObject({ ...inputs, selected_repository_ids: REPOSITORY_IDS }),
      output: nothing,
      example: { ...example, selected_repository_ids: [990_000_001] } as never,
      run: (ctx, input) => changeSelection(ctx, { selecting, input }, () => input.selected_repository_ids),
    }),
    operation({
      id: add,
      summary: 'Adds a repository to those that a shared value reaches.',
      effect: 'write',
      http: { method: 'PUT', path: `${path}/{repository_id}`, status: 204 },
      input: z.looseObject(oneInputs),
      output: nothing,
      example: one as never,
      run: (ctx, input) =>
        changeSelection(ctx, { selecting, input }, (ids) => [...ids, idOf(input.repository_id)]),
    }),
    operation({
      id: remove,
      summary: 'Takes a repository from those that a shared value reaches.',
      effect: 'write',
      http: { method: 'DELETE', path: `${path}/{repository_id}`, status: 204 },
      input: z.looseObject(oneInputs),
      output: nothing,
      example: one as never,
      run: (ctx, input) =>
        changeSelection(ctx, { selecting, input }, (ids) =>
          ids.filter((id) => id !== idOf(input.repository_id)),
        ),
    }),
  ];
}

function listRepositories(ctx: Reading, selecting: Selecting, input: PlaceInput & PageInput): JsonObject {
  const { scope, row } = rowOf(ctx, selecting, input);
  const items = row.selected_repository_ids
    .map((id) => ctx.tx.repositories.get(id))
    .filter((repository) => repository !== undefined);
  const { app, kind, parameter } = selecting;
  const repositories = paged(ctx, input, {
    items,
    path: `${scope.path}/${app}/${kind}/${row.name}/repositories`,
    inPath: [parameter],
    show: (repository) => minimalRepository(ctx, repository),
  });
  return { total_count: items.length, repositories };
}

function changeSelection(
  ctx: Writing,
  { selecting, input }: { readonly selecting: Selecting; readonly input: PlaceInput },
  change: (ids: readonly number[]) => readonly (number | string)[],
): null {
  const { scope, row } = rowOf(ctx, selecting, input);
  const single = input.repository_id !== undefined;
  if (row.visibility !== 'selected' && row.visibility !== null) {
    ctx.fail('conflict', { message: `Conflict: visibility is ${row.visibility}, not selected.` });
  }
  const ids = [...new Set(change(row.selected_repository_ids).map(idOf))];
  if (single && !ctx.tx.repositories.has(idOf(input.repository_id))) ctx.fail('not_found');
  const key = [selecting.app, scope.scope, row.name];
  const columns = { selected_repository_ids: ids.filter((id) => ctx.tx.repositories.has(id)) };
  if (selecting.kind === 'secrets') ctx.tx.secrets.update(key, columns);
  else ctx.tx.variables.update(key, columns);
  return null;
}

function rowOf(
  ctx: Reading,
  { app, kind, parameter, open }: Selecting,
  input: PlaceInput,
): { readonly scope: Scope; readonly row: Row } {
  const scope = open(ctx, input);
  const key = [app, scope.scope, String(input[parameter]).toUpperCase()];
  const row = kind === 'secrets' ? ctx.tx.secrets.get(key) : ctx.tx.variables.get(key);
  return { scope, row: row ?? ctx.fail('not_found') };
}
