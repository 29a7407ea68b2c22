import type { ChatFinish, ChatModel, ChatReply, ChatRequest } from '../../llm/types.ts';
import type { DetectCall } from '../detect/types.ts';
import type { JudgedRun } from './types.ts';

/** A model that answers by a function, and keeps what it was sent. */
export interface ScriptedModel extends ChatModel {
  readonly sent: readonly ChatRequest[];
}

type Answer = string | { readonly text: string; readonly finish: ChatFinish };

/** A judge that answers each request by `answer`; 100 input and 10 output tokens each. */
export function scripted(
  answer: (request: ChatRequest, index: number) => Answer,
  name = 'openai:scripted',
): ScriptedModel {
  const sent: ChatRequest[] = [];
  return {
    name,
    config: { model: name },
    sent,
    complete: async (request): Promise<ChatReply> => {
      sent.push(request);
      const given = answer(request, sent.length - 1);
      const { text, finish } = typeof given === 'string' ? { text: given, finish: 'stop' as const } : given;
      const usage = { inputTokens: 100, outputTokens: 10, cachedInputTokens: null };
      return { text, calls: [], finish, usage, model: 'scripted-2031' };
    },
  };
}

/** A reply in the form that was asked for. */
export function said(
  verdict: string,
  { confidence = 0.8, step = null }: { confidence?: number; step?: number | null } = {},
): string {
  return JSON.stringify({ verdict, confidence, reason: `because ${verdict}`, step });
}

/** What a request holds, as one text. */
export function textOf({ system, messages }: ChatRequest): string {
  return [system, ...messages.map((message) => ('text' in message ? message.text : ''))].join('\n');
}

export function lookUp(order: string, result: string, thought: string | null = null): DetectCall {
  return {
    tool: 'get_order',
    arguments: { kind: 'json', value: { order } },
    result: { value: { note: result } },
    failed: false,
    status: 200,
    thought,
  };
}

/** Three look-ups whose parts all have names that can be looked for in a prompt. */
export function threeSteps(name = 'faulty/silent/run-7.traj.jsonl'): JudgedRun {
  return {
    name,
    cluster: 'cluster-wrong_tool',
    task: 'the-task',
    instructions: 'the-policy',
    calls: [lookUp('o-0', 'result-0', 'thought-0'), lookUp('o-1', 'result-1'), lookUp('o-2', 'result-2')],
    messages: [
      { afterCall: 0, role: 'user', text: 'the-task' },
      { afterCall: 0, role: 'agent', text: 'thought-0' },
      { afterCall: 1, role: 'user', text: 'said-after-0' },
      { afterCall: 2, role: 'user', text: 'said-after-1' },
      { afterCall: 3, role: 'user', text: 'said-after-2' },
      { afterCall: 3, role: 'agent', text: 'the-reply' },
    ],
    reply: 'the-reply',
    ended: 'answer',
    tools: [{ name: 'get_order', effect: 'read', inputSchema: { type: 'object', title: 'the-schema' } }],
  };
}
