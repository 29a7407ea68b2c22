import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { argumentsOfText, argumentsOfValue, parsedJson, resultValue } from '../arguments.ts';
import { type FoundResult, textOf } from '../run-builder.ts';
import type { TraceArguments } from '../types.ts';

/** A call as a model's output tells it. */
export interface SpokenCall {
  readonly tool: string;
  readonly id: string | null;
  readonly arguments: TraceArguments;
}

/** A message of a model's input or output, whatever the framework wrote it as. */
export interface SpokenMessage {
  readonly role: 'user' | 'agent' | 'tool' | 'system';
  readonly text: string;
  readonly calls: readonly SpokenCall[];
  readonly results: readonly FoundResult[];
  /** Kinds of parts that were not read. */
  readonly unread: readonly string[];
}

type Role = SpokenMessage['role'];

const ROLES: Readonly<Record<string, Role>> = {
  user: 'user',
  human: 'user',
  assistant: 'agent',
  ai: 'agent',
  model: 'agent',
  agent: 'agent',
  aimessage: 'agent',
  aimessagechunk: 'agent',
  humanmessage: 'user',
  toolmessage: 'tool',
  systemmessage: 'system',
  tool: 'tool',
  function: 'tool',
  system: 'system',
  developer: 'system',
};
const DEPTH = 12;
const SILENT = new Set(['reasoning', 'thinking', 'redacted_thinking', 'reasoning_content', 'summary_text']);

/**
 * The messages in a value: OpenAI, Anthropic, Bedrock, Gemini, the parts of OTel GenAI, LangChain's dumps,
 * bodies of responses, lists of any of these, and JSON text of all of them. A plain text is a message of
 * `role`.
 */
export function messagesIn(value: Json | undefined, role: Role, depth = 0): SpokenMessage[] {
  if (value === undefined || value === null || depth > DEPTH) return [];
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/u.test(value) ? parsedJson(value) : undefined;
    const known = inner === undefined ? [] : messagesIn(inner, role, depth + 1);
    if (known.length > 0) return known;
    return value.trim() === '' ? [] : [message(role, { text: value })];
  }
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    if (items.some(isBlock)) return [readContent(items, role)];
    return items.flatMap((item) => messagesIn(item, role, depth + 1));
  }
  return isJsonObject(value) ? messagesOfObject(value, role, depth) : [];
}

/** Members under which frameworks keep messages, outermost first. */
const HOLDERS = [
  'messages',
  'contents',
  'generations',
  'choices',
  'candidates',
  'kwargs',
  'data',
  'message',
  'inputs',
  'outputs',
] as const;

function messagesOfObject(value: JsonObject, role: Role, depth: number): SpokenMessage[] {
  const own = roleOf(value) ?? role;
  for (const name of HOLDERS) {
    const inner = value[name];
    const isHeld = typeof inner === 'object' || (name === 'message' && typeof inner === 'string');
    if (isHeld && inner !== null) return messagesIn(inner, own, depth + 1);
  }
  const { output, content, parts, tool_calls, prompt } = value;
  if (typeof prompt === 'string') return messagesIn(prompt, role, depth + 1);
  if (Array.isArray(output) && value.role === undefined) return messagesIn(output, 'agent', depth + 1);
  if (isJsonObject(content) && Array.isArray(content.parts)) return messagesIn(content, own, depth + 1);
  if (isBlock(value)) return [readContent([value], own)];
  if (content === undefined && parts === undefined && tool_calls === undefined) {
    return typeof value.text === 'string' ? messagesIn(value.text, own, depth + 1) : [];
  }
  return readMessage(value, own, depth);
}

function readMessage(value: JsonObject, role: Role, depth: number): SpokenMessage[] {
  const { content, parts, tool_calls, function_call } = value;
  if (role === 'tool') return [toolMessage(value)];
  const inner = contentOf(content ?? parts, role, depth);
  const calls = [...listOf(tool_calls), ...(isJsonObject(function_call) ? [function_call] : [])].flatMap(
    callOf,
  );
  // Content that repeats the calls beside `tool_calls`, as LangChain's does, tells of them twice.
  const known = new Set(calls.map(({ id }) => id));
  const more = inner.calls.filter(({ id }) => (id === null ? calls.length === 0 : !known.has(id)));
  return [{ ...inner, role, calls: [...calls, ...more] }];
}

