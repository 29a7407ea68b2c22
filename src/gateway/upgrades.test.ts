import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rawExchange, startTestServer } from '../../test/servers.ts';
import { openEnvDoor } from './openenv/index.ts';
import type { RunningServer } from './serve.ts';

let server: RunningServer;
const failures: object[] = [];

beforeAll(async () => {
  server = await startTestServer(
    { services: ['notes'] },
    {
      doors: (host) => [openEnvDoor(host)],
      log: (line) => {
        if ((line as { event?: string }).event === 'failure') failures.push(line);
      },
    },
  );
});
afterAll(() => server.close());

/** After whatever a test did, the server still answers, and nothing failed in it. */
afterEach(async () => {
  const response = await fetch(`${server.url}/_groundhog/health`);
  expect(await response.json()).toMatchObject({ status: 'healthy' });
  expect(failures).toEqual([]);
});

const UPGRADE = 'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n';
const KEY = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

describe('a WebSocket', () => {
  it.each([
    ['without a key', `${UPGRADE}sec-websocket-version: 13\r\n\r\n`],
    ['with a key that is none', `${UPGRADE}sec-websocket-version: 13\r\nsec-websocket-key: x\r\n\r\n`],
    [
      'of a version that nobody speaks',
      `${UPGRADE}sec-websocket-version: 99\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    ],
    ['by another verb', `${UPGRADE.replace('GET', 'POST')}${KEY}\r\n`],
  ])('%s is refused', async (_what, request) => {
    expect(await rawExchange(server.port, [request])).toMatch(/^HTTP\/1\.1 4\d\d /u);
  });

  it.each([
    ['not masked', Buffer.from([0x81, 0x02, 0x7b, 0x7d])],
    ['of an unknown kind', Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
    ['with reserved bits', Buffer.from([0xf1, 0x80, 0, 0, 0, 0])],
    [
      'of a length that nobody sends',
      Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
    ],
    ['that is text and no UTF-8', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])],
    ['with a control frame in pieces', Buffer.from([0x09, 0x80, 0, 0, 0, 0])],
    ['that goes on where nothing began', Buffer.from([0x80, 0x80, 0, 0, 0, 0])],
  ])('is closed when it sends a frame %s', async (_what, frame) => {
    const answer = await rawExchange(server.port, [`${UPGRADE}${KEY}\r\n`, frame]);
    expect(answer).toMatch(/^HTTP\/1\.1 101 /u);
  });
});
