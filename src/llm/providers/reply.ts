import type {
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { ChatError, type ChatFinish, type ChatReply, type ChatToolCall, type ChatUsage } from '../types.ts';

/** A reply as it comes in, part by part. */
export class GatheredReply {
  readonly #texts: string[] = [];
  readonly #calls: ChatToolCall[] = [];
  #finish: LanguageModelV4FinishReason | null = null;
  #usage: LanguageModelV4Usage | null = null;
  #warnings: readonly SharedV4Warning[] = [];
  #model: string;

  /** `model` is the one that was asked, for a provider that does not say which one answered. */
  constructor(model: string) {
    this.#model = model;
  }

  /** @throws whatever the provider sent in place of the rest of the reply */
  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'stream-start':
        this.#warnings = part.warnings;
        break;
      case 'text-delta':
        this.#texts.push(part.delta);
        break;
      case 'tool-call':
        this.#calls.push(callOf(part));
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

  /** @throws ChatError for a reply that never came to its end */
  reply(): ChatReply {
    const finish = this.#finish;
    // What came before a cut may be half a call: it is no reply.
    if (!finish || finish.unified === 'interrupted') {
      throw new ChatError('cut-off', 'the reply broke off before its end');
    }
    return {
      text: this.#texts.join(''),
      calls: distinct(this.#calls),
      finish: finishOf(finish),
      usage: usageOf(this.#usage),
      model: this.#model,
      ...ignoredBy(this.#warnings),
    };
  }
}

/** A reply that came whole. */
export function wholeReply(result: LanguageModelV4GenerateResult, model: string): ChatReply {
  const { content, finishReason, usage, response, warnings } = result;
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    calls: distinct(content.flatMap((part) => (part.type === 'tool-call' ? [callOf(part)] : []))),
    finish: finishOf(finishReason),
    usage: usageOf(usage),
    model: response?.modelId ?? model,
    ...ignoredBy(warnings),
  };
}

function callOf(part: {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
}): ChatToolCall {
  return { id: part.toolCallId, name: part.toolName, arguments: part.input };
}

/** Some servers give several calls one id, and refuse to hear that back. */
function distinct(calls: readonly ChatToolCall[]): ChatToolCall[] {
  const taken = new Set<string>();
  return calls.map((call) => {
    let { id } = call;
    for (let copy = 2; taken.has(id); copy += 1) id = `${call.id}_${copy}`;
    taken.add(id);
    return { ...call, id };
  });
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

/** Provider packages drop or clamp what a model does not take, and say so in warnings only. */
function ignoredBy(warnings: readonly SharedV4Warning[]): Pick<ChatReply, 'ignored'> {
  const features = warnings.flatMap((warning) => ('feature' in warning ? [warning.feature] : []));
  return features.length > 0 ? { ignored: features } : {};
}
