import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { namesWrite } from './effects.ts';
import type { DetectCall, DetectRun, DetectTool } from './types.ts';
import { plainName } from './words.ts';

export type Scalar = string | number | boolean | null;

/** A scalar of a JSON value. Paths name members; items of lists are `[]`. */
export interface Leaf {
  readonly path: string;
  readonly name: string;
  readonly value: Scalar;
}

/** A JSON object inside a result, with its own scalar members. */
export interface RecordView {
  readonly path: string;
  readonly object: JsonObject;
  /** Members that tell which thing it is, `name=value`, sorted; empty when nothing does. */
  readonly identity: string;
}

export interface CallView {
  readonly index: number;
  readonly call: DetectCall;
  /** Tool and, where one tool does several things, its method. */
  readonly operation: string;
  readonly write: boolean;
  /** It came back and nothing says that it failed. */
  readonly ok: boolean;
  readonly input: JsonObject | null;
  readonly inputLeaves: readonly Leaf[];
  /** The result without its wrapping. */
  readonly output: Json | undefined;
  readonly outputLeaves: readonly Leaf[];
  readonly records: readonly RecordView[];
  /** Tool and arguments as one text. */
  readonly key: string;
  /** The tool's arguments carry the reply. */
  readonly carriesReply: boolean;
}

export interface RunView {
  readonly run: DetectRun;
  readonly calls: readonly CallView[];
  readonly tools: ReadonlyMap<string, DetectTool>;
  /** The step that carries the reply; null where it is no call. */
  readonly replyStep: number | null;
}

/** Deeper or larger values are looked at no further: no agent reads them either. */
const MAX_DEPTH = 12;
const MAX_LEAVES = 4_000;

export function viewRun(run: DetectRun): RunView {
  const tools = new Map(run.tools.map((tool) => [tool.name, tool]));
  const calls = run.calls.map((call, index) => viewCall(call, index, { run, tools }));
  const replyStep = calls.findLast(({ carriesReply }) => carriesReply)?.index ?? null;
  return { run, calls, tools, replyStep };
}

interface Context {
  readonly run: DetectRun;
  readonly tools: ReadonlyMap<string, DetectTool>;
}

function viewCall(call: DetectCall, index: number, { run, tools }: Context): CallView {
  const given = call.arguments.kind === 'json' ? call.arguments.value : null;
  const input = isJsonObject(given) ? given : null;
  const inputLeaves: Leaf[] = [];
  if (given !== null) collect(given, ROOT, { leaves: inputLeaves, records: [] });
  const value = call.result === null ? undefined : unwrapped(parsed(call.result.value));
  const outputLeaves: Leaf[] = [];
  const records: RecordView[] = [];
  if (value !== undefined) {
    collect(value, ROOT, { leaves: outputLeaves, records });
  }
  const effect = tools.get(call.tool)?.effect ?? (namesWrite(call.tool) ? 'write' : 'read');
  const operation = operationOf(call.tool, input);
  const { reply } = run;
  return {
    index,
    call,
    operation,
    write: effect === 'write' && !(operation !== call.tool && isReadingMethod(operation)),
    ok: call.result !== null && call.failed !== true && !saysFailure(call.result.value),
    input,
    inputLeaves,
    output: value,
    outputLeaves,
    records,
    key: `${call.tool} ${inputLeaves.map((leaf) => `${leaf.path}=${String(leaf.value)}`).join('&')}`,
    carriesReply: reply !== null && reply !== '' && inputLeaves.some((leaf) => leaf.value === reply),
  };
}

const METHOD_NAMES = ['method', 'action', 'operation', 'op', 'mode'];

function operationOf(tool: string, input: JsonObject | null): string {
  for (const name of METHOD_NAMES) {
    const method = input === null ? undefined : input[name];
    if (typeof method === 'string' && method.length <= 40) return `${tool}:${method}`;
  }
  return tool;
}

function isReadingMethod(operation: string): boolean {
  return /:(?:get|list|read|search|find)/i.test(operation);
}

/** A text that is JSON as what it says; any other value as it is. */
function parsed(value: Json): Json {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

const WRAPPERS = new Set(['data', 'result', 'response', 'output', 'structuredContent']);

/** What stands in `{ok, data, error}` and the like. */
function unwrapped(value: Json): Json {
  if (!isJsonObject(value)) return value;
  for (const name of Object.keys(value)) {
    const inner = value[name];
    if (!WRAPPERS.has(name) || typeof inner !== 'object' || inner === null) continue;
    const others = Object.entries(value).filter(([other]) => other !== name);
    if (others.every(([other, member]) => isEnvelope(other, member))) return inner;
  }
  return value;
}

function isEnvelope(name: string, value: Json | undefined): boolean {
  return ['ok', 'success', 'error', 'status', 'code', 'isError', 'message'].includes(name)
    ? typeof value !== 'object' || value === null
    : false;
}

function saysFailure(value: Json): boolean {
  const body = parsed(value);
  if (typeof body === 'string') return /^\s*(?:error|exception|traceback)\b/i.test(body);
  if (!isJsonObject(body)) return false;
  if (body.ok === false || body.success === false || body.isError === true) return true;
  return body.error !== undefined && body.error !== null && body.error !== false && body.error !== '';
}

interface Place {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  /** Identity of the record around it. */
  readonly around: string;
}

interface Collected {
  readonly leaves: Leaf[];
  readonly records: RecordView[];
}

const ROOT: Place = { path: '', name: '', depth: 0, around: '' };

function collect(value: Json, { path, name, depth, around }: Place, into: Collected): void {
  if (into.leaves.length >= MAX_LEAVES || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    const inner = { path: `${path}[]`, name, depth: depth + 1, around };
    for (const item of value as readonly Json[]) collect(item, inner, into);
  } else if (isJsonObject(value)) {
    const own = identityOf(value);
    const identity = own === '' ? '' : around === '' ? own : `${around}|${own}`;
    into.records.push({ path, object: value, identity });
    const inside = own === '' ? around : identity;
    for (const member of Object.keys(value)) {
      const inner = value[member];
      if (inner === undefined) continue;
      const next = path === '' ? member : `${path}.${member}`;
      collect(inner, { path: next, name: member, depth: depth + 1, around: inside }, into);
    }
  } else {
    into.leaves.push({ path, name, value: value as Scalar });
  }
}

/** True for names of members that identify: `id`, `order_id`, `pullNumber`, `sku`, `email`. */
export function isIdName(name: string): boolean {
  return (
    /(?:^|[_a-z-])(?:id|Id|ID)$/.test(name) || /^(?:id|number|sku|sha|email|key|login|code)$/i.test(name)
  );
}

function identityOf(object: JsonObject): string {
  const parts: string[] = [];
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (!isIdName(name) || (typeof value !== 'string' && typeof value !== 'number')) continue;
    parts.push(`${plainName(name)}=${String(value)}`);
  }
  return parts.sort().join('&');
}

const VOLATILE =
  /(?:_at|At|time|date|updated|modified|seen|etag|token|cursor|expires|now|age|elapsed|views|size)$/i;

/** Names of members that change by themselves: times, counters, tokens. */
export function isVolatileName(name: string): boolean {
  return VOLATILE.test(name);
}

/** A number, or a text that is one as a whole. */
export function numberOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^[-+]?\d{1,15}(?:\.\d+)?$/.test(value)) return null;
  return Number(value);
}

/** Two amounts of money or the like that are one. */
export function sameAmount(left: number, right: number): boolean {
  return Math.abs(left - right) <= 0.0051;
}
