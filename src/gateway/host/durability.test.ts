import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS_MOST, shelfSource } from '../../../test/shelf-service.ts';
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
  it('brings back what headers asked for, what was counted, and who called as nobody', async () => {
    const directory = newFolder();
    const options = { source: shelfSource };
    const host = start(directory, options);
    const session = host.open();
    const [own] = session.credentials;
    if (!own) throw new Error('a session has credentials');
    const input = { shelf: 'shelf-1', path: 'a/b.txt' };
    const call = { tool: 'papers.content', input };
    await host.call(session, { ...call, headers: { accept: 'text/plain' } }, VIA);
    await host.call(session, call, { ...VIA, credential: { ...own, actor: 'nobody' } });
    const before = traits(host, session);
    expect(before.lines.join()).toContain('"requestHeaders":{"accept":"text/plain"}');
    const later = await restarted(host, directory, options);
    expect(traits(later, again(later, session))).toEqual(before);
    const next = await later.call(again(later, session), { ...call, actor: 'nobody' }, VIA);
    expect(next.headers?.['x-calls-left']).toBe(String(CALLS_MOST - 2));
    await later.stop();
  });

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

  it('lets the user of a conversation, the end and the verdict be what they were', async () => {
    const chats = await servedSource({ scenarios: ['helpdesk/mind-refund-to-credit'] });
    const directory = newFolder();
    const options = { source: chats };
    let host = start(directory, options);
    const ended = host.open();
    const talking = host.open();
    for (const session of [ended, talking]) {
      await host.say(session, 'Hello, which order is it?');
      await host.call(session, { tool: 'lookup_order', input: { order_id: '88213' } }, VIA);
      await host.say(session, 'Shall I refund it?');
    }
    await host.end(ended, { reason: 'answer', answer: 'Nothing can be done.' });
    const before = [ended, talking].map((session) => traits(host, session));
    expect(before[0]?.finished?.end).toMatchObject({ reason: 'answer', messages: 5 });
    expect(ended.episode.verdict).toMatchObject({ success: false });
    const reply = await host.say(host.fork(talking), 'Really?');
    host = await restarted(host, directory, options);
    expect([ended, talking].map((session) => traits(host, again(host, session)))).toEqual(before);
    expect(await host.say(again(host, talking), 'Really?')).toEqual(reply);
    await host.rollback(again(host, ended), 0);
    expect(again(host, ended).episode).toMatchObject({ ended: null, finished: null, verdict: null });
    await host.stop();
  });

  it('lets the user be where it was at an earlier step, also of a session that came back from a snapshot', async () => {
    const chats = await servedSource({ scenarios: ['helpdesk/mind-refund-to-credit'] });
    const options = { source: chats, snapshotInputs: 2, hotMost: 1 };
    const host = start(newFolder(), options);
    const lookup = { tool: 'lookup_order', input: { order_id: '88213' } };
    const session = host.open();
    const other = host.open();
    await host.call(session, lookup, VIA);
    const { text: first } = (await host.say(session, 'Shall I refund it?')).reply ?? {};
    await host.rollback(session, 1);
    await host.call(session, lookup, VIA);
    await host.call(session, lookup, VIA);
    await host.say(session, 'Hm.');
    for (let index = 0; index < 4; index += 1) await host.call(session, lookup, VIA);
    const { text: second } = (await host.say(host.fork(session), 'Shall I refund it?')).reply ?? {};
    expect(second).not.toBe(first);
    for (const at of [5, 2, 1]) {
      host.summary(other);
      const { resumes } = host.counters();
      await host.rollback(session, at);
      expect(host.counters().resumes).toBe(resumes + 1);
      expect((await host.say(host.fork(session), 'Shall I refund it?')).reply?.text).toBe(second);
    }
    host.summary(other);
    await host.rollback(session, 0);
    expect((await host.say(session, 'Shall I refund it?')).reply?.text).toBe(first);
    await host.stop();
  });

  it('keeps the aliases of issued tokens: clients go on with theirs, the world with its own', async () => {
    const directory = newFolder();
    let host = start(directory);
    const session = host.open({ services: ['notes'] });
    const issued = await host.call(session, { tool: 'tokens.create', input: { scope: 'read' } }, VIA);
    const alias = String((issued.body as { access_token?: string }).access_token);
    const own = host.credential(alias)?.worldToken ?? '';
    expect(alias).not.toBe(own);
    expect(session.episode.session.world.table('notes.access_tokens').has(own)).toBe(true);
    const readOnly = host.credential(alias);
    host = await restarted(host, directory);
    expect(host.credential(alias)).toEqual(readOnly);
    const via = { ...VIA, ...(readOnly && { credential: readOnly }) };
    const refused = await host.call(again(host, session), write('no'), via);
    expect(refused.ok).toBe(false);
    const revoke = { tool: 'tokens.revoke', input: { access_token: alias } };
    expect((await host.call(again(host, session), revoke, VIA)).ok).toBe(true);
    const table = again(host, session).episode.session.world.table('notes.access_tokens');
    expect(table.get(own)?.revoked).toBe(true);
    await host.close(again(host, session));
    expect(host.credential(alias)).toBeUndefined();
    await host.stop();
  });

  it('refuses a session whose world is another one by now, and can still close it', async () => {
    const directory = newFolder();
    const host = start(directory);
    const changed = host.open({ services: ['notes'] });
    const gone = host.open({ services: ['helpdesk'] });
    await host.call(changed, write('one'), VIA);
    const other: EnvironmentSource = {
      ...source,
      open(request) {
        if (request.services?.includes('helpdesk')) return source.open({ scenario: 'nowhere' });
        const environment = source.open(request);
        const behaviour = { engine: 'newer', services: { notes: 'newer' } };
        return { ...environment, options: { ...environment.options, behaviour } };
      },
    };
    const back = await restarted(host, directory, { source: other });
    expect(again(back, changed)).toMatchObject({ request: { services: ['notes'] }, forkOf: undefined });
    expect(again(back, gone).credentials).toHaveLength(2);
    expect(back.counters()).toMatchObject({ rebuilds: 0, sessionsHot: 0 });
    for (const session of [changed, gone]) {
      const refusal = expect.objectContaining({ code: 'world-changed' });
      expect(() => back.summary(again(back, session))).toThrow(refusal);
      expect(() => back.call(again(back, session), write('two'), VIA)).toThrow(refusal);
      const { length } = back.list({ limit: 10 });
      await back.close(again(back, session));
      expect(back.list({ limit: 10 })).toHaveLength(length - 1);
    }
    await back.stop();
  });

  it('refuses a session that a replay brings elsewhere, whatever the code calls itself', async () => {
    const directory = newFolder();
    const host = start(directory);
    const session = host.open({ services: ['notes'] });
    await host.call(session, { tool: 'list_notes', input: {} }, VIA);
    await host.call(session, write('one'), VIA);
    const drifting: EnvironmentSource = {
      ...source,
      open(request) {
        const environment = source.open(request);
        const services = environment.services.map((service) => ({ ...service, latencyMs: [7] }));
        return { ...environment, services, options: { ...environment.options, services } };
      },
    };
    const back = await restarted(host, directory, { source: drifting });
    const refusal = { code: 'world-changed', message: expect.stringContaining('does not come out') };
    expect(() => back.summary(again(back, session))).toThrow(expect.objectContaining(refusal));
    await back.stop();
  });
});

