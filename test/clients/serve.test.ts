import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ControlClient } from '../../src/gateway/control/client.ts';
import { BIN, groundhog, REFUND, type Ready, run, serve } from './groundhog.ts';

/** The same scenario through every door of `serve` and `mcp`, by clients as people use them. */

const folder = mkdtempSync(join(tmpdir(), 'groundhog-serve-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface RestCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

const REST_CALLS: readonly RestCall[] = [
  { method: 'GET', path: '/orders/88213' },
  { method: 'GET', path: '/orders/88213/policy' },
  { method: 'POST', path: '/orders/88213/refunds', body: { amount: 240 } },
  { method: 'POST', path: '/emails', body: REFUND.email },
];

const TOOL_CALLS: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[] = [
  { name: 'lookup_order', arguments: { order_id: '88213' } },
  { name: 'check_policy', arguments: { order_id: '88213' } },
  { name: 'refund', arguments: { order_id: '88213', amount: 240 } },
  { name: 'send_email', arguments: REFUND.email },
  { name: 'submit_answer', arguments: { text: REFUND.answer } },
];

/** Makes a call and gives its status. */
type Caller = (call: RestCall) => Promise<number>;

function byFetch(url: string, token: string): Caller {
  return async ({ method, path, body }) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.text();
    return response.status;
  };
}

function byCurl(url: string, token: string): Caller {
  return async ({ path, body }) => {
    const json = body ? ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)] : [];
    const words = [
      '-s',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      '-H',
      `Authorization: Bearer ${token}`,
      ...json,
    ];
    return Number((await run(['curl', ...words, url + path])).stdout);
  };
}

function desk({ services }: Ready): { readonly url: string; readonly token: string } {
  const { baseUrl = '', credentials = {} } = services.helpdesk ?? {};
  return { url: baseUrl, token: Object.values(credentials)[0] ?? '' };
}

const NO_ERRORS = TOOL_CALLS.map(() => false);

/** Makes the calls as a client of the protocol, and says of each whether it was an error. */
async function toolStatuses(transport: Transport): Promise<unknown[]> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(TOOL_CALLS.map(({ name }) => name)));
  const errors: unknown[] = [];
  for (const call of TOOL_CALLS) errors.push((await client.callTool(call)).isError ?? false);
  await client.close();
  return errors;
}

const trajectories = new Map<string, string>();

/** Serves the scenario to one client, and keeps what it leaves. */
async function solved(
  client: string,
  solve: (ready: Ready, control: ControlClient) => Promise<void>,
): Promise<void> {
  const server = await serve('--scenario', REFUND.scenario);
  const control = new ControlClient(server.ready.control);
  await solve(server.ready, control);
  const { verdict } = await control.score(server.ready.session);
  expect(verdict).toMatchObject({ success: true, void: null });
  trajectories.set(client, await control.trajectory(server.ready.session));
  expect(await server.stop()).toBe(0);
}

describe('one scenario', () => {
  it.each([
    { client: 'fetch', caller: byFetch },
    { client: 'curl', caller: byCurl },
  ])('is solved by $client', async ({ client, caller }) => {
    await solved(client, async (ready, control) => {
      const { url, token } = desk(ready);
      const statuses: number[] = [];
      for (const call of REST_CALLS) statuses.push(await caller(url, token)(call));
      expect(statuses).toEqual([200, 200, 201, 201]);
      await control.answer(ready.session, REFUND.answer);
    });
  });

  it('is solved by the official MCP client over HTTP', async () => {
    await solved('MCP over HTTP', async ({ mcp }) => {
      const headers = { authorization: `Bearer ${mcp.token}` };
      const transport = new StreamableHTTPClientTransport(new URL(mcp.url), { requestInit: { headers } });
      expect(await toolStatuses(transport as Transport)).toEqual(NO_ERRORS);
    });
  });

  it('is solved by the official MCP client over stdio', async () => {
    const out = join(folder, 'stdio.traj.jsonl');
    const words = [BIN, 'mcp', '--scenario', REFUND.scenario, '--out', out];
    const transport = new StdioClientTransport({ command: process.execPath, args: words, stderr: 'pipe' });
    let errors = '';
    transport.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString('utf8');
    });
    expect(await toolStatuses(transport)).toEqual(NO_ERRORS);
    await vi.waitFor(() => expect(errors).toContain('Verdict: pass'), 10_000);
    trajectories.set('MCP over stdio', readFileSync(out, 'utf8'));
  });

  it('leaves the same trajectory through every door, to the byte', () => {
    expect([...trajectories.keys()]).toEqual(['fetch', 'curl', 'MCP over HTTP', 'MCP over stdio']);
    expect(new Set(trajectories.values()).size).toBe(1);
  });
});

