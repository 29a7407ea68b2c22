import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarioText, writeTinyBank } from '../../test/tiny-bank.ts';
import { InvariantError } from '../base/errors.ts';
import { readTrajectory } from '../trajectory/index.ts';
import { agentNamed } from './agents/index.ts';
import { scriptAgent } from './agents/script.ts';
import { loadBank } from './bank.ts';
import { runTrial, type TrialResult } from './execute.ts';
import type { PreparedScenario } from './prepare.ts';
import type { AgentAction } from './types.ts';
import { WorldCache } from './worlds.ts';

let root = '';
let prepared: PreparedScenario;
let chatty: PreparedScenario;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-execute-'));
  writeTinyBank(root, [{ id: 'plain', order: '10034' }]);
  const messages = scenarioText({ id: 'chatty', order: '10034' }).replace(
    'calls: 6',
    'calls: 6, messages: 40',
  );
  writeFileSync(join(root, 'scenarios', 'chatty.yaml'), messages);
  const { chosen } = await loadBank([root], new WorldCache());
  [chatty, prepared] = chosen as [PreparedScenario, PreparedScenario];
});
afterAll(() => rmSync(root, { recursive: true }));

type Next = Parameters<typeof scriptAgent>[1];

async function run(next: Next, scenario: PreparedScenario = prepared): Promise<TrialResult> {
  const result = await runTrial(scenario, scriptAgent('script', next), { seed: '1', trial: 0 });
  if (result.text !== null) expect(readTrajectory(result.text)).toEqual(result.trajectory);
  return result;
}

const reasonOf = ({ trajectory }: TrialResult) => trajectory?.end?.reason;

describe('what an agent does wrong', () => {
  it.each([
    ['throws', () => Promise.reject(new TypeError('no key')), 'agent-crashed', 'no key'],
    ['throws what is no error', () => Promise.reject('odd'), 'agent-crashed', 'odd'],
    ['does nothing', () => undefined, 'agent-protocol', 'no action'],
    ['does something unknown', () => ({ type: 'dance' }), 'agent-protocol', 'no known type'],
    ['answers with a number', () => ({ type: 'answer', text: 5 }), 'agent-protocol', 'without text'],
    ['calls without a name', () => ({ type: 'call', arguments: {} }), 'agent-protocol', 'name of a tool'],
    ['calls nothing', () => ({ type: 'calls', calls: [] }), 'agent-protocol', 'empty list'],
    ['waits backwards', () => ({ type: 'call', tool: 'x', waitMs: -1 }), 'agent-protocol', 'wait'],
    ['waits for ever', () => ({ type: 'call', tool: 'x', waitMs: 2 ** 52 }), 'agent-protocol', 'wait'],
    [
      'hands over a date',
      () => ({ type: 'call', tool: 'x', arguments: { a: 5n } }),
      'agent-protocol',
      'bigint',
    ],
    [
      'hands over no number',
      () => ({ type: 'call', tool: 'x', arguments: { a: Number.NaN } }),
      'agent-protocol',
      'NaN',
    ],
  ])('is its own: %s', async (_what, next, reason, detail) => {
    const result = await run(next as unknown as Next);
    expect(result.score).toMatchObject({ success: false, void: null });
    expect(reasonOf(result)).toBe(reason);
    expect(result.trajectory?.end?.detail).toContain(detail);
  });

  it('in its usage is left out', async () => {
    const usage = { cost: Number.NaN, inputTokens: -5, outputTokens: 7, more: 1 };
    const result = await run(() => ({ type: 'answer', text: '', usage }) as AgentAction);
    expect(result.trajectory?.end?.usage).toEqual({ outputTokens: 7 });
  });

  it('at its start is its own too', async () => {
    const broken = { name: 'broken', config: {}, start: () => Promise.reject(new Error('cannot begin')) };
    const result = await runTrial(prepared, broken, { seed: '1', trial: 0 });
    expect(reasonOf(result)).toBe('agent-crashed');
  });
});

describe('what is not the agent’s fault', () => {
  it('voids the trial', async () => {
    const result = await run(() => {
      throw new InvariantError('ours');
    });
    expect(result).toMatchObject({
      score: { success: false, void: { reason: 'infrastructure', detail: 'ours' } },
      trajectory: { end: { reason: 'infrastructure', detail: 'ours', answer: null } },
    });
  });

  it('keeps the episode up to the call in which the world broke, and says how to make that call again', async () => {
    const [service] = prepared.services;
    if (!service) throw new Error('no service');
    const operations = service.operations.map((operation) =>
      operation.effect === 'write'
        ? { ...operation, run: () => JSON.parse('no JSON') as unknown }
        : operation,
    );
    const broken = { ...prepared, services: [{ ...service, operations }] };
    const calls: AgentAction[] = [
      { type: 'call', tool: 'lookup_order', arguments: { order_id: '10034' } },
      { type: 'call', tool: 'refund', arguments: { order_id: '10034', amount: 1 } },
    ];
    const result = await run((history) => calls[history.length] as AgentAction, broken);
    expect(result.trajectory?.steps.map(({ tool }) => tool)).toEqual(['lookup_order']);
    expect(result.score.void?.reason).toBe('infrastructure');
    expect(result.score.void?.detail).toContain('groundhog fork TRAJECTORY --call ');
    expect(result.score.void?.detail).toContain('refund');
  });

  it('keeps the episode where only a grader broke', async () => {
    const graders = [{ kind: 'contract', required: true }];
    const broken = {
      ...prepared,
      // A shape without a single table: no contract can be read with it.
      scenario: { ...prepared.scenario, graders, invariants: null },
    } as unknown as PreparedScenario;
    const result = await run(() => ({ type: 'answer', text: 'x' }), broken);
    expect(result.score.void?.reason).toBe('grader');
    expect(result.trajectory?.end?.answer).toBe('x');
  });
});

describe('messages', () => {
  const talk: Next = () => ({ type: 'say', text: 'well' });

  it('end the episode at the budget of the scenario, or at thirty where it has none', async () => {
    const limited = await run(talk, chatty);
    expect([reasonOf(limited), limited.trajectory?.messages.length]).toEqual(['budget-messages', 40]);
    const free = await run(talk);
    expect([reasonOf(free), free.trajectory?.messages.length]).toEqual(['budget-messages', 30]);
  });
});

describe('a script from a file', () => {
  it('is part of the configuration with its source', async () => {
    const file = join(root, 'agent.mjs');
    const source = (text: string) => `export const next = () => ({ type: 'answer', text: '${text}' });`;
    const configOf = async (text: string) => {
      writeFileSync(file, source(text));
      return (await agentNamed(`script:${file}`, () => prepared)).config;
    };
    const first = await configOf('a');
    expect(await configOf('a')).toEqual(first);
    expect(await configOf('b')).not.toEqual(first);
  });
});
