import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, doubleRefundCalls, played, REFUND, roomyScenario } from '../../../test/double-refund.ts';
import { replayTrajectory } from '../../session/index.ts';
import { readTrajectory } from '../../trajectory/index.ts';
import { agentNamed } from '../agents/index.ts';
import { loadBank } from '../bank.ts';
import { runTrial } from '../execute.ts';
import type { PreparedScenario } from '../prepare.ts';
import { scoreOf } from '../score.ts';
import { WorldCache } from '../worlds.ts';
import { type ShrunkRun, shortestFailing, shrinkRun } from './index.ts';
import { renamed } from './renames.ts';

let prepared: PreparedScenario;
beforeAll(async () => {
  prepared = await roomyScenario();
});

const LOOK: Call = ['lookup_order', { order_id: '88213' }];
const CHECK: Call = ['check_policy', { order_id: '88213' }];

function shrunk(calls: readonly Call[], answer?: string): ShrunkRun {
  return shrinkRun(prepared, played(prepared, calls, answer).trajectory);
}

describe('shrink', () => {
  it('leaves of sixty calls the four that a double refund takes', () => {
    const { calls, second } = doubleRefundCalls(60);
    const found = shrunk(calls);
    expect(found).toMatchObject({ from: 60, to: 4, check: { check: 'invariant one-refund' } });
    expect(found.calls.map(({ step, tool }) => [step, tool])).toEqual([
      [6, 'lookup_order'],
      [15, 'check_policy'],
      [24, 'refund'],
      [second, 'refund'],
    ]);
  });

  it('gives a trajectory that replays, fails so first, and keeps the answer', () => {
    const { calls } = doubleRefundCalls(60);
    const { text, trajectory } = shrunk(calls);
    const read = readTrajectory(text, { file: 'shrunk' });
    expect(read).toEqual(trajectory);
    expect(replayTrajectory(read, prepared).identical).toBe(true);
    expect(read.end?.answer).toContain('I refunded 240.00');
    expect(read.header.agent).toMatchObject({
      name: 'shrink',
      config: { of: { agent: 'double', steps: 60 } },
    });
    const score = scoreOf(prepared, read, 'double');
    expect(score).toMatchObject({ success: false, firstFailure: { check: 'invariant one-refund', step: 3 } });
  });

  it('is the same every time, and shrinks no further', () => {
    const { calls } = doubleRefundCalls(60);
    const found = shrunk(calls);
    expect(shrunk(calls).text).toBe(found.text);
    expect(shrinkRun(prepared, found.trajectory)).toMatchObject({ from: 4, to: 4 });
  });

  it('keeps table and kind of change where a contract is broken', () => {
    const mail: Call = ['send_email', { to: 'greta.elder@example.com', subject: 'Hello', body: 'Hello.' }];
    const cancel: Call = ['cancel_order', { order_id: '10339' }];
    const found = shrunk([LOOK, CHECK, cancel, mail, LOOK]);
    expect(found.calls.map(({ tool }) => tool)).toEqual(['cancel_order']);
    expect(found.check).toMatchObject({ check: 'contract', table: 'helpdesk.refunds', op: 'insert' });
  });

  it('leaves no call of a run that only left something out', () => {
    const found = shrunk([LOOK, LOOK, LOOK]);
    expect(found).toMatchObject({ from: 3, to: 0, calls: [], check: { check: 'contract' } });
  });

  it('calls by their new names what earlier calls drew', () => {
    const ticket: Call = [
      'create_ticket',
      { customer_id: 'C-1001', queue: 'delivery', subject: 'Parcel is late' },
    ];
    const probe = played(prepared, [ticket, ticket, ticket]).trajectory;
    const ids = probe.steps.map(({ response }) => (response as { readonly ticket_id: string }).ticket_id);
    const note: Call = ['add_ticket_note', { ticket_id: ids[2] ?? '', body: 'Late.' }];
    const answer = 'I refunded 240.00 for order 88213.';
    const rules = [{ id: 'no-note', kind: 'prohibition', tool: 'add_ticket_note' } as const];
    const graders = prepared.scenario.graders.filter(({ kind }) => kind !== 'contract');
    const scenario = { ...prepared.scenario, graders, invariants: rules };
    const held = { ...prepared, scenario };
    const { trajectory } = played(held, [ticket, LOOK, ticket, CHECK, ticket, note, REFUND], answer);
    const found = shrinkRun(held, trajectory);
    expect(ids[2]).not.toBe(ids[0]);
    expect(found.calls.map(({ step, tool }) => [step, tool])).toEqual([
      [4, 'create_ticket'],
      [5, 'add_ticket_note'],
    ]);
    expect(found.calls[1]?.arguments).toMatchObject({ ticket_id: ids[0] });
  });

  it('takes a conversation along', async () => {
    const bank = await loadBank(['helpdesk/mind-two-of-three'], new WorldCache());
    const [scenario] = bank.chosen as [PreparedScenario];
    const agent = await agentNamed('careful', () => scenario);
    const { trajectory } = await runTrial(scenario, agent, { seed: '1', trial: 0 });
    if (!trajectory) throw new Error('no trajectory');
    const found = shrinkRun(scenario, trajectory);
    const said = trajectory.messages.map(({ text }) => text);
    expect(found.trajectory.messages.map(({ text }) => text)).toEqual(said);
    expect(said.length).toBeGreaterThan(1);
  });

  it('refuses a run that succeeded, and one that only ended badly', () => {
    const mail: Call = ['send_email', { to: 'mira.alder@example.com', subject: 'Yours', body: '240.00' }];
    const good = [LOOK, CHECK, REFUND, mail];
    expect(() => shrunk(good)).toThrow('no failing call in this run: it succeeded');
    const { scenario } = prepared;
    const graders = scenario.graders.filter(({ kind }) => kind === 'contract');
    const narrow = { ...prepared, scenario: { ...scenario, graders, budgets: { calls: 4 } } };
    const { trajectory } = played(narrow, [...good, LOOK]);
    expect(() => shrinkRun(narrow, trajectory)).toThrow(
      'it failed by its end alone: the run ended by budget',
    );
  });
});

