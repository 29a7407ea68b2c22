import type {
  LanguageModelV4,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { Json } from '../../base/json.ts';
import {
  ChatError,
  type ChatFinish,
  type ChatModel,
  type ChatReply,
  type ChatToolCall,
  type ChatUsage,
} from '../types.ts';
import { chatErrorOf, type Endpoint } from './failures.ts';
import { callOptions } from './prompt.ts';

export interface ProviderOptions extends Endpoint {
  readonly name: string;
  readonly config: Json;
  /** How long one request may take, in real milliseconds. */
  readonly timeoutMs: number;
}

/** A chat model behind a provider package. Replies are streamed, so that a long one is no time-out. */
export function providerModel(model: LanguageModelV4, options: ProviderOptions): ChatModel {
  const { name, config, timeoutMs } = options;
  return {
    name,
    config,
    async complete(request, { signal } = {}) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const ends = signal ? AbortSignal.any([signal, timeout]) : timeout;
      try {
        const { stream } = await model.doStream(callOptions(request, ends));
        const gathered = new Gathered(options.model);
        for await (const part of stream) gathered.add(part);
        return gathered.reply();
      } catch (error) {
        throw chatErrorOf(error, options, timeout.aborted ? timeoutMs : null);
      }
    },
  };
}

/** A reply as it comes in, part by part. */
class Gathered {
  readonly #texts: string[] = [];
  readonly #calls = new Map<string, ChatToolCall>();
  #finish: LanguageModelV4FinishReason | null = null;
  #usage: LanguageModelV4Usage | null = null;
  #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        this.#texts.push(part.delta);
        break;
      case 'tool-input-start':
        this.#calls.set(part.id, { id: part.id, name: part.toolName, arguments: '' });
        break;
      case 'tool-input-delta': {
        const call = this.#calls.get(part.id);
        if (call) this.#calls.set(part.id, { ...call, arguments: call.arguments + part.delta });
        break;
      }
      case 'tool-call':
        this.#calls.set(part.toolCallId, {
          id: part.toolCallId,
          name: part.toolName,
          arguments: part.input,
        });
        break;
      case 'response-metadata':
        this.#model = part.modelId ?? this.#model;
        break;
      case 'finish':
        this.#finish = part.finishReason;
        this.#usage = part.usage;
        break;
      case 'error':
        throw part.error;
      default:
    }
  }

  reply(): ChatReply {
    if (!this.#finish) throw new ChatError('cut-off', 'the reply broke off before its end');
    return {
      text: this.#texts.join(''),
      calls: [...this.#calls.values()],
      finish: finishOf(this.#finish),
      usage: usageOf(this.#usage),
      model: this.#model,
    };
  }
}

function finishOf({ unified, raw }: LanguageModelV4FinishReason): ChatFinish {
  if (raw === 'refusal' || unified === 'content-filter') return 'refusal';
  if (unified === 'stop' || unified === 'tool-calls' || unified === 'length') return unified;
  return 'other';
}

function usageOf(usage: LanguageModelV4Usage | null): ChatUsage {
  return {
    inputTokens: usage?.inputTokens.total ?? null,
    outputTokens: usage?.outputTokens.total ?? null,
    cachedInputTokens: usage?.inputTokens.cacheRead ?? null,
  };
}
