import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, tokenOf } from '../../../test/servers.ts';
import type { JsonObject } from '../../base/json.ts';
import type { HostedSession } from '../host/index.ts';
import { mcpDoor } from '../mcp/index.ts';
import type { RunningServer } from '../serve.ts';
import { openEnvDoor } from './index.ts';

/** Random requests of A over MCP and OpenEnv never reveal or change anything of B. */

/** Stands in B's world and nowhere else. */
const MARKER = 'marker-9c4e7a10';

let server: RunningServer;
let mine: HostedSession;
let other: HostedSession;
/** Words that requests are made of, B's ids among them: an id is no secret. */
let words: readonly string[];

beforeAll(async () => {
  server = await startTestServer(
    { services: ['notes'] },
    { doors: (host) => [mcpDoor(host, { tables: true }), openEnvDoor(host)] },
  );
  mine = server.host.open();
  other = server.host.open();
  const input = { notebook_id: 'book_1', title: MARKER, body: MARKER };
  const { body } = await server.host.call(other, { tool: 'create_note', input }, { door: 'mcp' });
  const { id, note_id: named } = body as JsonObject;
  const note = String(id ?? named);
  words = [other.id, note, 'note_seed0001', 'book_1', '__proto__', '../..', 'main', 'notes.notes'];
});
afterAll(() => server.close());

function standing({ episode, credentials }: HostedSession): unknown {
  const { world, stepCount } = episode.session;
  return [world.fullDigest(), stepCount, [...episode.checkpoints], credentials.map(({ token }) => token)];
}

const TOOLS = ['list_notes', 'open_note', 'create_note', 'delete_note', 'share_note', 'notes.get', 'no_tool'];
const METHODS = ['resources/read', 'prompts/get', 'openenv/session/close', 'groundhog/wait', 'tools/list'];
const ACTIONS = ['fork', 'switch', 'checkpoint', 'rollback', 'diff'].map((name) => `groundhog/${name}`);

const request = fc.record({
  path: fc.constantFrom('/mcp', '/step', '/reset', '/state'),
  shown: fc.constantFrom('bearer', 'header', 'other-header', 'other-session', 'nothing'),
  what: fc.constantFrom(...TOOLS, ...METHODS, ...ACTIONS),
  word: fc.nat(7),
  at: fc.nat(3),
});
type Asked = typeof request extends fc.Arbitrary<infer T> ? T : never;

function headersOf({ shown }: Asked): Record<string, string> {
  const own = tokenOf(mine, null);
  switch (shown) {
    case 'bearer':
      return { authorization: `Bearer ${own}` };
    case 'header':
      return { 'x-groundhog-session': own };
    case 'other-header':
      return { authorization: `Bearer ${own}`, 'x-groundhog-session': other.id };
    case 'other-session':
      return { authorization: `Bearer ${own}`, 'mcp-session-id': other.id };
    default:
      return {};
  }
}

function bodyOf({ path, what, word, at }: Asked): JsonObject {
  const name = words[word] ?? '';
  const given = { id: name, note_id: name, notebook_id: name, title: 'x', body: 'y', pin: '0000' };
  if (path === '/reset') return { episode_id: name, scenario: at === 0 ? name : null };
  if (path === '/step') {
    if (ACTIONS.includes(what)) return { action: { type: what, branch: name, name, at } };
    return { action: { type: 'call_tool', tool_name: what, arguments: given } };
  }
  const params = METHODS.includes(what)
    ? { session_id: name, name, uri: `groundhog://tables/${name}`, durationMs: at }
    : { name: what, arguments: given, session_id: at === 0 ? name : null };
  return { jsonrpc: '2.0', id: 1, method: METHODS.includes(what) ? what : 'tools/call', params };
}

it('whatever tokens, ids and methods they are made of', async () => {
  const before = standing(other);
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      const isRead = asked.path === '/state';
      const response = await fetch(`${server.url}${asked.path}`, {
        method: isRead ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', ...headersOf(asked) },
        ...(!isRead && { body: JSON.stringify(bodyOf(asked)) }),
      });
      expect(response.status).toBeLessThan(500);
      const text = `${JSON.stringify([...response.headers])}\n${await response.text()}`;
      expect(text).not.toContain(MARKER);
      for (const { token } of other.credentials) expect(text).not.toContain(token);
      expect(standing(other)).toEqual(before);
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 400) },
  );
  expect(mine.episode.session.stepCount).toBeGreaterThan(20);
  // B itself sees what A never saw.
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokenOf(other, null)}` };
  const body = JSON.stringify({ action: { type: 'call_tool', tool_name: 'list_notes', arguments: {} } });
  const seen = await fetch(`${server.url}/step`, { method: 'POST', headers, body });
  expect(await seen.text()).toContain(MARKER);
});
