import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { failsWith, type Scripted, type StubLlm, says, startStubLlm } from '../../../test/stub-llm/index.ts';
import { stepView } from '../../scoring/index.ts';
import { said, threeSteps } from '../../scoring/judge/judge.test-kit.ts';
import type { ChatSettings } from '../agents/chat/settings.ts';
import type { Judge } from './judge.ts';
import { judgeNamed } from './judge-named.ts';
import { SealedGuard } from './sealed-guard.ts';

let folder = '';
let stub: StubLlm;
let script: (index: number) => Scripted = () => says(said('yes'));
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-judge-'));
  stub = await startStubLlm((_, index) => script(index));
});
afterEach(() => {
  script = () => says(said('yes'));
});
afterAll(async () => {
  await stub.close();
  rmSync(folder, { recursive: true });
});

const at = (name: string): string => join(folder, name);
const run = threeSteps('run-a');
const plan = { kind: 'plan', run, step: null } as const;

function judge(
  chat: Partial<ChatSettings> = {},
  {
    spec = 'chat:openai:tiny',
    cache = null,
    fewShot = 0,
    retention = 'unknown' as const,
    ...more
  }: {
    spec?: string;
    cache?: string | null;
    fewShot?: number;
    retention?: 'none' | 'unknown';
  } = {},
): Promise<Judge> {
  const guard = new SealedGuard(retention);
  return judgeNamed(spec, { chat: { baseUrl: stub.baseUrl, ...chat }, cache, fewShot, guard, ...more });
}

/** How many requests a piece of work makes. */
async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  const before = stub.requests.length;
  await work();
  return stub.requests.length - before;
}

describe('a judge behind an endpoint', () => {
  it.each(['openai', 'anthropic'])('is asked over %s at temperature 0', async (protocol) => {
    const record = await (await judge({}, { spec: `chat:${protocol}:tiny` })).ask(plan);
    expect(record).toMatchObject({ verdict: 'yes', judge: `${protocol}:tiny`, model: 'tiny', requests: 1 });
    expect(record.usage.inputTokens).toBeGreaterThan(0);
    expect(stub.requests.at(-1)?.body).toMatchObject({ temperature: 0 });
  });

  it('sums up tokens and cost by prices, of both requests where the first reply was no verdict', async () => {
    const prices = at('prices.json');
    writeFileSync(prices, JSON.stringify({ tiny: { inputPerMillion: 1e6, outputPerMillion: 2e6 } }));
    const usage = { input: 100, output: 10 };
    let index = 0;
    script = () => {
      index += 1;
      return { ...says(index === 1 ? 'Yes.' : said('no')), usage };
    };
    const asked = await judge({ prices });
    expect(await asked.ask(plan)).toMatchObject({ verdict: 'no', requests: 2, cost: 240 });
    expect(asked.spent).toEqual({
      questions: 1,
      fromCache: 0,
      withoutVerdict: 0,
      requests: 2,
      usage: { inputTokens: 200, outputTokens: 20, cachedInputTokens: expect.anything() },
      cost: 240,
    });
    const unpriced = await judge();
    await unpriced.ask(plan);
    expect(unpriced.spent.cost).toBeNull();
  });

  it('asks in parallel within its slots', async () => {
    const slots = await judge({ concurrency: 2 });
    script = () => ({ ...says(said('yes')), eventMs: 5 });
    expect(await requestsOf(() => stepView(run, slots.ask))).toBe(5);
    expect(stub.mostInFlight).toBe(2);
  });

  it('that fails ends what waits, with the error', async () => {
    script = () => failsWith(401, { message: 'Incorrect API key provided' });
    const refused = await judge({ concurrency: 1 });
    const count = await requestsOf(async () => {
      await expect(stepView(run, refused.ask)).rejects.toMatchObject({ kind: 'unauthorised' });
    });
    expect(count).toBeLessThan(5);
  });

  it('goes on where one prompt has outgrown the model: that one has no verdict', async () => {
    const before = stub.requests.length;
    script = (index) =>
      index === before
        ? failsWith(400, { message: "This model's maximum context length is 8192 tokens" })
        : says(said('yes'));
    const small = await judge({ concurrency: 1 });
    const { faulty, records } = await stepView(run, small.ask);
    expect(faulty).toBeNull();
    expect(records.map(({ verdict }) => verdict)).toEqual([null, 'yes', 'yes', 'yes', 'yes']);
    expect(records[0]?.reason).toMatch(/refused to judge: .*outgrown the model/u);
  });

  it('stays within its budget', async () => {
    script = () => ({ ...says(said('yes')), usage: { input: 100, output: 10 } });
    const poor = await judge({ budgetTokens: 150, concurrency: 1 });
    await expect(stepView(run, poor.ask)).rejects.toMatchObject({ kind: 'budget' });
    expect(poor.spent.requests).toBe(2);
  });

  it('is a chat model by its name, and takes as many examples as there are', async () => {
    await expect(judge({}, { spec: 'gpt-4' })).rejects.toMatchObject({ code: 'unknown-judge' });
    await expect(judge({}, { fewShot: 3 })).rejects.toMatchObject({ code: 'bad-option' });
  });
});

