import { isJsonObject, type Json } from '../../base/json.ts';
import { inputProblem } from '../../session/index.ts';
import { AgentFailure } from '../agent-failure.ts';
import type { AgentAction } from '../types.ts';
import { checkedUsage } from './checked.ts';

/**
 * One line that a program wrote: what it does, and the id that the answer will carry.
 * @throws AgentFailure for a line that is no message of the protocol.
 */
export function parseMessage(line: string): { readonly action: AgentAction; readonly id: Json } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw nonsense('a line that is not JSON', line);
  }
  if (!isJsonObject(value)) throw nonsense('a line that is no object', line);
  const action = actionOf(value);
  if (!action) throw nonsense('a message of no known type', line);
  return { action, id: value.id ?? null };
}

function actionOf(value: { readonly [name: string]: Json | undefined }): AgentAction | null {
  const { type, tool, calls, text, answer, usage } = value;
  if (type === 'call' && typeof tool === 'string') return { type, ...callOf(value) };
  if (type === 'calls' && Array.isArray(calls) && calls.every(isCall)) {
    return { type, calls: calls.map(callOf) };
  }
  if (type === 'say' && typeof text === 'string') return { type, text };
  if (type === 'final' && typeof answer === 'string') {
    return { type: 'answer', text: answer, usage: checkedUsage(usage) };
  }
  return null;
}

function isCall(value: Json): boolean {
  return isJsonObject(value) && typeof value.tool === 'string';
}

/**
 * Arguments that are a text are parsed, as model APIs give them; what does not parse is kept as it came. A
 * wait is handed on unseen: `checked.ts` says what a wait is, for programs and scripts alike.
 */
function callOf(value: Json): { tool: string; arguments?: Json; malformed?: string; waitMs?: number } {
  const call = value as { readonly tool: string; readonly arguments?: Json; readonly waitMs?: Json };
  const base = {
    tool: call.tool,
    ...(call.waitMs !== undefined && { waitMs: call.waitMs as number }),
  };
  if (call.arguments === undefined) return { ...base, arguments: {} };
  if (typeof call.arguments !== 'string') return { ...base, arguments: call.arguments };
  return { ...base, ...readArguments(call.arguments) };
}

/** Arguments that came as a text: read, or as they came where they are no JSON, or none to record. */
export function readArguments(text: string): { readonly arguments?: Json; readonly malformed?: string } {
  let parsed: Json;
  try {
    parsed = JSON.parse(text) as Json;
  } catch {
    return { malformed: text };
  }
  return inputProblem(parsed) === null ? { arguments: parsed } : { malformed: text };
}

function nonsense(what: string, line: string): AgentFailure {
  return new AgentFailure('agent-protocol', `the program wrote ${what}: ${line.slice(0, 120)}`);
}