describe('compaction', () => {
  it('as the server starts drops what is closed, and leaves a fork the past of its closed parent', async () => {
    const directory = newFolder();
    const state = { directory, durability: 'batch', compactBytes: 0, segmentBytes: 4_000 } as const;
    let host = start(directory, { state, snapshotInputs: 5 });
    const parent = host.open({ services: ['notes'] });
    for (let index = 0; index < 12; index += 1) await host.call(parent, write(`${index}`), VIA);
    const child = host.fork(parent, 9);
    await host.call(child, write('of the child'), VIA);
    for (let index = 0; index < 10; index += 1) {
      const gone = host.open({ services: ['notes'] });
      for (let step = 0; step < 12; step += 1) await host.call(gone, write(`${step}`), VIA);
      await host.close(gone);
    }
    const token = parent.credentials[0]?.token ?? '';
    await host.close(parent);
    const before = traits(host, child);
    const { logBytes } = host.counters();
    for (let restarts = 0; restarts < 3; restarts += 1) {
      host = await restarted(host, directory, { state, snapshotInputs: 5 });
      expect(host.counters().logBytes).toBeLessThan(logBytes / 3);
      expect(host.size).toBe(1);
      expect(host.credential(token)).toBeUndefined();
      expect(traits(host, again(host, child))).toEqual(before);
    }
    await host.rollback(again(host, child), 4);
    expect(again(host, child).episode.session.steps()).toHaveLength(4);
    await host.stop();
  });
});

