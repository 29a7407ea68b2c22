import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenEnvClient } from '../../../test/openenv-client.ts';
import { startTestServer, tokenOf } from '../../../test/servers.ts';
import { servedSource } from '../../runner/served.ts';
import type { SessionHost } from '../host/index.ts';
import type { Door } from '../http/index.ts';
import type { RunningServer } from '../serve.ts';
import { openEnvDoor } from './index.ts';

/** The session protocol, message by message. */

const doors = (host: SessionHost): readonly Door[] => [openEnvDoor(host)];
let server: RunningServer;

beforeAll(async () => {
  server = await startTestServer({ scenarios: ['helpdesk'] }, { doors });
});
afterAll(() => server.close());

const REFUND = { scenario: 'refund-88213' };
const ANSWER = { text: 'I refunded 240.00 for order 88213.' };

async function solve(client: OpenEnvClient): Promise<void> {
  await client.call('lookup_order', { order_id: '88213' });
  await client.call('check_policy', { order_id: '88213' });
  await client.call('refund', { order_id: '88213', amount: 240 });
  await client.call('send_email', { to: 'mira.alder@example.com', subject: 'Refund', body: 'Paid 240.00.' });
}

/** The session behind a connection that has just reset. */
function newest(): NonNullable<ReturnType<SessionHost['session']>> {
  const session = server.host.list({ limit: 10_000 }).at(-1);
  if (!session) throw new Error('no session');
  return session;
}

