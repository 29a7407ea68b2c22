import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { argumentsOfSpan, parsedJson, resultValue } from '../arguments.ts';
import { textOf } from '../run-builder.ts';
import type { TraceArguments } from '../types.ts';
import { messagesIn, type SpokenMessage } from './messages.ts';
import { NAMES, SPREAD } from './names.ts';
import { nested, type Span, type SpanEvent } from './spans.ts';

/** What a span says of a tool call that was carried out. */
export interface ToolFacts {
  readonly tool: string;
  /** False where the span names no tool, and its own name has to do. */
  readonly named: boolean;
  readonly id: string | null;
  readonly arguments: TraceArguments;
  readonly result: { readonly value: Json } | null;
  readonly failed: boolean;
  /** Texts that the exporter cut. */
  readonly cut: readonly string[];
}

/** What a span says of an agent's run. */
export interface SpanFacts {
  readonly span: Span;
  readonly kind: 'tool' | 'model' | 'agent' | 'other';
  readonly agent: string | null;
  readonly input: readonly SpokenMessage[];
  readonly output: readonly SpokenMessage[];
  readonly tool: ToolFacts | null;
}

const KINDS: Readonly<Record<string, SpanFacts['kind']>> = {
  tool: 'tool',
  execute_tool: 'tool',
  llm: 'model',
  chat: 'model',
  generate_content: 'model',
  text_completion: 'model',
  generation: 'model',
  agent: 'agent',
  invoke_agent: 'agent',
  invoke_workflow: 'agent',
  workflow: 'agent',
};

/** The value of the first of these names that the span has. */
export function first({ attributes }: Pick<Span, 'attributes'>, names: readonly string[]): Json | undefined {
  const name = names.find((one) => {
    const value = attributes[one];
    return value !== undefined && value !== null && value !== '';
  });
  return name === undefined ? undefined : attributes[name];
}

/** Reads a span. @param longest the length of the longest text in its trace, at which an exporter may cut */
export function factsOf(span: Span, longest: number): SpanFacts {
  const events = eventMessages(span);
  const toolEvent = toolOfEvents(events);
  const kind = toolEvent === null ? kindOf(span) : 'tool';
  const isTool = kind === 'tool';
  const tool = isTool ? toolOf(span, { events, toolEvent, longest }) : null;
  const input = isTool ? [] : [...spread(span, SPREAD.input, 'user'), ...events.input];
  const output = isTool
    ? []
    : [...spread(span, SPREAD.output, 'agent'), ...events.output, ...sdkOutput(span)];
  const wholeInput =
    kind === 'other' || input.length > 0 ? input : messagesIn(first(span, NAMES.input), 'user');
  const bodied = withBody(output, span);
  const wholeOutput =
    isTool || output.length > 0 || kind === 'other' ? bodied : messagesIn(first(span, NAMES.output), 'agent');
  const speaks = wholeInput.length > 0 || wholeOutput.some(({ calls }) => calls.length > 0);
  return {
    span,
    kind: kind === 'other' && (output.length > 0 || events.output.length > 0) && speaks ? 'model' : kind,
    agent: textOf(first(span, NAMES.agent)),
    input: isTool ? [] : wholeInput,
    output: isTool ? [] : wholeOutput,
    tool,
  };
}

function kindOf(span: Span): SpanFacts['kind'] {
  const { attributes, name } = span;
  for (const key of NAMES.kind) {
    const value = attributes[key];
    const kind = typeof value === 'string' ? value.toLowerCase() : '';
    if (Object.hasOwn(KINDS, kind)) return KINDS[kind] ?? 'other';
  }
  if (attributes['ai.toolCall.name'] !== undefined) return 'tool';
  if (attributes['mcp.method.name'] === 'tools/call') return 'tool';
  const isOther = attributes['gen_ai.operation.name'] !== undefined;
  if (!isOther && attributes['gen_ai.tool.name'] !== undefined) return 'tool';
  if (/^ai\.\w+(?:\.do\w+)?$/u.test(String(attributes['ai.operationId'] ?? name))) return sdkKind(span);
  return attributes['gen_ai.request.model'] !== undefined || attributes['llm.model_name'] !== undefined
    ? 'model'
    : 'other';
}

/**
 * Spans of the AI SDK: the model's are those within (`doGenerate`, `doStream`); embeddings tell of no agent.
 */
function sdkKind({ attributes, name }: Span): SpanFacts['kind'] {
  const operation = String(attributes['ai.operationId'] ?? name);
  if (/embed|rerank/u.test(operation)) return 'other';
  return /\.do\w+$/u.test(operation) ? 'model' : 'agent';
}

function spread(span: Span, prefixes: readonly string[], role: 'user' | 'agent'): SpokenMessage[] {
  for (const prefix of prefixes) {
    const items = nested(span.attributes, prefix);
    if (items.length > 0) return items.flatMap((item) => messagesIn(unwrapped(item), role));
  }
  return [];
}