describe('eviction', () => {
  it('keeps the newest in memory, and brings the others back as they were, from snapshots too', async () => {
    const directory = newFolder();
    const options = { hotMost: 4, snapshotInputs: 10 };
    const host = start(directory, options);
    const twins = start(newFolder());
    const sessions = Array.from({ length: 12 }, (_, index) => {
      const request = { services: ['notes'], seed: `${index}` };
      return { session: host.open(request), twin: twins.open(request) };
    });
    for (let round = 0; round < 25; round += 1) {
      for (const [index, { session, twin }] of sessions.entries()) {
        if ((round + index) % 3 === 0) continue;
        const made = await host.call(session, write(`${round % 7}`), VIA);
        expect(made).toEqual(await twins.call(twin, write(`${round % 7}`), VIA));
        if (round % 5 === 0) await host.wait(session, round);
        if (round % 5 === 0) await twins.wait(twin, round);
      }
    }
    const counters = host.counters();
    expect(counters).toMatchObject({ sessionsOpen: 12, calls: { rest: 200, mcp: 0 } });
    expect(counters.sessionsHot).toBeLessThanOrEqual(4);
    expect(counters.sessionsCold).toBe(12 - counters.sessionsHot);
    expect(counters.resumes).toBeGreaterThan(20);
    expect(counters.rebuilds).toBeGreaterThan(counters.resumes);
    const same = (one: SessionHost, session: HostedSession) => {
      const { lines, text, full, calls } = traits(one, session);
      return { lines, text, full, calls };
    };
    const expected = sessions.map(({ twin }) => same(twins, twin));
    expect(sessions.map(({ session }) => same(host, session))).toEqual(expected);
    const forks = sessions.map(({ session }) => host.fork(session, 9));
    const back = await restarted(host, directory, options);
    expect(sessions.map(({ session }) => same(back, again(back, session)))).toEqual(expected);
    for (const [index, { twin }] of sessions.entries()) {
      const fork = forks[index];
      if (fork) expect(same(back, again(back, fork))).toEqual(same(twins, twins.fork(twin, 9)));
      await back.rollback(again(back, sessions[index]?.session ?? twin), 2);
      await twins.rollback(twin, 2);
      expect(same(back, again(back, sessions[index]?.session ?? twin))).toEqual(same(twins, twin));
    }
    await back.stop();
    await twins.stop();
  });

  it('lets idle sessions go, and never those that no log has', async () => {
    let nowMs = 1_000;
    const host = start(newFolder(), { nowMs: () => nowMs, idleMs: 500, hotMost: 1 });
    const kept = host.open({ services: ['notes'] }, { ephemeral: true });
    const other = host.fork(kept);
    const idle = host.open({ services: ['notes'] });
    nowMs = 1_400;
    host.evictIdle();
    expect(host.counters()).toMatchObject({ sessionsHot: 3, sessionsCold: 0 });
    nowMs = 1_501;
    host.evictIdle();
    expect(host.counters()).toMatchObject({ sessionsHot: 2, sessionsCold: 1, evictions: 1 });
    await host.call(kept, write('one'), VIA);
    expect([kept, other, idle].map((session) => host.summary(session).steps)).toEqual([1, 0, 0]);
    expect({ created: idle.createdMs, touched: idle.touchedMs }).toEqual({ created: 1_000, touched: 1_501 });
    expect(host.callsOf(kept)).toEqual([]);
    await host.close(kept);
    await host.close(other);
    expect(host.counters()).toMatchObject({ sessionsOpen: 1, sessionsHot: 1, logBytes: expect.any(Number) });
    await host.stop();
  });
});

describe('strict', () => {
  it('answers a change once the log is on the disk, many with one sync', async () => {
    const directory = newFolder();
    const state = { directory, durability: 'strict' } as const;
    const host = start(directory, { state });
    const sessions = Array.from({ length: 20 }, () => host.open({ services: ['notes'] }));
    expect(await host.safe()).toBeUndefined();
    const { syncs } = host.counters();
    const answers = sessions.map((session) => host.call(session, write('one'), VIA));
    for (const answer of answers) expect(answer).toBeInstanceOf(Promise);
    expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
    expect(host.counters().syncs - syncs).toBe(1);
    await host.stop();
    expect(() => host.call(sessions[0] as HostedSession, write('two'), VIA)).toThrow(
      expect.objectContaining({ code: 'log-unavailable' }),
    );
  });

  it('without room: the change is refused and undone, what was there goes on, and works again later', () => {
    const directory = newFolder();
    const script = new URL('../../../test/crash/full-host.ts', import.meta.url).pathname;
    // No file may grow beyond 32 blocks of 512 bytes; the log then goes on in another one.
    const command = `ulimit -f 32; exec "${process.execPath}" "${script}" "${directory}"`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const said = JSON.parse(stdout) as Record<string, unknown>;
    expect(said).toMatchObject({
      refused: 'log-unavailable',
      openRefused: 'log-unavailable',
      openGone: true,
      aliasGone: true,
      stepsAfter: said.stepsBefore,
      fullAfter: said.fullBefore,
      tokenWorks: true,
      nextOk: true,
      restartedSteps: Number(said.stepsBefore) + 1,
    });
    expect(Number(said.stepsBefore)).toBeGreaterThan(3);
  });
});
