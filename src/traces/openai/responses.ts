import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { argumentsOfText, argumentsOfValue, resultValue } from '../arguments.ts';
import { contentText } from '../content.ts';
import { RunBuilder, textOf } from '../run-builder.ts';
import type { TraceArguments, TraceEnd, TraceRun } from '../types.ts';
import { objectsOf, type Unit, type UnitForm } from '../units.ts';

/** Items that tell of neither a call nor a message. */
const SILENT = new Set(['reasoning', 'compaction', 'compaction_summary', 'item_reference']);
const CALL = /^(.+)_call$/u;
const OUTPUT = /^(.+?)(?:_call)?_output$/u;
const BODY_MEMBERS = new Set([
  'input',
  'output',
  'usage',
  'status',
  'object',
  'id',
  'previous_response_id',
  'error',
  'model',
]);

const isItem = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && (CALL.test(type) || OUTPUT.test(type));

/** Bodies of the Responses API, `{input, output}`, and lists of its items. */
export const RESPONSES_FORM: UnitForm = {
  isPart: (value) => isItem(value) || isMessageItem(value) || SILENT.has(String(value.type)),
  isWhole: (value) =>
    Array.isArray(value.output) && (value.object === 'response' || isItemList(value.output)),
};

const isMessageItem = (value: JsonObject): boolean =>
  typeof value.role === 'string' &&
  (value.type === undefined || value.type === 'message') &&
  !('tool_calls' in value);

function isItemList(output: Json): boolean {
  const items = output as readonly Json[];
  return items.length > 0 && items.every((item) => isJsonObject(item) && typeof item.type === 'string');
}

/** True when a list of items is certainly of this API, and not of chat messages. */
export function hasItems(parts: readonly JsonObject[]): boolean {
  return parts.some((part) => isItem(part) || SILENT.has(String(part.type)));
}

/** Bodies that continue each other (`previous_response_id`) are one run. */
export function readResponseUnits(units: readonly Unit[]): TraceRun[] {
  const open: {
    readonly name: string;
    readonly run: RunBuilder;
    readonly ids: Set<string>;
    end: TraceEnd;
  }[] = [];
  for (const { name, parts, whole } of units) {
    const before = whole === null ? null : textOf(whole.previous_response_id);
    const known = before === null ? undefined : open.find(({ ids }) => ids.has(before));
    const entry = known ?? {
      name,
      run: new RunBuilder('openai-responses'),
      ids: new Set<string>(),
      end: { kind: 'unknown', detail: '' } as TraceEnd,
    };
    if (known === undefined) open.push(entry);
    entry.end = whole === null ? readItems(entry.run, parts ?? []) : readBody(entry.run, whole);
    const id = whole === null ? null : textOf(whole.id);
    if (id !== null) entry.ids.add(id);
  }
  return open.map(({ name, run, end }) => run.finish(name, end));
}

function readBody(run: RunBuilder, body: JsonObject): TraceEnd {
  // Of a response's own members the others are settings; what else a file has beside its items is told.
  if (body.object !== 'response') run.ignore(body, BODY_MEMBERS, 'body');
  const { input, status, error } = body;
  if (typeof input === 'string') run.say('user', input);
  const items = objectsOf(typeof input === 'string' ? [] : input, () => undefined);
  const output = objectsOf(body.output, (value) => run.lose('unknown-content', JSON.stringify(value)));
  const end = readItems(run, [...items, ...output]);
  const usage = isJsonObject(body.usage) ? body.usage : {};
  run.use({ inputTokens: usage.input_tokens, outputTokens: usage.output_tokens, cost: usage.cost });
  if (status === 'incomplete' || status === 'failed' || status === 'cancelled') {
    const why = isJsonObject(body.incomplete_details) ? textOf(body.incomplete_details.reason) : null;
    const message = isJsonObject(error) ? textOf(error.message) : null;
    return {
      kind: 'no-answer',
      detail: `the response is ${status}: ${why ?? message ?? 'no reason is given'}`,
    };
  }
  const isOpen = end.kind === 'no-answer';
  return isOpen ? { kind: 'unknown', detail: 'the body is one response of a run that goes on' } : end;
}