/** `{message: {role, contents: [{message_content}], tool_calls: [{tool_call}]}}` without its wrappings. */
function unwrapped(item: Json): Json {
  if (!isJsonObject(item)) return item;
  const message = isJsonObject(item.message) ? item.message : item;
  const contents =
    Array.isArray(message.contents) && message.content === undefined ? message.contents : message.content;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.map(callOf) : undefined;
  return {
    ...message,
    ...(contents !== undefined && { content: contents }),
    ...(calls && { tool_calls: calls }),
  };
}

const callOf = (call: Json): Json =>
  isJsonObject(call) && isJsonObject(call.tool_call) ? call.tool_call : call;

/** The AI SDK spreads an output over several attributes. */
function sdkOutput(span: Span): SpokenMessage[] {
  const { attributes } = span;
  const text = attributes['ai.response.text'] ?? attributes['ai.response.object'];
  const calls = attributes['ai.response.toolCalls'];
  const list = typeof calls === 'string' ? parsedJson(calls) : calls;
  if (text === undefined && !Array.isArray(list)) return [];
  const parts = Array.isArray(list) ? (list as readonly Json[]) : [];
  const typed = parts.map((part) => (isJsonObject(part) ? { ...part, type: 'tool-call' } : part));
  const said = typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [];
  return [...said, ...typed].length === 0 ? [] : messagesIn([...said, ...typed], 'agent');
}

/**
 * OpenInference leaves out empty arguments. Where the span holds the body of the response too, they are
 * taken from there.
 */
function withBody(output: readonly SpokenMessage[], span: Span): SpokenMessage[] {
  const isMissing = output.some(({ calls }) => calls.some((call) => call.arguments.kind === 'not-captured'));
  if (!isMissing) return [...output];
  const body = messagesIn(first(span, ['output.value']), 'agent').flatMap(({ calls }) => calls);
  return output.map((message) => ({
    ...message,
    calls: message.calls.map((call) => {
      const same = body.find(({ id, tool }) => (id === null ? tool === call.tool : id === call.id));
      return call.arguments.kind === 'not-captured' && same !== undefined ? same : call;
    }),
  }));
}

interface EventMessages {
  readonly input: readonly SpokenMessage[];
  readonly output: readonly SpokenMessage[];
  readonly bodies: readonly { readonly input: Json; readonly output: Json }[];
}

/** Messages in a span's events, in log records, and in the attribute that holds events as JSON text. */
function eventMessages(span: Span): EventMessages {
  const listed = first(span, NAMES.events);
  const parsed = typeof listed === 'string' ? parsedJson(listed) : listed;
  const inline = (Array.isArray(parsed) ? (parsed as readonly Json[]) : []).filter(isJsonObject).map(
    (event): SpanEvent => ({
      name: textOf(event['event.name']) ?? '',
      attributes: event as Record<string, Json>,
      body: null,
    }),
  );
  const input: SpokenMessage[] = [];
  const output: SpokenMessage[] = [];
  const bodies: { input: Json; output: Json }[] = [];
  for (const { name, attributes, body } of [...span.events, ...inline]) {
    const told: JsonObject = isJsonObject(body) ? { ...attributes, ...body } : attributes;
    input.push(...messagesIn(told['gen_ai.input.messages'], 'user'));
    output.push(...messagesIn(told['gen_ai.output.messages'], 'agent'));
    const role = /^gen_ai\.(user|system|assistant|tool)\.message$/u.exec(name)?.[1];
    if (role !== undefined) input.push(...messagesIn(ofEvent(told, role), 'user'));
    else if (name === 'gen_ai.choice') output.push(...messagesIn(ofEvent(told, 'assistant'), 'agent'));
    else if (isJsonObject(body) && (body.input !== undefined || body.output !== undefined)) {
      input.push(...messagesIn(body.input, 'user'));
      output.push(...messagesIn(body.output, 'agent'));
      bodies.push({ input: contentIn(body.input), output: contentIn(body.output) });
    }
  }
  return { input, output, bodies };
}

