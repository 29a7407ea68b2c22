import type { Session } from '../src/session/index.ts';
import { type Figure, heapAfterCollection } from './measure.ts';
import { loadSessionFixture, makeCalls, openFixture } from './session-fixture.ts';

/**
 * A part of the session bench, in a process of its own: what open sessions and their forks keep on the heap.
 */
const SESSIONS = 10_000;
const STEPS = 10;
const FORKS = 100_000;

const { prepared, requests } = await loadSessionFixture();
const first = requests.slice(0, STEPS);
const base = openFixture(prepared, 'base');
makeCalls(base, first);

const forks = new Array<Session>(FORKS);
const beforeForks = heapAfterCollection();
for (let index = 0; index < FORKS; index += 1) forks[index] = base.fork();
const forkBytes = (heapAfterCollection() - beforeForks) / FORKS;
forks.length = 0;

const sessions = new Array<Session>(SESSIONS);
const before = heapAfterCollection();
for (let index = 0; index < SESSIONS; index += 1) {
  const session = openFixture(prepared, `bench ${index}`);
  makeCalls(session, first);
  sessions[index] = session;
}
const total = heapAfterCollection() - before;
const stepsMade = sessions.reduce((sum, session) => sum + session.stepCount, 0);
if (stepsMade !== SESSIONS * STEPS) throw new Error('steps are missing');
const lines = base.steps().reduce((sum, step) => sum + JSON.stringify(step).length, 0);
const figures: Record<string, Figure> = {
  fork_retained: { value: forkBytes, unit: 'B', target: 300 },
  sessions_10000_with_10_steps: { value: total / 1e6, unit: 'MB', target: 250 },
  session_with_10_steps: { value: total / SESSIONS / 1000, unit: 'kB' },
  of_which_step_lines: { value: lines / 1000, unit: 'kB' },
};
process.stdout.write(JSON.stringify(figures));
