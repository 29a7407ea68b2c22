import type { ChatModel, ChatReply, ChatRequest } from './types.ts';

export const REQUEST: ChatRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'How many orders?' }],
  tools: [],
  maxOutputTokens: 50,
};

export function replyOf(text: string, usage: Partial<ChatReply['usage']> = {}): ChatReply {
  return {
    text,
    calls: [],
    finish: 'stop',
    usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: null, ...usage },
    model: 'some-model-2026',
  };
}

/** A model that answers by a function of the request and of how many came before it; it may throw. */
export function modelOf(
  answer: (request: ChatRequest, index: number) => ChatReply | Promise<ChatReply>,
  name = 'openai:some-model',
): ChatModel & { readonly asked: readonly ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    name,
    config: { model: name },
    asked,
    async complete(request) {
      asked.push(request);
      return await answer(request, asked.length - 1);
    },
  };
}
