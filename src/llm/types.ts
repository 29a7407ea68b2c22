import type { Json, JsonObject } from '../base/json.ts';

/** A tool as a chat model is offered it. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
}

/** A call that a model asks for. `arguments` is the text as it came: it may be no JSON. */
export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One message of a conversation with a model. */
export type ChatMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ChatToolCall[] }
  | {
      readonly role: 'tool';
      readonly results: readonly {
        readonly id: string;
        readonly name: string;
        readonly text: string;
        readonly isError: boolean;
      }[];
    };

/** What a model is asked. Plain data: its hash names the exchange in a cassette. */
export interface ChatRequest {
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  /** 0 to 2; left out where a model takes none. */
  readonly temperature?: number;
  readonly seed?: number;
  readonly maxOutputTokens: number;
}

/** Tokens of one exchange, as the provider counted them; null where it did not say. */
export interface ChatUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Part of the input tokens that the provider had cached. */
  readonly cachedInputTokens: number | null;
}

/** Why a model stopped. `length` means that it was cut off. */
export type ChatFinish = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'other';

export interface ChatReply {
  readonly text: string;
  readonly calls: readonly ChatToolCall[];
  readonly finish: ChatFinish;
  readonly usage: ChatUsage;
  /** The model that answered, as the provider names it: an alias may stand for another one each month. */
  readonly model: string;
  /** Settings of the request that were left out or changed on the way, such as `seed`; left out when none. */
  readonly ignored?: readonly string[];
}

/** How a request may be ended from outside. */
export interface ChatOptions {
  readonly signal?: AbortSignal;
}

/** A chat model. One request, one reply: retries, budgets and recording are layers around it. */
export interface ChatModel {
  /** As a person names it, such as `openai:gpt-4.1-mini`. */
  readonly name: string;
  /** Everything but the credential that fixes what it answers: base URL, model, protocol. */
  readonly config: Json;
  /** @throws ChatError when there is no reply; the signal's reason when that ended the request. */
  complete(request: ChatRequest, options?: ChatOptions): Promise<ChatReply>;
}

/**
 * Why there is no reply. `transient` ones are worth another try; of the others somebody must change
 * something. None of them says anything about the agent.
 */
export type ChatErrorKind =
  | 'no-key'
  | 'unauthorised'
  | 'no-credit'
  | 'unknown-model'
  | 'bad-url'
  | 'unreachable'
  | 'rate-limited'
  | 'overloaded'
  | 'timeout'
  | 'cut-off'
  | 'bad-request'
  | 'bad-answer'
  | 'budget'
  | 'not-recorded';

export class ChatError extends Error {
  override readonly name = 'ChatError';
  readonly kind: ChatErrorKind;
  /** What may help, in one sentence. */
  readonly hint: string | undefined;
  /** Milliseconds that the provider asks to wait; null where it does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: ChatErrorKind,
    message: string,
    options: { hint?: string; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.hint = options.hint;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  /** True for what may pass by itself. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.kind);
  }
}

const TRANSIENT: ReadonlySet<ChatErrorKind> = new Set([
  'unreachable',
  'rate-limited',
  'overloaded',
  'timeout',
  'cut-off',
]);
