import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { nothing, shown } from '../output.ts';
import { idOf } from '../rules/ids.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import {
  checkedName,
  ENVIRONMENT_HOME,
  freshRow,
  type Home,
  organizationHome,
  type PlaceInput,
  pathOf,
  REPOSITORY_HOME,
  reaches,
  type Scope,
  variableView,
} from '../rules/secrets.ts';
import type { SecretApp, Variable } from '../schema/secrets.ts';
import { numberedPath } from '../views/repositories.ts';
import { selectedRepositoryOperations } from './selected-repositories.ts';

const ORGANIZATION_HOME = organizationHome('variables');
const IDS = z.array(z.union([z.int(), z.string()]));
const VISIBILITY = z.enum(['all', 'private', 'selected']);
const SEEDED = 'COLOUR';

interface VariablePlace {
  readonly app: SecretApp;
  readonly scope: Scope;
}

/** The five operations on variables of one product in one kind of place. */
function variableOperations(app: SecretApp, home: Home): readonly Operation[] {
  const path = pathOf(app, home, 'variables');
  const what = `variable of ${home.named === 'org' ? 'an organisation' : `a ${home.named}`}`;
  const named = { ...home.inputs, name: z.string() };
  const one = { ...home.example, name: SEEDED } as never;
  const at = (ctx: Reading, input: PlaceInput): Variable =>
    variableAt(ctx, { app, scope: home.open(ctx, input) }, String(input.name));
  return [
    operation({
      id: `${app}/list-${home.named}-variables`,
      summary: `Lists each ${what}.`,
      effect: 'read',
      http: { method: 'GET', path },
      input: z.looseObject({ ...home.inputs, ...PAGE }),
      output: shown('total_count', 'variables'),
      example: home.example,
      run: (ctx, input) => variablesOf(ctx, { app, scope: home.open(ctx, input) }, input),
    }),
    operation({
      id: `${app}/get-${home.named}-variable`,
      summary: `Reads a ${what}.`,
      effect: 'read',
      http: { method: 'GET', path: `${path}/{name}` },
      input: z.looseObject(named),
      output: shown('name', 'value'),
      example: one,
      run: (ctx, input) => variableView(ctx, at(ctx, input)),
    }),
    creatingOperation(app, home, path),
    updatingOperation(app, home, path),
    operation({
      id: `${app}/delete-${home.named}-variable`,
      summary: `Deletes a ${what}.`,
      effect: 'write',
      http: { method: 'DELETE', path: `${path}/{name}`, status: 204 },
      input: z.looseObject(named),
      output: nothing,
      example: one,
      run(ctx, input) {
        const { scope, name } = at(ctx, input);
        ctx.tx.variables.delete([app, scope, name]);
        return null;
      },
    }),
  ];
}

function creatingOperation(app: SecretApp, home: Home, path: string): Operation {
  const ofOrganization = home.named === 'org';
  return operation({
    id: `${app}/create-${home.named}-variable`,
    summary: `Makes a variable of ${app}.`,
    effect: 'write',
    http: { method: 'POST', path, status: 201 },
    input: z.looseObject({
      ...home.inputs,
      name: z.string(),
      value: z.string(),
      ...(ofOrganization && { visibility: VISIBILITY, selected_repository_ids: IDS.optional() }),
    }),
    output: shown(),
    example: {
      ...home.example,
      name: 'WARMTH',
      value: '2700K',
      ...(ofOrganization && { visibility: 'all' }),
    } as never,
    run(ctx, input) {
      const scope = home.open(ctx, input);
      const name = checkedName(ctx, input.name, 'Variable');
      refuseTaken(ctx, { app, scope }, name);
      const row = { ...freshRow(ctx, app, scope), ...selectionOf(input), name, value: input.value };
      ctx.tx.variables.insert(row);
      return {};
    },
  });
}

function updatingOperation(app: SecretApp, home: Home, path: string): Operation {
  return operation({
    id: `${app}/update-${home.named}-variable`,
    summary: `Changes a variable of ${app}: its value, its name, or whom it reaches.`,
    effect: 'write',
    http: { method: 'PATCH', path: `${path}/{name}`, status: 204 },
    input: z.looseObject({
      ...home.inputs,
      name: z.string(),
      value: z.string().optional(),
      visibility: VISIBILITY.optional(),
      selected_repository_ids: IDS.optional(),
    }),
    output: nothing,
    example: { ...home.example, name: SEEDED, value: 'green' } as never,
    run(ctx, input) {
      const scope = home.open(ctx, input);
      const row = variableAt(ctx, { app, scope }, input.name);
      ctx.tx.variables.update([app, row.scope, row.name], {
        ...(input.value !== undefined && { value: input.value }),
        ...(home.named === 'org' && selectionOf(input)),
        updated_at: momentText(ctx.nowMs),
      });
      return null;
    },
  });
}

function refuseTaken(ctx: Writing, { app, scope }: VariablePlace, name: string): void {
  if (!ctx.tx.variables.has([app, scope.scope, name])) return;
  ctx.fail('conflict', { message: 'Already exists - Variable already exists' });
}

function variableAt(ctx: Reading, { app, scope }: VariablePlace, name: string): Variable {
  return ctx.tx.variables.get([app, scope.scope, name.toUpperCase()]) ?? ctx.fail('not_found');
}

function variablesOf(ctx: Reading, { app, scope }: VariablePlace, input: PageInput & PlaceInput): JsonObject {
  const items = [...ctx.tx.variables.by('by_scope', [app, scope.scope])];
  const variables = paged(ctx, input, {
    items,
    path: `${scope.path}${'environment_name' in input ? '' : `/${app}`}/variables`,
    inPath: ['environment_name'],
    show: (row) => variableView(ctx, row),
  });
  return { total_count: items.length, variables };
}

function selectionOf({ visibility, selected_repository_ids: ids }: PlaceInput): Partial<Variable> {
  return {
    ...(visibility !== undefined && { visibility: visibility as Variable['visibility'] }),
    ...(Array.isArray(ids) && { selected_repository_ids: ids.map(idOf) }),
  };
}

const listOrganizationsOfRepository = operation({
  id: 'actions/list-repo-organization-variables',
  summary: 'Lists the variables of its organisation that reach a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/actions/organization-variables' },
  input: z.looseObject({ owner: z.string(), repo: z.string(), ...PAGE }),
  output: shown('total_count', 'variables'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'write');
    const all = ctx.tx.variables.by('by_scope', ['actions', `org:${repository.owner_id}`]);
    const items = [...all].filter((row) => reaches(row, repository));
    const variables = paged(ctx, input, {
      items,
      path: numberedPath(repository, '/actions/organization-variables'),
      show: ({ name, value, created_at, updated_at }) => ({ name, value, created_at, updated_at }),
    });
    return { total_count: items.length, variables };
  },
});

export const variableOperationList: readonly Operation[] = [
  ...(['actions', 'agents'] as const).flatMap((app) => [
    ...variableOperations(app, REPOSITORY_HOME),
    ...variableOperations(app, ORGANIZATION_HOME),
    ...selectedRepositoryOperations(app, 'variables'),
  ]),
  ...variableOperations('actions', ENVIRONMENT_HOME),
  listOrganizationsOfRepository,
];
