import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failsWith, type Scripted, type StubLlm, says, startStubLlm } from '../../test/stub-llm/index.ts';
import { TINY, writeTinyBank } from '../../test/tiny-bank.ts';

/** `groundhog run --agent chat:…` as a process: a sentence and an exit code for what a model cannot give. */

const BIN = new URL('../../bin/groundhog.js', import.meta.url).pathname;

let root = '';
let bank = '';
let stub: StubLlm;
let script: (index: number) => Scripted = () => says('It is as it is.');
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-run-chat-'));
  bank = writeTinyBank(join(root, 'bank'), TINY.slice(0, 2));
  stub = await startStubLlm((_request, index) => script(index), { key: 'sk-right-key' });
});
afterAll(async () => {
  await stub.close();
  rmSync(root, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly json: {
    readonly error?: { readonly code: string };
    readonly trials?: number;
    readonly void?: object;
  };
}

function run(out: string, env: Readonly<Record<string, string>>, ...argv: string[]): Promise<Ended> {
  const words = ['run', bank, ...argv, '--out', join(root, out), '--json'];
  const { OPENAI_API_KEY: _key, ...inherited } = process.env;
  const child = spawn(process.execPath, [BIN, ...words], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += String(text);
  });
  child.stderr.on('data', (text) => {
    stderr += String(text);
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code, stderr, json: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Ended['json'] });
    });
  });
}

const KEY = { OPENAI_API_KEY: 'sk-right-key' };
const AGENT = ['--agent', 'chat:openai:tiny'];

describe('run --agent chat:MODEL', () => {
  it.each([
    ['no key', {}, [], 'no-key', 'OPENAI_API_KEY is not set'],
    ['no key under that name', KEY, ['--key-env', 'MY_KEY'], 'no-key', 'MY_KEY is not set'],
    ['no URL', KEY, ['--base-url', 'localhost'], 'bad-url', '"localhost" is no base URL'],
    ['a mode without a folder', KEY, ['--cassette-mode', 'replay'], 'bad-option', 'goes with --cassette'],
    ['a budget without prices', KEY, ['--budget-cost', '2.5'], 'bad-option', 'goes with --prices'],
    [
      'no temperature',
      KEY,
      ['--temperature', 'hot'],
      'bad-option',
      '--temperature takes a number from 0 to 2',
    ],
    ["a script's limit", KEY, ['--action-timeout', '5'], 'bad-option', '--request-timeout'],
  ])('misuse before the first request: %s', async (name, env, more, code, words) => {
    const ended = await run(name.replaceAll(' ', '-'), env, ...AGENT, ...more);
    expect(ended).toMatchObject({ code: 2, json: { error: { code } } });
    expect(ended.stderr).toContain(words);
  });

  it('flags of models are refused with another agent', async () => {
    const ended = await run('other', KEY, '--agent', 'oracle', '--temperature', '1');
    expect(ended).toMatchObject({ code: 2, json: { error: { code: 'bad-option' } } });
  });

  it('a wrong key ends it in one sentence; with the right one the same command goes on', async () => {
    const command = [...AGENT, '--base-url', stub.baseUrl];
    const refused = await run('key', { OPENAI_API_KEY: 'sk-wrong-key' }, ...command);
    expect(refused).toMatchObject({ code: 2, json: { error: { code: 'unauthorised' } } });
    expect(refused.stderr).toContain('the key is taken from OPENAI_API_KEY');
    expect(refused.stderr.trim().split('\n').at(-1)).not.toContain(' at ');
    const ended = await run('key', KEY, ...command);
    const usage = { turns: 2, cost: null, models: ['tiny'] };
    expect(ended).toMatchObject({ code: 1, json: { trials: 2, void: { count: 0 }, usage } });
    const file = readFileSync(join(root, 'key', 'run.json'), 'utf8');
    expect(JSON.parse(file)).toMatchObject({ asked: { chat: { baseUrl: stub.baseUrl } } });
    expect(ended.stderr).toMatch(/Used: 2 turns of tiny: \d+ tokens in, \d+ out, cost unknown/u);
  });

  it('a wrong setting leaves nothing in the way of the right one', async () => {
    script = () => failsWith(400, { message: 'Unsupported parameter: temperature' });
    const command = [...AGENT, '--base-url', stub.baseUrl];
    const refused = await run('setting', KEY, ...command, '--temperature', '1');
    expect(refused).toMatchObject({ code: 2, json: { error: { code: 'bad-request' } } });
    script = () => says('It is as it is.');
    expect(await run('setting', KEY, ...command)).toMatchObject({ code: 1, json: { trials: 2 } });
  });

  it('an outage in mid-run is infrastructure, and counts against nobody', async () => {
    const before = stub.requests.length;
    script = (index) =>
      index === before ? says('It is as it is.') : failsWith(503, { headers: { 'retry-after-ms': '1' } });
    const command = [...AGENT, '--base-url', stub.baseUrl, '--concurrency', '1'];
    const stopped = await run('outage', KEY, ...command);
    expect(stopped).toMatchObject({ code: 3, json: { error: { code: 'overloaded' } } });
    expect(stopped.stderr).toMatch(/the same command goes on .*; 1 of 2 trials done\)$/mu);
    script = () => says('It is as it is.');
    const ended = await run('outage', KEY, ...command);
    expect(ended).toMatchObject({ code: 1, json: { trials: 2, void: { count: 0 } } });
    expect(stub.requests).toHaveLength(before + 1 + 5 + 1);
  });

  it('a budget that is used up is told with exit code 3', async () => {
    const prices = join(root, 'prices.json');
    writeFileSync(prices, '{"tiny": {"inputPerMillion": 1000, "outputPerMillion": 1000}}');
    const limits = ['--prices', prices, '--budget-cost', '.001', '--concurrency', '1'];
    const ended = await run('budget', KEY, ...AGENT, '--base-url', stub.baseUrl, ...limits);
    expect(ended).toMatchObject({ code: 3, json: { error: { code: 'budget' } } });
    expect(ended.stderr).toContain('1 of 2 trials done');
  });
});
