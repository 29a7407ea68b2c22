import { type ChildProcess, fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { type Figure, median, report } from './measure.ts';

/**
 * CPU time of the server process per request, against a bare `node:http` server in the same process that
 * sends the same body: what recording, world and doors cost on top of HTTP.
 */
const ROUNDS = 31;
/** So many that the engine has compiled what it will: the figures are of a server that is warm. */
const WARM_UPS = 35;
/** As many calls of a session as the longest scenario of the bank makes. */
const REQUESTS = 417;
const OPENED = 300;
const CONNECTIONS = 8;

interface Target {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly body?: string;
}

const child = fork(new URL('rest-server.ts', import.meta.url), {
  execArgv: process.env.BENCH_ARGS?.split(' ') ?? [],
});
const { port, barePort, token } = await answerOf<{ port: number; barePort: number; token: string }>(child);
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const figures = await measured();
agent.destroy();
child.send({ ask: 'exit' });
report('rest', figures);

async function measured(): Promise<Record<string, Figure>> {
  const control = { port, token, method: 'POST', body: '{}' } as const;
  const sessions = '/_groundhog/control/v1/sessions';
  const session = await openOne(control, sessions);
  const read: Target = { port, method: 'GET', path: '/orders/88213', token: session.token };
  const write: Target = {
    port,
    method: 'POST',
    path: '/tickets/T-3001/notes',
    token: session.token,
    body: JSON.stringify({ body: 'Called back, no answer.' }),
  };
  const reads = await compared(read);
  // Rolled back between rounds: a ticket of ten thousand notes is another world.
  const reset = (): Promise<unknown> => send({ ...control, path: `${sessions}/${session.id}/reset` });
  const writes = await compared(write, reset);
  const opened = await costOf({ ...control, path: sessions }, OPENED);
  const forked = await costOf({ ...control, path: `${sessions}/${session.id}/fork` }, OPENED);
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

async function openOne(control: Omit<Target, 'path'>, path: string): Promise<{ id: string; token: string }> {
  const { id, credentials } = JSON.parse(await send({ ...control, path })) as {
    id: string;
    credentials: { service: string | null; token: string }[];
  };
  return { id, token: credentials.find(({ service }) => service === 'helpdesk')?.token ?? '' };
}

/** Medians over rounds in which both take turns, so that a busy machine slows both. */
async function compared(
  target: Target,
  between: () => Promise<unknown> = async () => {},
): Promise<{ ours: number; bare: number; ratio: number }> {
  await cpuOf(child, await send(target));
  const bare = { ...target, port: barePort };
  const ours: number[] = [];
  const theirs: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS + WARM_UPS; round += 1) {
    await between();
    const one = await roundOf(target, REQUESTS);
    const other = await roundOf(bare, REQUESTS);
    if (round < WARM_UPS) continue;
    ours.push(one);
    theirs.push(other);
    ratios.push(one / other);
  }
  return { ours: median(ours), bare: median(theirs), ratio: median(ratios) };
}

async function costOf(target: Target, count: number): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const cost = await roundOf(target, count);
    if (round >= 2) samples.push(cost);
  }
  return median(samples);
}

/** CPU microseconds of the server per request of one round. */
async function roundOf(target: Target, count: number): Promise<number> {
  const before = await cpuOf(child);
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await send(target);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  return ((await cpuOf(child)) - before) / count;
}

function send({ port: to, method, path, token: bearer, body }: Target): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
    };
    const sent = request({ host: '127.0.0.1', port: to, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if ((response.statusCode ?? 0) < 300) resolve(text);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** CPU microseconds of the server so far; the bare server sends `body` from now on. */
async function cpuOf(server: ChildProcess, body?: string): Promise<number> {
  server.send({ ask: 'cpu', ...(body !== undefined && { body }) });
  return (await answerOf<{ cpuMicros: number }>(server)).cpuMicros;
}

function answerOf<T>(server: ChildProcess): Promise<T> {
  return new Promise((resolve) => server.once('message', (message) => resolve(message as T)));
}
