import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { argumentsOfValue, resultValue } from '../arguments.ts';
import { contentText } from '../content.ts';
import type { TraceFile } from '../documents.ts';
import { RunBuilder, textOf } from '../run-builder.ts';
import type { TraceEnd, TraceRun } from '../types.ts';
import { objectsOf, type Unit, type UnitForm, unitsOf } from '../units.ts';

const CALLS = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);
const RESULT = /^(?:tool_result|\w+_tool_result)$/u;
/** Blocks that tell of neither a call nor of what was said. */
const SILENT = new Set(['thinking', 'redacted_thinking', 'compaction', 'fallback']);
const WHOLE_MEMBERS = new Set(['messages', 'system', 'tools', 'model', 'id', 'usage', 'max_tokens']);
const isBlock = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && (CALLS.has(type) || RESULT.test(type) || SILENT.has(type));

const FORM: UnitForm = {
  isPart: (value) => (value.role === 'user' || value.role === 'assistant') && !('tool_calls' in value),
  isWhole: (value) =>
    (value.type === 'message' && value.role === 'assistant' && Array.isArray(value.content)) ||
    (Array.isArray(value.messages) &&
      (value.messages as readonly Json[]).every((item) => isJsonObject(item) && FORM.isPart(item))),
};

/** Messages of Anthropic's API: lists, requests with `messages`, response bodies; null when it holds none. */
export function readAnthropic(trace: TraceFile): TraceRun[] | null {
  const units = unitsOf(trace, FORM);
  return units?.some(isAnthropic) ? units.map(readUnit) : null;
}

/** Plain messages look the same in OpenAI's format; what only Anthropic has decides. */
function isAnthropic({ parts, whole }: Unit): boolean {
  if (whole?.type === 'message' || whole?.system !== undefined) return true;
  return messagesOf({ parts, whole }).some((message) => blocksOf(message).some(isBlock));
}

function messagesOf({ parts, whole }: Pick<Unit, 'parts' | 'whole'>): readonly JsonObject[] {
  if (parts !== null) return parts;
  if (whole === null) return [];
  return whole.type === 'message' ? [whole] : objectsOf(whole.messages, () => undefined);
}

function blocksOf({ content }: JsonObject): JsonObject[] {
  return Array.isArray(content) ? (content as readonly Json[]).filter(isJsonObject) : [];
}

function readUnit(unit: Unit): TraceRun {
  const run = new RunBuilder('anthropic');
  const messages = messagesOf(unit);
  for (const [index, message] of messages.entries()) readMessage(run, message, `turn-${index}`);
  const { whole } = unit;
  if (whole !== null && whole.type !== 'message') run.ignore(whole, WHOLE_MEMBERS, 'request');
  for (const message of messages) {
    const usage = isJsonObject(message.usage) ? message.usage : {};
    run.use({ inputTokens: usage.input_tokens, outputTokens: usage.output_tokens });
  }
  return run.finish(unit.name, endOf(run, messages.at(-1), whole?.type === 'message'));
}

function readMessage(run: RunBuilder, message: JsonObject, turn: string): void {
  const role = message.role === 'assistant' ? 'agent' : 'user';
  if (typeof message.content === 'string') {
    run.say(role, message.content);
    return;
  }
  // The vendor's own tools answer within a message: what comes after their result is a new turn.
  let part = 0;
  const said: Json[] = [];
  for (const block of objectsOf(message.content, (value) =>
    run.lose('unknown-content', JSON.stringify(value)),
  )) {
    const kind = typeof block.type === 'string' ? block.type : JSON.stringify(block);
    if (CALLS.has(kind)) {
      sayAll(run, role, said);
      readCall(run, block, `${turn}.${part}`);
    } else if (RESULT.test(kind)) {
      sayAll(run, role, said);
      readResult(run, block);
      part += 1;
    } else if (kind === 'text') said.push(block);
    else if (SILENT.has(kind)) continue;
    else
      run.lose(
        /image|document|file|container_upload/u.test(kind) ? 'content-not-text' : 'unknown-content',
        kind,
      );
  }
  sayAll(run, role, said);
}

/** The vendor cuts one text into several blocks around its citations: together they are what was said. */
function sayAll(run: RunBuilder, role: 'user' | 'agent', said: Json[]): void {
  run.say(role, said.map((block) => contentText([block], run)).join(''));
  said.length = 0;
}

function readCall(run: RunBuilder, block: JsonObject, turn: string): void {
  const tool = textOf(block.name);
  if (tool === null) run.lose('unknown-content', JSON.stringify(block));
  else run.call({ tool, id: textOf(block.id), turn, arguments: argumentsOfValue(block.input) });
}

function readResult(run: RunBuilder, block: JsonObject): void {
  const { content, is_error } = block;
  const kind = isJsonObject(content) ? String(content.type) : '';
  run.result({
    id: textOf(block.tool_use_id),
    value: resultOf(run, content),
    // Left out it means false; the vendor's own tools tell of errors by the kind of their content.
    failed: is_error === true || /_error$/u.test(kind),
  });
}

function resultOf(run: RunBuilder, content: Json | undefined): Json {
  if (!Array.isArray(content)) return resultValue(content ?? null);
  const blocks = content as readonly Json[];
  const isText = blocks.every(
    (block) => isJsonObject(block) && ['text', 'image', 'document'].includes(String(block.type)),
  );
  return isText && blocks.length > 0 ? resultValue(contentText(blocks, run)) : content;
}

function endOf(run: RunBuilder, last: JsonObject | undefined, isBody: boolean): TraceEnd {
  if (last === undefined) return { kind: 'unknown', detail: 'there is no message' };
  const blocks = blocksOf(last);
  const reason = textOf(last.stop_reason);
  if (reason !== null && ['max_tokens', 'refusal', 'model_context_window_exceeded'].includes(reason)) {
    return { kind: 'no-answer', detail: `the model stopped by ${reason}` };
  }
  const final = blocks.findLast((block) => !SILENT.has(String(block.type)));
  const isCall = CALLS.has(String(final?.type));
  if (isBody && (isCall || reason === 'tool_use' || reason === 'pause_turn')) {
    return { kind: 'unknown', detail: 'the body is one response of a run that goes on after its tool calls' };
  }
  if (isCall) return { kind: 'no-answer', detail: 'the trace ends after a tool call, without an answer' };
  if (RESULT.test(String(final?.type))) {
    return { kind: 'no-answer', detail: 'the trace ends after a tool result, without an answer' };
  }
  if (last.role === 'user')
    return { kind: 'user-ended', detail: 'the trace ends after a message of the user' };
  const text = run.lastWord;
  return text === null
    ? { kind: 'no-answer', detail: 'the last message of the agent is empty' }
    : { kind: 'answer', text };
}
