import { z } from 'zod';
import {
  type GraphqlAnswer,
  type GraphqlProblem,
  type GraphqlSize,
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  ProviderError,
  readGraphql,
} from '../../../service/index.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { shown } from '../output.ts';
import { requireViewer } from '../rules/viewer.ts';
import { GraphError, graphOver } from './graph.ts';
import { mutationRoot } from './mutations/index.ts';
import { queryRoot } from './queries.ts';
import { schemaOfGraph } from './sdl/index.ts';

const REQUEST = {
  query: z.string(),
  variables: z.record(z.string(), z.json()).nullish(),
  operationName: z.string().nullish(),
};

type Request = z.infer<z.ZodObject<typeof REQUEST>>;

/** The graph over these REST operations: one to change things too, and one that only reads, for tools. */
export function graphOperations(rest: readonly Operation[]): readonly Operation[] {
  const byId = new Map(rest.map((one) => [one.id, one]));
  const example = { query: '{ viewer { login } }' };
  return [
    operation({
      id: 'graphql',
      summary: 'Answers a GraphQL request.',
      effect: 'write',
      http: {
        method: 'POST',
        path: '/graphql',
        aliases: [{ path: '/api/graphql', values: {} }],
      },
      input: z.looseObject(REQUEST),
      output: shown(),
      example,
      run: (ctx, input) => answered(ctx, byId, { request: input }),
    }),
    operation({
      id: 'graphql/query',
      summary: 'Answers a GraphQL request that only reads.',
      effect: 'read',
      input: z.looseObject(REQUEST),
      output: shown(),
      example,
      run: (ctx, input) => answered(ctx as Writing, byId, { request: input, readsOnly: true }),
    }),
  ];
}

function answered(
  ctx: Writing,
  operations: ReadonlyMap<string, Operation>,
  { request: asked, readsOnly = false }: { readonly request: Request; readonly readsOnly?: boolean },
): JsonObject {
  requireViewer(ctx);
  const { query, variables, operationName } = asked;
  const request = readGraphql(schemaOfGraph(), {
    query,
    variables: variables ?? {},
    ...(typeof operationName === 'string' && operationName !== '' && { operationName }),
  });
  if (!('run' in request))
    return { errors: request.problems.map((problem) => refusal(problem, request.stage)) };
  if (readsOnly && request.kind !== 'query') {
    return ctx.fail('unprocessable', { message: 'Only queries are answered here.' });
  }
  const excess = excessOf(request.size);
  if (excess) return { errors: [excess] };
  const graph = graphOver(ctx, operations);
  let changes = 0;
  const root = { ...queryRoot(graph), ...mutationRoot(graph, () => (changes += 1)) };
  const answer = request.run(root);
  if (answer.problems.length === 0) return { data: answer.data ?? null };
  const body = withErrors(ctx, answer);
  // Changes that failed leave nothing behind.
  if (request.kind === 'mutation' && changes === 0) return ctx.fail('graph_errors', { body });
  return body;
}

/** Nodes that one request may ask for at most, as documented. */
const NODES_MOST = 500_000;
/** Fields of one request; a bound of GitHub's own that it does not tell. */
const FIELDS_MOST = 50_000;

/** What is said of a request that asks for too much at once. */
function excessOf({ nodes, fields }: GraphqlSize): JsonObject | null {
  if (nodes > NODES_MOST) {
    const [asked, most] = [nodes, NODES_MOST].map((count) => String(count).replace(/\B(?=(\d{3})+$)/gu, ','));
    const message = `This query requests up to ${asked} possible nodes`;
    return {
      type: 'MAX_NODE_LIMIT_EXCEEDED',
      message: `${message} which exceeds the maximum limit of ${most}.`,
    };
  }
  if (fields <= FIELDS_MOST) return null;
  return { type: 'RESOURCE_LIMITS_EXCEEDED', message: 'Resource limits for this query exceeded.' };
}

/** What was told, and what could not be. */
function withErrors(ctx: Reading, { data, problems }: GraphqlAnswer): JsonObject {
  return { data: data ?? null, errors: problems.map((problem) => errorOf(ctx, problem)) };
}

function errorOf(_ctx: Reading, problem: GraphqlProblem): JsonObject {
  const { type, message } = reasonOf(problem);
  return {
    ...(type !== null && { type }),
    ...(problem.path && { path: [...problem.path] }),
    ...(problem.locations && { locations: problem.locations.map((location) => ({ ...location })) }),
    message,
  };
}

const TYPES: Readonly<Record<string, string>> = {
  not_found: 'NOT_FOUND',
  absent: 'NOT_FOUND',
  moved: 'NOT_FOUND',
  forbidden: 'FORBIDDEN',
  login_required: 'FORBIDDEN',
};

/** Why a field was not told: in the graph's own words, or in those of the rule that refused. */
function reasonOf({ cause, message }: GraphqlProblem): { type: string | null; message: string } {
  if (cause instanceof GraphError) return { type: cause.type, message: cause.message };
  if (!(cause instanceof ProviderError)) {
    if (cause) throw cause;
    return { type: null, message };
  }
  const type = TYPES[cause.code] ?? 'UNPROCESSABLE';
  const errors: Json = isJsonObject(cause.details ?? null)
    ? ((cause.details as JsonObject).errors ?? [])
    : [];
  const said = Array.isArray(errors) ? errors.map(wordsOf).filter((words) => words !== '') : [];
  return { type, message: said.length > 0 ? said.join(', ') : cause.message };
}

function wordsOf(error: Json): string {
  if (!isJsonObject(error)) return String(error);
  if (typeof error.message === 'string') return error.message;
  const field = String(error.field ?? '');
  const words: Readonly<Record<string, string>> = {
    missing_field: "can't be blank",
    already_exists: 'has already been taken',
    invalid: 'is invalid',
  };
  const said = words[String(error.code)] ?? String(error.code);
  return `${field.charAt(0).toUpperCase()}${field.slice(1)} ${said}`;
}

/** A request that the schema does not know, in the service's words where it has its own. */
function refusal({ message, locations }: GraphqlProblem, stage: GraphqlAnswer['stage']): JsonObject {
  const at = locations ? { locations: locations.map((location) => ({ ...location })) } : {};
  const [, fieldName, typeName] = /^Cannot query field "(\w+)" on type "(\w+)"/u.exec(message) ?? [];
  if (fieldName !== undefined && typeName !== undefined) {
    return {
      path: ['query', fieldName],
      extensions: { code: 'undefinedField', typeName, fieldName },
      ...at,
      message: `Field '${fieldName}' doesn't exist on type '${typeName}'`,
    };
  }
  return { ...at, message: stage === 'parse' ? `Parse error: ${message}` : message };
}
