import { UsageError } from '../../base/errors.ts';
import { Redaction } from '../redaction.ts';
import type { ChatModel } from '../types.ts';
import { ChatError } from '../types.ts';
import type { ProviderOptions } from './model.ts';

/** Protocols of chat endpoints that are spoken. */
export const PROTOCOLS = ['openai', 'anthropic'] as const;
export type ChatProtocol = (typeof PROTOCOLS)[number];

/** What a person may say about a model besides its name. */
export interface ModelSettings {
  /** Up to the version, such as `http://localhost:8000/v1`; the provider's own when left out. */
  readonly baseUrl?: string | undefined;
  readonly protocol?: ChatProtocol | undefined;
  /** The environment variable that holds the key; the provider's usual one when left out. */
  readonly keyVariable?: string | undefined;
  /** How long one request may take, in real milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** False for an endpoint that cannot stream; replies come as a stream when left out. */
  readonly streamed?: boolean | undefined;
  /** Where keys are looked for: the environment of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const USUAL: Readonly<Record<ChatProtocol, { readonly baseUrl: string; readonly keyVariable: string }>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', keyVariable: 'OPENAI_API_KEY' },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', keyVariable: 'ANTHROPIC_API_KEY' },
};

const TIMEOUT_MS = 120_000;

/**
 * The chat model that a person names: `openai:MODEL` for any OpenAI-compatible endpoint, `anthropic:MODEL`;
 * a bare name is one of the protocol that the settings give, `openai` when they give none.
 * @throws UsageError for a base URL that is none, ChatError where the provider's own endpoint needs a key, or
 * the variable that was named for it is not set
 */
export async function chatModelNamed(spec: string, settings: ModelSettings): Promise<ChatModel> {
  const { name, config } = modelIdentity(spec, settings);
  const { protocol, model, baseUrl } = config;
  const keyVariable = settings.keyVariable ?? USUAL[protocol].keyVariable;
  const key = settings.environment[keyVariable];
  const needsKey = settings.baseUrl === undefined || settings.keyVariable !== undefined;
  if (!key && needsKey) {
    throw new ChatError('no-key', `there is no key for ${baseUrl}: ${keyVariable} is not set`, {
      hint: `export ${keyVariable}=…, or give --base-url for a server that needs none`,
    });
  }
  const options: ProviderOptions = {
    name,
    config: { ...config },
    baseUrl,
    model,
    keyVariable,
    timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
    streamed: settings.streamed ?? true,
    redaction: new Redaction(key ? [key] : []),
  };
  return protocol === 'openai' ? await openAi(options, key) : await anthropic(options, key);
}

/** What names a model and fixes its answers. */
export interface ModelIdentity {
  readonly name: string;
  readonly config: { readonly protocol: ChatProtocol; readonly model: string; readonly baseUrl: string };
}

/**
 * Which model a person means, without a key or a package: enough where every reply is recorded.
 * @throws UsageError for a base URL that is none
 */
export function modelIdentity(
  spec: string,
  settings: Pick<ModelSettings, 'baseUrl' | 'protocol'>,
): ModelIdentity {
  const { protocol, model } = specOf(spec, settings.protocol);
  const baseUrl = (settings.baseUrl ?? USUAL[protocol].baseUrl).replace(/\/+$/u, '');
  if (!URL.canParse(baseUrl) || !/^https?:/u.test(baseUrl)) {
    throw new UsageError('bad-url', `${JSON.stringify(baseUrl)} is no base URL`, {
      hint: 'such as http://localhost:8000/v1',
    });
  }
  // It stands in configurations and messages, and paths are put behind it.
  const { username, password, search, hash } = new URL(baseUrl);
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    throw new UsageError('bad-url', 'a base URL holds neither a password nor anything after its path', {
      hint: 'a key is taken from a variable of the environment',
    });
  }
  return { name: `${protocol}:${model}`, config: { protocol, model, baseUrl } };
}

function specOf(
  spec: string,
  given: ChatProtocol | undefined,
): { readonly protocol: ChatProtocol; readonly model: string } {
  const [first = '', ...rest] = spec.split(':');
  const protocol = PROTOCOLS.find((name) => name === first);
  // A model's own name may hold a colon, such as `qwen2.5:14b`.
  const model = protocol && rest.length > 0 ? rest.join(':') : spec;
  if (model !== '') return { protocol: protocol ?? given ?? 'openai', model };
  throw new UsageError('no-model', 'name a model', { hint: 'such as chat:openai:gpt-4.1-mini' });
}

async function openAi(options: ProviderOptions, key: string | undefined): Promise<ChatModel> {
  const { createOpenAICompatible } = await optional(() => import('@ai-sdk/openai-compatible'));
  const { providerModel } = await optional(() => import('./model.ts'));
  const provider = createOpenAICompatible({
    name: 'chat',
    baseURL: options.baseUrl,
    includeUsage: true,
    transformRequestBody: (body) => openAiBody(options.baseUrl, body),
    ...(key && { apiKey: key }),
  });
  return providerModel(provider.chatModel(options.model), options);
}

/**
 * OpenAI's newer models take no `max_tokens`, and its older ones take both; other servers often know nothing
 * else.
 */
export function openAiBody(
  baseUrl: string,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (new URL(baseUrl).host !== 'api.openai.com') return body;
  const { max_tokens: most, ...rest } = body;
  return { ...rest, max_completion_tokens: most };
}

async function anthropic(options: ProviderOptions, key: string | undefined): Promise<ChatModel> {
  const { createAnthropic } = await optional(() => import('@ai-sdk/anthropic'));
  const { providerModel } = await optional(() => import('./model.ts'));
  const provider = createAnthropic({ baseURL: options.baseUrl, apiKey: key ?? 'none' });
  return providerModel(provider.languageModel(options.model), options);
}

/** @throws UsageError where the package is not installed. */
async function optional<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError('not-installed', 'models need a provider package, which is not installed', {
      hint: 'npm install @ai-sdk/openai-compatible @ai-sdk/anthropic',
    });
  }
}
