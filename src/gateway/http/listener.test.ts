import { connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parsedAnswer, rawExchange, startTestServer, tokenOf } from '../../../test/servers.ts';
import type { HostedSession } from '../host/index.ts';
import type { RunningServer } from '../serve.ts';
import { DEFAULT_LIMITS, type Door, listen } from './index.ts';

const LIMITS = {
  ...DEFAULT_LIMITS,
  bodyBytesMost: 1024 * 1024,
  headersTimeoutMs: 800,
  requestTimeoutMs: 1_200,
};

let server: RunningServer;
let session: HostedSession;
let authorization: string;

beforeAll(async () => {
  server = await startTestServer({ services: ['notes'] }, { limits: LIMITS });
  session = await server.host.open();
  authorization = `Bearer ${tokenOf(session, 'notes')}`;
});
afterAll(() => server.close());

/** After whatever a test did, the server still answers. */
afterEach(async () => {
  const response = await fetch(`${server.url}/_groundhog/health`);
  expect(await response.json()).toMatchObject({ status: 'healthy' });
});

function post(body: Buffer | string, headers: Record<string, string> = {}): Promise<Response> {
  const init = {
    method: 'POST',
    headers: { authorization, ...headers },
    body: new Uint8Array(Buffer.from(body)),
  };
  return fetch(`${server.url}/notebooks`, init);
}

async function raw(...parts: (string | Buffer)[]): Promise<{ status: number; code: string }> {
  const { status, body } = parsedAnswer(await rawExchange(server.port, parts));
  return { status, code: (body as { error: { code: string } }).error.code };
}

describe('bodies', () => {
  it('of 50 MB are refused before they are read', async () => {
    const steps = session.episode.session.stepCount;
    const response = await post(Buffer.alloc(50 * 1024 * 1024, 'x'));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { code: 'body-too-large' } });
    expect(response.headers.get('connection')).toBe('close');
    expect(session.episode.session.stepCount).toBe(steps);
  });

  it('too large in chunks are refused where they exceed the limit', async () => {
    const chunk = `40000\r\n${'x'.repeat(0x40000)}\r\n`;
    const head = `POST /notebooks HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`;
    const answer = await raw(
      `${head}transfer-encoding: chunked\r\n\r\n`,
      ...Array.from({ length: 8 }, () => chunk),
    );
    expect(answer).toEqual({ status: 413, code: 'body-too-large' });
  });

  it('are refused before the client sends them, when it asks first', async () => {
    const head = `POST /notebooks HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n`;
    const answer = await rawExchange(server.port, [`${head}content-length: 99999999\r\n\r\n`]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /u);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const)('packed as %s are unpacked', async (coding, pack) => {
    const name = `${coding} ${pack.name} ${session.episode.session.stepCount}`;
    const response = await post(pack(JSON.stringify({ name })), { 'content-encoding': coding });
    expect(await response.json()).toMatchObject({ name });
  });

  it('that unpack to more than the limit are refused', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(LIMITS.bodyBytesMost);
    expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
    const twice = gzipSync(bomb);
    expect((await post(twice, { 'content-encoding': 'gzip, gzip' })).status).toBe(413);
  });

  it('that are not what they say, or packed in unknown ways, are refused', async () => {
    expect((await post('{}', { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await post('{}', { 'content-encoding': 'zip' })).status).toBe(415);
    expect((await post('{}', { 'content-encoding': 'constructor' })).status).toBe(415);
    expect((await post('{}', { 'content-encoding': 'br, gzip, br' })).status).toBe(415);
  });
});

describe('bad HTTP', () => {
  it('that is none is told so', async () => {
    expect(await raw('what is this?\r\n\r\n')).toEqual({ status: 400, code: 'bad-http' });
    expect(await raw(Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc]))).toEqual({
      status: 400,
      code: 'bad-http',
    });
  });

  it('with headers that are too large', async () => {
    const long = 'x'.repeat(20_000);
    expect(await raw(`GET / HTTP/1.1\r\nhost: x\r\nlong: ${long}\r\n\r\n`)).toEqual({
      status: 431,
      code: 'headers-too-large',
    });
  });

  it('without a host', async () => {
    expect(await raw('GET / HTTP/1.1\r\n\r\n')).toEqual({ status: 400, code: 'no-host' });
  });

  it('with two lengths, or a length and chunks', async () => {
    const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n';
    expect((await raw(`${head}content-length: 2\r\n\r\nx`)).status).toBe(400);
    expect((await raw(`${head}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`)).status).toBe(400);
  });

  it('asks for a tunnel', async () => {
    expect(await raw('CONNECT api.notes.example:443 HTTP/1.1\r\nhost: x\r\n\r\n')).toEqual({
      status: 405,
      code: 'no-proxy',
    });
  });

  it('expects what nobody promised', async () => {
    const answer = await rawExchange(server.port, [
      'GET / HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\nconnection: close\r\n\r\n',
    ]);
    expect(parsedAnswer(answer)).toMatchObject({ status: 417 });
  });
});