function readItems(run: RunBuilder, items: readonly JsonObject[]): TraceEnd {
  // Calls that follow each other with neither result, message nor thought between them are of one turn.
  let turn = 0;
  let last: 'call' | 'result' | 'message' | 'user' | null = null;
  for (const item of items) {
    const kind = String(item.type ?? 'message');
    if (kind === 'message') {
      turn += 1;
      const isAgent = item.role === 'assistant';
      if (isAgent || item.role === 'user') {
        run.say(isAgent ? 'agent' : 'user', contentText(item.content, run));
        last = isAgent ? 'message' : 'user';
      }
    } else if (OUTPUT.test(kind)) {
      readOutput(run, item);
      turn += 1;
      last = 'result';
    } else if (CALL.test(kind) || kind === 'program') {
      const answered = readCall(run, item, { kind, turn: `turn-${turn}` });
      if (answered) turn += 1;
      last = answered ? 'result' : 'call';
    } else if (kind === 'mcp_approval_request') {
      run.lose('call-not-made', textOf(item.name) ?? kind);
      last = 'call';
    } else if (kind === 'mcp_list_tools' || kind === 'mcp_approval_response') {
      run.lose('field-ignored', kind);
    } else if (SILENT.has(kind)) turn += 1;
    else run.lose('unknown-content', kind);
  }
  return endAfter(run, last);
}

function endAfter(run: RunBuilder, last: 'call' | 'result' | 'message' | 'user' | null): TraceEnd {
  const text = run.lastWord;
  if (last === 'message' && text !== null) return { kind: 'answer', text };
  if (last === 'user') return { kind: 'user-ended', detail: 'the trace ends after a message of the user' };
  const after = last === 'result' ? 'a tool result' : last === 'call' ? 'a tool call' : 'no message';
  return { kind: 'no-answer', detail: `the trace ends after ${after}, without an answer` };
}

/** Reads a call; true when the item holds its result too, as hosted tools do. */
function readCall(
  run: RunBuilder,
  item: JsonObject,
  { kind, turn }: { readonly kind: string; readonly turn: string },
): boolean {
  const tool = textOf(item.name) ?? CALL.exec(kind)?.[1] ?? kind;
  const id = textOf(item.call_id) ?? textOf(item.id);
  const hosted = isHosted(kind, item);
  run.call({ tool, id, turn, arguments: givenTo(item, kind), failed: hosted ? failedOf(item) : null });
  const value = item.output ?? item.results ?? item.outputs ?? item.result ?? item.error;
  if (value === undefined || value === null) return false;
  run.result({ id, tool, value: resultValue(value), failed: failedOf(item) });
  return true;
}

/** Run by the vendor, so that the item's own status says how the call went. */
function isHosted(kind: string, { call_id }: JsonObject): boolean {
  return kind !== 'function_call' && kind !== 'program' && typeof call_id !== 'string';
}

function failedOf({ status, error }: JsonObject): boolean | null {
  if (error !== undefined && error !== null) return true;
  if (status === 'failed' || status === 'incomplete') return true;
  return status === 'completed' ? false : null;
}

/** Where each kind of call keeps what it was given; custom tools take free text, and functions JSON text. */
function givenTo(item: JsonObject, kind: string): TraceArguments {
  if (kind === 'function_call' || kind === 'mcp_call') return argumentsOfText(item.arguments);
  if (kind === 'custom_tool_call') return argumentsOfValue(item.input);
  if (item.arguments !== undefined) return argumentsOfText(item.arguments);
  const named = item.action ?? item.actions ?? item.operation ?? item.input;
  if (named !== undefined && named !== null) return argumentsOfValue(named);
  const kept = ['queries', 'code', 'prompt'].filter((name) => item[name] !== undefined);
  if (kept.length === 0) return { kind: 'not-captured' };
  return { kind: 'json', value: Object.fromEntries(kept.map((name) => [name, item[name]])) };
}

function readOutput(run: RunBuilder, item: JsonObject): void {
  const { output, result, error } = item;
  const value = output ?? result ?? error ?? null;
  run.result({
    id: textOf(item.call_id),
    tool: textOf(item.name) ?? OUTPUT.exec(String(item.type))?.[1] ?? null,
    value: Array.isArray(value) && isTextParts(value) ? contentText(value, run) : resultValue(value),
    failed: hasTimedOut(output) ? true : failedOf(item),
  });
}

const isTextParts = (value: readonly Json[]): boolean =>
  value.every((part) => isJsonObject(part) && /_(?:text|image|file)$/u.test(String(part.type)));

function hasTimedOut(output: Json | undefined): boolean {
  if (!Array.isArray(output)) return false;
  return (output as readonly Json[]).some(
    (part) => isJsonObject(part) && isJsonObject(part.outcome) && part.outcome.type === 'timeout',
  );
}
