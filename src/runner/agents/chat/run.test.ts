import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  asksFor,
  failsWith,
  isCutShort,
  refuses,
  type Scripted,
  type StubLlm,
  type StubRequest,
  says,
  startStubLlm,
} from '../../../../test/stub-llm/index.ts';
import { TINY, writeTinyBank } from '../../../../test/tiny-bank.ts';
import { RunFolder } from '../../../store/run-folder.ts';
import { sealBank } from '../../../store/seal-bank.ts';
import { readTrajectory, type Trajectory } from '../../../trajectory/index.ts';
import { type LoadedBank, loadBank } from '../../bank.ts';
import { type FinishedRun, runBank } from '../../run.ts';
import { runStepwiseBank } from '../../stepwise-run.ts';
import { WorldCache } from '../../worlds.ts';
import type { ChatSettings } from './index.ts';

/** Chat agents from the run to the wire and back, against a server that speaks both protocols. */

const BANK = fileURLToPath(new URL('../../../../banks/helpdesk', import.meta.url));
const ANSWER = 'Order 10280 was delivered on 2025-12-20; it cost 434.40 in all.';
const LOOK_UP = { id: 'a', name: 'lookup_order', arguments: { order_id: '10280' } };

let root = '';
let bank: LoadedBank;
let stub: StubLlm | null = null;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-chat-'));
  bank = await loadBank([`${BANK}/status-lookup`], new WorldCache());
});
afterEach(async () => {
  await stub?.close();
  stub = null;
});
afterAll(() => rmSync(root, { recursive: true }));

/** True once a result of a call stands in the request, in either protocol. */
function hasResult({ body }: StubRequest): boolean {
  return /"role":"tool"|"tool_result"/u.test(JSON.stringify(body.messages));
}

/** The model that solves the scenario. */
const solves = (request: StubRequest): Scripted => (hasResult(request) ? says(ANSWER) : asksFor(LOOK_UP));

async function serve(script: (request: StubRequest, index: number) => Scripted): Promise<string> {
  stub = await startStubLlm(script);
  return stub.baseUrl;
}

interface Asked extends ChatSettings {
  readonly agent?: string;
  readonly k?: number;
  readonly at?: number;
  readonly of?: LoadedBank;
}

function run(
  out: string,
  { agent = 'chat:openai:tiny', k = 1, at = 1, of = bank, ...chat }: Asked,
): Promise<FinishedRun> {
  return runBank({
    bank: of,
    agent,
    agentOptions: { chat: { attempts: 1, ...chat } },
    seed: '1',
    k,
    engine: 'threads',
    concurrency: at,
    out: join(root, out),
  });
}

