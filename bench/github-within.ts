/** A part of the GitHub bench, in a process of its own: search, and what sessions keep on the heap. */
import { seedWorld } from '../src/service/seed.ts';
import { github } from '../src/services/github/index.ts';
import { STANDARD, seedLivedIn } from '../src/services/github/seed/lived-in/index.ts';
import { EPOCH_MS, seedSmall } from '../src/services/github/seed.ts';
import { openSession, type Session } from '../src/session/index.ts';
import type { WorldValue } from '../src/world/index.ts';
import { type Figure, heapAfterCollection, microsPerOperation } from './measure.ts';

const SESSIONS = 1_000;
const WRITES = 10;

/** A world of about nine thousand issues, which no seed has. */
const middle = {
  ...github,
  seeds: {
    small: (seeding: Parameters<typeof seedSmall>[0]) => {
      seedSmall(seeding);
      seedLivedIn(seeding, { ...STANDARD, repositories: 60, issues: 8_500, pulls: 500 }, EPOCH_MS);
    },
  },
};
const large = seedWorld([{ service: github, seed: 'large' }]);
const world = seedWorld([{ service: middle as typeof github, seed: 'small' }]);
const services = [github];

function open(name: string, of: WorldValue = large): Session {
  return openSession({
    services,
    world: of,
    seeds: { github: 'large' },
    streamSeed: name,
    epochMs: github.epochMs,
    behaviour: { engine: '', services: {} },
  });
}

/** CPU microseconds of one search; every session searches the world as it is after a write of its own. */
function searchCost(of: WorldValue, q: string): number {
  return microsPerOperation(
    (session) => {
      for (let count = 0; count < 20; count += 1) {
        const { status } = session.call({ tool: 'search/issues-and-pull-requests', input: { q } });
        if (status !== 200) throw new Error(`the search answered ${status}`);
      }
    },
    {
      count: 20,
      prepare: () => {
        const session = open(q, of);
        const input = { owner: 'octo-works', repo: 'lamp', title: 'Flickers at night' };
        session.call({ tool: 'issues/create', input });
        return session;
      },
    },
  );
}

function work(session: Session): void {
  const place = { owner: 'octo-works', repo: 'lamp' };
  session.call({ tool: 'issues/create', input: { ...place, title: 'Flickers at night' } });
  for (let count = 1; count < WRITES; count += 1) {
    const input = { ...place, issue_number: 1, body: `Seen again, ${count} times now.` };
    const { status } = session.call({ tool: 'issues/create-comment', input });
    if (status !== 201) throw new Error(`the comment answered ${status}`);
  }
}

const WORDS = 'cache hangs after a restart is:open in:title';
const FILTERS = 'is:issue is:open label:regression no:assignee';
const SCOPED = 'repo:octo-works/lamp is:issue flickers';

/** What each of a thousand sessions keeps on the heap, of the whole and of its world alone. */
function retained(): { readonly session: number; readonly world: number } {
  work(open('warm'));
  const before = heapAfterCollection();
  let sessions: Session[] | null = Array.from({ length: SESSIONS }, (_, index) => {
    const session = open(`session ${index}`);
    work(session);
    return session;
  });
  const session = (heapAfterCollection() - before) / SESSIONS;
  const worlds = sessions.map((one) => one.world);
  sessions = null;
  const kept = (heapAfterCollection() - before) / SESSIONS;
  return { session, world: worlds.length > 0 ? kept : 0 };
}

const heap = retained();
const figures: Record<string, Figure> = {
  issues_searched: { value: world.table('github.issues').size, unit: '' },
  search_words: { value: searchCost(world, WORDS) / 1000, unit: 'ms', target: 0.5 },
  search_filters: { value: searchCost(world, FILTERS) / 1000, unit: 'ms', target: 0.5 },
  search_one_repository: { value: searchCost(world, SCOPED) / 1000, unit: 'ms', target: 0.5 },
  issues_of_the_large_world: { value: large.table('github.issues').size, unit: '' },
  search_words_in_it: { value: searchCost(large, WORDS) / 1000, unit: 'ms' },
  search_filters_in_it: { value: searchCost(large, FILTERS) / 1000, unit: 'ms' },
  search_one_repository_in_it: { value: searchCost(large, SCOPED) / 1000, unit: 'ms' },
  session_with_10_writes: { value: heap.session / 1000, unit: 'kB' },
  its_world_above_the_seed: { value: heap.world / 1000, unit: 'kB', target: 20 },
};
process.send?.(figures, () => process.exit(0));
