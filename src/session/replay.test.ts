import { describe, expect, it } from 'vitest';
import {
  ENVIRONMENT,
  EVERYTHING,
  everything,
  openNotes,
  playEverything,
  WORLD,
} from '../../test/episodes.ts';
import { seedWorld } from '../service/seed.ts';
import type { Operation, Service } from '../service/types.ts';
import { notes } from '../services/notes/index.ts';
import { readTrajectory, type Trajectory } from '../trajectory/index.ts';
import { batchOrderMatters } from './batch-order.ts';
import { replayTrajectory, sessionAt } from './replay.ts';
import type { CallRequest } from './types.ts';

const { text, trajectory } = everything();

/** The notes service with one operation that behaves in another way. */
function changedNotes(id: string, change: (run: Operation['run']) => Operation['run']): readonly Service[] {
  const operations = notes.operations.map((operation) =>
    operation.id === id ? { ...operation, run: change(operation.run) } : operation,
  );
  return [{ ...notes, operations }];
}

describe('replayTrajectory', () => {
  it('finds a trajectory identical, read from its file or in memory', () => {
    for (const record of [trajectory, readTrajectory(text)]) {
      expect(replayTrajectory(record, ENVIRONMENT)).toEqual({
        identical: true,
        worldChanged: false,
        changedParts: [],
        steps: trajectory.steps.length,
        firstDivergence: null,
      });
    }
  });

  it('replays every kind of end', () => {
    for (const budgets of [{ calls: 1 }, { clockMs: 10 }]) {
      const session = openNotes({ budgets });
      session.call({ tool: 'list_notebooks' });
      session.call({ tool: 'list_notebooks' });
      expect(replayTrajectory(session.finish({ reason: 'answer' }), ENVIRONMENT).identical).toBe(true);
    }
    const session = openNotes();
    const crashed = session.finish({ reason: 'agent-crashed', detail: 'it fell over', usage: { cost: 1 } });
    expect(replayTrajectory(crashed, ENVIRONMENT).identical).toBe(true);
  });

  it('says which parts of the behaviour changed, also when every record comes out the same', () => {
    const behaviour = { engine: 'another', services: { notes: 'another' } };
    expect(replayTrajectory(trajectory, { ...ENVIRONMENT, behaviour })).toMatchObject({
      identical: true,
      worldChanged: true,
      changedParts: ['engine', 'notes'],
    });
  });

  it('shows the first divergence with both sides when an operation behaves in another way', () => {
    const services = changedNotes('notes.tag', (run) => (ctx, input) => {
      const view = run(ctx, input) as object;
      return { ...view, title: 'planted' };
    });
    const step = trajectory.steps.findIndex(({ tool }) => tool === 'tag_note');
    const result = replayTrajectory(trajectory, { ...ENVIRONMENT, services });
    expect(result).toMatchObject({ identical: false, steps: step });
    expect(result.firstDivergence).toMatchObject({
      step,
      field: 'response',
      expected: { title: 'Minutes' },
      got: { title: 'planted' },
    });
  });

  it('notices an operation that answers the same and writes something else', () => {
    const services = changedNotes('notes.tag', (run) => (ctx, input) => {
      const view = run(ctx, input);
      ctx.tx.tags?.insert({ note_id: 'note_seed0001', tag: 'planted' });
      return view;
    });
    const { firstDivergence } = replayTrajectory(trajectory, { ...ENVIRONMENT, services });
    expect(firstDivergence?.field).toBe('after');
  });

  it('notices another starting world before any step', () => {
    const world = seedWorld([{ service: notes, seed: 'standard' }]);
    const session = openNotes();
    const plain = replayTrajectory(session.finish({ reason: 'answer' }), { ...ENVIRONMENT, world });
    expect(plain).toMatchObject({ identical: false, steps: 0 });
    expect(plain.firstDivergence).toMatchObject({ step: -1, field: 'world.merkle' });
    // A watch that this world breaks, an overlay that does not fit it, a tool that is gone: the same answer.
    const { merkle } = trajectory.header.world;
    for (const environment of [
      { ...ENVIRONMENT, world },
      {
        ...ENVIRONMENT,
        world: seedWorld([{ service: { ...notes, seeds: { small: () => {} } }, seed: 'small' }]),
      },
      { ...ENVIRONMENT, services: [{ ...notes, tools: notes.tools.slice(1) }] },
    ]) {
      expect(replayTrajectory(trajectory, environment).firstDivergence).toMatchObject({
        step: -1,
        field: 'start',
        expected: merkle,
      });
    }
  });

  it('reports an operation that breaks as a divergence of its step', () => {
    const services = changedNotes('notes.tag', () => () => {
      throw new TypeError('planted');
    });
    const { firstDivergence } = replayTrajectory(trajectory, { ...ENVIRONMENT, services });
    expect(firstDivergence).toMatchObject({ field: 'outcome', expected: 'ok' });
    expect(String(firstDivergence?.got)).toContain('planted');
  });

  it('names the member whose order alone differs, and the end', () => {
    const [first, ...rest] = trajectory.steps;
    if (!first) throw new Error('the episode has no steps');
    const { type, index, ...members } = first;
    const turned = { ...trajectory, steps: [{ index, type, ...members }, ...rest] };
    expect(replayTrajectory(turned, ENVIRONMENT).firstDivergence?.field).toBe('member order');
    if (!trajectory.end) throw new Error('the episode has no end');
    const other: Trajectory = { ...trajectory, end: { ...trajectory.end, merkle: '0'.repeat(64) } };
    expect(replayTrajectory(other, ENVIRONMENT).firstDivergence).toMatchObject({
      step: trajectory.steps.length,
      field: 'merkle',
      expected: '0'.repeat(64),
      got: trajectory.end.merkle,
    });
  });

  it('says so when the replay reaches a budget that the record did not', () => {
    const header = { ...trajectory.header, budgets: { calls: 2 } };
    const session = openNotes({ ...EVERYTHING, budgets: { calls: 2 } });
    session.call({ tool: 'list_notebooks' });
    session.call({ tool: 'list_notebooks' });
    const steps = session.steps();
    const third = steps[1] as (typeof steps)[number];
    const longer = { header, steps: [...steps, { ...third, index: 2 }], messages: [], end: null };
    expect(replayTrajectory(longer, ENVIRONMENT).firstDivergence).toEqual({
      step: 2,
      field: 'ended',
      expected: null,
      got: 'budget-calls',
    });
  });
});

