import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  answersRaw,
  asksFor,
  failsWith,
  hangs,
  isCutShort,
  refuses,
  type Scripted,
  type ScriptedReply,
  type StubLlm,
  type StubOptions,
  says,
  startStubLlm,
} from '../../../test/stub-llm/index.ts';
import { ChatError, type ChatRequest } from '../types.ts';
import { type ChatProtocol, chatModelNamed, type ModelSettings, openAiBody } from './index.ts';

const REQUEST: ChatRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'How many orders?' }],
  tools: [
    {
      name: 'count_orders',
      description: 'Counts orders',
      inputSchema: { type: 'object', properties: { status: { type: 'string' } } },
    },
  ],
  maxOutputTokens: 100,
};

const KEY = 'test-key-0123456789';
const open: StubLlm[] = [];
const warned = vi.fn();

beforeEach(() => {
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation(warned);
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const stub of open.splice(0)) await stub.close();
  expect(warned).not.toHaveBeenCalled();
});

async function stubFor(scripted: Scripted | readonly Scripted[], options?: StubOptions): Promise<StubLlm> {
  const rows = Array.isArray(scripted) ? (scripted as readonly Scripted[]) : [scripted as Scripted];
  const stub = await startStubLlm((_, index) => rows[index] ?? failsWith(500), options);
  open.push(stub);
  return stub;
}

interface Way {
  readonly protocol: ChatProtocol;
  readonly streamed: boolean;
}

const WAYS: readonly Way[] = [
  { protocol: 'openai', streamed: true },
  { protocol: 'openai', streamed: false },
  { protocol: 'anthropic', streamed: true },
  { protocol: 'anthropic', streamed: false },
];

function modelAt(stub: StubLlm, way: Way, settings: Partial<ModelSettings> = {}) {
  return chatModelNamed(`${way.protocol}:some-model`, {
    baseUrl: stub.baseUrl,
    streamed: way.streamed,
    timeoutMs: 10_000,
    environment: { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY },
    ...settings,
  });
}

async function ask(way: Way, scripted: Scripted, request: Partial<ChatRequest> = {}) {
  const stub = await stubFor(scripted);
  const model = await modelAt(stub, way);
  return { reply: await model.complete({ ...REQUEST, ...request }), asked: stub.requests[0] };
}

async function failure(way: Way, scripted: Scripted, settings: Partial<ModelSettings> = {}) {
  const stub = await stubFor(scripted);
  const model = await modelAt(stub, way, settings);
  const error = await model.complete(REQUEST).then(
    (reply) => reply,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ChatError)) throw new Error(`no ChatError but ${JSON.stringify(error)}`);
  return { error, kind: error.kind, message: error.message.replace(stub.baseUrl, 'URL') };
}

describe.each(WAYS)('a reply over $protocol, streamed: $streamed', (way) => {
  it('gives the text, the tokens and the model that answered', async () => {
    const usage = { input: 120, output: 7, cached: 100 };
    const { reply } = await ask(way, { ...says('Three orders, all open.'), usage, model: 'some-model-2026' });
    expect(reply).toEqual({
      text: 'Three orders, all open.',
      calls: [],
      finish: 'stop',
      usage: { inputTokens: 120, outputTokens: 7, cachedInputTokens: 100 },
      model: 'some-model-2026',
    });
  });

  it('gives several calls in their order, with unknown tools as they were named', async () => {
    const { reply } = await ask(
      way,
      asksFor(
        { id: 'a1', name: 'count_orders', arguments: { status: 'größer "als" \\ alles\n' } },
        { id: 'b2', name: 'no_such_tool', arguments: { deep: { list: [1, null] } } },
      ),
    );
    expect(reply.finish).toBe('tool-calls');
    expect(reply.calls.map(({ id, name }) => `${id} ${name}`)).toEqual([
      'a1 count_orders',
      'b2 no_such_tool',
    ]);
    expect(reply.calls.map((call) => JSON.parse(call.arguments))).toEqual([
      { status: 'größer "als" \\ alles\n' },
      { deep: { list: [1, null] } },
    ]);
  });

  it('gives calls of one id ids of their own', async () => {
    const call = { id: 'same', name: 'count_orders', arguments: {} };
    const { reply } = await ask(way, asksFor(call, { ...call, arguments: { status: 'open' } }));
    expect(new Set(reply.calls.map(({ id }) => id)).size).toBe(2);
    expect(reply.calls.map((one) => one.arguments)).toEqual(['{}', '{"status":"open"}']);
  });

  it('says that the model refused, or was cut off', async () => {
    expect((await ask(way, refuses('I will not.'))).reply).toMatchObject({
      finish: 'refusal',
      text: 'I will not.',
    });
    expect((await ask(way, isCutShort('There are'))).reply).toMatchObject({
      finish: 'length',
      text: 'There are',
    });
  });

  it('takes text beside calls, and no text at all', async () => {
    const { reply } = await ask(way, {
      ...asksFor({ name: 'count_orders', arguments: {} }),
      text: 'Let me see.',
    });
    expect(reply).toMatchObject({ text: 'Let me see.', finish: 'tool-calls' });
    expect(reply.calls).toHaveLength(1);
    expect((await ask(way, says(''))).reply).toMatchObject({ text: '', calls: [], finish: 'stop' });
  });

  it('comes from what was asked: limits, prompt, tools', async () => {
    const { asked } = await ask(way, says('ok'), { temperature: 0.25 });
    expect(asked?.body).toMatchObject({ model: 'some-model', max_tokens: 100, temperature: 0.25 });
    expect(JSON.stringify(asked?.body.tools)).toContain('count_orders');
    expect(JSON.stringify(asked?.body)).toContain('Be brief.');
    expect(asked?.body.stream === true).toBe(way.streamed);
  });

  it('comes with the key in the header of the protocol, and only there', async () => {
    const { asked } = await ask(way, says('ok'));
    const { authorization, 'x-api-key': apiKey } = asked?.headers ?? {};
    expect([authorization, apiKey]).toEqual(
      way.protocol === 'openai' ? [`Bearer ${KEY}`, undefined] : [undefined, KEY],
    );
    expect(JSON.stringify(asked?.body)).not.toContain(KEY);
  });
});