describe('renames', () => {
  const renames = [
    { column: 'number', recorded: 35, drawn: 34 },
    { column: 'id', recorded: 'T-2', drawn: 'T-1' },
  ];

  it('take numbers under the name of their column only, and texts that stand whole', () => {
    const input = { number: 35, issue_number: 35, amount: 35, ids: ['T-2', 'T-20'], deep: { id: 'T-2' } };
    expect(renamed(input, renames)).toEqual({
      number: 34,
      issue_number: 34,
      amount: 35,
      ids: ['T-1', 'T-20'],
      deep: { id: 'T-1' },
    });
    expect(renamed(input, [])).toBe(input);
  });
});

describe('delta debugging', () => {
  const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

  it('finds the elements that a failure needs, wherever they are', () => {
    for (const needed of [[], [0], [99], [3, 50], [1, 2, 98], range(9).map((one) => one * 11)]) {
      const fails = (list: readonly number[]): boolean => needed.every((one) => list.includes(one));
      expect(shortestFailing(range(100), fails)).toEqual(needed);
    }
  });

  it('is one-minimal where less may fail again', () => {
    const fails = (list: readonly number[]): boolean => list.length % 3 !== 1 && list.length > 1;
    const found = shortestFailing(range(40), fails);
    const shorter = found.map((_, index) => found.toSpliced(index, 1));
    expect(fails(found)).toBe(true);
    expect(shorter.some(fails)).toBe(false);
  });

  it('keeps an empty list and a list that cannot go', () => {
    expect(shortestFailing([], () => true)).toEqual([]);
    expect(shortestFailing([1], (list) => list.length === 1)).toEqual([1]);
  });
});
