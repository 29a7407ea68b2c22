import { z } from 'zod';
import {
  composedTool,
  type InputIssue,
  type Invoke,
  isJsonObject,
  type Json,
  type JsonObject,
  OperationFailed,
  type RequestHeaders,
  type Tool,
  ToolFailed,
} from '../../../service/index.ts';
import { PUBLISHED } from '../coverage.ts';
import { API } from '../views/urls.ts';

/** What the server's schemas say of a value without holding anybody to it: refusing is left to the API. */
export function choice(...values: readonly string[]) {
  return z.string().meta({ enum: [...values] });
}

export const OWNER = z.string().meta({ 'x-mcp-header': 'owner' });
export const REPO = z.string().meta({ 'x-mcp-header': 'repo' });
export const PLACE = { owner: OWNER, repo: REPO };
const page = z.number().meta({ minimum: 1 });
const perPage = z.number().meta({ minimum: 1, maximum: 100 });
/** Members of lists that go by page, and by cursor. */
export const PAGE = { page: page.optional(), perPage: perPage.optional() };
export const CURSOR = { after: z.string().optional(), perPage: perPage.optional() };
export const fieldsOf = (...names: readonly string[]) => z.array(choice(...names)).optional();

/** What a tool works with. Words say what it was about, for the agent to read when it fails. */
export interface Hands {
  /** A REST call; its answer's body. */
  call(operation: string, input: JsonObject, words: string): Json;
  /** The same, with a media type of its own. */
  callAs(operation: string, request: { input: JsonObject; accept: string }, words: string): Json;
  /** The same, or null where there is nothing. */
  look(operation: string, input: JsonObject, words: string): Json;
  /** A query of the graph; its data. */
  query(query: string, variables: JsonObject, words: string): JsonObject;
  /** A change through the graph; its data. */
  change(query: string, variables: JsonObject, words: string): JsonObject;
}

/** Ends a tool with words for the agent. */
export function fail(words: string): never {
  throw new ToolFailed(words);
}

/** Declares a tool as the official server has it. */
export function githubTool<Input extends z.ZodObject>(spec: {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly operations: readonly string[];
  readonly optional?: true;
  readonly answers?: 'content';
  readonly run: (hands: Hands, input: z.infer<Input>) => Json;
}): Tool {
  const { run, ...declared } = spec;
  return composedTool({
    ...declared,
    refusal: (issues) => refusalOf(issues),
    compose: (invoke, input) => run(handsOf(invoke), input as z.infer<Input>),
  });
}

function refusalOf([first]: readonly InputIssue[]): string {
  const { path = '', message = '' } = first ?? {};
  if (message.includes('received undefined')) return `missing required parameter: ${path}`;
  const [, wanted = 'another type', got = 'something else'] =
    /expected (\w+), received (\w+)/u.exec(message) ?? [];
  return `parameter ${path} is not of type ${wanted}, is ${got}`;
}

function handsOf(invoke: Invoke): Hands {
  const call = (
    operation: string,
    { input, headers }: { readonly input: JsonObject; readonly headers?: RequestHeaders },
    words: string,
  ): Json => {
    try {
      return invoke(operation, present(input), headers);
    } catch (error) {
      if (error instanceof OperationFailed) throw new ToolFailed(`${words}: ${restFailure(error)}`, error);
      throw error;
    }
  };
  const ask = (operation: string, request: JsonObject, words: string): JsonObject => {
    try {
      return dataOf(invoke(operation, request), words);
    } catch (error) {
      if (!(error instanceof OperationFailed)) throw error;
      throw new ToolFailed(`${words}: ${graphFailure(error.body)}`, error);
    }
  };
  return {
    call: (operation, input, words) => call(operation, { input }, words),
    callAs: (operation, { input, accept }, words) => call(operation, { input, headers: { accept } }, words),
    look(operation, input, words) {
      try {
        return invoke(operation, present(input));
      } catch (error) {
        if (!(error instanceof OperationFailed)) throw error;
        if (error.status === 404) return null;
        throw new ToolFailed(`${words}: ${restFailure(error)}`, error);
      }
    },
    query: (query, variables, words) => ask('graphql/query', { query, variables: present(variables) }, words),
    change: (query, variables, words) => ask('graphql', { query, variables: present(variables) }, words),
  };
}

function dataOf(answer: Json, words: string): JsonObject {
  if (!isJsonObject(answer) || answer.errors === undefined) return membersOf(membersOf(answer).data);
  return fail(`${words}: ${graphFailure(answer)}`);
}

function graphFailure(body: Json): string {
  const { errors, message } = membersOf(body);
  const [first] = Array.isArray(errors) ? errors : [];
  return String(membersOf(first).message ?? message ?? '');
}

/** `GET https://…/issues/9: 404 Not Found []`, as the server's client puts it. */
function restFailure({ operation, input, status, body }: OperationFailed): string {
  const { method = '', path = '' } = PUBLISHED.get(operation) ?? {};
  const { message = '', errors } = membersOf(body);
  const listed = (Array.isArray(errors) ? errors : []).map((error) => {
    const { resource = '', field = '', code = '', message: words = '' } = membersOf(error);
    return `{Resource:${resource} Field:${field} Code:${code} Message:${words}}`;
  });
  return `${method} ${API}${addressOf(method, path, input)}: ${status} ${message} [${listed.join(' ')}]`;
}

function addressOf(method: string, path: string, input: JsonObject): string {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name));
  const address = path.replaceAll(/\{(\w+)\}/gu, (_whole, name: string) => String(input[name] ?? ''));
  const rest = Object.entries(input).filter(([name]) => !inPath.has(name));
  if (method !== 'GET' || rest.length === 0) return address;
  const query = rest
    .map(
      ([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed()).replaceAll('%20', '+')}`,
    )
    .sort();
  return `${address}?${query.join('&')}`;
}

/** The members of what should be an object; none of what is not. */
export function membersOf(value: Json | undefined): JsonObject {
  return isJsonObject(value ?? null) ? (value as JsonObject) : {};
}

/** The items of what should be a list of objects. */
export function itemsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The nodes of a connection. */
export function nodesOf(value: Json | undefined): JsonObject[] {
  return itemsOf(membersOf(value).nodes);
}

/** An object without the members that are not set. */
export function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Numbers of agents may come with a fraction, which the server drops. */
export function whole(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.trunc(value);
}

/** A page as REST names it. */
export function pageOf({
  page: at = 1,
  perPage: size = 30,
}: {
  page?: number | undefined;
  perPage?: number | undefined;
}) {
  return { page: Math.trunc(at), per_page: Math.trunc(size) };
}

/** Only the members of each item that were asked for; all where none were. */
export function withFields(
  items: readonly JsonObject[],
  fields: readonly string[] | undefined,
): JsonObject[] {
  if (!fields || fields.length === 0) return [...items];
  return items.map((item) =>
    Object.fromEntries(
      fields.filter((name) => item[name] !== undefined).map((name) => [name, item[name] ?? null]),
    ),
  );
}

/** A label as both tools that read labels tell it. */
export function labelShape({ id = '', name = '', color = '', description }: JsonObject): JsonObject {
  return { id, name, color, description: description ?? '' };
}