describe.each(WAYS)('a whole conversation over $protocol, streamed: $streamed', (way) => {
  const call = (id: string, text: string) => ({ id, name: 'count_orders', arguments: text });
  const messages: ChatRequest['messages'] = [
    ...REQUEST.messages,
    { role: 'assistant', text: '', calls: [call('c1', '{"status":"open"}'), call('c2', '{"status": ')] },
    {
      role: 'tool',
      results: [
        { id: 'c1', name: 'count_orders', text: '3', isError: false },
        { id: 'c2', name: 'count_orders', text: 'the arguments are no JSON', isError: true },
      ],
    },
    { role: 'assistant', text: 'Three.', calls: [] },
    { role: 'user', text: 'And closed ones?' },
    { role: 'assistant', text: '', calls: [] },
    { role: 'user', text: 'Hello?' },
  ];

  it('is one that the real API takes', async () => {
    const { asked } = await ask(way, says('None.'), { messages });
    const sent = JSON.stringify(asked?.body.messages);
    for (const part of ['How many orders?', 'c1', 'c2', 'Three.', 'the arguments are no JSON', 'Hello?']) {
      expect(sent).toContain(part);
    }
  });

  it('is refused where a result has no call, by the stub as by the real API', async () => {
    const stub = await stubFor(says('never'));
    const model = await modelAt(stub, way);
    const stray = [...REQUEST.messages, ...messages.slice(2, 3)];
    await expect(model.complete({ ...REQUEST, messages: stray })).rejects.toMatchObject({
      kind: 'bad-request',
    });
    expect(stub.takeRefusals()).toHaveLength(1);
  });
});