describe('sessionAt', () => {
  it('stands where the recorded session stood, and goes on by itself', () => {
    const whole = openNotes(EVERYTHING);
    playEverything(whole);
    for (const at of [0, 1, 5, whole.stepCount]) {
      const session = sessionAt(trajectory, ENVIRONMENT, at);
      expect(session.steps()).toEqual(trajectory.steps.slice(0, at));
      expect(session.world.fullDigest()).toBe(whole.fork(at).world.fullDigest());
      session.call({ tool: 'delete_note', input: { id: 'note_seed0001' } });
      expect(session.stepCount).toBe(at + 1);
    }
    expect(WORLD.table('notes.notes').has('note_seed0001')).toBe(true);
  });
});

describe('batchOrderMatters', () => {
  function recorded(calls: readonly CallRequest[]): Trajectory {
    const session = openNotes();
    session.call({ tool: 'list_notebooks' });
    session.callBatch(calls);
    return session.finish({ reason: 'answer', answer: '' });
  }
  const create = (title: string): CallRequest => ({
    tool: 'create_note',
    input: { notebook_id: 'book_1', title, body: '' },
  });
  const tag = (id: string, name: string): CallRequest => ({ tool: 'tag_note', input: { id, tag: name } });
  const update = (body: string): CallRequest => ({
    tool: 'update_note',
    input: { id: 'note_seed0001', revision: 1, body },
  });
  const read: CallRequest = { tool: 'get_note', input: { id: 'note_seed0001' } };
  const verdict = (calls: readonly CallRequest[]) =>
    batchOrderMatters(recorded(calls), ENVIRONMENT, 'batch-1');

  it('is untroubled by drawn ids and moments, which another order exchanges', () => {
    expect(verdict([create('A'), create('B'), tag('note_seed0002', 'x')])).toEqual({
      matters: false,
      orders: 5,
      first: null,
    });
    expect(verdict([tag('note_seed0001', 'b'), tag('note_seed0002', 'a')])).toMatchObject({ matters: false });
    expect(verdict([read])).toEqual({ matters: false, orders: 0, first: null });
  });

  it('finds writes that get in each other’s way, with the call that is answered differently', () => {
    expect(verdict([update('one'), update('two')])).toMatchObject({
      matters: true,
      orders: 1,
      first: { order: [1, 0], field: 'answer', call: 0, expected: { status: 200 }, got: { status: 409 } },
    });
  });

  it('finds a read that sees a write or not', () => {
    expect(verdict([read, tag('note_seed0001', 'seen')])).toMatchObject({
      matters: true,
      first: { field: 'answer', call: 0 },
    });
  });

  it('looks at neighbours and the reverse in longer batches', () => {
    const tags = ['a', 'b', 'c', 'd'].map((name) => tag('note_seed0001', name));
    // Four tags are as many as the note takes beside the one it has: a fifth is refused, whichever comes
    // last.
    const five = [...tags, tag('note_seed0001', 'e')];
    expect(verdict(five)).toMatchObject({ matters: true, first: { order: [4, 3, 2, 1, 0] } });
    const apart = ['a', 'b', 'c', 'd', 'e'].map((name) => create(name));
    expect(verdict(apart)).toMatchObject({ matters: false, orders: 5 });
  });

  it('knows the batches of a trajectory', () => {
    expect(() => batchOrderMatters(recorded([read]), ENVIRONMENT, 'batch-2')).toThrow(
      expect.objectContaining({ code: 'unknown-batch', hint: 'did you mean batch-1?' }),
    );
  });
});
