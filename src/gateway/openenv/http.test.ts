import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OpenEnvClient } from '../../../test/openenv-client.ts';
import { startTestServer, tokenOf } from '../../../test/servers.ts';
import type { JsonObject } from '../../base/json.ts';
import { mcpDoor } from '../mcp/index.ts';
import type { RunningServer } from '../serve.ts';
import { openEnvDoor } from './index.ts';
import { Registry } from './registry.ts';

/** OpenEnv without a WebSocket: HTTP that remembers, documents, and JSON-RPC in two dialects. */

let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer(
    { services: ['notes'] },
    { doors: (host) => [mcpDoor(host), openEnvDoor(host, { sessionsMost: 200 })] },
  );
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly session: string | null;
  readonly cookie: string | null;
  readonly body: JsonObject;
}

async function ask(
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    ...(body !== undefined && {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return {
    status: response.status,
    session: response.headers.get('x-groundhog-session'),
    cookie: response.headers.get('set-cookie'),
    body: (await response.json()) as JsonObject,
  };
}

const NOTE = { notebook_id: 'book_1', title: 'One', body: 'Two' };
const create = { action: { type: 'call_tool', tool_name: 'create_note', arguments: NOTE } };

describe('the six criteria of the reference’s validator', () => {
  it('hold', async () => {
    const openApi = (await ask('/openapi.json')).body as {
      readonly info: { readonly version: string };
      readonly paths: JsonObject;
    };
    expect(openApi.info.version).toBe('1.0.0');
    expect(await ask('/health')).toMatchObject({ status: 200, body: { status: 'healthy' } });
    const metadata = await ask('/metadata');
    expect(metadata.body).toEqual({
      name: 'groundhog',
      description: expect.stringContaining('notes') as string,
      readme_content: null,
      version: expect.any(String) as string,
      author: null,
      documentation_url: null,
    });
    const object = expect.objectContaining({}) as object;
    expect((await ask('/schema')).body).toMatchObject({ action: object, observation: object, state: object });
    const mcp = await ask('/mcp', {});
    expect(mcp).toMatchObject({ status: 200, body: { jsonrpc: '2.0', error: { code: -32600 } } });
    expect(Object.keys(openApi.paths)).toEqual(expect.arrayContaining(['/reset', '/step', '/state']));
  });

  it('stand on a page for people too', async () => {
    const page = await fetch(`${server.url}/docs`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('/openapi.json');
  });
});

describe('/reset, /step and /state', () => {
  it('keep the state of a client that shows its id, in a header or as a cookie', async () => {
    const one = await ask('/reset', {});
    const two = await ask('/reset', {});
    // The reference's models take these members and no others.
    expect(Object.keys(one.body).sort()).toEqual(['done', 'observation', 'reward']);
    expect(one.session).toMatch(/^hog_environment_/u);
    const header = { 'x-groundhog-session': one.session ?? '' };
    const cookie = { cookie: `other=1; ${two.cookie?.split(';')[0]}` };
    for (let call = 0; call < 3; call += 1) {
      const step = await ask('/step', create, header);
      expect(step).toMatchObject({ status: 200, body: { reward: null, done: false } });
      expect(step.body.observation).toMatchObject({ error: null, status: 201, step_count: call + 1 });
    }
    await ask('/step', create, cookie);
    expect((await ask('/state', undefined, header)).body).toMatchObject({ step_count: 3 });
    expect((await ask('/state', undefined, cookie)).body).toMatchObject({ step_count: 1 });
    await ask('/reset', { seed: 4, timeout: 'left alone' }, header);
    expect((await ask('/state', undefined, header)).body).toMatchObject({ step_count: 0, trial: 4 });
  });

  it('take several requests at once, and leave no session behind', async () => {
    const { session } = await ask('/reset', {});
    const header = { 'x-groundhog-session': session ?? '' };
    const before = server.host.size;
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => ask(index % 2 === 0 ? '/reset' : '/step', create, header)),
    );
    expect(server.host.size).toBe(before);
    const { body } = await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'openenv/session/create' });
    const { session_id = '' } = body.result as { session_id?: string };
    const params = { name: 'create_note', arguments: NOTE, session_id };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    await Promise.all(Array.from({ length: 10 }, () => ask('/mcp', call)));
    expect(server.host.size).toBe(before + 1);
    const listed = { ...call, params: { name: 'list_notes', arguments: { limit: 100 }, session_id } };
    expect(JSON.stringify((await ask('/mcp', listed)).body).match(/\\"title\\":\\"One\\"/gu)).toHaveLength(
      10,
    );
  });

  it('take a client that shows nothing for the last that reset', async () => {
    await ask('/reset', '');
    await ask('/step', create);
    expect((await ask('/state')).body).toMatchObject({ step_count: 1 });
  });

  it('drive a session that was opened elsewhere, by its token', async () => {
    const session = server.host.open();
    const authorization = { authorization: `Bearer ${tokenOf(session, null)}` };
    await ask('/step', create, authorization);
    expect(session.episode.session.stepCount).toBe(1);
    await ask('/step', create, { 'x-groundhog-session': tokenOf(session, null) });
    expect((await ask('/state', undefined, authorization)).body).toMatchObject({ step_count: 2 });
  });

  it('let nobody take back, or look behind, what a session’s token did', async () => {
    const session = server.host.open();
    const authorization = { authorization: `Bearer ${tokenOf(session, null)}` };
    expect(await ask('/reset', {}, authorization)).toMatchObject({ status: 200, body: { done: false } });
    await ask('/step', create, authorization);
    const sessions = server.host.size;
    const detail = expect.stringContaining('the control plane') as string;
    expect(await ask('/reset', {}, authorization)).toMatchObject({ status: 400, body: { detail } });
    for (const action of [
      { type: 'groundhog/rollback', at: 0 },
      { type: 'groundhog/fork' },
      { type: 'groundhog/checkpoint', name: 'one' },
      { type: 'groundhog/diff' },
    ]) {
      expect(await ask('/step', { action }, authorization)).toMatchObject({ status: 400, body: { detail } });
    }
    expect(session.episode.session.stepCount).toBe(1);
    expect(server.host.size).toBe(sessions);
  });

  it('act as the actor whose token is shown, over HTTP and in a WebSocket', async () => {
    const own = server.host.open({ services: ['notes'], actors: [{ id: 'ann' }, { id: 'ben' }] });
    const authorization = `Bearer ${tokenOf(own, null, 'ben')}`;
    await ask('/step', create, { authorization });
    await ask('/step', create, { authorization: `Bearer ${tokenOf(own, null, 'ann')}` });
    for (const path of ['/ws', '/mcp']) {
      const client = await OpenEnvClient.connect(server.url, path, { headers: { authorization } });
      const call = { name: 'create_note', arguments: NOTE };
      await client.ask(
        path === '/ws'
          ? { type: 'step', data: create.action }
          : { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
      );
      await client.close();
    }
    expect(own.episode.session.steps().map(({ actor }) => actor)).toEqual(['ben', 'ann', 'ben', 'ben']);
    const headers = { 'x-groundhog-session': 'hog_environment_none' };
    const stray = await OpenEnvClient.connect(server.url, '/ws', { headers });
    expect(await stray.next()).toMatchObject({ type: 'error', data: { code: 'SESSION_ERROR' } });
    expect(server.host.session(own.id)).toBeDefined();
  });

  it('are closed to pages of other origins', async () => {
    const foreign = { origin: 'https://elsewhere.example' };
    const before = server.host.size;
    expect(await ask('/reset', {}, foreign)).toMatchObject({ status: 403, session: null });
    expect(await ask('/state', undefined, foreign)).toMatchObject({ status: 403 });
    expect(await ask('/health', undefined, { origin: 'http://localhost:3000' })).toMatchObject({
      status: 200,
    });
    expect(server.host.size).toBe(before);
  });

  it('refuse what does not fit in the words of the reference', async () => {
    const { session } = await ask('/reset', {});
    const header = { 'x-groundhog-session': session ?? '' };
    for (const [path, body] of [
      ['/step', {}],
      ['/step', { action: {} }],
      ['/step', { action: { type: 'nothing' } }],
      ['/step', { action: { type: 'call_tool', tool_name: 'a', colour: 1 } }],
      ['/step', { ...create, timeout_s: 0 }],
      ['/step', { ...create, request_id: 7 }],
      ['/step', '{'],
      ['/step', '[]'],
      ['/reset', { seed: -1 }],
    ] as const) {
      const answer = await ask(path, body, header);
      expect([path, body, answer.status]).toEqual([path, body, 422]);
      expect(answer.body.detail).toMatchObject([{ loc: expect.arrayContaining(['body']) as string[] }]);
    }
    expect((await ask('/state', undefined, header)).body).toMatchObject({ step_count: 0 });
    expect(await ask('/reset', { scenario: 'none' }, header)).toMatchObject({ status: 400 });
    expect(
      await ask('/state', undefined, { 'x-groundhog-session': 'hog_environment_unknown' }),
    ).toMatchObject({
      status: 404,
      body: { detail: expect.any(String) as string },
    });
    expect((await fetch(`${server.url}/reset`)).status).toBe(405);
  });

  it('close what nobody has used for long', async () => {
    const registry = new Registry(server.host, { idleMs: -1000 });
    const before = server.host.size;
    const { instance, id: kept } = await registry.create();
    await instance.reset({});
    expect(server.host.size).toBe(before + 1);
    await registry.sweep();
    expect(registry.find(kept)).toBeUndefined();
    expect(server.host.size).toBe(before);
    await registry.closeAll();
  });

  it('take nobody for a client whose environment was closed', async () => {
    const short = await startTestServer({ services: ['notes'] }, { doors: (host) => [openEnvDoor(host)] });
    const post = (path: string, body: unknown, headers = {}) =>
      fetch(`${short.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
    const id = (await post('/reset', {})).headers.get('x-groundhog-session') ?? '';
    await post('/step', create);
    expect(await (await fetch(`${short.url}/state`)).json()).toMatchObject({ step_count: 1 });
    await fetch(`${short.url}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': id } });
    expect(await (await fetch(`${short.url}/state`)).json()).toEqual({ episode_id: null, step_count: 0 });
    await post('/step', create);
    expect(short.host.size).toBe(1);
    await short.close();
    expect(short.host.size).toBe(0);
  });

  it('forget clients that never come back, and never open a session for a stray', async () => {
    const before = server.host.size;
    await ask('/health');
    await ask('/state');
    await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(server.host.size).toBe(before);
    for (let client = 0; client < 150; client += 1) await ask('/reset', {});
    expect(server.host.size).toBeLessThan(before + 70);
  });
});

describe('/mcp', () => {
  let id = 0;
  beforeEach(() => {
    id += 1;
  });
  const rpc = (method: string, params: JsonObject = {}): Promise<Answer> =>
    ask('/mcp', { jsonrpc: '2.0', id, method, params });

  it('speaks the bare dialect with a session of its own', async () => {
    const created = await rpc('openenv/session/create');
    const { session_id: session = '' } = created.body.result as { session_id?: string };
    const call = { name: 'create_note', arguments: NOTE, session_id: session };
    expect((await rpc('tools/call', call)).body).toMatchObject({
      id,
      result: {
        data: { title: 'One' },
        is_error: false,
        isError: false,
        structured_content: { title: 'One' },
      },
    });
    const listed = await rpc('tools/call', { name: 'list_notes', arguments: {}, session_id: session });
    expect(JSON.stringify(listed.body)).toContain('One');
    expect((await rpc('tools/list', { session_id: session })).body).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'create_note' })]) as object },
    });
    const socket = await OpenEnvClient.connect(server.url, `/ws?session_id=${session}`);
    expect((await socket.ask({ type: 'state' })).data).toMatchObject({ step_count: 2 });
    const second = await OpenEnvClient.connect(server.url, `/ws?session_id=${session}`);
    expect(await second.next()).toMatchObject({ data: { code: 'SESSION_ERROR' } });
    expect((await rpc('openenv/session/close', { session_id: session })).body).toMatchObject({
      result: { closed: false, closing: true },
    });
    await socket.close();
    await expect
      .poll(async () => (await rpc('tools/list', { session_id: session })).body.error)
      .toMatchObject({
        code: -32602,
      });
  });

  it('gives a call without a session a world for itself', async () => {
    const before = server.host.size;
    const called = await rpc('tools/call', { name: 'create_note', arguments: NOTE });
    expect(called.body).toMatchObject({ result: { data: { title: 'One' } } });
    const listed = await rpc('tools/call', { name: 'list_notes', arguments: {} });
    expect(JSON.stringify(listed.body)).not.toContain('"One"');
    expect(server.host.size).toBe(before);
  });

  it('always answers 200 in that dialect', async () => {
    for (const [body, code] of [
      ['{', -32700],
      [[], -32600],
      [{ jsonrpc: '2.0', id: 1, method: 'nothing' }, -32601],
      [{ jsonrpc: '2.0', id: 1, method: 'tools/call' }, -32602],
      [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'none' } }, -32602],
      [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { session_id: 'none' } }, -32602],
      [{ jsonrpc: '2.0', id: 1, method: 'openenv/session/close' }, -32602],
      [{ jsonrpc: '2.0', id: 1, method: 'openenv/session/close', params: { session_id: 'none' } }, -32602],
    ] as const) {
      expect(await ask('/mcp', body)).toMatchObject({ status: 200, body: { error: { code } } });
    }
  });

  it('completes the handshake of the official client, whose session ends with DELETE', async () => {
    const before = server.host.size;
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`));
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport as Transport);
    expect(server.host.size).toBe(before + 1);
    const created = await client.callTool({ name: 'create_note', arguments: NOTE });
    expect(created).toMatchObject({ structuredContent: { title: 'One' } });
    const listed = await client.callTool({ name: 'list_notes', arguments: {} });
    expect(JSON.stringify(listed.structuredContent)).toContain('"One"');
    await transport.terminateSession();
    await client.close();
    expect(server.host.size).toBe(before);
    const gone = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'mcp-session-id': transport.sessionId ?? 'ended', 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(gone.status).toBe(404);
  });

  it('says in both dialects that there is no room, and keeps nothing', async () => {
    const full = await startTestServer(
      { services: ['notes'] },
      { sessionsMost: 1, doors: (host) => [openEnvDoor(host)] },
    );
    full.host.open();
    const post = async (method: string, params: JsonObject) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${full.url}/mcp`, { method: 'POST', headers, body });
      return {
        status: response.status,
        id: response.headers.get('mcp-session-id'),
        body: await response.json(),
      };
    };
    const error = { code: -32000, data: { active_sessions: 1, max_sessions: 1 } };
    const clientInfo = { name: 'test', version: '1' };
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    expect(await post('initialize', hello)).toMatchObject({ status: 503, id: null, body: { id: 1, error } });
    const bare = await post('tools/call', { name: 'list_notes', arguments: {} });
    expect(bare).toMatchObject({ status: 200, body: { id: 1, error } });
    await full.close();
  });

  it('is a WebSocket too, which answers requests alone', async () => {
    const socket = await OpenEnvClient.connect(server.url, '/mcp');
    socket.socket.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    const raw = async (message: unknown): Promise<unknown> => socket.ask(message);
    expect(await raw('{')).toMatchObject({ error: { code: -32700 } });
    await raw({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'create_note', arguments: NOTE },
    });
    const listed = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_notes' } };
    expect(JSON.stringify(await raw(listed))).toContain('One');
    await socket.close();
  });
});

describe('requests to a service', () => {
  it('at one of these paths are left to it', async () => {
    const session = server.host.open();
    const bearer = { authorization: `Bearer ${tokenOf(session, 'notes')}` };
    for (const headers of [bearer, { ...bearer, host: 'api.notes.example' }]) {
      for (const path of ['/state', '/health', '/mcp']) {
        const response = await fetch(`${server.url}${path}`, { headers });
        expect(await response.text()).toContain('unknown_operation');
      }
    }
  });
});
