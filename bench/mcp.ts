import { Agent, request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Figure, median, report } from './measure.ts';
import { startMeasuredServer } from './openenv-process.ts';

/** CPU time of the server for one MCP call over HTTP; the server runs in another process. */
const CALLS = 2_000;
const ROUNDS = 7;
const AT_ONCE = 8;
const ARGUMENTS = { name: 'lookup_order', arguments: { order_id: '88213' } };

const server = await startMeasuredServer('services', 'helpdesk');
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const headers = {
  authorization: `Bearer ${server.token}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

function post(method: string, params: object, id: number): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  return new Promise((resolve, reject) => {
    const asked = request(
      { agent, port: server.port, path: '/mcp', method: 'POST', headers: { ...headers } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => {
          if (text.includes('"isError":true') || !text.includes('"result"')) reject(new Error(text));
          else resolve();
        });
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Server CPU milliseconds for one request, several clients at once. */
async function millisOf(one: (id: number) => Promise<void>): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = (await server.usage()).cpu;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, lane) => {
        for (let call = lane; call < CALLS; call += AT_ONCE) await one(call);
      }),
    );
    samples.push(((await server.usage()).cpu - before) / CALLS / 1000);
  }
  return median(samples.slice(2));
}

async function officialClientMillis(): Promise<number> {
  const client = new Client({ name: 'bench', version: '1' });
  const url = new URL(`${server.url}/mcp`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  await client.connect(transport as Transport);
  const value = await millisOf(async () => {
    const result = await client.callTool(ARGUMENTS);
    if (result.isError) throw new Error('the call failed');
  });
  await client.close();
  return value;
}

const figures: Record<string, Figure> = {
  call: { value: await millisOf((id) => post('tools/call', ARGUMENTS, id)), unit: 'ms', target: 0.7 },
  call_of_official_client: { value: await officialClientMillis(), unit: 'ms', target: 0.7 },
  initialize: {
    value: await millisOf((id) => post('initialize', { protocolVersion: '2025-11-25' }, id)),
    unit: 'ms',
  },
  list_tools: { value: await millisOf((id) => post('tools/list', {}, id)), unit: 'ms' },
};
agent.destroy();
server.stop();
report('mcp', figures);
