import { beforeAll, describe, expect, it } from 'vitest';
import { servedSource } from '../../runner/served.ts';
import { type EnvironmentSource, SessionHost } from './index.ts';

let source: EnvironmentSource;
beforeAll(async () => {
  source = await servedSource({ services: ['notes', 'helpdesk'] });
});

const VIA = { door: 'rest' } as const;
const write = { tool: 'create_note', input: { notebook_id: 'book_1', title: 'one', body: 'x' } };

function hostOf(sessionsMost = 10): SessionHost {
  return new SessionHost({ source, sessionsMost, nowMs: () => 5_000 });
}

describe('a host', () => {
  it('gives each session tokens of its own, by service and actor, that open nothing else', async () => {
    const host = hostOf();
    const actors = [{ id: 'first' }, { id: 'second' }];
    const one = host.open({ services: ['notes', 'helpdesk'], actors });
    const other = host.open({ services: ['notes'] });
    expect(one.credentials.map(({ service, actor }) => [service, actor])).toEqual(
      actors.flatMap(({ id }) => [null, 'notes', 'helpdesk'].map((service) => [service, id])),
    );
    const all = [...one.credentials, ...other.credentials];
    expect(new Set(all.map(({ token }) => token)).size).toBe(8);
    for (const credential of all) expect(host.credential(credential.token)).toEqual(credential);
    expect(host.credential('hog_session_unknown')).toBeUndefined();
    const [own] = other.credentials;
    if (own) await host.call(other, write, { ...VIA, credential: own });
    expect([one, other].map((session) => host.summary(session).steps)).toEqual([0, 1]);
    await host.close(one);
    for (const { token } of one.credentials) expect(host.credential(token)).toBeUndefined();
    expect(() => host.summary(one)).toThrow(expect.objectContaining({ code: 'session-closed' }));
    expect(host.summary(other).steps).toBe(1);
  });

  it('has room for so many sessions, forks among them, and lists them page by page', async () => {
    const host = hostOf(3);
    const sessions = [host.open(), host.open()];
    const [first, second] = sessions;
    if (!first || !second) throw new Error('two sessions were opened');
    sessions.push(host.fork(first));
    const full = expect.objectContaining({ code: 'no-room' });
    expect(() => host.open()).toThrow(full);
    expect(() => host.fork(first)).toThrow(full);
    const ids = sessions.map(({ id }) => id);
    const page = (after?: string) =>
      host.list({ limit: 2, ...(after !== undefined && { after }) }).map(({ id }) => id);
    expect(page()).toEqual(ids.slice(0, 2));
    expect(page(ids[1])).toEqual(ids.slice(2));
    expect(page(ids[2])).toEqual([]);
    await host.close(second);
    expect(host.open().createdMs).toBe(5_000);
    expect(host.counters()).toMatchObject({
      sessionsOpen: 3,
      sessionsHot: 3,
      opened: 4,
      closed: 1,
      logBytes: 0,
    });
  });

  it('answers at once where nothing is logged', () => {
    const host = hostOf();
    const session = host.open();
    expect(host.call(session, write, VIA)).toMatchObject({ ok: true, step: 0 });
    expect(host.safe()).toBeUndefined();
    expect(host.callsOf(session)).toEqual([]);
  });
});