describe('what one protocol has and the other has not', () => {
  const [openAiStream, openAiWhole, anthropicStream, anthropicWhole] = WAYS as [Way, Way, Way, Way];

  it.each([openAiStream, openAiWhole])('a seed goes to OpenAI (streamed: $streamed)', async (way) => {
    const { asked, reply } = await ask(way, says('ok'), { seed: 11 });
    expect(asked?.body.seed).toBe(11);
    expect(reply).not.toHaveProperty('ignored');
  });

  it.each([anthropicStream, anthropicWhole])(
    'Anthropic takes no seed and no temperature above 1: the reply says so (streamed: $streamed)',
    async (way) => {
      const { asked, reply } = await ask(way, says('ok'), { seed: 11, temperature: 1.5 });
      expect(asked?.body).not.toHaveProperty('seed');
      expect(asked?.body.temperature).toBe(1);
      expect(reply.ignored).toEqual(['seed', 'temperature']);
    },
  );

  it.each(['some-model', 'claude-unheard-of-9', 'claude-sonnet-4-5'])(
    'Anthropic is sent the limit that was asked for %s',
    async (name) => {
      const stub = await stubFor(says('ok'));
      const model = await chatModelNamed(name, {
        baseUrl: stub.baseUrl,
        protocol: 'anthropic',
        environment: {},
      });
      await model.complete({ ...REQUEST, maxOutputTokens: 777 });
      expect(stub.requests[0]?.body.max_tokens).toBe(777);
    },
  );

  it.each([openAiStream, openAiWhole])(
    'OpenAI may refuse in a member of its own (streamed: $streamed)',
    async (way) => {
      const { reply } = await ask(way, { ...refuses('I cannot help with that.'), isRefusalMember: true });
      expect(reply).toMatchObject({ finish: 'refusal', text: 'I cannot help with that.' });
    },
  );

  it.each([openAiStream, openAiWhole])(
    'tokens that were not counted are null (streamed: $streamed)',
    async (way) => {
      const { reply } = await ask(way, { ...says('ok'), usage: null });
      expect(reply.usage).toEqual({ inputTokens: null, outputTokens: null, cachedInputTokens: null });
    },
  );

  it.each([openAiStream, openAiWhole, anthropicStream])(
    'malformed arguments are the text that they were ($protocol, streamed: $streamed)',
    async (way) => {
      const texts = ['{"status": "open",', 'status=open', '[1, 2]', '{"a": NaN}'];
      const calls = texts.map((text, index) => ({ id: `m${index}`, name: 'count_orders', arguments: text }));
      const { reply } = await ask(way, asksFor(...calls));
      expect(reply.calls.map((call) => call.arguments)).toEqual(texts);
    },
  );

  it('OpenAI itself is asked by the newer name of the limit, other servers by the older', () => {
    const body = { model: 'm', max_tokens: 5 };
    expect(openAiBody('https://api.openai.com/v1', body)).toEqual({ model: 'm', max_completion_tokens: 5 });
    expect(openAiBody('http://localhost:8000/v1', body)).toEqual(body);
  });
});

const URL_HINT = /base URL ends before/u;

