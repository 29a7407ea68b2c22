import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servedSource } from '../../runner/served.ts';
import { type EnvironmentSource, type HostedSession, type HostOptions, SessionHost } from './index.ts';

const root = mkdtempSync(join(tmpdir(), 'groundhog-host-'));
afterAll(() => rmSync(root, { recursive: true }));

let source: EnvironmentSource;
let folders = 0;
beforeAll(async () => {
  source = await servedSource({ services: ['notes', 'helpdesk'] });
});

function newFolder(): string {
  folders += 1;
  return join(root, `state-${folders}`);
}

function start(directory: string, options: Partial<HostOptions> = {}): SessionHost {
  const state = { directory, durability: 'batch' } as const;
  return new SessionHost({ source, sessionsMost: 1_000, nowMs: Date.now, state, ...options });
}

const VIA = { door: 'rest' } as const;
const write = (title: string) => ({
  tool: 'create_note',
  input: { notebook_id: 'book_1', title, body: 'x', request_key: `key ${title}` },
});

/** What a session is: everything that a client could tell it by. */
function traits(host: SessionHost, session: HostedSession) {
  const { episode, credentials, request, createdMs } = session;
  return {
    ...host.summary(session),
    lines: episode.session.steps().map((step) => JSON.stringify(step)),
    text: episode.asIfEnded('done').text,
    verdict: episode.asIfEnded('done').verdict,
    finished: episode.finished,
    calls: host.callsOf(session),
    credentials,
    request,
    createdMs,
  };
}

async function restarted(host: SessionHost, directory: string, options: Partial<HostOptions> = {}) {
  await host.stop();
  return start(directory, options);
}

function again(host: SessionHost, session: HostedSession): HostedSession {
  const found = host.session(session.id);
  if (!found) throw new Error(`${session.id} is gone`);
  return found;
}

describe('a restart', () => {
  it('brings every kind of input back, forks with their shared past, and closes what was closed', async () => {
    const directory = newFolder();
    const host = start(directory);
    const session = host.open({ services: ['notes'], seed: 'a' });
    const token = session.credentials[1]?.token ?? '';
    await host.call(session, write('one'), { ...VIA, trace: { traceparent: '00-1-2-01' } });
    await host.checkpoint(session, '__proto__');
    const early = host.fork(session);
    await host.wait(session, 5_000);
    await host.call(session, write('two'), { door: 'mcp' });
    await host.inject(session, [
      { id: 'busy', match: {}, effect: { kind: 'reject', status: 503, retryAfterSeconds: 3 }, label: 'busy' },
    ]);
    const joined = await host.join(session, [{ id: 'second' }]);
    await host.call(session, write('three'), joined[0] ? { ...VIA, credential: joined[0] } : VIA);
    await host.call(session, write('four'), VIA);
    await host.rollback(session, 3);
    await host.wait(session, 100);
    const late = host.fork(session, 2);
    const waiting = host.fork(session);
    await host.call(late, write('late'), VIA);
    await host.call(early, write('early'), VIA);
    await host.call(session, write('five'), VIA);
    const gone = host.open();
    await host.close(gone);
    const all = [session, early, late, waiting];
    const before = all.map((one) => traits(host, one));
    const back = await restarted(host, directory);
    expect(back.size).toBe(4);
    expect(back.credential(gone.credentials[0]?.token ?? '')).toBeUndefined();
    expect(all.map((one) => traits(back, again(back, one)))).toEqual(before);
    expect(back.credential(token)).toMatchObject({ session: session.id, service: 'notes', actor: 'agent' });
    expect(back.credential(joined[1]?.token ?? '')).toMatchObject({ actor: 'second' });
    expect(traits(back, again(back, waiting)).calls.map(({ door }) => door)).toEqual(['rest', 'mcp', 'rest']);
    await back.stop();
  });
});
