import { describe, expect, it } from 'vitest';
import type { MessageRecord, Trajectory } from '../../trajectory/types.ts';
import { type SyntheticStep, syntheticTrajectory } from '../synthetic.ts';
import type { WorldShape } from '../types.ts';
import { bfclMultiTurn } from './bfcl.ts';
import { tauReward } from './tau.ts';

const SHAPE: WorldShape = {
  'shop.refunds': {
    primaryKey: ['id'],
    foreignKeys: {},
    volatile: ['id'],
    unhashed: [],
    ambient: false,
  },
};

const look: SyntheticStep = { tool: 'lookup', input: { order: 7 }, response: { sum: 20 } };
const check: SyntheticStep = { tool: 'policy', input: {}, response: { days: 30 } };
const refund = (id: string, sum = 20): SyntheticStep => ({
  tool: 'refund',
  input: { order: 7, sum },
  response: { refunded: sum },
  diff: [{ op: 'insert', table: 'shop.refunds', key: id, row: { id, order: 7, sum } }],
});

/** A run whose user speaks before these steps. */
function run(turns: readonly (readonly SyntheticStep[])[], said = 'Done: 1,240.'): Trajectory {
  const whole = syntheticTrajectory(turns.flat(), { answer: said });
  const starts = turns.map((_, turn) => turns.slice(0, turn).flat().length);
  const [sample] = syntheticTrajectory([], { messages: [{ role: 'user', text: 'Go on.' }] }).messages;
  const messages = starts.map(
    (afterStep, index): MessageRecord => ({ ...(sample as MessageRecord), index, afterStep }),
  );
  return { ...whole, messages };
}

const GOLD = run([[look, check], [refund('g')], []]);
const verdict = (...turns: readonly (readonly SyntheticStep[])[]) =>
  bfclMultiTurn({ model: run(turns), gold: GOLD, shape: SHAPE });

describe('BFCL multi-turn', () => {
  it('passes the gold run, other orders, surplus reads, and results of earlier turns', () => {
    expect(verdict([look, check], [refund('x')], [])).toMatchObject({ valid: true });
    expect(verdict([check, look, look], [refund('x'), check], [look])).toMatchObject({ valid: true });
  });

  it.each([
    ['a turn without a call', [[], [look, check, refund('x')], []], 0, 'empty-turn'],
    ['no such turn', [[look, check]], 1, 'empty-turn'],
    ['a write too early', [[look, check, refund('x')], [look], []], 0, 'state'],
    ['a second refund', [[look, check], [refund('x'), refund('y')], []], 1, 'state'],
    ['another sum', [[look, check], [refund('x', 21)], []], 1, 'state'],
    ['a read that is missing', [[look], [refund('x'), check], []], 0, 'response'],
  ] as const)('fails %s', (_what, turns, turn, error) =>
    expect(verdict(...turns)).toMatchObject({ valid: false, turn, error }),
  );

  it('does not check a turn in which the gold run calls nothing', () => {
    expect(verdict([look, check], [refund('x')], [refund('y')])).toMatchObject({ valid: true });
  });

  it('counts gold results as often as they occur', () => {
    const gold = run([[look, look]]);
    expect(bfclMultiTurn({ model: run([[look]]), gold, shape: SHAPE })).toMatchObject({ error: 'response' });
    expect(bfclMultiTurn({ model: run([[look, look]]), gold, shape: SHAPE })).toMatchObject({ valid: true });
  });

  it('has a reason for traces without states, and for other worlds', () => {
    const blind = syntheticTrajectory([{ tool: 'lookup', input: {}, breaches: null }], { answer: '' });
    expect(bfclMultiTurn({ model: blind, gold: GOLD, shape: SHAPE })).toEqual({
      valid: null,
      reason: 'the trace has no states',
    });
    const { header } = GOLD;
    const elsewhere = { ...GOLD, header: { ...header, world: { ...header.world, merkle: 'f'.repeat(64) } } };
    expect(bfclMultiTurn({ model: elsewhere, gold: GOLD, shape: SHAPE })).toMatchObject({ valid: null });
  });
});

describe('tau-bench reward', () => {
  const reward = (model: Trajectory, outputs: readonly string[] = []) =>
    tauReward({ model, gold: GOLD, shape: SHAPE }, outputs);

  it('is 1 for the gold state by any way, and all outputs said', () => {
    expect(reward(run([[refund('x')]]), ['1240', 'DONE'])).toMatchObject({
      reward: 1,
      state: true,
      outputs: true,
    });
  });

  it.each([
    ['another state', run([[refund('x'), refund('y')]]), [], { reward: 0, state: false }],
    ['an output that was not said', run([[refund('x')]]), ['30'], { reward: 0, outputs: false }],
    [
      'an output with a comma, which is never found',
      run([[refund('x')]]),
      ['1,240'],
      { reward: 0, outputs: false },
    ],
  ] as const)('is 0 for %s', (_what, model, outputs, expected) =>
    expect(reward(model, outputs)).toMatchObject(expected),
  );

  it('is 0 for a run that did not end properly, and unknown for one whose end is not known', () => {
    const stopped = syntheticTrajectory([refund('x')], { reason: 'budget-calls' });
    expect(reward(stopped)).toMatchObject({ reward: 0, state: true });
    expect(reward(syntheticTrajectory([refund('x')], { cut: true }))).toMatchObject({ reward: null });
  });

  it('takes what the agent said before the end', () => {
    const messages = [{ role: 'agent', text: 'You get $20 back.' }] as const;
    const talk = syntheticTrajectory([refund('x')], { answer: null, reason: 'user-ended', messages });
    expect(reward(talk, ['$20'])).toMatchObject({ reward: 1 });
  });
});