describe('the cache', () => {
  it('answers what was asked before without a request, in another process and of another name', async () => {
    const cache = at('cache.jsonl');
    const first = await judge({}, { cache });
    const told = await first.ask(plan);
    const again = await judge({}, { cache });
    const count = await requestsOf(async () => {
      const record = await again.ask({ ...plan, run: threeSteps('run-b') });
      expect(record).toEqual({ ...told, run: 'run-b', cached: true });
    });
    expect(count).toBe(0);
    expect(again.spent).toMatchObject({ questions: 1, fromCache: 1, requests: 0, cost: 0 });
    expect(readFileSync(cache, 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it('asks anew for another question, model or number of examples', async () => {
    const cache = at('other.jsonl');
    const asks = async (asked: Promise<Judge>, question: Parameters<Judge['ask']>[0] = plan) =>
      await requestsOf(async () => (await asked).ask(question));
    expect(await asks(judge({}, { cache }))).toBe(1);
    expect(await asks(judge({}, { cache }))).toBe(0);
    expect(await asks(judge({}, { cache }), { kind: 'choice', run, step: 0 })).toBe(1);
    expect(await asks(judge({}, { cache, spec: 'chat:openai:other' }))).toBe(1);
    expect(await asks(judge({}, { cache, fewShot: 1 }))).toBe(1);
    expect(await asks(judge({ seed: 5 }, { cache }))).toBe(1);
  });

  it('asks the same question once while it is under way', async () => {
    const one = await judge();
    const count = await requestsOf(async () => {
      const records = await Promise.all([one.ask(plan), one.ask({ ...plan, run: threeSteps('run-b') })]);
      expect(records.map((record) => [record.run, record.cached])).toEqual([
        ['run-a', false],
        ['run-b', true],
      ]);
    });
    expect(count).toBe(1);
    expect(one.spent).toMatchObject({ questions: 2, fromCache: 1, requests: 1 });
  });

  it('keeps no missing verdict, and says where a line is none', async () => {
    const cache = at('missing.jsonl');
    script = () => says('I would rather not.');
    expect(await (await judge({}, { cache })).ask(plan)).toMatchObject({ verdict: null, requests: 2 });
    script = () => says(said('no'));
    expect(await (await judge({}, { cache })).ask(plan)).toMatchObject({ verdict: 'no', cached: false });
    const kept = readFileSync(cache, 'utf8');
    for (const edited of [
      '{"key": 1}\n',
      kept.replace('"no"', '"maybe"'),
      kept.replace(/(?<="confidence":)/u, '9'),
    ]) {
      writeFileSync(cache, edited);
      await expect(judge({}, { cache })).rejects.toMatchObject({ code: 'run-file', place: { line: 1 } });
    }
  });

  it('ends before anything is asked where verdicts could not be kept', async () => {
    writeFileSync(at('a-file'), '');
    const opened = judge({}, { cache: at('a-file/verdicts.jsonl') });
    await expect(opened).rejects.toMatchObject({
      code: 'unwritable',
      place: { file: at('a-file/verdicts.jsonl') },
    });
  });
});

it('cassettes replay a judge without a network, and miss what was not asked', async () => {
  const chat = { cassettes: at('cassettes') };
  let index = 0;
  script = () => {
    index += 1;
    return says(index === 2 ? 'prose' : said('yes'));
  };
  const recorded = await stepView(run, (await judge(chat)).ask);
  const replay = { ...chat, cassetteMode: 'replay' as const };
  const count = await requestsOf(async () => {
    expect(await stepView(run, (await judge(replay)).ask)).toEqual(recorded);
    const other = (await judge(replay)).ask({ ...plan, run: { ...run, task: 'another' } });
    await expect(other).rejects.toMatchObject({ kind: 'not-recorded' });
  });
  expect(count).toBe(0);
});