describe('an episode', () => {
  it('begins with the task, takes calls, and ends with the verdict as its reward', async () => {
    const client = await OpenEnvClient.connect(server.url);
    const start = await client.reset(REFUND);
    expect(start).toMatchObject({ reward: null, done: false });
    expect(start.observation).toMatchObject({
      task: expect.stringContaining('88213') as string,
      policy: expect.stringContaining('How this desk works') as string,
      user_message: null,
      scenario: 'refund-88213',
      trial: 0,
      episode_id: 'refund-88213#0',
      metadata: { scenario: 'refund-88213' },
    });
    const { observation: listed } = await client.step({ type: 'list_tools' });
    expect(start.observation.available_tools).toEqual(listed.tools);
    // Typed clients take an observation with this member for something else.
    expect(start.observation).not.toHaveProperty('tools');
    const looked = await client.call('lookup_order', { order_id: '88213' });
    expect(looked).toMatchObject({
      reward: null,
      done: false,
      observation: {
        tool_name: 'lookup_order',
        error: null,
        result: { is_error: false, data: { order_id: '88213' }, content: [{ type: 'text' }], meta: null },
        step_count: 1,
      },
    });
    await client.reset(REFUND);
    await solve(client);
    const end = await client.call('submit_answer', ANSWER);
    expect(end).toMatchObject({ reward: 1, done: true });
    expect(end.observation).toMatchObject({ done_reason: 'answer', verdict: { success: true, void: null } });
    const late = await client.call('lookup_order', { order_id: '88213' });
    expect(late).toMatchObject({ reward: 1, done: true });
    expect(late.observation).toMatchObject({ error: { error_type: 'execution_error' } });
    await client.close();
  });

  it('that goes wrong, or runs out of its budget, is worth nothing', async () => {
    const client = await OpenEnvClient.connect(server.url);
    await client.reset(REFUND);
    expect(await client.call('submit_answer', { text: 'nothing done' })).toMatchObject({
      reward: 0,
      done: true,
    });
    await client.reset(REFUND);
    let last = await client.call('get_customer', { customer_id: 'C-1001' });
    for (let call = 0; call < 20; call += 1)
      last = await client.call('get_customer', { customer_id: 'C-1001' });
    expect(last).toMatchObject({ reward: 0, done: true, observation: { done_reason: 'budget-calls' } });
    await client.close();
  });

  it('without a task has no reward, and void ones have 0', async () => {
    const source = await servedSource({ services: ['notes'] });
    const play = await startTestServer(source, { doors });
    const client = await OpenEnvClient.connect(play.url);
    const start = await client.reset();
    expect(start.observation).toMatchObject({ task: null, environment: 'notes/small', scenario: null });
    expect(await client.call('list_notes')).toMatchObject({ reward: null, done: false });
    expect(await client.call('submit_answer', ANSWER)).toMatchObject({
      done: false,
      observation: { error: { error_type: 'tool_not_found' } },
    });
    await client.close();
    await play.close();
    const voided = await startTestServer(voidSource(await servedSource({ scenarios: ['helpdesk'] })), {
      doors,
    });
    const other = await OpenEnvClient.connect(voided.url);
    await other.reset(REFUND);
    await solve(other);
    expect(await other.call('submit_answer', ANSWER)).toMatchObject({ reward: 0, done: true });
    await other.close();
    await voided.close();
  });

  it('in conversation speaks through message_user', async () => {
    const client = await OpenEnvClient.connect(server.url);
    const start = await client.reset({ scenario: 'anger-open-orders' });
    expect(start.observation.user_message).toEqual(expect.any(String));
    const said = await client.call('message_user', { text: 'How can I help?' });
    expect(said.observation).toMatchObject({
      user_message: expect.any(String) as string,
      user_left: false,
      step_count: 0,
    });
    await client.close();
  });

  it('shows errors of the service as results', async () => {
    const client = await OpenEnvClient.connect(server.url);
    await client.reset(REFUND);
    const missing = await client.call('lookup_order', { order_id: 'none' });
    expect(missing.observation).toMatchObject({
      error: null,
      status: 404,
      result: { is_error: true, data: { error: { code: 'order_not_found' } } },
    });
    const bad = await client.call('lookup_order', { order_id: 7 });
    expect(bad.observation).toMatchObject({ result: { is_error: true }, status: 422 });
    const unknown = await client.call('no_such_tool');
    expect(unknown.observation).toMatchObject({ error: { error_type: 'tool_not_found' }, result: null });
    expect(
      newest()
        .episode.session.steps()
        .map(({ outcome }) => outcome),
    ).toEqual(['error', 'invalid-input', 'unknown-tool']);
    await client.close();
  });

  it('whose answer gets lost shows a time-out, and what happened stays', async () => {
    const source = await servedSource({ services: ['notes'] });
    const rule = { id: 'lost', match: {}, effect: { kind: 'response-lost' as const }, label: 'lost' };
    const defaults = { ...source.defaults, faults: { rules: [rule] } };
    const faulty = await startTestServer({ ...source, defaults }, { doors });
    const client = await OpenEnvClient.connect(faulty.url);
    const lost = await client.call('delete_note', { id: 'note_seed0001' });
    expect(lost.observation).toMatchObject({ error: { error_type: 'timeout' }, result: null, step_count: 1 });
    expect((await client.call('delete_note', { id: 'note_seed0001' })).observation).toMatchObject({
      status: 404,
    });
    await client.close();
    await faulty.close();
  });

  it('is opened by the first call where nobody reset, and closed with the connection', async () => {
    const before = server.host.size;
    const client = await OpenEnvClient.connect(server.url);
    const listed = await client.step({ type: 'list_tools' });
    expect(listed.observation).toMatchObject({
      tools: expect.arrayContaining([
        expect.objectContaining({ name: 'lookup_order', input_schema: expect.anything() as object }),
      ]) as object,
    });
    expect((await client.ask({ type: 'state' })).data).toMatchObject({ episode_id: null, step_count: 0 });
    expect(server.host.size).toBe(before);
    await client.call('lookup_order', { order_id: '88213' });
    expect(server.host.size).toBe(before + 1);
    expect((await client.ask({ type: 'state' })).data).toMatchObject({ step_count: 1, done: false });
    await client.ask({ type: 'reset' });
    expect(server.host.size).toBe(before + 1);
    client.socket.send('{"type":"close"}');
    await client.closed;
    await expect.poll(() => server.host.size).toBe(before);
  });
});

function voidSource(source: RunningServer['host']['source']): RunningServer['host']['source'] {
  return {
    ...source,
    open: (request) => ({
      ...source.open(request),
      score: () => ({ success: true, void: { reason: 'unmodelled', detail: 'a test' }, report: {} }),
    }),
  };
}