describe.each(WAYS)('a failure over $protocol, streamed: $streamed', (way) => {
  it.each([
    [400, 'bad-request', 'URL refused the request (status 400): said so'],
    [401, 'unauthorised', 'URL does not take the key (status 401): said so'],
    [403, 'unauthorised', 'URL does not take the key (status 403): said so'],
    [402, 'no-credit', 'the account at URL has no credit left: said so'],
    [404, 'bad-url', 'there is no chat endpoint under URL (status 404)'],
    [413, 'bad-request', 'URL refused the request (status 413): said so'],
    [429, 'rate-limited', 'URL asks to slow down: said so'],
    [500, 'overloaded', 'URL failed with status 500: said so'],
    [503, 'overloaded', 'URL failed with status 503: said so'],
    [529, 'overloaded', 'URL failed with status 529: said so'],
  ] as const)('of status %i is %s', async (status, kind, message) => {
    expect(await failure(way, failsWith(status, { message: 'said so' }))).toMatchObject({ kind, message });
  });

  it('says how long to wait, in seconds or as a date', async () => {
    const wait = async (headers: Record<string, string>) =>
      (await failure(way, failsWith(429, { headers }))).error.retryAfterMs;
    expect(await wait({ 'retry-after': '7' })).toBe(7000);
    expect(await wait({ 'retry-after-ms': '250', 'retry-after': '1' })).toBe(250);
    expect(await wait({})).toBeNull();
    expect(await wait({ 'retry-after': 'soon' })).toBeNull();
    const inAMinute = await wait({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
    expect(inAMinute).toBeGreaterThan(50_000);
    expect(inAMinute).toBeLessThanOrEqual(60_000);
  });

  it('tells an unknown model from a wrong URL', async () => {
    const stub = await stubFor(says('never'), { models: ['another-model'] });
    const model = await modelAt(stub, way);
    await expect(model.complete(REQUEST)).rejects.toMatchObject({
      kind: 'unknown-model',
      message: expect.stringMatching(/has no model named some-model: .*some-model/u),
    });
    const elsewhere = await modelAt(stub, way, { baseUrl: stub.baseUrl.replace('/v1', '/v2') });
    await expect(elsewhere.complete(REQUEST)).rejects.toMatchObject({
      kind: 'bad-url',
      hint: expect.stringMatching(URL_HINT),
    });
    expect(await failure(way, answersRaw('<h1>Shop</h1>', 'text/html'))).toMatchObject({ kind: 'bad-url' });
  });

  it('of a wrong key names the variable, and never shows the key', async () => {
    const stub = await stubFor(says('never'), { key: 'another-key-987654321' });
    const error = await (await modelAt(stub, way)).complete(REQUEST).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'unauthorised', message: expect.stringContaining('[masked]') });
    expect((error as ChatError).message).not.toContain(KEY);
    expect((error as ChatError).hint).toMatch(/_API_KEY/u);
  });

  it('of an account without credit is none that a wait would mend', async () => {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    const { error } = await failure(way, failsWith(429, { type: 'insufficient_quota', message }));
    expect([error.kind, error.isTransient]).toEqual(['no-credit', false]);
  });

  it('is a cut where the connection breaks, wherever it does', async () => {
    const reply: ScriptedReply = {
      ...asksFor({ name: 'count_orders', arguments: { status: 'a long enough status' } }),
      text: 'Let me see.',
    };
    const kinds = new Set<string>();
    for (const cutAfter of [1, 2, 3, 5, 8]) kinds.add((await failure(way, { ...reply, cutAfter })).kind);
    expect([...kinds]).toEqual(['cut-off']);
  });

  it('is a bad answer where it is no JSON or no reply', async () => {
    const type = way.streamed ? 'text/event-stream' : 'application/json';
    const wrapped = (text: string) => answersRaw(way.streamed ? `data: ${text}\n\n` : text, type);
    expect(await failure(way, wrapped('{"choices": [nonsense'))).toMatchObject({
      kind: 'bad-answer',
      message: 'URL gave an answer that is none: it is no JSON',
    });
    expect((await failure(way, wrapped('{"terminated": "ECONNRESET"}'))).kind).toBe('bad-answer');
    expect((await failure(way, answersRaw('', type))).kind).toBe('cut-off');
  });

  it('is a time-out where nothing comes', async () => {
    expect(await failure(way, hangs, { timeoutMs: 60 })).toMatchObject({
      kind: 'timeout',
      message: 'URL gave no whole answer within 0.06 s',
    });
  });

  it('is unreachable where nobody listens', async () => {
    const stub = await startStubLlm(() => says('never'));
    const model = await modelAt(stub, way);
    await stub.close();
    await expect(model.complete(REQUEST)).rejects.toMatchObject({
      kind: 'unreachable',
      message: `${stub.baseUrl} cannot be reached: ECONNREFUSED`,
    });
  });

  it('is no failure when the caller ends the request: its own reason comes back', async () => {
    const stub = await stubFor([hangs, says('late')]);
    const model = await modelAt(stub, way);
    const reason = new Error('the trial is over');
    const controller = new AbortController();
    const answer = model.complete(REQUEST, { signal: controller.signal });
    await vi.waitUntil(() => stub.requests.length === 1);
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await expect(model.complete(REQUEST, { signal: controller.signal })).rejects.toBe(reason);
    expect(stub.requests).toHaveLength(1);
    expect((await model.complete(REQUEST)).text).toBe('late');
  });
});

describe.each(WAYS.filter(({ streamed }) => streamed))('a stream over $protocol', (way) => {
  const reply: ScriptedReply = {
    ...asksFor({ name: 'count_orders', arguments: { status: 'a long enough status' } }),
    text: 'Let me see what there is.',
  };

  it('may be slow, as long as it ends in time', async () => {
    const { reply: whole } = await ask(way, { ...says('One two three four five six'), eventMs: 15 });
    expect(whole.text).toBe('One two three four five six');
    expect((await failure(way, { ...reply, eventMs: 40 }, { timeoutMs: 150 })).kind).toBe('timeout');
  });

  it('that ends in good order before its end is cut off too', async () => {
    for (const endAfter of [0, 1, 3, 6, 9]) {
      expect((await failure(way, { ...reply, endAfter })).kind).toBe('cut-off');
    }
  });

  it.each([
    ['overloaded_error', 'overloaded'],
    ['server_error', 'overloaded'],
    ['rate_limit_error', 'rate-limited'],
    ['invalid_request_error', 'bad-request'],
  ] as const)('may break off with an error: %s', async (type, kind) => {
    for (const events of [0, 4]) {
      const { error } = await failure(way, { ...reply, errorAfter: { events, type, message: 'said so' } });
      // The Anthropic package takes types that it does not know for a failure of the server.
      expect([error.kind, error.message]).toEqual([kind, expect.stringContaining('said so')]);
    }
  });

  it('is not taken from an endpoint that answers whole', async () => {
    const { error } = await failure(way, answersRaw('{"id": "x"}', 'application/json'));
    expect([error.kind, error.hint]).toEqual(['bad-answer', 'ask it for whole replies']);
  });
});
