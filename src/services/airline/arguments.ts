import { z } from 'zod';
import { inPythonOrder, isJsonObject, type Json, type JsonObject } from '../../service/index.ts';
import { PythonException } from './python-numbers.ts';
import { pythonNumber } from './schema.ts';

/** What the message of a missing argument ends with; the name is the path of the issue. */
const MISSING = 'missing a required positional argument';

/**
 * The arguments of one tool. The recorded program binds them by name, checks no types and keeps nested
 * documents as they come, members in the caller's order; so nested values are checked for their kind only
 * and pass through by reference; `inOrder` gives their members the caller's order. `method` is the name
 * that Python prints when arguments are missing or unknown.
 */
export function argumentsOf<Shape extends z.ZodRawShape>(method: string, shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${method}.invoke() got an unexpected keyword argument '${String(issue.keys?.[0])}'`
        : undefined,
  });
}

/**
 * A text argument; `choices` are shown to the agent and not enforced, as the recorded program takes any
 * text.
 */
export function textArgument(method: string, description: string, choices?: readonly string[]) {
  return checked<string>(method, (value) => typeof value === 'string', {
    type: 'string',
    description,
    ...(choices ? { enum: [...choices] } : {}),
  });
}

/** A whole number for the agent; any number is taken, as the recorded program does. */
export function numberArgument(method: string, description: string, type: 'integer' | 'number' = 'integer') {
  return checked<z.infer<typeof pythonNumber>>(method, (value) => pythonNumber.safeParse(value).success, {
    type,
    description,
  });
}

/** A list of documents with these members, which the agent is told of and the operation looks up. */
export function documentsArgument(
  method: string,
  description: string,
  members: Readonly<Record<string, { readonly type: string; readonly description: string }>>,
) {
  return checked<readonly JsonObject[]>(
    method,
    (value) => Array.isArray(value) && value.every(isJsonObject),
    {
      type: 'array',
      description,
      items: { type: 'object', properties: members, required: Object.keys(members) },
    },
  );
}

function checked<T>(
  method: string,
  accepts: (value: unknown) => boolean,
  described: Readonly<Record<string, unknown>>,
) {
  const error = (issue: { readonly input?: unknown }): string =>
    issue.input === undefined ? `${method}.invoke() ${MISSING}` : `expected ${String(described.type)}`;
  return z.unknown().refine(accepts, { error }).meta(described) as unknown as z.ZodType<T>;
}

/** The text of an exception for arguments that cannot be bound, as Python words it. */
export function bindingText(issues: readonly { readonly path: string; readonly message: string }[]): string {
  const unexpected = issues.find((issue) => issue.path === '' && issue.message !== '');
  if (unexpected) return unexpected.message;
  const missing = issues.filter((issue) => issue.message.endsWith(MISSING));
  const [first] = missing;
  if (!first) return issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
  const names = missing.map((issue) => `'${issue.path}'`);
  const method = first.message.slice(0, -MISSING.length);
  const plural = names.length === 1 ? '' : 's';
  return `${method}missing ${names.length} required positional argument${plural}: ${listed(names)}`;
}

function listed(names: readonly string[]): string {
  if (names.length < 3) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1) ?? ''}`;
}

/** The order in which the documents of this domain usually have their members, whoever writes them. */
const USUAL_ORDER = [
  'origin',
  'destination',
  'flight_number',
  'date',
  'price',
  'first_name',
  'last_name',
  'dob',
  'payment_id',
  'amount',
];

/** Documents as the recorded program got them: answers print their members in the order they came in. */
export function inOrder(documents: readonly JsonObject[]): JsonObject[] {
  return documents.map((document) => inPythonOrder(document, USUAL_ORDER));
}

/** `document[name]` of Python: a missing member is an exception with the quoted name as its text. */
export function memberOf(document: JsonObject, name: string): Json {
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  if (value === undefined) throw new PythonException(`'${name}'`);
  return value;
}

/** A member that has to be a text to be looked up by. */
export function textOf(document: JsonObject, name: string): string {
  const value = memberOf(document, name);
  if (typeof value === 'string') return value;
  throw new PythonException(`${name}: expected string`);
}

/** A member that is calculated with. */
export function numberOf(document: JsonObject, name: string): z.infer<typeof pythonNumber> {
  const parsed = pythonNumber.safeParse(memberOf(document, name));
  if (parsed.success) return parsed.data;
  throw new PythonException(`${name}: expected number`);
}

/** Runs what may raise an exception of Python and hands its text to `fail`. */
export function raising<T>(fail: (code: 'exception', details: JsonObject) => never, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PythonException) return fail('exception', { text: error.message });
    throw error;
  }
}
