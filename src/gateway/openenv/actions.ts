import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { type ValidationIssue, ValidationProblem } from './selection.ts';

/** What one step may ask for. */
export type Action =
  | { readonly type: 'list_tools' }
  | { readonly type: 'call_tool'; readonly tool: string; readonly arguments: Json }
  | { readonly type: 'groundhog/fork'; readonly branch?: string; readonly at?: number }
  | { readonly type: 'groundhog/switch'; readonly branch: string }
  | { readonly type: 'groundhog/checkpoint'; readonly name: string }
  | { readonly type: 'groundhog/rollback'; readonly name?: string; readonly at?: number }
  | { readonly type: 'groundhog/wait'; readonly durationMs: number }
  | { readonly type: 'groundhog/diff'; readonly at: number };

type Kind = 'text' | 'whole' | 'any';

interface Member {
  readonly kind: Kind;
  readonly required?: true;
}

/** The members of each action, as JSON has them. `metadata` may stand in any, as in the reference. */
export const ACTION_MEMBERS: Readonly<Record<Action['type'], Readonly<Record<string, Member>>>> = {
  list_tools: {},
  call_tool: { tool_name: { kind: 'text', required: true }, arguments: { kind: 'any' } },
  'groundhog/fork': { branch: { kind: 'text' }, at: { kind: 'whole' } },
  'groundhog/switch': { branch: { kind: 'text', required: true } },
  'groundhog/checkpoint': { name: { kind: 'text', required: true } },
  'groundhog/rollback': { name: { kind: 'text' }, at: { kind: 'whole' } },
  'groundhog/wait': { duration_ms: { kind: 'whole', required: true } },
  'groundhog/diff': { at: { kind: 'whole' } },
};

const WORDS: Readonly<Record<Kind, string>> = {
  text: 'Input should be a text',
  whole: 'Input should be a whole number of at least 0',
  any: '',
};

/**
 * Reads an action. One that names a tool may leave its type out; `{tool, arguments}` is taken too.
 * @throws ValidationProblem
 */
export function readAction(data: JsonObject): Action {
  const type = data.type ?? ('tool_name' in data || 'tool' in data ? 'call_tool' : undefined);
  if (typeof type !== 'string' || !Object.hasOwn(ACTION_MEMBERS, type)) {
    const known = Object.keys(ACTION_MEMBERS).join(', ');
    throw new ValidationProblem([
      { type: 'literal_error', loc: ['type'], msg: `Input should be one of ${known}`, input: type ?? null },
    ]);
  }
  const given = 'tool' in data && !('tool_name' in data) ? renamed(data) : data;
  const errors = issuesOf(ACTION_MEMBERS[type as Action['type']], given);
  if (errors.length > 0) throw new ValidationProblem(errors);
  return actionOf(type as Action['type'], given);
}

function renamed({ tool, ...rest }: JsonObject): JsonObject {
  return { ...rest, tool_name: tool };
}

function issuesOf(members: Readonly<Record<string, Member>>, data: JsonObject): ValidationIssue[] {
  const errors: ValidationIssue[] = [];
  for (const [name, value] of Object.entries(data)) {
    if (name === 'type' || name === 'metadata' || Object.hasOwn(members, name)) continue;
    const msg = 'Extra inputs are not permitted';
    errors.push({ type: 'extra_forbidden', loc: [name], msg, input: value ?? null });
  }
  for (const [name, { kind, required }] of Object.entries(members)) {
    const value = data[name];
    if (value === undefined || (value === null && !required)) {
      if (required) errors.push({ type: 'missing', loc: [name], msg: 'Field required', input: data as Json });
    } else if (!fits(kind, value)) {
      errors.push({ type: 'value_error', loc: [name], msg: WORDS[kind], input: value });
    }
  }
  return errors;
}

function fits(kind: Kind, value: Json): boolean {
  if (kind === 'text') return typeof value === 'string';
  return kind === 'any' || (Number.isSafeInteger(value) && (value as number) >= 0);
}

function actionOf(type: Action['type'], data: JsonObject): Action {
  const at = typeof data.at === 'number' ? { at: data.at } : {};
  const name = typeof data.name === 'string' ? { name: data.name } : {};
  switch (type) {
    case 'list_tools':
      return { type };
    case 'call_tool':
      return {
        type,
        tool: String(data.tool_name),
        arguments: data.arguments === undefined ? {} : data.arguments,
      };
    case 'groundhog/fork':
      return { type, ...at, ...(typeof data.branch === 'string' && { branch: data.branch }) };
    case 'groundhog/switch':
      return { type, branch: String(data.branch) };
    case 'groundhog/checkpoint':
      return { type, name: String(data.name) };
    case 'groundhog/rollback':
      return { type, ...name, ...at };
    case 'groundhog/wait':
      return { type, durationMs: Number(data.duration_ms) };
    case 'groundhog/diff':
      return { type, at: 0, ...at };
  }
}

/** A message of the session protocol, checked. */
export type Message =
  | { readonly type: 'reset'; readonly data: JsonObject }
  | { readonly type: 'step'; readonly data: JsonObject }
  | { readonly type: 'mcp'; readonly data: JsonObject }
  | { readonly type: 'state' }
  | { readonly type: 'close' };

const TYPES = ['reset', 'step', 'state', 'close', 'mcp'];

/** Reads a message; null for a type that does not exist. @throws ValidationProblem */
export function readWsMessage(message: unknown): Message | null {
  if (!isJsonObject(message)) {
    const msg = 'Input should be an object';
    throw new ValidationProblem([{ type: 'model_type', loc: [], msg, input: message as Json }]);
  }
  const { type } = message;
  if (typeof type !== 'string' || !TYPES.includes(type)) return null;
  const bare = type === 'state' || type === 'close';
  const errors: ValidationIssue[] = Object.keys(message)
    .filter((key) => key !== 'type' && (bare || key !== 'data'))
    .map((key) => ({
      type: 'extra_forbidden',
      loc: [key],
      msg: 'Extra inputs are not permitted',
      input: message[key] ?? null,
    }));
  const { data } = message;
  if (!bare && data === undefined && type !== 'reset') {
    errors.push({ type: 'missing', loc: ['data'], msg: 'Field required', input: message as Json });
  } else if (!bare && data !== undefined && !isJsonObject(data)) {
    errors.push({ type: 'dict_type', loc: ['data'], msg: 'Input should be a valid dictionary', input: data });
  }
  if (errors.length > 0) throw new ValidationProblem(errors);
  return (bare ? { type } : { type, data: data ?? {} }) as Message;
}
