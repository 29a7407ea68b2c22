import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Door, listen } from './index.ts';
import type { Listening } from './listener.ts';
import { answerDelivery } from './respond.ts';

const SENT: Readonly<Record<string, string>> = {
  plain: 'a, b\tc',
  accent: 'caf\u00e9',
  beyond: '\u2713 done',
  split: 'x\r\nset-cookie: a=b\0',
  lone: '\ud800',
};

let server: Listening;
beforeAll(async () => {
  const door: Door = {
    name: 'test',
    async handle({ raw, response, path }) {
      const body = path === '/packed' ? 'x'.repeat(2_000) : '';
      await answerDelivery(raw, response, { delivery: { status: 200, body, headers: SENT } });
    },
  };
  server = await listen([door]);
});
afterAll(() => server.close());

describe('headers of an answer', () => {
  it.each(['/', '/packed'])('at %s are sent whatever a world put into them', async (path) => {
    const { status, headers } = await fetch(server.url + path);
    expect([status, headers.get('content-encoding')]).toEqual([200, path === '/' ? null : 'gzip']);
    expect(Object.keys(SENT).map((name) => headers.get(name))).toEqual([
      'a, b\tc',
      'caf%C3%A9',
      '%E2%9C%93 done',
      'x%0D%0Aset-cookie: a=b%00',
      '%EF%BF%BD',
    ]);
    expect(headers.get('set-cookie')).toBeNull();
  });
});
