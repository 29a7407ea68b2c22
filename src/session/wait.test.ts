import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { seedWorld } from '../service/seed.ts';
import { notes } from '../services/notes/index.ts';
import { openSession } from './index.ts';

const services = [notes];
const world = seedWorld([{ service: notes, seed: 'small' }]);
const behaviour = { engine: 'test', services: { notes: 'test' } };

function open() {
  return openSession({
    services,
    world,
    behaviour,
    seeds: { notes: 'small' },
    streamSeed: '1',
    epochMs: notes.epochMs,
  });
}

const call = { tool: notes.tools[0]?.name ?? '', input: {} };

describe('waiting', () => {
  it('is an input of the next call, and adds up', () => {
    const session = open();
    const direct = open();
    session.wait(1_000);
    session.wait(500);
    session.call({ ...call, waitedMs: 250 });
    direct.call({ ...call, waitedMs: 1_750 });
    expect(session.steps()).toEqual(direct.steps());
    expect(session.steps()[0]?.waited).toBe(1_750);
    session.call(call);
    expect(session.steps()[1]?.waited).toBeUndefined();
  });

  it('goes with a fork and is dropped by a rollback', () => {
    const session = open();
    session.call(call);
    session.wait(1_000);
    const forked = session.fork();
    session.rollback(1);
    session.call(call);
    forked.call(call);
    expect(session.steps()[1]?.waited).toBeUndefined();
    expect(forked.steps()[1]?.waited).toBe(1_000);
  });

  it('refuses what is no duration', () => {
    for (const durationMs of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e15]) {
      expect(() => open().wait(durationMs)).toThrow(UsageError);
    }
  });
});
