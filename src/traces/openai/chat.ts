import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { argumentsOfText, resultValue } from '../arguments.ts';
import { contentText } from '../content.ts';
import { type FoundResult, RunBuilder, textOf } from '../run-builder.ts';
import type { TraceEnd, TraceRun } from '../types.ts';
import { objectsOf, type Unit, type UnitForm } from '../units.ts';

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
const MESSAGE_MEMBERS = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'function_call',
  'refusal',
  'error',
  'is_error',
  'status',
  'id',
]);
const WHOLE_MEMBERS = new Set([
  'messages',
  'traj',
  'choices',
  'usage',
  'id',
  'object',
  'created',
  'model',
  'tools',
]);

/** Messages, `{messages}` and bodies of chat completions. */
export const CHAT_FORM: UnitForm = {
  isPart: (value) => typeof value.role === 'string' && ROLES.has(value.role),
  isWhole: (value) => isMessageList(value.messages) || isMessageList(value.traj) || hasChoices(value),
};

function isMessageList(value: Json | undefined): boolean {
  if (!Array.isArray(value)) return false;
  return (value as readonly Json[]).every((item) => isJsonObject(item) && CHAT_FORM.isPart(item));
}

function hasChoices(value: JsonObject): boolean {
  const { choices } = value;
  if (!Array.isArray(choices) || choices.length === 0) return false;
  return (choices as readonly Json[]).every((choice) => isJsonObject(choice) && isJsonObject(choice.message));
}

/** One run of a conversation; of a body with several choices one for each. */
export function readChatUnit({ name, parts, whole }: Unit): TraceRun[] {
  if (whole === null) return [readConversation(name, { messages: parts ?? [], whole: null, choice: null })];
  const messages = objectsOf(whole.messages ?? whole.traj, () => undefined);
  const choices = objectsOf(whole.choices, () => undefined);
  if (choices.length === 0) return [readConversation(name, { messages, whole, choice: null })];
  return choices.map((choice, index) =>
    readConversation(choices.length === 1 ? name : `${name} choice ${index}`, { messages, whole, choice }),
  );
}

interface Conversation {
  readonly messages: readonly JsonObject[];
  readonly whole: JsonObject | null;
  readonly choice: JsonObject | null;
}

function readConversation(name: string, { messages, whole, choice }: Conversation): TraceRun {
  const run = new RunBuilder('openai-chat');
  const last = isJsonObject(choice?.message) ? [choice.message] : [];
  const all = [...messages, ...last];
  for (const [index, message] of all.entries()) readMessage(run, message, `turn-${index}`);
  if (whole !== null) {
    run.ignore(whole, WHOLE_MEMBERS, 'conversation');
    const usage = isJsonObject(whole.usage) ? whole.usage : {};
    run.use({
      inputTokens: usage.prompt_tokens,
      outputTokens: usage.completion_tokens,
      cost: usage.cost,
    });
  }
  return run.finish(name, choice === null ? endOf(run, all) : endOfChoice(run, choice, all));
}

function readMessage(run: RunBuilder, message: JsonObject, turn: string): void {
  run.ignore(message, MESSAGE_MEMBERS, 'message');
  const { role } = message;
  // System prompts are neither calls nor said by user or agent.
  if (role === 'user') run.say('user', contentText(message.content, run));
  if (role === 'tool' || role === 'function') run.result(resultOf(run, message));
  if (role !== 'assistant') return;
  run.say('agent', saidBy(run, message));
  readCalls(run, message, turn);
}

function saidBy(run: RunBuilder, message: JsonObject): string {
  return contentText(message.content, run) || (textOf(message.refusal) ?? '');
}

function readCalls(run: RunBuilder, message: JsonObject, turn: string): void {
  const lost = (value: Json): void => run.lose('unknown-content', `tool call ${JSON.stringify(value)}`);
  for (const call of objectsOf(message.tool_calls, lost)) {
    // A custom tool takes free text where a function takes JSON.
    const custom = isJsonObject(call.custom) ? call.custom : null;
    const called = custom ?? (isJsonObject(call.function) ? call.function : call);
    const tool = textOf(called.name);
    if (tool === null) lost(call);
    else {
      const given =
        custom === null ? argumentsOfText(called.arguments ?? called.args) : inputOf(custom.input);
      run.call({ tool, id: textOf(call.id), turn, arguments: given });
    }
  }
  const old = message.function_call;
  if (!isJsonObject(old)) return;
  const tool = textOf(old.name);
  if (tool === null) lost(old);
  else run.call({ tool, turn, arguments: argumentsOfText(old.arguments) });
}

function inputOf(input: Json | undefined): ReturnType<typeof argumentsOfText> {
  return input === undefined ? { kind: 'not-captured' } : { kind: 'json', value: input };
}

function resultOf(run: RunBuilder, message: JsonObject): FoundResult {
  const { content } = message;
  const value = Array.isArray(content) ? contentText(content, run) : content;
  return {
    id: textOf(message.tool_call_id),
    tool: textOf(message.name),
    value: resultValue(value),
    failed: failedOf(message),
  };
}

/** OpenAI has no error flag; dialects of its format have one of these. */
function failedOf({ error, is_error, status }: JsonObject): boolean | null {
  if (typeof error === 'boolean') return error;
  if (typeof is_error === 'boolean') return is_error;
  return status === 'error' || status === 'success' ? status === 'error' : null;
}

function endOf(run: RunBuilder, messages: readonly JsonObject[]): TraceEnd {
  const last = messages.findLast(({ role }) => role !== 'system' && role !== 'developer');
  if (last === undefined) return { kind: 'unknown', detail: 'there is no message' };
  if (last.role === 'user')
    return { kind: 'user-ended', detail: 'the trace ends after a message of the user' };
  if (last.role !== 'assistant') {
    return { kind: 'no-answer', detail: 'the trace ends after a tool result, without an answer' };
  }
  if (hasCalls(last))
    return { kind: 'no-answer', detail: 'the trace ends after a tool call, without an answer' };
  const text = run.lastWord;
  return text === null
    ? { kind: 'no-answer', detail: 'the last message of the agent is empty' }
    : { kind: 'answer', text };
}

function endOfChoice(run: RunBuilder, choice: JsonObject, messages: readonly JsonObject[]): TraceEnd {
  const reason = textOf(choice.finish_reason);
  if (reason === 'tool_calls' || reason === 'function_call' || hasCalls(messages.at(-1) ?? {})) {
    return { kind: 'unknown', detail: 'the body is one response of a run that goes on after its tool calls' };
  }
  if (reason === 'length' || reason === 'content_filter') {
    return { kind: 'no-answer', detail: `the model stopped by ${reason}` };
  }
  return endOf(run, messages);
}

function hasCalls(message: JsonObject): boolean {
  const { tool_calls, function_call } = message;
  return (Array.isArray(tool_calls) && tool_calls.length > 0) || isJsonObject(function_call);
}
