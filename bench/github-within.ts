/** A part of the GitHub bench, in a process of its own: search, and what sessions keep on the heap. */
import { seedWorld } from '../src/service/seed.ts';
import { github } from '../src/services/github/index.ts';
import { openSession, type Session } from '../src/session/index.ts';
import { type Figure, heapAfterCollection, microsPerOperation } from './measure.ts';

const SESSIONS = 1_000;
const WRITES = 10;

const world = seedWorld([{ service: github, seed: 'large' }]);

function open(name: string): Session {
  return openSession({
    services: [github],
    world,
    seeds: { github: 'large' },
    streamSeed: name,
    epochMs: github.epochMs,
    behaviour: { engine: '', services: {} },
  });
}

/** CPU microseconds of one search; every session searches the world as it is after a write of its own. */
function searchCost(q: string): number {
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
        const session = open(q);
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

const words = searchCost('cache hangs after a restart is:open in:title');
const filters = searchCost('is:issue is:open label:regression no:assignee');
const scoped = searchCost('repo:octo-works/lamp is:issue flickers');
work(open('warm'));
const sessions: Session[] = [];
const before = heapAfterCollection();
for (let index = 0; index < SESSIONS; index += 1) {
  const session = open(`session ${index}`);
  work(session);
  sessions.push(session);
}
const bytes = (heapAfterCollection() - before) / sessions.length;
const issues = world.table('github.issues').size;
const figures: Record<string, Figure> = {
  issues_searched: { value: issues, unit: '' },
  search_words: { value: words / 1000, unit: 'ms', target: 0.5 },
  search_filters: { value: filters / 1000, unit: 'ms' },
  search_one_repository: { value: scoped / 1000, unit: 'ms', target: 0.5 },
  session_with_10_writes: { value: bytes / 1000, unit: 'kB', target: 20 },
};
process.send?.(figures, () => process.exit(0));
