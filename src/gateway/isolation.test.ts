import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, tokenOf } from '../../test/servers.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import type { HostedSession } from './host/index.ts';
import type { RunningServer } from './serve.ts';

/** Texts that stand in B's world and nowhere else, and that nobody sends: who sees one has seen into B. */
const MARKERS = {
  title: 'marker-5d1c6f7e',
  body: 'marker-0b9a2c44',
  notebook: 'marker-77e1d0f3',
  ticket: 'marker-e2a4b6c8',
} as const;

let server: RunningServer;
let mine: HostedSession;
let other: HostedSession;
/** Names that the calls are made with, B's ids among them: an id is no secret. */
let names: readonly string[];

beforeAll(async () => {
  server = await startTestServer({ services: ['notes', 'helpdesk'] });
  mine = await server.host.open();
  other = await server.host.open();
  const [notebook, note] = await plant();
  const seeded = ['note_seed0001', 'book_1', '88213', 'C-1001', 'T-3001'];
  names = [...seeded, notebook, note, other.id, '../..', '\0', '__proto__', 'constructor'];
});
afterAll(() => server.close());

async function plant(): Promise<[string, string]> {
  const made = async (tool: string, input: Json): Promise<string> => {
    const { ok, body } = await server.host.call(other, { tool, input }, { door: 'rest' });
    if (!ok || !isJsonObject(body)) throw new Error(`${tool} failed: ${JSON.stringify(body)}`);
    return String(body.id ?? body.note_id);
  };
  const { title, body, notebook, ticket } = MARKERS;
  const book = await made('notebooks.create', { name: notebook });
  const note = await made('notes.create', { notebook_id: book, title, body });
  await made('tickets.addNote', { ticket_id: 'T-3001', body: ticket });
  return [book, note];
}

/** All that tells a session's standing: its state, its past, its tokens. */
function standing({ episode, credentials }: HostedSession): unknown {
  const { world, stepCount, messageCount, actors } = episode.session;
  const tokens = credentials.map(({ token }) => token);
  const checkpoints = [...episode.checkpoints];
  return [world.fullDigest(), stepCount, messageCount, actors, tokens, episode.ended, checkpoints];
}

/** A call that A makes: numbers stand for names, so that the cases are the same whatever the ids are. */
interface Ask {
  readonly method: string;
  readonly path: string;
  readonly names: readonly number[];
  readonly query: string;
  readonly body: string;
  readonly shown: string;
}

const REST_PATHS = [
  ...['/notes', '/notebooks', '/notes/N', '/notes/N/open', '/notes/N/share', '/notes/N/tags/N', '/tokens'],
  ...['/orders/N', '/orders?status=delivered', '/tickets/N', '/tickets/N/notes', '/customers/N/orders', '/N'],
];
const REST_SHOWN = ['notes', 'helpdesk', 'own', 'header', 'prefix', 'other-id', 'other-id-prefix'];

const body = fc.oneof(
  fc.json(),
  fc
    .record(
      { notebook_id: fc.constant('N'), title: fc.string(), body: fc.string(), id: fc.constant('N') },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
);
const restAsk: fc.Arbitrary<Ask> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  path: fc.constantFrom(...REST_PATHS),
  names: fc.array(fc.nat(11), { minLength: 3, maxLength: 3 }),
  query: fc.constantFrom('', 'after=N', 'tag=N', 'notebook_id=N', 'session=N', 'limit=100', 'id=N'),
  body,
  shown: fc.constantFrom(...REST_SHOWN),
});

/** The text with a name of the list in place of each N that stands alone. */
function named(text: string, ask: Ask, encode: (name: string) => string): string {
  let next = 0;
  return text.replaceAll(/\bN\b/gu, () => encode(names[ask.names[next++] ?? 0] ?? ''));
}

function reach(path: string, shown: string): { path: string; headers: Record<string, string> } {
  const own = tokenOf(mine, null);
  const notes = { authorization: `Bearer ${tokenOf(mine, 'notes')}` };
  switch (shown) {
    case 'own':
      return { path, headers: { authorization: `Bearer ${own}` } };
    case 'header':
      return { path, headers: { 'x-groundhog-session': own } };
    case 'prefix':
      return { path: `/_groundhog/s/${own}/notes${path}`, headers: {} };
    case 'other-id':
      return { path, headers: { ...notes, 'x-groundhog-session': other.id } };
    case 'other-id-prefix':
      return { path: `/_groundhog/s/${other.id}/notes${path}`, headers: notes };
    default:
      return { path, headers: { authorization: `Bearer ${tokenOf(mine, shown)}` } };
  }
}

