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

/** What was no JSON cannot be sent back as such: the result that follows says what it was. */
function argumentsOf(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonObject;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