function ofEvent(told: JsonObject, role: string): JsonObject {
  const parsed = Object.fromEntries(
    ['content', 'message', 'tool_calls'].flatMap((name) => {
      const value = told[name];
      const inner = typeof value === 'string' && /^\s*[[{]/u.test(value) ? parsedJson(value) : value;
      return inner === undefined ? [] : [[name, inner]];
    }),
  );
  const { message } = parsed;
  const said =
    message === undefined || isJsonObject(message) ? parsed : { ...parsed, content: message, message: null };
  return { role, ...(told.id === undefined ? {} : { id: told.id }), ...said };
}

/** The content of the only message in `{messages: [{content}]}`, parsed where it is JSON. */
function contentIn(value: Json | undefined): Json {
  const list =
    isJsonObject(value) && Array.isArray(value.messages) ? (value.messages as readonly Json[]) : [];
  const only = list.length === 1 ? list[0] : undefined;
  if (!isJsonObject(only)) return null;
  const inner =
    isJsonObject(only.content) && only.content.content !== undefined ? only.content.content : only.content;
  return typeof inner === 'string' ? (parsedJson(inner) ?? inner) : (inner ?? null);
}

interface ToolEvent {
  readonly input: Json;
  readonly output: JsonObject;
}

/** An event whose output is LangChain's message of a tool. */
function toolOfEvents({ bodies }: EventMessages): ToolEvent | null {
  for (const { input, output } of bodies) {
    if (isJsonObject(output) && output.type === 'tool' && typeof output.name === 'string')
      return { input, output };
  }
  return null;
}

function toolOf(
  span: Span,
  from: { readonly events: EventMessages; readonly toolEvent: ToolEvent | null; readonly longest: number },
): ToolFacts {
  const { events, toolEvent, longest } = from;
  const named = textOf(first(span, NAMES.tool)) ?? textOf(toolEvent?.output.name);
  const given = toolEvent?.input ?? argumentsIn(span) ?? eventArguments(events);
  const result = toolEvent?.output ?? first(span, NAMES.result) ?? eventResult(events);
  const wrapped = toolEvent?.output ?? wrapping(result);
  const cut = [given, result].filter((value): value is string => isCut(value, longest));
  const read = argumentsOfSpan(unwrappedArguments(isCut(given, longest) ? undefined : given));
  const value = isCut(result, longest) ? undefined : (wrapped?.content ?? result);
  const id = textOf(first(span, NAMES.callId)) ?? textOf(wrapped?.tool_call_id) ?? eventId(events);
  return {
    tool: named ?? span.name.replace(/^(?:execute_tool|tools\/call|running tool:?)\s+|\.tool$/gu, ''),
    named: named !== null,
    id,
    arguments: read,
    result: value === undefined ? null : { value: resultValue(value) },
    failed: hasFailed(span, wrapped),
    cut,
  };
}

/** `tool.parameters` is the tool's own schema in some instrumentations, and the arguments in others. */
function argumentsIn(span: Span): Json | undefined {
  const names = NAMES.arguments.filter(
    (name) => name !== 'tool.parameters' || !isSchema(span.attributes[name]),
  );
  return first(span, names);
}

function isSchema(value: Json | undefined): boolean {
  const schema = typeof value === 'string' ? parsedJson(value) : value;
  return isJsonObject(schema) && (isJsonObject(schema.properties) || schema.$schema !== undefined);
}

/** Traceloop wraps the arguments, as `{args, kwargs}` or with LangChain's `inputs`. */
function unwrappedArguments(value: Json | undefined): Json | undefined {
  const inner = typeof value === 'string' ? parsedJson(value) : value;
  if (!isJsonObject(inner)) return value;
  if (typeof inner.input_str === 'string' && !isJsonObject(inner.inputs)) return inner.input_str;
  if (isJsonObject(inner.inputs) && (inner.input_str !== undefined || inner.tags !== undefined))
    return inner.inputs;
  const { args, kwargs } = inner;
  const isCall = isJsonObject(kwargs) && Array.isArray(args) && Object.keys(inner).length === 2;
  return isCall ? (Object.keys(kwargs).length > 0 ? kwargs : (args[0] ?? {})) : value;
}

/** LangChain writes a tool's result as a message `{content, tool_call_id, status}`. */
function wrapping(result: Json | undefined): JsonObject | null {
  const value = typeof result === 'string' && /^\s*\{/u.test(result) ? parsedJson(result) : result;
  const outer = isJsonObject(value) && isJsonObject(value.output) ? value.output : value;
  const message = isJsonObject(outer) && isJsonObject(outer.kwargs) ? outer.kwargs : outer;
  const isMessage =
    isJsonObject(message) && message.tool_call_id !== undefined && message.content !== undefined;
  return isMessage ? message : null;
}

function hasFailed(span: Span, wrapped: JsonObject | null): boolean {
  const { attributes, events, isError } = span;
  if (isError || wrapped?.status === 'error') return true;
  if (attributes['error.type'] !== undefined || attributes['exception.type'] !== undefined) return true;
  return events.some(({ name }) => name === 'exception');
}

const eventArguments = ({ input }: EventMessages): Json | undefined => input[0]?.results[0]?.value;
const eventId = ({ input }: EventMessages): string | null => input[0]?.results[0]?.id ?? null;
const eventResult = ({ output }: EventMessages): Json | undefined =>
  output[0]?.results[0]?.value ?? (output[0]?.text || undefined);

const MARKS = /(?:…|\.\.\.|\[truncated\]|<truncated>)$/iu;
const LEAST_LIMIT = 64;

/** JSON that breaks off, either with a mark or at the very length at which this trace's longest text ends. */
function isCut(value: Json | undefined, longest: number): value is string {
  if (typeof value !== 'string' || !/^\s*[[{]/u.test(value) || parsedJson(value) !== undefined) return false;
  if (/[}\]]\s*$/u.test(value)) return false;
  return MARKS.test(value) || (value.length >= LEAST_LIMIT && value.length === longest);
}