describe('slow clients', () => {
  it('that never end their headers get 408', async () => {
    expect(await raw('GET / HTTP/1.1\r\nhost: x\r\n')).toEqual({ status: 408, code: 'too-slow' });
  });

  it('that say nothing at all are not kept', async () => {
    expect((await raw()).status).toBe(408);
  });

  it('that never end their body get 408', async () => {
    const head = `POST /notebooks HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`;
    expect(await raw(`${head}content-length: 10\r\n\r\n{`)).toEqual({ status: 408, code: 'too-slow' });
  });

  it('that go away in the middle of a body leave nothing behind', async () => {
    const steps = session.episode.session.stepCount;
    const socket = connect(server.port, '127.0.0.1');
    const head = `POST /notebooks HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`;
    socket.write(`${head}content-length: 10\r\n\r\n{`, () => socket.destroy());
    await new Promise((resolve) => socket.once('close', resolve));
    expect(session.episode.session.stepCount).toBe(steps);
  });
});

describe('clients that do not read', () => {
  const large = 'x'.repeat(256 * 1024);
  const door: Door = {
    name: 'large',
    async handle({ response }) {
      response.end(large);
    },
  };
  const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

  it('get no more than so many answers at a time, and are told so', async () => {
    const own = await listen([door], { limits: { ...LIMITS, pipelinedMost: 4 } });
    const text = await rawExchange(own.port, [request.repeat(1_000)]);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/gu)].map(([, status]) => status);
    // The first is not behind another one. The connection closes with the first that was refused.
    expect(statuses).toEqual(['200', '200', '200', '200', '200', '503']);
    expect(own.counts.get('large 200')).toBe(5);
    await own.close();
  });

  it('are not waited for', async () => {
    const own = await listen([door], { limits: { ...LIMITS, stalledTimeoutMs: 100 } });
    const socket = connect(own.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    // More than the system takes on its way.
    socket.write(request.repeat(30));
    await vi.waitFor(() => expect(own.connections).toBe(1));
    await vi.waitFor(() => expect(own.connections).toBe(0), 5_000);
    socket.destroy();
    await own.close();
  });
});

describe('upgrades', () => {
  const UPGRADE = 'connection: Upgrade\r\nupgrade: websocket\r\n';

  it('where there is no WebSocket are refused', async () => {
    expect(await raw(`GET /nowhere HTTP/1.1\r\nhost: x\r\n${UPGRADE}\r\n`)).toEqual({
      status: 404,
      code: 'no-websocket',
    });
  });

  it('to another protocol are ignored: the request is answered as it stands', async () => {
    const answer = await rawExchange(server.port, [
      'GET /_groundhog/health HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\n\r\n',
    ]);
    expect(parsedAnswer(answer)).toMatchObject({ status: 200, body: { status: 'healthy' } });
  });
});

describe('a listener', () => {
  let arrived = (): void => {};
  const slow: Door = {
    name: 'slow',
    handle: ({ response, path }) => {
      arrived();
      if (path === '/throws') throw new Error('a fault of ours');
      if (path === '/rejects') return Promise.reject(new Error('a fault of ours'));
      if (path !== '/slow') return null;
      return new Promise((resolve) => {
        setTimeout(() => {
          response.end('done');
          resolve();
        }, 100);
      });
    },
  };

  it('answers 500 when a door fails, in one line, and goes on', async () => {
    const failures: string[] = [];
    const failed = (error: unknown, door: string): number =>
      failures.push(`${door}: ${(error as Error).message}`);
    const listening = await listen([slow], { failed });
    for (const path of ['/throws', '/rejects']) {
      const response = await fetch(`${listening.url}${path}`);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('a fault of ours');
    }
    expect(failures).toEqual(['slow: a fault of ours', 'slow: a fault of ours']);
    expect((await fetch(`${listening.url}/other`)).status).toBe(404);
    expect(Object.fromEntries(listening.counts)).toEqual({ 'slow 500': 2, 'listener 404': 1 });
    await listening.close();
  });

  it('lets what is under way end as it closes, and takes nothing new', async () => {
    const listening = await listen([slow]);
    const here = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const answer = fetch(`${listening.url}/slow`).then((response) => response.text());
    await here;
    const closed = listening.close();
    expect(await answer).toBe('done');
    await closed;
    await expect(fetch(`${listening.url}/slow`)).rejects.toThrow();
  });

  it('refuses connections beyond the most it takes', async () => {
    const listening = await listen([slow], { limits: { ...DEFAULT_LIMITS, socketsMost: 2 } });
    const held = [connect(listening.port), connect(listening.port)];
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    const { status } = parsedAnswer(await rawExchange(listening.port, ['GET / HTTP/1.1\r\nhost: x\r\n\r\n']));
    expect(status).toBe(503);
    for (const socket of held) socket.destroy();
    await listening.close();
  });

  it('takes a whole URL and a star for a path', async () => {
    const whole =
      'GET http://api.notes.example/slow?x=1 HTTP/1.1\r\nhost: other\r\nconnection: close\r\n\r\n';
    const listening = await listen([slow]);
    expect(await rawExchange(listening.port, [whole])).toContain('done');
    const star = 'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    expect(parsedAnswer(await rawExchange(listening.port, [star])).status).toBe(404);
    await listening.close();
  });
});
