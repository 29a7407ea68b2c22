import { createInterface } from 'node:readline';
import { UsageError } from '../../src/base/errors.ts';
import { type HostedSession, SessionHost } from '../../src/gateway/host/index.ts';
import { servedSource } from '../../src/runner/served.ts';
import { applied, type Operation, type Reply, type Request, traitsOf } from './session-operations.ts';

/**
 * A server that the crash test kills: sessions on a state folder, one JSON line for each request on stdin,
 * answered by one on stdout once the host says that the change is safe.
 */
const [, , directory = '', durability = 'strict'] = process.argv;

const host = new SessionHost({
  source: await servedSource({ services: ['notes', 'helpdesk'] }),
  sessionsMost: 1_000,
  nowMs: Date.now,
  // Small, so that a short test meets evictions, snapshots, many segments and compactions.
  hotMost: 3,
  snapshotInputs: 12,
  state: {
    directory,
    durability: durability === 'batch' ? 'batch' : 'strict',
    segmentBytes: 48 * 1024,
    compactBytes: 64 * 1024,
    note: (text) => process.stderr.write(`note: ${text}\n`),
  },
});

function sessionOf(token: string): HostedSession {
  const credential = host.credential(token);
  const session = credential && host.session(credential.session);
  if (!session) throw new UsageError('unknown-token', 'nobody was given this token');
  return session;
}

async function opened(session: HostedSession): Promise<Reply> {
  await host.safe();
  return { session: session.id, token: session.credentials[0]?.token ?? '' };
}

async function answer(operation: Operation): Promise<Reply> {
  switch (operation.type) {
    case 'open':
      return opened(host.open(operation.request));
    case 'fork':
      return opened(host.fork(sessionOf(operation.token), operation.at));
    case 'list':
      return { sessions: host.list({ limit: 10_000 }).map(({ id }) => id) };
    case 'close': {
      const session = operation.session === undefined ? undefined : host.session(operation.session);
      await host.close(session ?? sessionOf(operation.token ?? ''));
      return {};
    }
    case 'traits':
      return { traits: traitsOf(host, sessionOf(operation.token)) };
    case 'change':
      return { value: await applied(host, sessionOf(operation.token), operation.change) };
  }
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, operation } = JSON.parse(line) as Request;
  answer(operation)
    .catch((error: unknown): Reply => {
      if (!(error instanceof UsageError)) throw error;
      return { refused: error.code, message: error.message };
    })
    .then((reply) => process.stdout.write(`${JSON.stringify({ id, reply })}\n`))
    .catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(70);
    });
});
lines.on('close', () => {
  host.stop().then(() => process.exit(0));
});
process.stdout.write(`${JSON.stringify({ id: 0, reply: {} })}\n`);
