import { fork } from 'node:child_process';
import { MeasuredServer, openSession, SESSIONS, type Target } from './http-cost.ts';
import { type Figure, report } from './measure.ts';

/**
 * CPU time of the server process per request, against a bare `node:http` server in the same process that
 * sends the same body: what recording, world and doors cost on top of HTTP.
 */

/** As many calls of a session as the longest scenario of the bank makes. */
const REQUESTS = 417;

const child = fork(new URL('rest-server.ts', import.meta.url), ['helpdesk'], {
  execArgv: process.env.BENCH_ARGS?.split(' ') ?? [],
});
const server = await MeasuredServer.started(child, REQUESTS);
const figures = await measured().finally(() => server.stop());
report('rest', figures);

async function measured(): Promise<Record<string, Figure>> {
  const { port } = server;
  const control = { port, token: server.token, method: 'POST', body: '{}' } as const;
  const session = await openSession(server, 'helpdesk');
  const read: Target = { port, method: 'GET', path: '/orders/88213', token: session.token };
  const write: Target = {
    port,
    method: 'POST',
    path: '/tickets/T-3001/notes',
    token: session.token,
    body: JSON.stringify({ body: 'Called back, no answer.' }),
  };
  const reads = await server.compared(read);
  // Rolled back between rounds: a ticket of ten thousand notes is another world.
  const reset = (): Promise<unknown> => server.send({ ...control, path: `${SESSIONS}/${session.id}/reset` });
  const writes = await server.compared(write, reset);
  const opened = await server.cost({ ...control, path: SESSIONS });
  const forked = await server.cost({ ...control, path: `${SESSIONS}/${session.id}/fork` });
  return {
    bare_read: { value: reads.bare, unit: 'us' },
    read: { value: reads.ours, unit: 'us' },
    read_ratio: { value: reads.ratio, unit: 'x', target: 2 },
    bare_write: { value: writes.bare, unit: 'us' },
    write: { value: writes.ours, unit: 'us' },
    write_ratio: { value: writes.ratio, unit: 'x', target: 3 },
    open_session: { value: opened / 1000, unit: 'ms', target: 1 },
    fork_session: { value: forked / 1000, unit: 'ms', target: 1 },
  };
}