/** A result, as a message: blocks that hold it, the content itself, or content within content. */
function toolMessage(value: JsonObject): SpokenMessage {
  const told = isWrapped(value.content) ? { ...value, ...value.content } : value;
  const raw = resultValue(told.content ?? told.message ?? told.parts);
  if (Array.isArray(raw)) {
    const blocks = readContent(raw as readonly Json[], 'tool');
    if (blocks.results.length > 0) return blocks;
  }
  const found = {
    id: textOf(told.tool_call_id) ?? textOf(told.id),
    tool: textOf(told.name),
    value: Array.isArray(raw) ? (plainText(raw as readonly Json[]) ?? raw) : raw,
    failed: failedOf(told),
  };
  return message('tool', { results: [found] });
}

const WRAPPING = new Set(['content', 'message', 'role', 'id', 'finish_reason', 'tool.result']);

/** `{content, role, id}` in place of the content itself, which may be an object with other members. */
function isWrapped(content: Json | undefined): content is JsonObject {
  if (!isJsonObject(content)) return false;
  const names = Object.keys(content);
  const isOnly = names.length > 0 && names.every((name) => WRAPPING.has(name));
  return isOnly && (content.role === 'tool' || typeof content.message === 'string');
}

function contentOf(content: Json | undefined, role: Role, depth: number): SpokenMessage {
  if (Array.isArray(content)) return readContent(content as readonly Json[], role);
  if (typeof content === 'string' && /^\s*[[{]/u.test(content)) {
    const inner = messagesIn(content, role, depth + 1);
    const [first] = inner;
    if (first !== undefined && inner.length === 1) return first;
  }
  if (isJsonObject(content)) return messagesIn(content, role, depth + 1)[0] ?? message(role, {});
  return message(role, { text: typeof content === 'string' ? content : '' });
}

function roleOf(value: JsonObject): Role | null {
  const ids = Array.isArray(value.id) ? (value.id as readonly Json[]) : [];
  const named = [value.role, ids.at(-1), value.type].find(
    (name) => typeof name === 'string' && Object.hasOwn(ROLES, name.toLowerCase()),
  );
  return typeof named === 'string' ? (ROLES[named.toLowerCase()] ?? null) : null;
}

const BLOCK_MEMBERS = [
  'toolUse',
  'toolResult',
  'functionCall',
  'function_call',
  'functionResponse',
  'function_response',
];
const BLOCK_KINDS = new Set([
  'text',
  'input_text',
  'output_text',
  'thinking',
  'reasoning',
  'tool_use',
  'tool_result',
  'tool_call',
  'tool_call_response',
  'tool-call',
  'tool-result',
  'function_call',
  'function_call_output',
]);

/** A part of a message's content: by its kind, or by the one member that Bedrock and Gemini give it. */
function isBlock(value: Json): boolean {
  if (!isJsonObject(value) || value.role !== undefined) return false;
  if (typeof value.type === 'string' && BLOCK_KINDS.has(value.type)) return true;
  if (BLOCK_MEMBERS.some((name) => isJsonObject(value[name]))) return true;
  return (
    typeof value.text === 'string' &&
    Object.keys(value).every((name) => /^(?:text|thought|thought_signature)$/u.test(name))
  );
}

function readContent(parts: readonly Json[], role: Role): SpokenMessage {
  const texts: string[] = [];
  const calls: SpokenCall[] = [];
  const results: FoundResult[] = [];
  const unread: string[] = [];
  for (const part of parts) {
    const block = isJsonObject(part) && isJsonObject(part.message_content) ? part.message_content : part;
    const [text, found, result] = [blockText(block), callOf(block), resultOf(block)];
    if (text !== null) texts.push(text);
    else if (result !== null) results.push(result);
    else if (found.length > 0) calls.push(...found);
    else if (!isSilent(block))
      unread.push(isJsonObject(block) ? String(block.type ?? Object.keys(block)[0]) : typeof block);
  }
  return message(role, { text: texts.join('\n'), calls, results, unread });
}

function blockText(block: Json): string | null {
  if (typeof block === 'string') return block;
  if (!isJsonObject(block) || isSilent(block)) return null;
  const isText = block.type === undefined || /text$/u.test(String(block.type));
  if (!isText) return null;
  return typeof block.text === 'string'
    ? block.text
    : typeof block.content === 'string'
      ? block.content
      : null;
}

function isSilent(block: Json): boolean {
  if (!isJsonObject(block)) return false;
  return block.thought === true || SILENT.has(String(block.type)) || block.reasoningContent !== undefined;
}

/**
 * A call in any of its spellings: `arguments` is JSON text or a value, `args`, `input` and `params` are
 * values.
 */
function callOf(block: Json): SpokenCall[] {
  if (!isJsonObject(block) || isResultKind(block)) return [];
  const inner = [
    block.tool_call,
    block.toolUse,
    block.functionCall,
    block.function_call,
    block.function,
  ].find(isJsonObject);
  if (inner !== undefined && isJsonObject(inner.function)) return callOf({ ...inner });
  const call = inner ?? block;
  const tool = textOf(call.name) ?? textOf(call.toolName) ?? textOf(call.tool_name);
  if (tool === null || (inner === undefined && !looksLikeCall(block))) return [];
  const id = [block.id, call.id, call.toolUseId, call.toolCallId, call.tool_call_id, block.call_id].map(
    textOf,
  );
  const given = call.arguments ?? call.args ?? call.input ?? call.params;
  return [
    {
      tool,
      id: textOf(block.call_id) ?? id.find((one) => one !== null) ?? null,
      arguments: call.arguments === undefined ? argumentsOfValue(given) : argumentsOfText(given),
    },
  ];
}

const CALL_KINDS = /^(?:tool_use|tool_call|tool-call|function_call|function|server_tool_use|mcp_tool_use)$/u;
const looksLikeCall = (block: JsonObject): boolean =>
  CALL_KINDS.test(String(block.type)) ||
  ['args', 'arguments', 'input'].some((name) => block[name] !== undefined);

const isResultKind = (block: JsonObject): boolean =>
  /(?:tool[_-]result|tool_call_response|function_call_output)$/u.test(String(block.type)) ||
  isJsonObject(block.toolResult) ||
  isJsonObject(block.functionResponse) ||
  isJsonObject(block.function_response);

function resultOf(block: Json): FoundResult | null {
  if (!isJsonObject(block) || !isResultKind(block)) return null;
  const inner =
    [block.toolResult, block.functionResponse, block.function_response].find(isJsonObject) ?? block;
  const ids = [
    inner.toolUseId,
    inner.tool_use_id,
    inner.toolCallId,
    inner.call_id,
    inner.tool_call_id,
    inner.id,
  ];
  const value = inner.response ?? inner.result ?? inner.output ?? inner.content;
  return {
    id: ids.map(textOf).find((id) => id !== null) ?? null,
    tool: textOf(inner.name) ?? textOf(inner.toolName),
    value: resultValue(Array.isArray(value) ? (plainText(value) ?? value) : value),
    failed: failedOf(inner),
  };
}

function plainText(blocks: readonly Json[]): string | null {
  const texts = blocks.map(blockText);
  return texts.every((text) => text !== null) ? texts.join('\n') : null;
}

function failedOf({ status, is_error, isError }: JsonObject): boolean | null {
  if (typeof is_error === 'boolean' || typeof isError === 'boolean')
    return is_error === true || isError === true;
  return status === 'error' || status === 'success' ? status === 'error' : null;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function message(role: Role, parts: Partial<Omit<SpokenMessage, 'role'>>): SpokenMessage {
  return { role, text: '', calls: [], results: [], unread: [], ...parts };
}