describe('selection', () => {
  async function startedBy(data: Parameters<OpenEnvClient['reset']>[0], resets = 0): Promise<string> {
    const client = await OpenEnvClient.connect(server.url);
    for (let reset = 0; reset < resets; reset += 1) await client.reset();
    await client.reset(data);
    const { header } = newest().episode.asIfEnded(null).trajectory;
    await client.close();
    return JSON.stringify([header.scenario?.id, header.trial, header.world.streamSeed]);
  }

  it('by seed, name, episode id or count is the same each time', async () => {
    const { choices } = server.host.source;
    const first = await startedBy({ seed: 2 });
    expect(JSON.parse(first).slice(0, 2)).toEqual([choices[2], 0]);
    expect(await startedBy({ seed: 2, colour: 'unknown arguments are left alone' })).toBe(first);
    expect(await startedBy({}, 2)).toBe(first);
    expect(await startedBy({ episode_id: `${choices[2]}#0`, seed: 9 })).toBe(first);
    expect(await startedBy({ scenario: choices[2] ?? '', trial: 0 })).toBe(first);
    expect(JSON.parse(await startedBy({ seed: choices.length + 2 })).slice(0, 2)).toEqual([choices[2], 1]);
    expect(JSON.parse(await startedBy({ episode_id: `${choices[1]}#7` })).slice(0, 2)).toEqual([
      choices[1],
      7,
    ]);
    expect(JSON.parse(await startedBy({ scenario: choices[1] ?? '', seed: 5 })).slice(0, 2)).toEqual([
      choices[1],
      5,
    ]);
    const hashed = await startedBy({ episode_id: 'any text' });
    expect(await startedBy({ episode_id: 'any text' })).toBe(hashed);
    expect(await startedBy({ episode_id: 'another text' })).not.toBe(hashed);
  });

  it('keeps the client’s own episode id, and gives equal hashes for equal calls', async () => {
    const chains: string[][] = [];
    for (let round = 0; round < 2; round += 1) {
      const client = await OpenEnvClient.connect(server.url);
      const { observation } = await client.reset({ ...REFUND, trial: 3, episode_id: 'mine' });
      expect(observation.episode_id).toBe('mine');
      await solve(client);
      chains.push(
        newest()
          .episode.session.steps()
          .map(({ prev }) => prev),
      );
      await client.close();
    }
    expect(chains[0]).toEqual(chains[1]);
  });

  it('of a session that was opened elsewhere stays what it is', async () => {
    const opened = server.host.open(REFUND);
    const headers = { authorization: `Bearer ${tokenOf(opened, null)}` };
    const client = await OpenEnvClient.connect(server.url, '/ws', { headers });
    const other = server.host.source.choices.find((choice) => choice !== REFUND.scenario) ?? '';
    for (const data of [{ scenario: other }, { episode_id: `${other}#1` }]) {
      expect(await client.ask({ type: 'reset', data })).toMatchObject({
        data: { message: expect.stringContaining('cannot become another one') as string },
      });
    }
    const same = { scenario: `helpdesk/${REFUND.scenario}`, episode_id: 'mine' };
    expect((await client.reset(same)).observation.task).toContain('88213');
    await client.close();
    await server.host.close(opened);
  });

  it('refuses what is not served, and what is no seed', async () => {
    const client = await OpenEnvClient.connect(server.url);
    expect(await client.ask({ type: 'reset', data: { scenario: 'none' } })).toMatchObject({
      type: 'error',
      data: { code: 'EXECUTION_ERROR', message: expect.stringContaining('none') as string },
    });
    for (const data of [
      { seed: -1 },
      { seed: 1.5 },
      { seed: '1' },
      { episode_id: 'x'.repeat(256) },
      { trial: 'a' },
    ]) {
      expect(await client.ask({ type: 'reset', data })).toMatchObject({ data: { code: 'VALIDATION_ERROR' } });
    }
    expect(await client.ask({ type: 'reset', data: { episode_id: 'refund-8821#3' } })).toMatchObject({
      data: {
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('did you mean refund-88213#3?') as string,
        errors: [{ loc: ['episode_id'] }],
      },
    });
    expect(await client.ask({ type: 'reset', data: { seed: null } })).toMatchObject({ type: 'observation' });
    await client.close();
  });
});

