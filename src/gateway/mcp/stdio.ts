import type { Readable, Writable } from 'node:stream';
import { UsageError } from '../../base/errors.ts';
import type { HostedSession, SessionHost } from '../host/index.ts';
import { CAPABILITIES, perform, problemFor, SERVER_INFO } from './core.ts';
import { RPC, RpcError } from './json-rpc.ts';
import { briefing } from './resources.ts';
import type { McpOptions, McpTarget } from './target.ts';
import { LostAnswer } from './tools.ts';

/** Where the protocol is spoken, when not on the process's own streams. */
export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** A server on two streams. */
export interface StdioServer {
  /** Settles when the client has gone. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves one session on standard input and output with the official SDK.
 * @throws UsageError when the SDK is not installed.
 */
export async function serveMcpStdio(
  host: SessionHost,
  session: HostedSession,
  options: McpOptions & { readonly streams?: StdioStreams } = {},
): Promise<StdioServer> {
  const { Server, StdioServerTransport } = await loadSdk();
  const { tables = false, pacing } = options;
  const { input, output } = options.streams ?? { input: process.stdin, output: process.stdout };
  const credential = session.credentials.find(({ service }) => service === null);
  const target: McpTarget = {
    host,
    session,
    door: 'mcp',
    tables,
    ...(credential && { credential }),
    ...(pacing && { pacing }),
  };
  const instructions = briefing(session);
  const server = new Server(SERVER_INFO, {
    capabilities: CAPABILITIES,
    ...(instructions !== undefined && { instructions }),
  });
  server.fallbackRequestHandler = async ({ method, params = {} }) => {
    try {
      return (await perform(target, method, params as McpParams)) as Record<string, unknown>;
    } catch (error) {
      if (error instanceof LostAnswer) throw new RpcError(...lostProblem(error));
      const { code, message, data } = problemFor(error);
      throw new RpcError(code, message, data);
    }
  };
  const closed = new Promise<void>((resolve) => {
    server.onclose = () => resolve();
  });
  input.once('end', () => void server.close());
  // A client that is gone may be noticed by an answer that nobody takes.
  output.on('error', () => void server.close());
  await server.connect(new StdioServerTransport(input, output));
  return { closed, close: () => server.close() };
}

/** As the SDK itself says of a request that nothing came back for, and of a connection that broke. */
function lostProblem({ reset }: LostAnswer): [number, string] {
  return reset ? [RPC.closed, 'Connection closed'] : [RPC.timeout, 'Request timed out'];
}

type McpParams = Parameters<typeof perform>[2];

type Stdio = typeof import('@modelcontextprotocol/sdk/server/stdio.js');

async function loadSdk(): Promise<{
  readonly Server: typeof import('@modelcontextprotocol/sdk/server/index.js').Server;
  readonly StdioServerTransport: Stdio['StdioServerTransport'];
}> {
  try {
    const [{ Server }, { StdioServerTransport }] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
    ]);
    return { Server, StdioServerTransport };
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError('package-missing', 'MCP over stdio needs the package @modelcontextprotocol/sdk', {
      hint: 'npm install @modelcontextprotocol/sdk',
    });
  }
}
