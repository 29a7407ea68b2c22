/** Episodes on the notes service that several tests look at: one of everything that a trajectory can hold. */
import { seedWorld } from '../src/service/seed.ts';
import { notes } from '../src/services/notes/index.ts';
import {
  openSession,
  type ReplayEnvironment,
  type Session,
  type SessionOptions,
} from '../src/session/index.ts';
import type { Trajectory } from '../src/trajectory/index.ts';

export const SERVICES = [notes];
export const WORLD = seedWorld([{ service: notes, seed: 'small' }]);
export const BEHAVIOUR = { engine: 'test-engine', services: { notes: 'test-notes' } };
export const ENVIRONMENT: ReplayEnvironment = { services: SERVICES, world: WORLD, behaviour: BEHAVIOUR };

/** Opens a session on the small notes world. */
export function openNotes(options: Partial<SessionOptions> = {}): Session {
  return openSession({
    services: SERVICES,
    world: WORLD,
    seeds: { notes: 'small' },
    streamSeed: 'episode',
    epochMs: notes.epochMs,
    behaviour: BEHAVIOUR,
    ...options,
  });
}

/** What the episode of everything is opened with. */
export const EVERYTHING: Partial<SessionOptions> = {
  actors: [{ id: 'agent' }, { id: 'clerk', roles: ['reader'], attributes: { floor: 2 } }],
  budgets: { calls: 40, messages: 5, clockMs: 10_000_000 },
  overlay: [
    {
      op: 'update',
      table: 'notes.notes',
      key: 'note_seed0001',
      cells: { title: { from: 'Shopping', to: 'Einkäufe 🛒' } },
    },
  ],
  faults: {
    rules: [
      {
        id: 'busy',
        match: { tool: 'list_notes', occurrence: 1 },
        effect: { kind: 'reject', status: 429, retryAfterSeconds: 2 },
        label: 'list is busy',
      },
      {
        id: 'lost',
        match: { tool: 'share_note' },
        effect: { kind: 'response-lost' },
        label: 'answer of the sharing lost',
      },
    ],
  },
  watches: [{ id: 'few-revisions', table: 'notes.notes', check: { revision: { lte: 2 } } }],
  scenario: { id: 'everything', hash: 'none', variant: 1 },
  trial: 0,
  agent: { name: 'fixed', config: { version: 1 } },
  task: { text: 'Use everything once.', intent: { kind: 'everything' } },
};

/** A fixed program that leaves one of everything in its trajectory. */
export function playEverything(session: Session): void {
  session.say({ role: 'user', text: 'Grüß dich — „alles“ bitte: 日本語 🗒️\u2028' });
  session.call({ tool: 'list_notes', input: { tag: 'home' } });
  session.call({ tool: 'list_notes', input: { tag: 'home' }, waitedMs: 2_000 });
  session.call({ tool: 'get_note', input: { id: 'note_nowhere' } });
  session.call({ tool: 'create_note', malformed: '{"notebook_id": "book_1", ' });
  session.say({ role: 'agent', text: 'Working on it.\n\tTwo lines.' });
  session.callBatch([
    {
      tool: 'create_note',
      input: { title: 'Ünïcödé \ud83d\ude00', body: 'lone \ud800', notebook_id: 'book_1' },
    },
    { tool: 'tag_note', input: { id: 'note_seed0002', tag: 'work' }, actor: 'clerk' },
    { tool: 'save_tagged_note', input: { notebook_id: 'book_2', title: 'Two', body: '', tags: ['a', 'b'] } },
  ]);
  session.call({ tool: 'share_note', input: { id: 'note_seed0001' } });
  session.call({ tool: 'open_note', input: { id: 'note_seed0003', pin: '0000' } });
  session.call({ tool: 'update_note', input: { id: 'note_seed0004', revision: 1, body: 'x' } });
  session.call({ tool: 'update_note', input: { id: 'note_seed0004', revision: 2, body: 'y' } });
  session.call({ tool: 'notes.export', input: { id: 'note_seed0001' } });
  session.call({ tool: 'make_coffee', input: JSON.parse('{"__proto__": {"a": 1}, "sugar": -0}') });
  session.call({ tool: 'delete_note', input: { id: 'note_seed0002' } });
  session.say({ role: 'user', text: '' });
}

/** The file and the record of that episode. */
export function everything(): { readonly text: string; readonly trajectory: Trajectory } {
  const session = openNotes(EVERYTHING);
  playEverything(session);
  const trajectory = session.finish({
    reason: 'answer',
    answer: 'Done ✔',
    usage: { cost: 0.25, inputTokens: 10, outputTokens: 3 },
  });
  return { text: session.text(), trajectory };
}