describe('our own actions', () => {
  it('fork, switch, checkpoint, roll back, wait and show what changed', async () => {
    const client = await OpenEnvClient.connect(server.url);
    await client.reset(REFUND);
    await client.call('lookup_order', { order_id: '88213' });
    await client.step({ type: 'groundhog/checkpoint', name: 'looked' });
    const forked = await client.step({ type: 'groundhog/fork' });
    expect(forked).toMatchObject({ reward: null, done: false, observation: { branch: 'branch-1', at: 1 } });
    await client.step({ type: 'groundhog/wait', duration_ms: 60_000 });
    await client.call('refund', { order_id: '88213', amount: 10 });
    const { observation } = await client.step({ type: 'groundhog/diff', at: 1 });
    expect(JSON.stringify(observation.changes)).toContain('helpdesk.refunds');
    expect(newest().id).not.toBe(undefined);
    const back = await client.step({ type: 'groundhog/rollback', name: 'looked' });
    expect(back.observation).toMatchObject({ step_count: 1 });
    expect((await client.step({ type: 'groundhog/diff' })).observation.changes).toEqual([]);
    await client.step({ type: 'groundhog/switch', branch: 'branch-1' });
    await client.call('check_policy', { order_id: '88213' });
    const state = (await client.ask({ type: 'state' })).data;
    expect(state).toMatchObject({ branch: 'branch-1', branches: ['branch-1', 'main'], step_count: 2 });
    await client.step({ type: 'groundhog/switch', branch: 'main' });
    expect((await client.ask({ type: 'state' })).data).toMatchObject({ step_count: 1 });
    // Rolled back, a finished episode goes on.
    await client.call('submit_answer', { text: 'no' });
    const again = await client.step({ type: 'groundhog/rollback', at: 1 });
    expect(again).toMatchObject({ done: false, reward: null });
    const before = server.host.size;
    await client.reset(REFUND);
    expect(server.host.size).toBe(before - 1);
    await client.close();
  });

  it('say what is wrong with them and change nothing', async () => {
    const client = await OpenEnvClient.connect(server.url);
    await client.reset(REFUND);
    for (const [data, code] of [
      [{ type: 'groundhog/switch', branch: 'none' }, 'EXECUTION_ERROR'],
      [{ type: 'groundhog/rollback', name: 'none' }, 'EXECUTION_ERROR'],
      [{ type: 'groundhog/rollback' }, 'EXECUTION_ERROR'],
      [{ type: 'groundhog/rollback', at: 5 }, 'EXECUTION_ERROR'],
      [{ type: 'groundhog/fork', at: 9 }, 'EXECUTION_ERROR'],
      [{ type: 'groundhog/fork', branch: 'main' }, 'EXECUTION_ERROR'],
      [{ type: 'groundhog/wait' }, 'VALIDATION_ERROR'],
      [{ type: 'groundhog/wait', duration_ms: -1 }, 'VALIDATION_ERROR'],
      [{ type: 'groundhog/nothing' }, 'VALIDATION_ERROR'],
    ] as const) {
      expect(await client.ask({ type: 'step', data })).toMatchObject({ type: 'error', data: { code } });
    }
    expect((await client.ask({ type: 'state' })).data).toMatchObject({ step_count: 0, branches: ['main'] });
    await client.close();
  });

  it('shaping adds penalties to the steps that deserve them', async () => {
    const shaping = { refused: -0.1, invalid: -0.2, broken: -0.5 };
    const shaped = await startTestServer(
      { scenarios: ['helpdesk'] },
      { doors: (host) => [openEnvDoor(host, { shaping })] },
    );
    const client = await OpenEnvClient.connect(shaped.url);
    await client.reset(REFUND);
    const rewards = [
      await client.call('lookup_order', { order_id: '88213' }),
      await client.call('lookup_order', { order_id: 'none' }),
      await client.call('lookup_order', { order_id: 7 }),
      await client.call('no_such_tool'),
      await client.call('refund', { order_id: '88213', amount: 300 }),
    ].map(({ reward }) => reward);
    expect(rewards).toEqual([0, -0.1, -0.2, -0.1, -0.5]);
    await client.close();
    await shaped.close();
  });
});

