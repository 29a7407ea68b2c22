import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  asksFor,
  isCutShort,
  refuses,
  type Scripted,
  type ScriptedCall,
  type StubRequest,
  says,
  startStubLlm,
} from '../../../../test/stub-llm/index.ts';
import { SeededRandom } from '../../../base/random.ts';
import type { NamedPlan } from '../../../faults/index.ts';
import { type LoadedBank, loadBank } from '../../bank.ts';
import { expand } from '../../faults/index.ts';
import { runBank } from '../../run.ts';
import { runStepwiseBank } from '../../stepwise-run.ts';
import { WorldCache } from '../../worlds.ts';

/** A model that does anything at all, on whole banks: nothing that the loop then sends is refused. */

const BANKS = fileURLToPath(new URL('../../../../banks', import.meta.url));

let root = '';
let helpdesk: LoadedBank;
let github: LoadedBank;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-wild-'));
  const worlds = new WorldCache();
  helpdesk = await loadBank([`${BANKS}/helpdesk`], worlds);
  github = await loadBank([`${BANKS}/github`], worlds);
});
afterAll(() => rmSync(root, { recursive: true }));

const PLAN = {
  id: 'rough',
  rules: [
    {
      id: 'lost',
      match: { tool: 'send_email' },
      effect: { kind: 'response-lost' },
      label: 'lost',
      hits: 'all',
    },
    { id: 'reset', match: { tool: 'get_policy' }, effect: { kind: 'connection-reset' }, label: 'reset' },
    { id: 'cut', match: { tool: 'lookup_order' }, effect: { kind: 'body-truncated' }, label: 'cut', hits: 2 },
    { id: 'empty', match: { tool: 'list_orders' }, effect: { kind: 'body-empty' }, label: 'empty', hits: 2 },
  ],
} as unknown as NamedPlan;

function toolNames({ body }: StubRequest): string[] {
  const tools = (body.tools ?? []) as readonly { name?: string; function?: { name: string } }[];
  return tools.map(({ name, function: one }) => name ?? one?.name ?? '');
}

/** Calls of any tool or none that there is, with arguments of any kind. */
function anyCalls(random: SeededRandom, request: StubRequest, index: number): ScriptedCall[] {
  return Array.from({ length: 1 + random.integer(0, 2) }, (_, place) => ({
    id: random.integer(0, 3) === 0 ? 'same' : `call-${index}-${place}`,
    name: random.pick([...toolNames(request), 'no.such tool!', '__proto__', 'constructor']),
    arguments: random.pick([
      '{"order_id": "10280"}',
      '{}',
      '',
      'null',
      '[1]',
      '{"order_id": ',
      { answer: 'Done.' },
    ]),
  })).map((call, place, all) =>
    // A provider gives no id twice in one reply.
    all.findIndex(({ id }) => id === call.id) === place ? call : { ...call, id: `call-${index}-${place}` },
  );
}

function wild(seed: string): (request: StubRequest, index: number) => Scripted {
  const random = SeededRandom.from(seed);
  return (request, index) => {
    const kind = random.integer(0, 19);
    if (kind === 0) return says('');
    if (kind === 1) return refuses('No.');
    if (kind === 2) return isCutShort('As I was');
    if (kind < 6) return says(`What is the matter? ${index}`);
    const reply = asksFor(...anyCalls(random, request, index));
    return kind < 9 ? { ...reply, text: 'Let me see.' } : reply;
  };
}

function texts(out: string): Record<string, string> {
  const folder = join(root, out, 'trajectories');
  return Object.fromEntries(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );
}

describe.each(['openai', 'anthropic'])('a model that does anything, chat:%s', (protocol) => {
  const agent = `chat:${protocol}:wild`;
  const limits = { attempts: 1, maxSteps: 12 };

  it('has an outcome in every trial, in conversations too, and step by step', async () => {
    const stub = await startStubLlm(wild(`wild ${protocol}`));
    const chat = { ...limits, baseUrl: stub.baseUrl };
    const request = { agent, agentOptions: { chat }, seed: '1', k: 1 };
    const whole = { ...request, engine: 'inline', concurrency: 8 } as const;
    for (const bank of [helpdesk, github]) {
      const { summary } = await runBank({ ...whole, bank, out: join(root, protocol, bank.name) });
      expect(summary.void.count).toBe(0);
    }
    const steps = { ...helpdesk, chosen: helpdesk.chosen.slice(0, 12) };
    const { summary } = await runStepwiseBank({
      ...request,
      bank: steps,
      out: join(root, protocol, 'steps'),
    });
    expect(summary.steps).toBeGreaterThan(10);
    expect(stub.requests.length).toBeGreaterThan(200);
    expect(stub.takeRefusals()).toEqual([]);
    await stub.close();
  });

  it('replays to the byte under faults, each plan from recordings of its own, in any order', async () => {
    const stub = await startStubLlm(wild(`rough ${protocol}`));
    const cassettes = join(root, protocol, 'cassettes');
    const chat = { ...limits, baseUrl: stub.baseUrl, cassettes };
    const bank = { ...helpdesk, chosen: expand(helpdesk.chosen.slice(0, 8), [PLAN]) };
    const request = { bank, agent, seed: '1', k: 2, engine: 'inline' } as const;
    const recorded = { ...request, agentOptions: { chat }, out: join(root, protocol, 'recorded') };
    await runBank({ ...recorded, concurrency: 8 });
    expect(stub.takeRefusals()).toEqual([]);
    await stub.close();
    const replay = { chat: { ...chat, cassetteMode: 'replay' as const } };
    const replayed = { ...request, agentOptions: replay, out: join(root, protocol, 'replayed') };
    await runBank({ ...replayed, concurrency: 1 });
    expect(texts(`${protocol}/replayed`)).toEqual(texts(`${protocol}/recorded`));
    expect(readdirSync(cassettes)).toHaveLength(bank.chosen.length * 2);
  });
});