/** Everything that came back. */
async function answerTo(ask: Ask, at: { path: string; headers: Record<string, string> }): Promise<string> {
  const bodyless = ask.method === 'GET' || ask.method === 'HEAD';
  const response = await fetch(`${server.url}${at.path}`, {
    method: ask.method,
    headers: at.headers,
    ...(!bodyless && { body: named(ask.body, ask, (name) => JSON.stringify(name).slice(1, -1)) }),
  });
  expect(response.status).toBeLessThan(500);
  return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
}

function expectNothingOfB(text: string, before: unknown): void {
  for (const marker of Object.values(MARKERS)) expect(text).not.toContain(marker);
  for (const { token } of other.credentials) expect(text).not.toContain(token);
  expect(standing(other)).toEqual(before);
}

const RUNS = { numRuns: Number(process.env.FUZZ_RUNS ?? 300) };

describe('two sessions on one server', () => {
  it('stay apart whatever A calls with its own credentials', async () => {
    const before = standing(other);
    await fc.assert(
      fc.asyncProperty(restAsk, async (ask) => {
        const mark = ask.path.includes('?') ? '&' : '?';
        const full = `${ask.path}${ask.query === '' ? '' : `${mark}${ask.query}`}`;
        const at = reach(named(full, ask, encodeURIComponent), ask.shown);
        expectNothingOfB(await answerTo(ask, at), before);
      }),
      RUNS,
    );
    expect(mine.episode.session.stepCount).toBeGreaterThan(50);
  });

  it('stay apart whatever the control plane is asked about A, or with the tokens of A', async () => {
    const before = standing(other);
    const paths = ['', '/state', '/diff', '/trajectory', '/credentials', '/tables/notes.notes', '/tables/N'];
    const moves = ['/fork', '/reset', '/rollback', '/checkpoints', '/wait', '/actors', '/score', '/faults'];
    const bodies = ['{}', '{"at":0}', '{"name":"N"}', '{"durationMs":5}', '{"actors":[{"id":"N"}]}', '['];
    const ask: fc.Arbitrary<Ask> = fc.record({
      method: fc.constantFrom('GET', 'POST'),
      path: fc.constantFrom(...paths, ...moves),
      names: fc.array(fc.nat(11), { minLength: 3, maxLength: 3 }),
      query: fc.constantFrom('', '?from=0', '?limit=1000', '?after=N'),
      body: fc.constantFrom(...bodies),
      shown: fc.constantFrom('control', 'notes', 'own'),
    });
    await fc.assert(
      fc.asyncProperty(ask, async (asked) => {
        const control = asked.shown === 'control';
        const token = control ? server.control.token : reach('', asked.shown).headers.authorization;
        const session = control ? mine : other;
        const below = named(`${asked.path}${asked.query}`, asked, encodeURIComponent);
        const path = `/_groundhog/control/v1/sessions/${session.id}${below}`;
        const authorization = control ? `Bearer ${token}` : String(token);
        expectNothingOfB(await answerTo(asked, { path, headers: { authorization } }), before);
      }),
      RUNS,
    );
  });
});

describe('one listener', () => {
  it('holds thousands of sessions, each call in the world of its token', async () => {
    const sessions: HostedSession[] = [];
    for (let index = 0; index < 3_000; index += 1) {
      sessions.push(await server.host.open({ services: ['notes'], seed: String(index) }));
    }
    const create = async (session: HostedSession, index: number): Promise<void> => {
      const response = await fetch(`${server.url}/notebooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokenOf(session, 'notes')}` },
        body: JSON.stringify({ name: `of session ${index}` }),
      });
      expect(response.status).toBe(201);
      await response.text();
    };
    const some = sessions
      .map((session, index) => ({ session, index }))
      .filter(({ index }) => index % 10 === 0);
    await Promise.all(some.map(({ session, index }) => create(session, index)));
    for (const [index, session] of sessions.entries()) {
      const { world, stepCount } = session.episode.session;
      const books = [...world.table('notes.notebooks').scan()].map((row) => row.name);
      expect(stepCount).toBe(index % 10 === 0 ? 1 : 0);
      expect(books.includes(`of session ${index}`)).toBe(index % 10 === 0);
      expect(books.filter((book) => String(book).startsWith('of session'))).toHaveLength(stepCount);
    }
    for (const session of sessions) await server.host.close(session);
  });
});
