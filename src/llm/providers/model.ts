import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Json } from '../../base/json.ts';
import { ChatError, type ChatModel, type ChatReply } from '../types.ts';
import { chatErrorOf, type Endpoint, isWebPage, webPage } from './failures.ts';
import { callOptions } from './prompt.ts';
import { GatheredReply, wholeReply } from './reply.ts';

export interface ProviderOptions extends Endpoint {
  readonly name: string;
  readonly config: Json;
  /** How long one request may take, in real milliseconds. */
  readonly timeoutMs: number;
  /** False for an endpoint that cannot stream. */
  readonly streamed: boolean;
}

/** A chat model behind a provider package. `complete` rejects with the signal's reason when that ends it. */
export function providerModel(model: LanguageModelV4, options: ProviderOptions): ChatModel {
  const { name, config, timeoutMs } = options;
  return {
    name,
    config,
    async complete(request, { signal } = {}) {
      signal?.throwIfAborted();
      const timeout = AbortSignal.timeout(timeoutMs);
      const call = callOptions(request, signal ? AbortSignal.any([signal, timeout]) : timeout);
      const progress = { hasBegun: false };
      try {
        if (options.streamed) return await streamedReply(model, { call, options, progress });
        return wholeReply(await model.doGenerate(call), options.model);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw chatErrorOf(error, options, {
          ...progress,
          timedOutMs: timeout.aborted ? timeoutMs : null,
        });
      }
    },
  };
}

async function streamedReply(
  model: LanguageModelV4,
  {
    call,
    options,
    progress,
  }: {
    readonly call: LanguageModelV4CallOptions;
    readonly options: ProviderOptions;
    readonly progress: { hasBegun: boolean };
  },
): Promise<ChatReply> {
  const { stream, response } = await model.doStream(call);
  assertEvents(response?.headers ?? {}, options);
  progress.hasBegun = true;
  const gathered = new GatheredReply(options.model);
  for await (const part of stream) gathered.add(part);
  return gathered.reply();
}

/** A whole answer holds no events, and would pass for a stream that broke off. */
function assertEvents(headers: Readonly<Record<string, string>>, { baseUrl }: Endpoint): void {
  if (isWebPage(headers)) throw webPage(baseUrl);
  if (headers['content-type']?.startsWith('application/json')) {
    throw new ChatError('bad-answer', `${baseUrl} was asked for a stream and answered whole`, {
      hint: 'ask it for whole replies',
    });
  }
}
