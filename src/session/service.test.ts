import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { seedWorld } from '../service/seed.ts';
import type { Service } from '../service/types.ts';
import { airline } from '../services/airline/index.ts';
import { notes } from '../services/notes/index.ts';
import { readTrajectory } from '../trajectory/index.ts';
import { openSession, replayTrajectory } from './index.ts';

/** Operations with the ids of `notes`, no tools, rows of its own. */
const twin: Service = { ...notes, name: 'twin', tools: [] };
const services = [notes, airline, twin];
const world = seedWorld(services.map((service) => ({ service, seed: 'small' })));
const behaviour = { engine: 'test', services: {} };

function open() {
  const seeds = { notes: 'small', airline: 'small', twin: 'small' };
  return openSession({ services, world, behaviour, seeds, streamSeed: '1', epochMs: notes.epochMs });
}

describe('a call that names its service', () => {
  it('is refused in the words of that service', () => {
    const session = open();
    expect(session.call({ tool: 'GET /nowhere' }).body).toMatchObject({
      error: { code: 'unknown_operation' },
    });
    expect(session.call({ tool: 'GET /nowhere', service: 'airline' }).body).toBe(
      'Unknown action GET /nowhere',
    );
    expect(session.call({ tool: 'notes.list', service: 'airline' }).status).toBe(404);
    expect(session.call({ tool: 'notes.export', service: 'airline' }).status).toBe(404);
    expect(session.steps().map(({ outcome }) => outcome)).toEqual(Array(4).fill('unknown-tool'));
    expect(() => open().call({ tool: 'notes.list', service: 'okta' })).toThrow(UsageError);
  });

  it('runs the operation of that service, where two have one of the same id', () => {
    const session = open();
    session.call({ tool: 'notes.delete', input: { id: 'note_seed0001' }, service: 'twin' });
    expect(session.world.table('twin.notes').has('note_seed0001')).toBe(false);
    expect(session.world.table('notes.notes').has('note_seed0001')).toBe(true);
  });

  it('says so in the record only where the name alone does not, and replays', () => {
    const session = open();
    const input = { id: 'note_seed0001' };
    session.call({ tool: 'notes.get', input, service: 'notes' });
    session.call({ tool: 'notes.get', input, service: 'twin' });
    session.call({ tool: 'think', input: { thought: 'hm' }, service: 'airline' });
    session.call({ tool: 'GET /nowhere', service: 'airline' });
    session.call({ tool: 'GET /nowhere', service: 'notes' });
    session.call({ tool: 'notes.export', service: 'twin' });
    const named = [undefined, 'twin', undefined, 'airline', undefined, 'twin'];
    expect(session.steps().map(({ service }) => service)).toEqual(named);
    expect(session.steps()[5]?.outcome).toBe('unmodelled');
    session.finish({ reason: 'answer', answer: '' });
    const environment = { services, world, behaviour };
    const replay = replayTrajectory(readTrajectory(session.text()), environment);
    expect(replay).toMatchObject({ identical: true, steps: 6 });
  });
});
