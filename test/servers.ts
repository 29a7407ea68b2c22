/** Servers on free ports with real worlds behind them, and raw sockets, for tests of the doors. */
import { connect } from 'node:net';
import { type EnvironmentSource, type HostedSession, SessionHost } from '../src/gateway/host/index.ts';
import { type RunningServer, type ServerOptions, startServer } from '../src/gateway/serve.ts';
import { type ServedTarget, servedSource } from '../src/runner/served.ts';

/** Starts a server on a free port for these services or scenarios, or for a source of one's own. */
export async function startTestServer(
  target: ServedTarget | EnvironmentSource,
  { sessionsMost = 10_000, ...options }: ServerOptions & { readonly sessionsMost?: number } = {},
): Promise<RunningServer> {
  const source = 'open' in target ? target : await servedSource(target);
  return startServer(new SessionHost({ source, sessionsMost, nowMs: Date.now }), options);
}

/** The token of a session for a service, or for the session itself; of the first actor when none is named. */
export function tokenOf(session: HostedSession, service: string | null, actor?: string): string {
  const found = session.credentials.find(
    (credential) => credential.service === service && (actor === undefined || credential.actor === actor),
  );
  if (!found) throw new Error(`the session has no token for ${service}`);
  return found.token;
}

/** Writes bytes to a port and gives all that comes back until the server closes the connection. */
export function rawExchange(port: number, parts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    // A reset after the answer loses nothing that was read already.
    socket.on('error', (error) => {
      if (chunks.length === 0) reject(error);
    });
    for (const part of parts) socket.write(part);
  });
}

/** Status and body of a raw answer, its body as JSON. */
export function parsedAnswer(text: string): { status: number; head: string; body: unknown } {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) };
}
