/** One list of calls through each door, and what the session then has on record. */
import { request as httpRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { WebSocket } from 'ws';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { HostedSession } from '../../src/gateway/host/index.ts';
import { mcpDoor, serveMcpStdio } from '../../src/gateway/mcp/index.ts';
import { openEnvDoor } from '../../src/gateway/openenv/index.ts';
import type { RunningServer } from '../../src/gateway/serve.ts';
import type { ServedTarget } from '../../src/runner/served.ts';
import { servedSource } from '../../src/runner/served.ts';
import { openSession } from '../../src/session/index.ts';
import { startTestServer, tokenOf } from '../servers.ts';

/** A server on which every session is opened by the same request. */
export async function startParityServer(target: ServedTarget, more: JsonObject): Promise<RunningServer> {
  const source = await servedSource(target);
  const defaults = { ...source.defaults, ...more, trial: 0 };
  return startTestServer({ ...source, defaults }, { doors: (host) => [mcpDoor(host), openEnvDoor(host)] });
}

/** The steps of a session, line by line as they stand in a file. */
function linesOf({ episode }: HostedSession): readonly string[] {
  return episode.session.steps().map((step) => JSON.stringify(step));
}

export interface ParityCall {
  readonly tool: string;
  readonly input: Json;
}

/** Takes calls through one door; gives the step lines. */
export type Through = (server: RunningServer, calls: readonly ParityCall[]) => Promise<readonly string[]>;

export const inProcess: Through = async ({ host }, calls) => {
  const session = openSession(host.source.open(host.source.defaults).options);
  for (const call of calls) session.call(call);
  return session.steps().map((step) => JSON.stringify(step));
};

async function throughClient(transport: Transport, calls: readonly ParityCall[]): Promise<void> {
  const client = new Client({ name: 'parity', version: '1' });
  await client.connect(transport);
  for (const { tool, input } of calls) {
    // Not `callTool`: that refuses arguments which are no object, and an agent may send such.
    const params = { name: tool, arguments: input };
    const request = { method: 'tools/call' as const, params };
    // Unknown tools and lost answers are errors of the protocol: the record tells.
    await client.request(request as never, CallToolResultSchema).catch(() => null);
  }
  await client.close();
}

export const mcpHttp: Through = async (server, calls) => {
  const session = server.host.open();
  const url = new URL(`${server.url}/mcp`);
  const headers = { authorization: `Bearer ${tokenOf(session, null)}` };
  await throughClient(
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as Transport,
    calls,
  );
  return linesOf(session);
};

/** The official SDK on both ends of two streams, as standard input and output are. */
export const mcpStdio: Through = async ({ host }, calls) => {
  const session = host.open();
  const toServer = new PassThrough();
  const fromServer = new PassThrough();
  await serveMcpStdio(host, session, { streams: { input: toServer, output: fromServer } });
  await throughClient(new StreamTransport(fromServer, toServer), calls);
  return linesOf(session);
};

/** The client's end of two streams: one JSON message a line. */
class StreamTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  readonly #output: PassThrough;
  #rest = '';

  constructor(input: PassThrough, output: PassThrough) {
    this.#output = output;
    input.on('data', (chunk: Buffer) => {
      const lines = `${this.#rest}${chunk.toString()}`.split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.onmessage?.(JSON.parse(line));
    });
  }

  async start(): Promise<void> {}

  async send(message: unknown): Promise<void> {
    this.#output.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#output.end();
    this.onclose?.();
  }
}

export const openEnv: Through = async (server, calls) => {
  const known = new Set(server.host.list({ limit: 1000 }).map(({ id }) => id));
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`);
  await new Promise((resolve) => socket.once('open', resolve));
  const ask = (message: object): Promise<void> =>
    new Promise((resolve) => {
      socket.once('message', () => resolve());
      socket.send(JSON.stringify(message));
    });
  await ask({ type: 'reset', data: { trial: 0 } });
  for (const { tool, input } of calls) {
    await ask({ type: 'step', data: { type: 'call_tool', tool_name: tool, arguments: input } });
  }
  const session = server.host.list({ limit: 1000 }).find(({ id }) => !known.has(id));
  if (!session) throw new Error('the connection opened no session');
  const lines = linesOf(session);
  socket.close();
  return lines;
};

/** What a native call is over HTTP. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
}

/** Takes the calls as the vendor's own HTTP requests. */
export function rest(routes: ReadonlyMap<ParityCall, Route>, service: string): Through {
  return async (server, calls) => {
    const session = server.host.open();
    const authorization = `Bearer ${tokenOf(session, service)}`;
    for (const call of calls) {
      const route = routes.get(call);
      if (!route) throw new Error(`no route for ${call.tool}`);
      await send(server.port, route, authorization);
    }
    return linesOf(session);
  };
}

function send(port: number, { method, path, body }: Route, authorization: string): Promise<void> {
  return new Promise((resolve) => {
    const headers = {
      authorization,
      'user-agent': 'parity',
      ...(body !== null && { 'content-type': 'application/json' }),
    };
    const request = httpRequest({ port, method, path, headers }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    // A lost answer is a connection that breaks.
    request.on('error', () => resolve());
    request.end(body ?? undefined);
  });
}