describe('messages', () => {
  it('that are wrong are told so, and the session goes on', async () => {
    const client = await OpenEnvClient.connect(server.url);
    const wrong: readonly (readonly [unknown, string])[] = [
      ['{', 'INVALID_JSON'],
      ['', 'INVALID_JSON'],
      [{ type: 'nothing' }, 'UNKNOWN_TYPE'],
      [{}, 'UNKNOWN_TYPE'],
      [{ type: ['reset'] }, 'UNKNOWN_TYPE'],
      ['[]', 'VALIDATION_ERROR'],
      ['null', 'VALIDATION_ERROR'],
      [{ type: 'state', data: {} }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: [], more: 1 }, 'VALIDATION_ERROR'],
      [{ type: 'step' }, 'VALIDATION_ERROR'],
      [{ type: 'step', data: {} }, 'VALIDATION_ERROR'],
      [{ type: 'step', data: { type: 'call_tool' } }, 'VALIDATION_ERROR'],
      [{ type: 'step', data: { type: 'call_tool', tool_name: 'a', colour: 1 } }, 'VALIDATION_ERROR'],
      [{ type: 'step', data: { action: { type: 'list_tools' } } }, 'VALIDATION_ERROR'],
      [{ type: 'step', data: { type: 'toString' } }, 'VALIDATION_ERROR'],
      ['{"type":"state","__proto__":{}}', 'VALIDATION_ERROR'],
    ];
    for (const [message, code] of wrong) {
      const answer = await client.ask(message);
      expect([message, answer.type, answer.data.code]).toEqual([message, 'error', code]);
      if (code === 'VALIDATION_ERROR')
        expect(answer.data.errors).toContainEqual(
          expect.objectContaining({ loc: expect.anything() as object }),
        );
    }
    expect(
      await client.ask({ type: 'step', data: { tool: 'lookup_order', arguments: { order_id: '88213' } } }),
    ).toMatchObject({ type: 'observation', data: { observation: { tool_name: 'lookup_order' } } });
    await client.close();
  });

  it('nested as deep as a frame allows are answered, and echo nothing of it', async () => {
    const client = await OpenEnvClient.connect(server.url);
    await client.reset(REFUND);
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    for (const [message, code] of [
      [`{"type":${deep}}`, 'UNKNOWN_TYPE'],
      [deep, 'VALIDATION_ERROR'],
      [`{"type":"step","data":{"type":${deep}}}`, 'VALIDATION_ERROR'],
      [`{"type":"step","data":{"type":"call_tool","tool_name":${deep}}}`, 'VALIDATION_ERROR'],
      [`{"type":"reset","data":{"seed":${deep}}}`, 'VALIDATION_ERROR'],
    ] as const) {
      expect(await client.ask(message)).toMatchObject({ type: 'error', data: { code } });
    }
    const call = `{"type":"call_tool","tool_name":"lookup_order","arguments":{"order_id":${deep}}}`;
    const answer = await client.ask(`{"type":"step","data":${call}}`);
    expect(answer.data.observation).toMatchObject({ result: { is_error: true }, status: 422, step_count: 1 });
    const rpc = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":${deep}}}`;
    expect((await client.ask(`{"type":"mcp","data":${rpc}}`)).data).toMatchObject({
      error: { code: -32602 },
    });
    await client.close();
  });

  it('sent without waiting are answered in order', async () => {
    const client = await OpenEnvClient.connect(server.url);
    client.socket.send(JSON.stringify({ type: 'reset', data: REFUND }));
    for (let call = 0; call < 200; call += 1) {
      client.socket.send(
        JSON.stringify({ type: 'step', data: { type: 'groundhog/checkpoint', name: `${call}` } }),
      );
    }
    await client.next();
    for (let call = 0; call < 200; call += 1) {
      expect((await client.next()).data.observation).toMatchObject({ name: `${call}` });
    }
    await client.close();
  });

  it('carry MCP in both dialects', async () => {
    const client = await OpenEnvClient.connect(server.url);
    const rpc = (method: string, params: object = {}): object => ({
      type: 'mcp',
      data: { jsonrpc: '2.0', id: 5, method, params },
    });
    expect(await client.ask(rpc('tools/list'))).toMatchObject({
      type: 'mcp',
      data: { id: 5, result: { tools: expect.anything() as object } },
    });
    const called = await client.ask(
      rpc('tools/call', { name: 'lookup_order', arguments: { order_id: '88213' } }),
    );
    expect(called.data).toMatchObject({ result: { data: { order_id: '88213' }, isError: false } });
    expect((await client.ask(rpc('initialize'))).data).toMatchObject({
      result: { protocolVersion: '2025-11-25' },
    });
    expect((await client.ask(rpc('tools/call', { name: 'none' }))).data).toMatchObject({
      error: { code: -32602 },
    });
    expect((await client.ask({ type: 'mcp', data: {} })).data).toMatchObject({ error: { code: -32600 } });
    expect((await client.ask(rpc('nothing'))).data).toMatchObject({ error: { code: -32601 } });
    await client.close();
  });
});