describe('several clients', () => {
  it('have worlds of their own, or share one as several actors', async () => {
    const server = await serve('--services', 'helpdesk', '--actor', 'ann', '--actor', 'ben');
    const control = new ControlClient(server.ready.control);
    const { baseUrl = '', credentials = {} } = server.ready.services.helpdesk ?? {};
    const apart = await control.open();
    const [ann, ben] = [byFetch(baseUrl, credentials.ann ?? ''), byFetch(baseUrl, credentials.ben ?? '')];
    const refund: RestCall = { method: 'POST', path: '/orders/88213/refunds', body: { amount: 400 } };
    expect([await ann(refund), await ben(refund)]).toEqual([201, 409]);
    const own = apart.credentials.find(({ service }) => service === 'helpdesk')?.token ?? '';
    expect(await byFetch(baseUrl, own)(refund)).toBe(201);
    expect((await control.summary(server.ready.session)).steps).toBe(2);
    expect((await control.summary(apart.id)).steps).toBe(1);
    await server.stop();
  });
});

describe('a server that is killed in mid-episode', () => {
  it('goes on after a restart, with the same credentials, to the same digest', async () => {
    const state = join(folder, 'state');
    const words = ['--scenario', REFUND.scenario, '--state', state, '--durability', 'strict'];
    const first = await serve(...words);
    const before = desk(first.ready);
    for (const call of REST_CALLS.slice(0, 3)) await byFetch(before.url, before.token)(call);
    expect(await first.stop('SIGKILL')).toBe(null);

    const port = new URL(before.url).port;
    const second = await serve(...words, '--port', port);
    expect(second.ready).toEqual(first.ready);
    expect(await byFetch(before.url, before.token)(REST_CALLS[3] as RestCall)).toBe(201);
    const control = new ControlClient(first.ready.control);
    const { verdict } = await control.answer(second.ready.session, REFUND.answer);
    expect(verdict).toMatchObject({ success: true });
    expect(await control.trajectory(second.ready.session)).toBe(trajectories.get('fetch'));
    expect(await second.stop()).toBe(0);
  });
});

describe('groundhog serve', () => {
  it('opens no address to other machines without a control token', async () => {
    const called = await groundhog(['serve', '--services', 'notes', '--host', '0.0.0.0', '--json']);
    expect({ exit: called.exit, json: called.json() }).toMatchObject({
      exit: 2,
      json: { error: { code: 'open-address' } },
    });
  });

  it('prints lines to copy that work as they are', async () => {
    const { spawn } = await import('node:child_process');
    const server = spawn(process.execPath, [BIN, 'serve', '--services', 'notes,helpdesk', '--port', '0']);
    // Read on to the end: a server ends that nobody listens to while it prints.
    let text = '';
    server.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    await vi.waitFor(() => expect(text).toMatch(/GROUNDHOG_CONTROL_TOKEN=\S+\n/u), 20_000);
    const lines = text.split('\n').map((line) => line.trim());
    for (const line of lines.filter((one) => one.startsWith('curl '))) {
      expect((await run(['sh', '-c', `${line} -o /dev/null -w '%{http_code}'`])).stdout).toBe('200');
    }
    const configurations = lines.flatMap((line) => /\{"mcpServers".*$/u.exec(line)?.[0] ?? []);
    const [http, program] = configurations.map((one) => JSON.parse(one).mcpServers.groundhog);
    const { url, headers } = http;
    const overHttp = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    for (const transport of [
      overHttp as Transport,
      new StdioClientTransport({ ...program, stderr: 'ignore' }),
    ]) {
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(transport);
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('create_note');
      await client.close();
    }
    server.kill('SIGINT');
    expect(await new Promise((resolve) => server.once('close', resolve))).toBe(0);
  });
});
