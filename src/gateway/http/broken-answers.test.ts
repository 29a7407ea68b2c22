import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawExchange, startTestServer, tokenOf } from '../../../test/servers.ts';
import type { FaultRule } from '../../faults/index.ts';
import type { HostedSession } from '../host/index.ts';
import { type RunningServer, startServer } from '../serve.ts';

/** What breaks on the way goes out as broken as a plan has it. */

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer({ services: ['notes', 'helpdesk', 'github'] });
});
afterAll(() => server.close());

function opened(effect: FaultRule['effect'], service = 'notes'): HostedSession {
  const rule: FaultRule = { id: 'fault', label: 'fault', match: {}, effect };
  return server.host.open({ services: [service], faults: { rules: [rule] } });
}

function ask(session: HostedSession, path: string, init: RequestInit = {}): Promise<Response> {
  const service = session.episode.environment.services[0]?.name ?? '';
  const headers = {
    authorization: `Bearer ${tokenOf(session, service)}`,
    'user-agent': 'test',
    ...init.headers,
  };
  return fetch(`${server.url}${path}`, { ...init, headers });
}

/** The error that a connection ends with; null where it is closed in peace. */
function endOf(session: HostedSession, path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    let code: string | null = null;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code ?? 'unknown';
    });
    socket.on('close', () => resolve(code));
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tokenOf(session, 'notes')}\r\n\r\n`,
    );
    socket.resume();
  });
}

describe('connections', () => {
  it('are closed where an answer is lost, and reset where they break', async () => {
    expect(await endOf(opened({ kind: 'response-lost' }), '/notes')).toBeNull();
    const session = opened({ kind: 'connection-reset' });
    expect(await endOf(session, '/notes')).toBe('ECONNRESET');
    expect(session.episode.session.steps()).toMatchObject([
      { status: 504, delivered: { lost: true, reset: true }, fault: { kind: 'connection-reset', hit: 1 } },
    ]);
    expect((await ask(session, '/notes')).status).toBe(200);
  });
});

describe('bodies', () => {
  it.each(['notes', 'github'])('that are no JSON say that they are (%s)', async (service) => {
    const path = service === 'notes' ? '/notes' : '/repos/octo-works/lamp';
    const session = opened({ kind: 'body-malformed' }, service);
    const answer = await ask(session, path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    const text = await answer.text();
    expect(text.endsWith(',<html>')).toBe(true);
    expect(() => JSON.parse(text)).toThrow();
    expect(await (await ask(session, path)).json()).toBeTruthy();
  });

  it('that are cut are as long as they say, so that nothing else is wrong', async () => {
    const session = opened({ kind: 'body-truncated', keep: 20 });
    const raw = await rawExchange(server.port, [
      `GET /notes HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${tokenOf(session, 'notes')}\r\n\r\n`,
    ]);
    const [head = '', body = ''] = raw.split('\r\n\r\n');
    expect(head).toContain('content-length: 20');
    expect(body).toHaveLength(20);
    expect(await (await ask(session, '/notes')).json()).toMatchObject({ notes: expect.anything() });
  });

  it('that are empty are so', async () => {
    const answer = await ask(opened({ kind: 'body-empty' }), '/notes');
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '0',
      '',
    ]);
  });

  it('cannot break where there is none: the fault waits for one', async () => {
    const session = opened({ kind: 'body-malformed' }, 'github');
    expect((await ask(session, '/user/starred/octo-works/lamp', { method: 'PUT' })).status).toBe(204);
    await (await ask(session, '/user')).text();
    expect(session.episode.session.steps().map(({ fault }) => fault?.kind ?? null)).toEqual([
      null,
      'body-malformed',
    ]);
  });
});

describe('slow bodies', () => {
  const SLOW = { kind: 'body-slow', durationMs: 400 } as const;

  it('take virtual time alone', async () => {
    const session = opened(SLOW);
    const before = performance.now();
    expect((await ask(session, '/notes')).status).toBe(200);
    expect(performance.now() - before).toBeLessThan(300);
    const [step] = session.episode.session.steps();
    expect(step?.clock).toBeGreaterThanOrEqual(400);
    expect(step?.delivered).toBeUndefined();
  });

  it('come in piece by piece behind their headers at a door that paces', async () => {
    const paced = await startServer(server.host, { pace: 'real' });
    const session = opened(SLOW);
    const answer = await fetch(`${paced.url}/notes`, {
      headers: { authorization: `Bearer ${tokenOf(session, 'notes')}` },
    });
    const headersMs = performance.now();
    const pieces: number[] = [];
    for await (const piece of answer.body ?? []) pieces.push(piece.length);
    expect(performance.now() - headersMs).toBeGreaterThan(300);
    expect(pieces.length).toBeGreaterThan(3);
    await paced.close();
  });
});
