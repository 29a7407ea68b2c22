import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarioText, writeTinyBank } from '../../../test/tiny-bank.ts';
import { compareTrajectories, type Trajectory } from '../../trajectory/index.ts';
import { AgentFailure } from '../agent-failure.ts';
import { loadBank } from '../bank.ts';
import { runTrial } from '../execute.ts';
import type { PreparedScenario } from '../prepare.ts';
import type { Agent, AgentAction, HistoryEntry } from '../types.ts';
import { WorldCache } from '../worlds.ts';
import { replayAgent } from './replay.ts';
import { scriptAgent } from './script.ts';

let root = '';
let plain: PreparedScenario;
let chat: PreparedScenario;
let hasty: PreparedScenario;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'groundhog-replay-'));
  const user = `user:
  opening: Where is my order?
  start: asking
  states:
    asking:
      - { when: { agentSays: which }, say: "10034" }
      - { when: { agentSays: sure }, say: Bye., goTo: end }
  fallback: What?
`;
  writeTinyBank(root, [
    { id: 'plain', order: '10034' },
    { id: 'chat', order: '10034', extra: user },
  ]);
  const clock = scenarioText({ id: 'hasty', order: '10034' }).replace('calls: 6', 'calls: 6, clockMs: 5000');
  writeFileSync(join(root, 'scenarios', 'hasty.yaml'), clock);
  const { chosen } = await loadBank([root], new WorldCache());
  [chat, hasty, plain] = chosen as [PreparedScenario, PreparedScenario, PreparedScenario];
});
afterAll(() => rmSync(root, { recursive: true }));

const LOOK = { tool: 'lookup_order', arguments: { order_id: '10034' } };
const CALL: AgentAction = { type: 'call', ...LOOK };

/** An agent that does these things one after the other, then throws. */
function doing(...actions: readonly AgentAction[]): Agent {
  return {
    name: 'doing',
    config: {},
    start: () => {
      const left = [...actions];
      return {
        next: () => left.shift() ?? Promise.reject(new Error('out of ideas')),
        usage: () => ({ cost: 2 }),
      };
    },
  };
}

const POLICY = { tool: 'get_policy', arguments: {} };

async function played(prepared: PreparedScenario, agent: Agent): Promise<Trajectory> {
  const { trajectory } = await runTrial(prepared, agent, { seed: '1', trial: 0 });
  if (!trajectory) throw new Error('the trial broke');
  return trajectory;
}

describe('an agent that repeats a record', () => {
  it.each<[string, () => PreparedScenario, Agent, string]>([
    ['answers', () => plain, doing(CALL, { type: 'answer', text: 'Shipped.' }), 'answer'],
    ['answers at once', () => plain, doing({ type: 'answer', text: '' }), 'answer'],
    ['crashes', () => plain, doing(CALL), 'agent-crashed'],
    ['crashes before its first call', () => plain, doing(), 'agent-crashed'],
    ['talks nonsense', () => plain, doing(CALL, { type: 'calls', calls: [] }), 'agent-protocol'],
    [
      'is too slow',
      () => plain,
      scriptAgent('slow', () => new Promise(() => undefined), { actionTimeoutMs: 20 }),
      'agent-timeout',
    ],
    [
      'gives up',
      () => plain,
      scriptAgent('lazy', () => {
        throw new AgentFailure('agent-stopped', 'enough');
      }),
      'agent-stopped',
    ],
    ['calls for ever', () => plain, scriptAgent('calls', () => CALL), 'budget-calls'],
    [
      'talks for ever',
      () => plain,
      scriptAgent('talks', () => ({ type: 'say', text: 'Hm' })),
      'budget-messages',
    ],
    ['waits for ever', () => hasty, scriptAgent('waits', () => ({ ...CALL, waitMs: 2_000 })), 'budget-clock'],
    [
      'makes several calls in one turn, wrong ones too',
      () => plain,
      doing(
        { type: 'calls', calls: [{ tool: 'lookup_order', malformed: '{' }, POLICY, POLICY] },
        { type: 'calls', calls: [{ tool: 'no_such_tool', arguments: null }] },
        { ...CALL, waitMs: 300 },
        { type: 'answer', text: 'Done.' },
      ),
      'answer',
    ],
    [
      'runs out of calls within a turn',
      () => plain,
      doing({ type: 'calls', calls: [LOOK, POLICY, POLICY, POLICY, POLICY, POLICY, POLICY, POLICY] }),
      'budget-calls',
    ],
    [
      'talks with a user, who leaves',
      () => chat,
      doing({ type: 'say', text: 'Which one?' }, CALL, { type: 'say', text: 'Sure?' }, CALL, {
        type: 'say',
        text: 'Shipped.',
      }),
      'answer',
    ],
  ])('that %s ends as it did', async (_what, prepared, agent, reason) => {
    const original = await played(prepared(), agent);
    expect(original.end?.reason).toBe(reason);
    const repeated = await played(prepared(), replayAgent(original, 'a.traj.jsonl'));
    expect(compareTrajectories(original, repeated)).toMatchObject({ equal: true });
    const said = ({ messages }: Trajectory) =>
      messages.map(({ role, text, afterStep }) => [role, text, afterStep]);
    expect(said(repeated)).toEqual(said(original));
    const end = ({ end: last }: Trajectory) => [last?.reason, last?.detail, last?.answer, last?.usage];
    expect(end(repeated)).toEqual(end(original));
  });

  it('goes on from the middle of the record, as step-wise scoring asks it to', async () => {
    const original = await played(
      plain,
      doing({ type: 'calls', calls: [LOOK, POLICY] }, { type: 'answer', text: 'Done.' }),
    );
    const agent = replayAgent(original, 'a.traj.jsonl');
    const run = await agent.start({ scenario: 'plain' } as Parameters<Agent['start']>[0]);
    const entry: HistoryEntry = { type: 'call', call: LOOK, result: { ok: true, status: 200, body: {} } };
    expect(await run.next([])).toEqual({ type: 'calls', calls: [LOOK, POLICY] });
    expect(await run.next([entry])).toEqual({ type: 'calls', calls: [POLICY] });
    expect(await run.next([entry, entry])).toEqual({ type: 'answer', text: 'Done.' });
  });

  it('where the budget is another one stops where the record does', async () => {
    const original = await played(
      plain,
      scriptAgent('calls', () => CALL),
    );
    const run = await replayAgent(original, 'a').start({ scenario: 'plain' } as Parameters<
      Agent['start']
    >[0]);
    const entry: HistoryEntry = { type: 'call', call: LOOK, result: { ok: true, status: 200, body: {} } };
    const history = Array.from({ length: 7 }, () => entry);
    expect(() => run.next(history)).toThrow(AgentFailure);
  });
});
