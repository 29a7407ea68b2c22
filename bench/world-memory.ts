import type { World } from '../src/world/index.ts';
import { type Figure, heapAfterCollection, microsPerOperation } from './measure.ts';
import { buildWorld, ROWS, updateSteps } from './world-fixture.ts';

/** A part of the world bench, in a process of its own: what forks cost in time and in memory. */
const FORKS = 10_000;
const IDLE_FORKS = 100_000;
const WRITES = 10;

/** What a session is apart from its recorder; replace by `session.fork()` to measure whole sessions. */
interface Cursor {
  world: World;
}

function fork(cursor: Cursor): Cursor {
  return { world: cursor.world };
}

const start: Cursor = { world: buildWorld(ROWS) };
start.world.contentDigest();

const forking = microsPerOperation(
  (kept: Cursor[]) => {
    for (let index = 0; index < IDLE_FORKS; index += 1) kept[index] = fork(start);
  },
  { count: IDLE_FORKS, prepare: () => new Array<Cursor>(IDLE_FORKS) },
);

const idle = new Array<Cursor>(IDLE_FORKS);
const beforeIdle = heapAfterCollection();
for (let index = 0; index < IDLE_FORKS; index += 1) idle[index] = fork(start);
const idleBytes = (heapAfterCollection() - beforeIdle) / IDLE_FORKS;
idle.length = 0;

const written: Cursor[] = [];
const beforeWritten = heapAfterCollection();
for (let index = 0; index < FORKS; index += 1) {
  const forked = fork(start);
  forked.world = updateSteps(forked.world, WRITES, { digest: true, first: index * WRITES });
  written.push(forked);
}
const total = heapAfterCollection();
const figures: Record<string, Figure> = {
  fork: { value: forking, unit: 'us', target: 0.5 },
  fork_retained: { value: idleBytes, unit: 'B', target: 300 },
  forks_10000_with_10_writes: { value: total / 1e6, unit: 'MB', target: 220 },
  fork_with_10_writes: { value: (total - beforeWritten) / FORKS / 1000, unit: 'kB' },
};
if (written.length !== FORKS) throw new Error('forks are missing');
process.stdout.write(JSON.stringify(figures));
