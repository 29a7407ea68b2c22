import { request as httpRequest } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestServer, tokenOf } from '../../../test/servers.ts';
import type { HostedSession, OpenRequest } from '../host/index.ts';
import type { RunningServer } from '../serve.ts';
import { PROTOCOL_VERSIONS } from './core.ts';
import { mcpDoor } from './index.ts';

/** The protocol over HTTP: its official client, and requests that this client would not send. */

let play: RunningServer;
let bank: RunningServer;
let session: HostedSession;

beforeAll(async () => {
  const doors = { doors: (host: RunningServer['host']) => [mcpDoor(host)] };
  play = await startTestServer({ services: ['notes'] }, doors);
  bank = await startTestServer({ scenarios: ['helpdesk'] }, doors);
});
afterAll(async () => {
  await play.close();
  await bank.close();
});
beforeEach(() => {
  session = play.host.open();
});

async function connected(
  server: RunningServer,
  at: HostedSession,
  path: 'bearer' | 'path' = 'bearer',
): Promise<{ readonly client: Client; readonly transport: StreamableHTTPClientTransport }> {
  const token = tokenOf(at, null);
  const url = path === 'path' ? `${server.url}/_groundhog/s/${token}/mcp` : `${server.url}/mcp`;
  const headers = path === 'path' ? {} : { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Transport);
  return { client, transport };
}

const NOTE = { notebook_id: 'book_1', title: 'One', body: 'Two' };

describe('the official client', () => {
  it('shakes hands by bearer token and by path, and reaches the same session', async () => {
    const byBearer = await connected(play, session);
    const byPath = await connected(play, session, 'path');
    expect(byBearer.client.getServerVersion()).toMatchObject({ name: 'groundhog' });
    expect(byBearer.transport.sessionId).toMatch(/^[0-9a-f]{64}$/u);
    await byBearer.client.ping();
    await byBearer.client.callTool({ name: 'create_note', arguments: NOTE });
    const listed = await byPath.client.callTool({ name: 'list_notes', arguments: { notebook_id: 'book_1' } });
    expect(JSON.stringify(listed.structuredContent)).toContain('"title":"One"');
    expect(session.episode.session.steps().map(({ tool }) => tool)).toEqual(['create_note', 'list_notes']);
    await byBearer.client.close();
    await byPath.client.close();
  });

  it('gets the tools with schemas that it checks results by, and hints', async () => {
    const { client } = await connected(play, session);
    const { tools } = await client.listTools();
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect([...byName.keys()]).toContain('save_tagged_note');
    expect(byName.has('submit_answer')).toBe(false);
    expect(byName.get('list_notes')).toMatchObject({
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object', required: ['notes', 'next_after'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    expect(byName.get('delete_note')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
    // The client refuses a result that does not fit the output schema.
    const listed = await client.callTool({ name: 'list_notes', arguments: { limit: 1 } });
    expect(listed).toMatchObject({ structuredContent: { notes: [{ id: 'note_seed0001' }] } });
    expect(listed.isError).toBeUndefined();
    await client.close();
  });

  it('gets the vendor’s envelope as an error result, also for bad arguments', async () => {
    const { client } = await connected(play, session);
    await client.listTools();
    for (const [title, code] of [
      ['One', 'notebook_not_found'],
      [7, 'invalid_input'],
    ]) {
      const given = { ...NOTE, notebook_id: 'none', title };
      const refused = await client.callTool({ name: 'create_note', arguments: given });
      const [{ text = '' } = {}] = refused.content as { text?: string }[];
      expect(refused.isError).toBe(true);
      expect(JSON.parse(text)).toMatchObject({ error: { code } });
    }
    expect(session.episode.session.steps().map(({ outcome }) => outcome)).toEqual(['error', 'invalid-input']);
    await client.close();
  });

  it('is told that a tool does not exist, and the attempt is on record', async () => {
    const { client } = await connected(play, session);
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('no_such_tool') as string,
    });
    expect(session.episode.session.steps()).toMatchObject([
      { tool: 'no_such_tool', outcome: 'unknown-tool' },
    ]);
    await client.close();
  });

  it('reads tables in free play, secrets masked', async () => {
    const { client } = await connected(play, session);
    await client.callTool({ name: 'list_notes', arguments: {} });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('groundhog://tables/notes.notes');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'groundhog://tables/{table}' }]);
    const read = await client.readResource({ uri: 'groundhog://tables/notes.notes' });
    const { text } = read.contents[0] as { text: string };
    expect(JSON.parse(text)).toMatchObject({ table: 'notes.notes', truncated: false });
    const { redacted } = play.host.source.services[0]?.schema.notes ?? {};
    expect(redacted).toContain('pin');
    expect(text).toContain('"pin":"[redacted]"');
    await expect(client.readResource({ uri: 'groundhog://tables/none' })).rejects.toMatchObject({
      code: -32002,
    });
    expect(session.episode.session.stepCount).toBe(1);
    await client.close();
  });

  it('lets virtual time pass', async () => {
    const { client } = await connected(play, session);
    await client.request({ method: 'groundhog/wait', params: { durationMs: 5000 } }, z.looseObject({}));
    await client.callTool({ name: 'list_notes', arguments: {} });
    expect(session.episode.session.steps()).toMatchObject([{ waited: 5000 }]);
    const tooLong = { method: 'groundhog/wait', params: { durationMs: -1 } };
    await expect(client.request(tooLong, z.looseObject({}))).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it('thirty at once have a world each', async () => {
    const titles = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const own = play.host.open();
        const { client } = await connected(play, own);
        for (let note = 0; note <= index % 3; note += 1) {
          const arguments_ = { ...NOTE, title: `${index}-${note}` };
          await client.callTool({ name: 'create_note', arguments: arguments_ });
        }
        await client.close();
        const rows = [...own.episode.session.world.table('notes.notes').scan()];
        return rows.map(({ title }) => String(title)).filter((title) => /^\d+-\d+$/u.test(title));
      }),
    );
    titles.forEach((own, index) => {
      const expected = Array.from({ length: (index % 3) + 1 }, (_, note) => `${index}-${note}`);
      expect(own.sort()).toEqual(expected);
    });
  });
});

