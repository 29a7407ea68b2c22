import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HostedSession, SessionHost } from '../src/gateway/host/index.ts';
import { servedSource } from '../src/runner/served.ts';
import { cpuMicros, heapAfterCollection, report } from './measure.ts';

/**
 * Many sessions of which few are in memory: what a cold one keeps, what bringing one back costs, what the log
 * adds to a call. Run with `--expose-gc`; the first argument is the number of sessions.
 */
const SESSIONS = Number(process.argv[2] ?? 100_000);
const HOT = SESSIONS / 10;
const CALLS = 4;
const SAMPLE = 2_000;
const VIA = { door: 'rest' } as const;

const directory = mkdtempSync(join(tmpdir(), 'groundhog-cold-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

const source = await servedSource({ services: ['helpdesk'] });
const options = { source, sessionsMost: 1e7, nowMs: Date.now, hotMost: HOT };
const open = (): SessionHost => new SessionHost({ ...options, state: { directory, durability: 'batch' } });

const write = { tool: 'add_ticket_note', input: { ticket_id: 'T-3001', body: 'Called back, no answer.' } };

async function makeCalls(host: SessionHost, session: HostedSession): Promise<void> {
  for (let index = 0; index < CALLS; index += 1) await host.call(session, write, VIA);
}

/** CPU time of one call in microseconds, over sessions that are in memory. */
async function microsOfCall(host: SessionHost, sessions: readonly HostedSession[]): Promise<number> {
  const started = cpuMicros();
  for (let round = 0; round < 20; round += 1)
    for (const session of sessions) await host.call(session, write, VIA);
  return (cpuMicros() - started) / (20 * sessions.length);
}

async function openMany(host: SessionHost, count: number): Promise<{ tokens: string[]; micros: number }> {
  const tokens: string[] = [];
  const started = cpuMicros();
  for (let index = 0; index < count; index += 1) {
    const session = host.open({ services: ['helpdesk'], seed: `${index}` });
    await makeCalls(host, session);
    if (index % Math.ceil(SESSIONS / SAMPLE) === 0) tokens.push(session.credentials[1]?.token ?? '');
    // Lets the log write, as a server between two requests does.
    if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return { tokens, micros: (cpuMicros() - started) / count };
}

const unlogged = new SessionHost(options);
const plain = Array.from({ length: 50 }, () => unlogged.open({ services: ['helpdesk'] }));
await microsOfCall(unlogged, plain);
const plainMicros = await microsOfCall(unlogged, plain);

const base = heapAfterCollection();
let host = open();
const { tokens, micros } = await openMany(host, SESSIONS);
const warm = heapAfterCollection() - base;
const logged = host.list({ limit: 50 });
for (const session of logged) await makeCalls(host, session);
const loggedMicros = await microsOfCall(host, logged);

/** Changes of many sessions at once on a log that syncs before it answers: wall time for each of them. */
async function strictMicros(): Promise<{ readonly micros: number; readonly share: number }> {
  const state = { directory: join(directory, 'strict'), durability: 'strict' } as const;
  const strict = new SessionHost({ ...options, state });
  const sessions = Array.from({ length: 50 }, () => strict.open());
  await strict.safe();
  const { syncs } = strict.counters();
  const start = performance.now();
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(sessions.map((session) => strict.call(session, write, VIA)));
  }
  const micros = ((performance.now() - start) * 1000) / (20 * sessions.length);
  const share = (20 * sessions.length) / (strict.counters().syncs - syncs);
  await strict.stop();
  return { micros, share };
}

const strict = await strictMicros();
const counters = host.counters();
const broughtBack = cpuMicros();
for (const token of tokens) {
  const session = host.session(host.credential(token)?.session ?? '');
  if (!session || host.summary(session).steps < CALLS) throw new Error('steps are missing');
}
const backMicros = (cpuMicros() - broughtBack) / tokens.length;
await host.stop();

const beforeStart = heapAfterCollection();
const started = performance.now();
host = open();
const startMs = performance.now() - started;
if (host.size !== SESSIONS) throw new Error(`${host.size} sessions came back`);
const cold = (heapAfterCollection() - beforeStart) / SESSIONS;
await host.stop();

report('sessions-cold', {
  sessions: { value: SESSIONS, unit: '' },
  of_which_hot: { value: counters.sessionsHot, unit: '', target: HOT },
  cold_session_retained: { value: cold, unit: 'B', target: 500 },
  all_with_the_hot_ones: { value: warm / 1e6, unit: 'MB' },
  open_and_4_calls: { value: micros, unit: 'us' },
  call_without_log: { value: plainMicros, unit: 'us' },
  call_with_log: { value: loggedMicros, unit: 'us' },
  strict_call_50_at_once_wall: { value: strict.micros, unit: 'us' },
  strict_calls_for_each_sync: { value: strict.share, unit: '' },
  brought_back: { value: backMicros, unit: 'us', target: 2_000 },
  log: { value: counters.logBytes / 1e6, unit: 'MB' },
  start_reading_the_log: { value: startMs, unit: 'ms' },
});