function texts(out: string): Record<string, string> {
  const folder = join(root, out, 'trajectories');
  return Object.fromEntries(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
}

function first(out: string): Trajectory {
  return readTrajectory(texts(out)['status-lookup.0.traj.jsonl'] ?? '');
}

describe.each(['openai', 'anthropic'])('chat:%s', (protocol) => {
  it('solves a scenario, and its turns and tokens are recorded', async () => {
    const baseUrl = await serve(solves);
    const { summary } = await run(`solved-${protocol}`, { agent: `chat:${protocol}:tiny`, baseUrl });
    expect(summary.success.value).toBe(1);
    const { header, end } = first(`solved-${protocol}`);
    expect(header.agent).toMatchObject({
      name: `${protocol}:tiny`,
      config: { model: { protocol, model: 'tiny', baseUrl }, maxOutputTokens: 4096, maxSteps: 100 },
    });
    expect(end?.usage).toMatchObject({ turns: 2, model: 'tiny' });
    expect(end?.usage.inputTokens).toBeGreaterThan(100);
    expect(end?.usage.cost).toBeUndefined();
    const asked = JSON.stringify(stub?.requests.map(({ body }) => body));
    expect(asked).toContain('How this desk works');
    expect(asked).not.toMatch(/status-lookup|"intent"/u);
  });

  it('replays to the byte with the server gone, each trial from a cassette of its own', async () => {
    const baseUrl = await serve((request, index) =>
      hasResult(request) ? says(`${ANSWER} ${index}`) : asksFor(LOOK_UP),
    );
    const asked = {
      agent: `chat:${protocol}:tiny`,
      baseUrl,
      k: 2,
      cassettes: join(root, `tape-${protocol}`),
    };
    await run(`recorded-${protocol}`, asked);
    await stub?.close();
    stub = null;
    await run(`replayed-${protocol}`, { ...asked, cassetteMode: 'replay' });
    expect(texts(`replayed-${protocol}`)).toEqual(texts(`recorded-${protocol}`));
    const tapes = readdirSync(asked.cassettes).map((file) =>
      readFileSync(join(asked.cassettes, file), 'utf8'),
    );
    expect(tapes).toHaveLength(2);
    const answers = Object.values(texts(`replayed-${protocol}`)).map(
      (text) => readTrajectory(text).end?.answer,
    );
    expect(new Set(answers).size).toBe(2);
  });

  it.each([
    ['malformed arguments', asksFor({ ...LOOK_UP, arguments: '{"order_id": ' }), ['invalid-input', 'ok']],
    ['a tool that there is not', asksFor({ name: 'read_mind', arguments: {} }), ['unknown-tool', 'ok']],
    ['two calls at once', asksFor(LOOK_UP, { ...LOOK_UP, id: 'b' }), ['ok', 'ok', 'ok']],
  ])('%s are recorded, and the model goes on from there', async (name, begins, outcomes) => {
    const baseUrl = await serve((_request, index) =>
      index === 0 ? begins : index === 1 ? asksFor(LOOK_UP) : says(ANSWER),
    );
    const out = `${name}-${protocol}`.replaceAll(' ', '-');
    await run(out, { agent: `chat:${protocol}:tiny`, baseUrl });
    expect(first(out).steps.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(first(out).end).toMatchObject({ reason: 'answer', answer: ANSWER });
  });

  it.each([
    ['refuses', refuses('I would rather not.'), 'I would rather not.', 'the model refused'],
    [
      'is cut short',
      isCutShort('Order 10280 was'),
      'Order 10280 was',
      'the answer was cut off after 64 output tokens',
    ],
  ])('a model that %s has given its answer, and the detail says how', async (name, reply, answer, detail) => {
    const baseUrl = await serve(() => reply);
    const out = `${name}-${protocol}`.replaceAll(' ', '-');
    const { summary } = await run(out, { agent: `chat:${protocol}:tiny`, baseUrl, maxOutputTokens: 64 });
    expect(first(out).end).toMatchObject({ reason: 'answer', answer, detail });
    expect(summary).toMatchObject({ success: { value: 0 }, void: { count: 0 } });
  });

  it.each([
    ['429', failsWith(429, { headers: { 'retry-after-ms': '1' } })],
    ['529', failsWith(529, { headers: { 'retry-after-ms': '1' } })],
  ])('a status %s is tried again, and nothing of it is recorded', async (status, failure) => {
    const baseUrl = await serve((request, index) => (index % 2 === 0 ? failure : solves(request)));
    const out = `${status}-${protocol}`;
    await run(out, { agent: `chat:${protocol}:tiny`, baseUrl, attempts: 2 });
    expect(stub?.requests).toHaveLength(4);
    expect(first(out).end).toMatchObject({ reason: 'answer', answer: ANSWER, usage: { turns: 2 } });
  });

  it('a stream that breaks off is asked for again', async () => {
    const baseUrl = await serve((request, index) =>
      index === 0 ? { ...says(ANSWER), cutAfter: 2 } : solves(request),
    );
    const out = `cut-${protocol}`;
    await run(out, { agent: `chat:${protocol}:tiny`, baseUrl, attempts: 2 });
    expect(first(out).end).toMatchObject({ reason: 'answer', usage: { turns: 2 } });
  });
});

describe('what is nobody’s answer', () => {
  it('stops the run: finished trials stay, and the same run goes on from there', async () => {
    let answered = 0;
    let isUp = false;
    const baseUrl = await serve((request) => {
      if (!isUp && answered === 3) return failsWith(503);
      answered += 1;
      return solves(request);
    });
    const asked = { baseUrl, k: 4 };
    await expect(run('outage', asked)).rejects.toMatchObject({ name: 'ChatError', kind: 'overloaded' });
    const stopped = RunFolder.read(join(root, 'outage'));
    expect(stopped.trials().map(({ trial, score }) => [trial, score.success, score.void])).toEqual([
      [0, true, null],
    ]);
    expect(Object.keys(texts('outage'))).toHaveLength(1);
    expect(existsSync(join(root, 'outage', 'summary.json'))).toBe(false);
    const [kept] = Object.values(texts('outage'));
    isUp = true;
    const { summary } = await run('outage', asked);
    expect(summary).toMatchObject({ trials: 4, success: { value: 1 }, void: { count: 0 } });
    expect(Object.values(texts('outage'))[0]).toBe(kept);
    await run('no-outage', asked);
    expect(texts('outage')).toEqual(texts('no-outage'));
  });

  it('an outage is found out once, however many trials are in flight', async () => {
    const baseUrl = await serve(() => failsWith(503, { headers: { 'retry-after-ms': '20' } }));
    await expect(run('once', { baseUrl, k: 6, at: 3, attempts: 3 })).rejects.toMatchObject({
      kind: 'overloaded',
    });
    // Three trials in flight: the queue is empty once the first has failed.
    expect(stub?.requests.length).toBeLessThanOrEqual(9);
    // What holds nothing stands in no other run's way.
    expect(readdirSync(join(root, 'once'))).toEqual([]);
  });

  it.each([
    ['unauthorised', failsWith(401), 'does not take the key'],
    [
      'unknown-model',
      failsWith(404, { message: 'The model `tiny` does not exist' }),
      'has no model named tiny',
    ],
    ['bad-request', failsWith(400, { message: 'temperature is not supported' }), 'refused the request'],
  ])('%s', async (kind, failure, words) => {
    const baseUrl = await serve(() => failure);
    const stopped = expect(run(kind, { baseUrl, attempts: 5 })).rejects;
    await stopped.toMatchObject({ kind, message: expect.stringContaining(words) as string });
    expect(stub?.requests).toHaveLength(1);
  });

  it('a server that is not there', async () => {
    const chat = { baseUrl: 'http://127.0.0.1:9/v1' };
    await expect(run('nobody', chat)).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('a missing key, before anything is written', async () => {
    const asked = { keyVariable: 'GROUNDHOG_NO_SUCH_KEY' };
    await expect(run('no-key', asked)).rejects.toMatchObject({ kind: 'no-key' });
    expect(existsSync(join(root, 'no-key'))).toBe(false);
  });

  it('a budget, of all trials together; what is under way is finished', async () => {
    const baseUrl = await serve(solves);
    const stopped = run('budget', { baseUrl, k: 3, budgetTokens: 10_000 });
    await expect(stopped).rejects.toMatchObject({ kind: 'budget' });
    const trials = RunFolder.read(join(root, 'budget')).trials();
    expect(trials.length).toBeGreaterThan(0);
    expect(trials.every(({ score }) => score.success && score.void === null)).toBe(true);
  });

  it('a replay of what was never recorded', async () => {
    const chat = {
      baseUrl: 'http://127.0.0.1:9/v1',
      cassettes: join(root, 'none'),
      cassetteMode: 'replay',
    } as const;
    await expect(run('not-recorded', chat)).rejects.toMatchObject({ kind: 'not-recorded' });
  });
});

describe('a sealed scenario', () => {
  it('goes only to a provider that keeps nothing', async () => {
    const directory = writeTinyBank(join(root, 'sealed'), TINY.slice(0, 1));
    const keyPath = join(root, 'sealed.key');
    sealBank(directory, { keyPath });
    vi.stubEnv('GROUNDHOG_BANK_KEY', keyPath);
    const sealed = await loadBank([directory], new WorldCache());
    vi.unstubAllEnvs();
    const baseUrl = await serve(solves);
    await expect(run('kept', { baseUrl, of: sealed })).rejects.toMatchObject({ code: 'sealed' });
    expect(stub?.requests).toEqual([]);
    const { summary } = await run('not-kept', { baseUrl, of: sealed, retention: 'none' });
    expect(summary.trials).toBe(1);
  });
});

describe('prices', () => {
  it('make a cost of tokens, and are part of the configuration', async () => {
    const baseUrl = await serve(
      (request) => ({ ...solves(request), usage: { input: 1000, output: 100, cached: 500 } }) as Scripted,
    );
    const prices = join(root, 'prices.yaml');
    writeFileSync(prices, 'tiny: { inputPerMillion: 2, outputPerMillion: 10, cachedInputPerMillion: 1 }\n');
    const { summary } = await run('priced', { baseUrl, prices });
    // Twice 500 at 2, 500 at 1 and 100 at 10 a million.
    expect(first('priced').end?.usage).toMatchObject({ cost: 0.005, cachedInputTokens: 1000 });
    expect(summary.metrics.costPerSuccess.value).toBe(0.005);
    expect(first('priced').header.agent?.config).toMatchObject({ price: { inputPerMillion: 2 } });
    await expect(run('unpriced', { agent: 'chat:openai:other', baseUrl, prices })).rejects.toThrow(
      'no price of openai:other',
    );
  });
});

describe('step by step', () => {
  it('a model is asked for one call after the true history, and its steps are recorded apart', async () => {
    const baseUrl = await serve(solves);
    const chat = { baseUrl, cassettes: join(root, 'steps') };
    const asked = { bank, agent: 'chat:openai:tiny', seed: '1', k: 2, agentOptions: { chat } };
    const { summary } = await runStepwiseBank({ ...asked, out: join(root, 'stepwise') });
    expect(summary).toMatchObject({ steps: 2, counts: { exact: 2 } });
    await stub?.close();
    stub = null;
    const replayed = { ...asked, agentOptions: { chat: { ...chat, cassetteMode: 'replay' as const } } };
    const again = await runStepwiseBank({ ...replayed, out: join(root, 'stepwise-again') });
    expect(again.summary).toEqual(summary);
    expect(readdirSync(chat.cassettes).sort()).toEqual([
      'status-lookup.step-0.0.jsonl',
      'status-lookup.step-0.1.jsonl',
    ]);
  });
});
