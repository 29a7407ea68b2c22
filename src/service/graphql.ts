import {
  buildSchema,
  type DocumentNode,
  executeSync,
  GraphQLError,
  GraphQLScalarType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { JsonObject } from '../base/json.ts';
import { type GraphqlSize, graphqlSize } from './graphql-size.ts';

export type GraphqlSchema = GraphQLSchema;

/** Something that a GraphQL request came to instead of an answer, or beside it. */
export interface GraphqlProblem {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  /** What a resolver threw. */
  readonly cause?: Error;
}

/** `stage` says how far the request came: no query, a query that the schema does not know, or run. */
export interface GraphqlAnswer {
  readonly stage: 'parse' | 'validate' | 'run';
  readonly data?: JsonObject | null;
  readonly problems: readonly GraphqlProblem[];
}

/** A request that was read and checked. */
export interface GraphqlRequest {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** How large the answer may become. */
  readonly size: GraphqlSize;
  run(root: object): GraphqlAnswer;
}

/**
 * The rules of the language but one: services that are asked by several clients let fields of one name have
 * other types in other objects.
 */
const RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

/** `Int` as services give numbers of things: beyond 32 bits too. */
const WIDE_INT = new GraphQLScalarType({ name: 'Int', coerceOutputValue: Number });

/**
 * A schema of its definition language; resolvers are the functions among the members of the values. Fields of
 * the names in `wide` are of type `Int` and may be larger than the language has it.
 */
export function graphqlSchema(
  definitions: string,
  { wide = [] }: { readonly wide?: readonly string[] } = {},
): GraphqlSchema {
  const schema = buildSchema(definitions);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (wide.includes(field.name)) field.type = WIDE_INT;
    }
  }
  return schema;
}

/**
 * Reads a request and checks it against a schema. Gives its problems where there are any, else what runs it:
 * synchronously, members of `root` being the fields of the root type.
 */
export function readGraphql(
  schema: GraphqlSchema,
  request: {
    readonly query: string;
    readonly variables?: JsonObject;
    readonly operationName?: string;
  },
): GraphqlRequest | GraphqlAnswer {
  const checked = checkedText(schema, request.query);
  if (!('document' in checked)) return checked;
  const { document } = checked;
  const { operationName } = request;
  const operations = document.definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition' ? [definition] : [],
  );
  const chosen = operations.find(({ name }) => operationName === undefined || name?.value === operationName);
  return {
    kind: chosen?.operation ?? 'query',
    size: graphqlSize(document, chosen, request.variables ?? {}),
    run(root) {
      const { data, errors = [] } = executeSync({
        schema,
        document,
        rootValue: root,
        variableValues: request.variables ?? {},
        operationName: operationName ?? null,
      });
      // Results have no prototype, and share values with rows.
      const plain = data === undefined ? undefined : (JSON.parse(JSON.stringify(data)) as JsonObject | null);
      return {
        stage: 'run',
        ...(plain !== undefined && { data: plain }),
        problems: errors.map(problemOf),
      };
    },
  };
}

type Checked = { readonly document: DocumentNode } | GraphqlAnswer;

/** Clients ask the same again and again: their latest texts need not be read twice. */
const checkedTexts = new WeakMap<GraphqlSchema, Map<string, Checked>>();
const TEXTS_MOST = 200;

function checkedText(schema: GraphqlSchema, query: string): Checked {
  const texts = checkedTexts.get(schema) ?? new Map<string, Checked>();
  checkedTexts.set(schema, texts);
  const known = texts.get(query);
  if (known) return known;
  const checked = check(schema, query);
  const [oldest] = texts.keys();
  if (texts.size >= TEXTS_MOST && oldest !== undefined) texts.delete(oldest);
  texts.set(query, checked);
  return checked;
}

function check(schema: GraphqlSchema, query: string): Checked {
  try {
    const document = parse(query);
    const mistakes = validate(schema, document, RULES);
    if (mistakes.length === 0) return { document };
    return { stage: 'validate', problems: mistakes.map(problemOf) };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { stage: 'parse', problems: [problemOf(error)] };
  }
}

function problemOf({ message, path, locations, originalError }: GraphQLError): GraphqlProblem {
  return {
    message,
    ...(path && { path: [...path] as (string | number)[] }),
    ...(locations && { locations: locations.map(({ line, column }) => ({ line, column })) }),
    ...(originalError && !(originalError instanceof GraphQLError) && { cause: originalError }),
  };
}