describe('connections', () => {
  it('beyond the most are told so unasked, also when the host is full', async () => {
    const small = await startTestServer(
      { services: ['notes'] },
      { sessionsMost: 1, doors: (host) => [openEnvDoor(host, { sessionsMost: 2 })] },
    );
    const first = await OpenEnvClient.connect(small.url);
    const second = await OpenEnvClient.connect(small.url);
    const third = await OpenEnvClient.connect(small.url);
    expect(await third.next()).toMatchObject({
      type: 'error',
      data: { code: 'CAPACITY_REACHED', active_sessions: 2, max_sessions: 2 },
    });
    await third.closed;
    await first.reset();
    expect(await second.ask({ type: 'reset' })).toMatchObject({
      data: { code: 'CAPACITY_REACHED', active_sessions: 1, max_sessions: 1 },
    });
    await second.closed;
    await first.close();
    const fourth = await OpenEnvClient.connect(small.url);
    expect(await fourth.ask({ type: 'reset' })).toMatchObject({ type: 'observation' });
    await fourth.close();
    await small.close();
  });

  it('to a source that is broken, or to an unknown session, are told so', async () => {
    const source = await servedSource({ services: ['notes'] });
    const broken = await startTestServer(
      {
        ...source,
        open: () => {
          throw new Error('no world today');
        },
      },
      { doors },
    );
    const client = await OpenEnvClient.connect(broken.url);
    expect(await client.ask({ type: 'reset' })).toMatchObject({
      data: { code: 'FACTORY_ERROR', factory_name: 'groundhog', message: 'no world today' },
    });
    await client.closed;
    await broken.close();
    const stranger = await OpenEnvClient.connect(server.url, '/ws?session_id=unknown');
    expect(await stranger.next()).toMatchObject({ data: { code: 'SESSION_ERROR' } });
    await stranger.closed;
  });

  it('from foreign pages, on vendor hosts or with a service’s token are none', async () => {
    const foreign = OpenEnvClient.connect(server.url, '/ws', { headers: { origin: 'https://evil.example' } });
    await expect(foreign).rejects.toThrow('403');
    const vendor = OpenEnvClient.connect(server.url, '/ws', { headers: { host: 'api.helpdesk.example' } });
    await expect(vendor).rejects.toThrow();
    await expect(OpenEnvClient.connect(server.url, '/elsewhere')).rejects.toThrow();
  });

  it('that send bad frames end, and the server stays well', async () => {
    const handshake = [
      'GET /ws HTTP/1.1',
      'host: x',
      'upgrade: websocket',
      'connection: Upgrade',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version: 13',
    ].join('\r\n');
    const masked = (first: number, payload: Buffer): Buffer =>
      Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
    const frames: readonly Buffer[] = [
      Buffer.from([0x81, 0x02, 0x7b, 0x7d]), // not masked
      masked(0x81, Buffer.from([0xff, 0xfe])), // not UTF-8
      masked(0xf1, Buffer.from('{}')), // reserved bits
      masked(0x80, Buffer.from('{}')), // goes on with nothing
      Buffer.from([0x81, 0xff, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0]), // 36 GB announced
      masked(0x82, Buffer.from('{}')), // binary
      masked(0x08, Buffer.from('x')), // a close frame without its code
    ];
    for (const frame of frames) {
      const closed = new Promise<void>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => socket.write(`${handshake}\r\n\r\n`));
        socket.once('data', () => socket.write(frame));
        socket.on('data', (data: Buffer) => {
          // An end frame is the answer: then it is for us to hang up.
          if (data.includes(0x88)) socket.end();
        });
        socket.on('error', () => resolve());
        socket.on('close', () => resolve());
      });
      await closed;
    }
    const client = await OpenEnvClient.connect(server.url);
    // In pieces, as a stream of them, a message is a message.
    client.socket.send('{"type":', { fin: false });
    client.socket.send('"state"', { fin: false });
    const answer = client.next();
    client.socket.send('}', { fin: true });
    expect(await answer).toMatchObject({ type: 'state' });
    await client.close();
  });
});
