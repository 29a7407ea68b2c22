import { describe, expect, it } from 'vitest';
import { InvariantError, UsageError } from '../base/errors.ts';
import { SeededRandom } from '../base/random.ts';
import { seedWorld } from '../service/seed.ts';
import { helpdesk } from '../services/helpdesk/index.ts';
import { notes } from '../services/notes/index.ts';
import {
  openSession,
  resumeSession,
  type Session,
  type SessionOptions,
  type SessionSnapshot,
} from './index.ts';

const services = [notes, helpdesk];
const world = seedWorld(services.map((service) => ({ service, seed: 'small' as const })));
const options: SessionOptions = {
  services,
  world,
  behaviour: { engine: 'test', services: { notes: 'test', helpdesk: 'test' } },
  seeds: { notes: 'small', helpdesk: 'small' },
  streamSeed: 'snapshots',
  epochMs: notes.epochMs,
  actors: [{ id: 'first' }, { id: 'other' }],
  faults: {
    rules: [
      {
        id: 'busy',
        match: { tool: 'create_note', occurrence: 3 },
        effect: { kind: 'reject', status: 429, retryAfterSeconds: 60, holds: true },
        label: 'busy',
      },
      {
        id: 'lost',
        match: { occurrence: 12 },
        effect: { kind: 'response-lost' },
        label: 'lost',
      },
    ],
  },
  budgets: { calls: 80, messages: 12 },
};

const CALLS = [
  ...notes.tools.map(({ name }) => name),
  ...helpdesk.tools.map(({ name }) => name).slice(0, 12),
  'no_such_tool',
];
const EXAMPLES = new Map(
  services.flatMap(({ tools, operations }) =>
    tools.map((tool) => [tool.name, operations.find(({ id }) => id === tool.operations[0])?.example ?? {}]),
  ),
);

type Act = (session: Session) => void;

/** One thing that can happen to a session, drawn from a seed: the same for every session that does it. */
function drawAct(random: SeededRandom, index: number): Act {
  const kind = random.integer(0, 24);
  const key = `key ${random.integer(0, 4)}`;
  const tool = random.pick(CALLS);
  const actor = random.pick(['first', 'other']);
  if (kind === 0) return (session) => session.wait(index * 10);
  if (kind === 1) return (session) => session.join([{ id: `joined-${index}` }]);
  if (kind === 2)
    return (session) =>
      session.inject([
        {
          id: `rule-${index}`,
          match: { occurrence: 2 },
          effect: { kind: 'reject', status: 503, retryAfterSeconds: 1 },
          label: 'later',
        },
      ]);
  if (kind < 6)
    return (session) => session.say({ role: index % 2 === 0 ? 'agent' : 'user', text: `said ${index}` });
  if (kind < 12) {
    const input = { notebook_id: 'book_1', title: key, body: 'x', request_key: key };
    return (session) => session.call({ tool: 'create_note', input, actor });
  }
  return (session) => session.call({ tool, input: EXAMPLES.get(tool) ?? {}, actor });
}

function act(session: Session, acts: readonly Act[]): void {
  for (const one of acts) {
    try {
      one(session);
    } catch (error) {
      // Over, or an id that is taken: for each of the sessions alike.
      if (!(error instanceof UsageError)) throw error;
    }
  }
}

/** What goes on from here can be told by these. */
function standing(session: Session) {
  const { world: now, stepCount, messageCount, actors, ended } = session;
  return {
    stepCount,
    messageCount,
    actors,
    ended,
    full: now.fullDigest(),
    merkle: now.merkleRoot(),
    line: session.lastStepLine(),
  };
}

function kept(session: Session): SessionSnapshot {
  const snapshot = session.snapshot();
  if (!snapshot) throw new Error('this session has no snapshot');
  return JSON.parse(JSON.stringify(snapshot)) as SessionSnapshot;
}

function text(session: Session): string {
  session.finish({ reason: 'answer', answer: 'done' });
  return session.text();
}

describe('a session that is resumed from a snapshot', () => {
  it('goes on with the same step lines as one that made every step, wherever it was taken', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const random = SeededRandom.from(`snapshot ${seed}`);
      const acts = Array.from({ length: random.integer(5, 110) }, (_, index) => drawAct(random, index));
      const cut = random.integer(0, acts.length);
      const whole = openSession(options);
      act(whole, acts.slice(0, cut));
      const snapshot = kept(whole);
      const past = whole.fork();
      const resumed = resumeSession(options, snapshot, () => past);
      const alone = resumeSession(options, snapshot);
      expect(standing(resumed)).toEqual(standing(whole));
      for (const one of acts.slice(cut)) {
        act(whole, [one]);
        act(resumed, [one]);
        act(alone, [one]);
        expect(standing(resumed)).toEqual(standing(whole));
        expect(kept(alone)).toEqual(kept(whole));
      }
      expect(text(resumed)).toBe(text(whole));
    }
  });

  it('gets its past when it is asked for it, and only then', () => {
    const whole = openSession(options);
    const random = SeededRandom.from('past');
    act(
      whole,
      Array.from({ length: 20 }, (_, index) => drawAct(random, index)),
    );
    const snapshot = kept(whole);
    let asked = 0;
    const past = whole.fork();
    const resumed = resumeSession(options, snapshot, () => {
      asked += 1;
      return past.fork();
    });
    const more = Array.from({ length: 6 }, (_, index) => drawAct(random, 100 + index));
    act(whole, more);
    act(resumed, more);
    const { stepCount } = whole;
    resumed.fork(snapshot.steps).call({ tool: 'list_notes' });
    expect(asked).toBe(0);
    const fork = resumed.fork();
    expect(resumed.fork(3).steps()).toEqual(whole.fork(3).steps());
    expect(asked).toBe(1);
    expect(resumed.steps()).toEqual(whole.steps());
    resumed.rollback(1);
    expect(asked).toBe(1);
    expect(fork.fork(stepCount).steps()).toEqual(whole.steps());
    expect(asked).toBe(2);
  });

  it('says so when it has no past, or is given that of another session', () => {
    const whole = openSession(options);
    whole.call({ tool: 'list_notes' });
    const snapshot = kept(whole);
    const alone = resumeSession(options, snapshot);
    expect(() => alone.steps()).toThrow(InvariantError);
    expect(() => alone.rollback(0)).toThrow(InvariantError);
    expect(() => alone.finish({ reason: 'answer' })).toThrow(InvariantError);
    const other = resumeSession(options, snapshot, () => openSession(options));
    expect(() => other.steps()).toThrow(/not the one it was resumed from/u);
  });

  it('is refused in a world that starts another way, and is not made of a finished episode', () => {
    const whole = openSession(options);
    whole.call({ tool: 'list_notes' });
    const snapshot = kept(whole);
    expect(() => resumeSession({ ...options, streamSeed: 'other' }, snapshot)).toThrow(
      expect.objectContaining({ code: 'world-changed' }),
    );
    whole.finish({ reason: 'answer', answer: '' });
    expect(whole.snapshot()).toBeNull();
  });
});