describe('a session with a task', () => {
  function openScenario(request: OpenRequest): HostedSession {
    return bank.host.open(request);
  }

  it('offers task and policy, and no table to read around the tools', async () => {
    const own = openScenario({ scenario: 'refund-88213' });
    const { client } = await connected(bank, own);
    const { task } = own.episode.environment;
    expect(client.getInstructions()).toBe(`${task?.text}\n\n${own.episode.environment.policy}`);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['groundhog://policy', 'groundhog://task']);
    const policy = await client.readResource({ uri: 'groundhog://policy' });
    expect(policy.contents).toMatchObject([{ mimeType: 'text/markdown', text: /How this desk works/u }]);
    const table = { uri: 'groundhog://tables/helpdesk.orders' };
    await expect(client.readResource(table)).rejects.toMatchObject({ code: -32002 });
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([{ name: 'task' }]);
    const prompt = await client.getPrompt({ name: 'task' });
    expect(JSON.stringify(prompt.messages)).toContain(task?.text.slice(0, 40));
    await expect(client.getPrompt({ name: 'other' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it('ends by submit_answer, and says so from then on', async () => {
    const own = openScenario({ scenario: 'refund-88213' });
    const { client } = await connected(bank, own);
    for (const [name, given] of [
      ['lookup_order', { order_id: '88213' }],
      ['check_policy', { order_id: '88213' }],
      ['refund', { order_id: '88213', amount: 240 }],
      ['send_email', { to: 'mira.alder@example.com', subject: 'Your refund', body: 'We paid 240.00 back.' }],
    ] as const) {
      expect((await client.callTool({ name, arguments: given })).isError).toBeUndefined();
    }
    await client.callTool({
      name: 'submit_answer',
      arguments: { text: 'I refunded 240.00 for order 88213.' },
    });
    expect(own.episode.verdict).toMatchObject({ success: true, void: null });
    expect(own.episode.finished?.end).toMatchObject({ reason: 'answer', steps: 4 });
    const late = await client.callTool({ name: 'lookup_order', arguments: { order_id: '88213' } });
    expect(late).toMatchObject({ isError: true, content: [{ text: /episode is over \(answer\)/u }] });
    await client.close();
  });

  it('talks with the user, who answers; talking is no step', async () => {
    const own = openScenario({ scenario: 'anger-open-orders' });
    const { client } = await connected(bank, own);
    expect(client.getInstructions()).toContain(`The user says: ${own.episode.opening}`);
    const { contents } = await client.readResource({ uri: 'groundhog://task' });
    expect(contents).toMatchObject([{ text: expect.stringContaining(own.episode.opening ?? '?') as string }]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['submit_answer', 'message_user']));
    const said = await client.callTool({ name: 'message_user', arguments: { text: 'How can I help?' } });
    expect(said.structuredContent).toMatchObject({ reply: expect.any(String) as string, ended: false });
    const bad = await client.callTool({ name: 'message_user', arguments: { text: 5 } });
    expect(bad.isError).toBe(true);
    expect(own.episode.session).toMatchObject({ stepCount: 0, messageCount: 3 });
    await client.close();
  });

  it('is over when its budget is used up', async () => {
    const own = openScenario({ scenario: 'refund-88213', budgets: { calls: 1 } });
    const { client } = await connected(bank, own);
    await client.callTool({ name: 'lookup_order', arguments: { order_id: '88213' } });
    const late = await client.callTool({ name: 'lookup_order', arguments: { order_id: '88213' } });
    expect(late).toMatchObject({ isError: true, content: [{ text: /budget-calls/u }] });
    expect(own.episode).toMatchObject({ verdict: { success: false }, finished: { end: { answer: null } } });
    const answer = await client.callTool({ name: 'submit_answer', arguments: { text: 'Too late.' } });
    expect(answer).toMatchObject({ isError: true, content: [{ text: /budget-calls/u }] });
    await client.close();
  });
});

describe('real time', () => {
  it('between an answer and the next call passes in the world too, whichever door each came through', async () => {
    const server = await startTestServer(
      { services: ['notes'] },
      {
        time: { observed: true, scale: 1000 },
        doors: (host, pacing) => [mcpDoor(host, { pacing })],
      },
    );
    const own = server.host.open();
    const { client } = await connected(server, own);
    await client.callTool({ name: 'list_notes', arguments: {} });
    await client.callTool({ name: 'list_notes', arguments: {} });
    const authorization = `Bearer ${tokenOf(own, 'notes')}`;
    await (await fetch(`${server.url}/notes`, { headers: { authorization } })).text();
    const [first, ...later] = own.episode.session.steps().map(({ waited }) => waited ?? 0);
    expect(first).toBe(0);
    // Some real time passed, however fast the machine; how much nobody promises.
    for (const waited of later) expect(waited).toBeGreaterThan(0);
    await client.close();
    await server.close();
  });
});

describe('trace context', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('is passed on and echoed, never in a digest; a malformed one is left alone', async () => {
    const other = play.host.open();
    const { client } = await connected(play, session);
    const traced = await client.callTool({
      name: 'list_notes',
      arguments: {},
      _meta: { traceparent, tracestate: 'a=1', baggage: 'k=v' },
    });
    expect(traced._meta).toEqual({ traceparent, tracestate: 'a=1', baggage: 'k=v' });
    const wrong = { traceparent: '00-zz-b7ad6b7169203331-01', tracestate: 'a=1' };
    const bad = await client.callTool({ name: 'list_notes', arguments: {}, _meta: wrong });
    expect(bad._meta).toBeUndefined();
    for (let call = 0; call < 2; call += 1)
      play.host.call(other, { tool: 'list_notes', input: {} }, { door: 'mcp' });
    expect(session.episode.session.steps()).toEqual(other.episode.session.steps());
    await client.close();
  });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request just as written: no header that is not given. */
function ask(
  server: RunningServer,
  body: unknown,
  { method = 'POST', path = '/mcp', headers = {}, token = tokenOf(session, null) as string | null } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    const all = { 'content-type': 'application/json', ...authorization, ...headers };
    const request = httpRequest({ port: server.port, method, path, headers: all }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    request.on('error', reject);
    request.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
}

const rpc = (method: string, params: object = {}, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

describe('Streamable HTTP', () => {
  it('negotiates every version that the official SDK knows, and offers the newest for others', async () => {
    expect(PROTOCOL_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
    for (const [wanted, given] of [
      ...PROTOCOL_VERSIONS.map((one) => [one, one]),
      ['1999-01-01', PROTOCOL_VERSIONS[0]],
    ]) {
      const { body } = await ask(play, rpc('initialize', { protocolVersion: wanted }));
      expect(JSON.parse(body)).toMatchObject({ result: { protocolVersion: given } });
    }
    const wrong = await ask(play, rpc('ping'), { headers: { 'mcp-protocol-version': '1999-01-01' } });
    expect(wrong.status).toBe(400);
  });

  it('issues a session id that is optional, that others do not have, and that DELETE ends', async () => {
    const { headers } = await ask(play, rpc('initialize'));
    const id = String(headers['mcp-session-id']);
    expect((await ask(play, rpc('ping'))).status).toBe(200);
    expect((await ask(play, rpc('ping'), { headers: { 'mcp-session-id': id } })).status).toBe(200);
    expect((await ask(play, rpc('ping'), { headers: { 'mcp-session-id': 'x'.repeat(64) } })).status).toBe(
      404,
    );
    const other = tokenOf(play.host.open(), null);
    expect((await ask(play, rpc('ping'), { headers: { 'mcp-session-id': id }, token: other })).status).toBe(
      404,
    );
    const gone = await ask(play, '', { method: 'DELETE', headers: { 'mcp-session-id': id } });
    expect(gone.status).toBe(204);
    expect((await ask(play, rpc('ping'), { headers: { 'mcp-session-id': id } })).status).toBe(404);
    // The world goes on.
    expect((await ask(play, rpc('tools/call', { name: 'list_notes', arguments: {} }))).status).toBe(200);
  });

  it('answers 202 to what needs no answer, a batch in order, and GET with 405', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await ask(play, note)).toMatchObject({ status: 202, body: '' });
    expect(await ask(play, { jsonrpc: '2.0', id: 1, result: {} })).toMatchObject({ status: 202 });
    const turned = rpc('tools/list', { cursor: 'page-2' }, 'c');
    const batch = await ask(play, [rpc('ping', {}, 'a'), note, rpc('nothing', {}, 'b'), turned]);
    expect(JSON.parse(batch.body)).toMatchObject([
      { id: 'a', result: {} },
      { id: 'b', error: { code: -32601 } },
      { id: 'c', error: { code: -32602 } },
    ]);
    expect(await ask(play, '', { method: 'GET' })).toMatchObject({
      status: 405,
      headers: { allow: 'POST, DELETE, OPTIONS' },
    });
  });

  it('refuses what is no message', async () => {
    expect(await ask(play, '{"jsonrpc":')).toMatchObject({ status: 400, body: /-32700/u });
    expect(await ask(play, Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ status: 400, body: /-32700/u });
    for (const bad of [7, null, [], {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, rpc('ping', {}, {})]) {
      expect((await ask(play, bad)).body).toContain('-32600');
    }
    expect((await ask(play, { ...rpc('ping'), params: [1] })).body).toContain('-32602');
    expect((await ask(play, rpc('tools/call', { arguments: {} }))).body).toContain('-32602');
    expect((await ask(play, rpc('ping'), { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await ask(play, rpc('ping'), { headers: { accept: 'text/html' } })).status).toBe(406);
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect((await ask(play, rpc(name))).body).toContain('-32601');
    }
    expect(session.episode.session.stepCount).toBe(0);
  });

  it('answers as an event stream where nothing else is taken', async () => {
    const { headers, body } = await ask(play, rpc('ping'), { headers: { accept: 'text/event-stream' } });
    expect(headers['content-type']).toBe('text/event-stream');
    expect(body).toBe('event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  });

  it('lets nobody in without a token of a session, and opens none for a stray', async () => {
    const before = play.host.size;
    const unknown = await ask(play, rpc('initialize'), { token: 'hog_session_unknown' });
    expect(unknown).toMatchObject({ status: 401, headers: { 'www-authenticate': /^Bearer/u } });
    const path = '/_groundhog/s/hog_session_unknown/mcp';
    expect((await ask(play, rpc('initialize'), { token: null, path })).status).toBe(401);
    expect(unknown.body).toContain('GROUNDHOG_TOKEN');
    // The token of a service is a slip here.
    const ofService = await ask(play, rpc('initialize'), { token: tokenOf(session, 'notes') });
    expect(ofService).toMatchObject({
      status: 401,
      body: expect.stringContaining('GROUNDHOG_TOKEN') as string,
    });
    expect(session.episode.session.stepCount).toBe(0);
    expect(play.host.size).toBe(before);
  });

  it('speaks to loopback pages only', async () => {
    const evil = await ask(play, rpc('ping'), { headers: { origin: 'https://evil.example' } });
    expect(evil.status).toBe(403);
    for (const origin of ['null', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example']) {
      expect((await ask(play, rpc('ping'), { headers: { origin } })).status).toBe(403);
    }
    const page = await ask(play, rpc('ping'), { headers: { origin: 'http://localhost:6274' } });
    expect(page.headers['access-control-allow-origin']).toBe('http://localhost:6274');
    const preflight = { method: 'OPTIONS', headers: { origin: 'http://localhost:6274' } };
    expect((await ask(play, '', preflight)).status).toBe(204);
  });

  it('breaks the connection where an answer gets lost', async () => {
    const rule = {
      id: 'lost',
      match: { step: 0 },
      effect: { kind: 'response-lost' as const },
      label: 'lost',
    };
    session = play.host.open({ services: ['notes'], faults: { rules: [rule] } });
    await expect(ask(play, rpc('tools/call', { name: 'create_note', arguments: NOTE }))).rejects.toThrow();
    expect(session.episode.session.steps()).toMatchObject([{ outcome: 'ok', delivered: { lost: true } }]);
    expect((await ask(play, rpc('ping'))).status).toBe(200);
  });

  it('takes arguments as deep as they come', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_note","arguments":{"id":${deep}}}}`;
    const { body } = await ask(play, text);
    expect(JSON.parse(body)).toMatchObject({ result: { isError: true } });
    expect(session.episode.session.steps()).toMatchObject([{ outcome: 'invalid-input' }]);
  });

  it('acts as the actor whose token it is', async () => {
    session = play.host.open({ services: ['notes'], actors: [{ id: 'ada' }, { id: 'ben' }] });
    const call = rpc('tools/call', { name: 'create_note', arguments: NOTE });
    await ask(play, call, { token: tokenOf(session, null, 'ben') });
    await ask(play, call, { token: tokenOf(session, null, 'ada') });
    expect(session.episode.session.steps().map(({ actor }) => actor)).toEqual(['ben', 'ada']);
  });
});
