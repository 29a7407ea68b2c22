import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ChatMessage, ChatRequest } from '../types.ts';

/** A request as the provider packages take it. */
export function callOptions(request: ChatRequest, signal: AbortSignal): LanguageModelV4CallOptions {
  const { system, messages, tools, temperature, seed, maxOutputTokens } = request;
  return {
    prompt: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      ...messages.map(messageOf),
    ],
    maxOutputTokens,
    abortSignal: signal,
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema: inputSchema as Record<string, never>,
      })),
    }),
  };
}

function messageOf(message: ChatMessage): LanguageModelV4Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.calls.map(({ id, name, arguments: text }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: argumentsOf(text),
          })),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, name, text, isError }) => ({
          type: 'tool-result' as const,
          toolCallId: id,
          toolName: name,
          output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
        })),
      };
  }
}

/** What is nested deeper is read, but cannot be turned into text again. */
const DEPTH_MOST = 500;

/** An upper bound: brackets in texts count too. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/gu)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** What cannot be sent back as it came: no JSON, or too deep. The result that follows says what it was. */
function argumentsOf(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonObject;
    return isJsonObject(value) && depthOf(text) <= DEPTH_MOST ? value : {};
  } catch {
    return {};
  }
}
