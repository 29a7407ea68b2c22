import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parsedAnswer, rawExchange, startTestServer, tokenOf } from '../../../test/servers.ts';
import type { StepRecord } from '../../trajectory/index.ts';
import type { HostedSession } from '../host/index.ts';
import type { RunningServer } from '../serve.ts';

let server: RunningServer;
let session: HostedSession;

beforeAll(async () => {
  server = await startTestServer({ services: ['notes', 'helpdesk'] });
});
afterAll(() => server.close());
beforeEach(async () => {
  session = await server.host.open();
});

function ask(path: string, init: RequestInit & { readonly service?: string } = {}): Promise<Response> {
  const { service = 'notes', headers, ...rest } = init;
  const authorization = `Bearer ${tokenOf(session, service)}`;
  return fetch(`${server.url}${path}`, { ...rest, headers: { authorization, ...headers } });
}

function steps(): readonly StepRecord[] {
  return session.episode.session.steps();
}

const NOTE = { notebook_id: 'book_1', title: 'One', body: 'Two' };

describe('routes', () => {
  it('are the operations, in the vendor’s words and statuses', async () => {
    const order = await ask('/orders/88213', { service: 'helpdesk' });
    expect(order.status).toBe(200);
    expect(order.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await order.json()).toMatchObject({ order_id: '88213' });
    const note = await ask('/notes', { method: 'POST', body: JSON.stringify(NOTE) });
    expect(note.status).toBe(201);
    expect((await ask('/notes/none')).status).toBe(404);
    expect(steps().map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['lookup_order', 'ok'],
      ['create_note', 'ok'],
      ['get_note', 'error'],
    ]);
  });

  it('that do not exist are the agent’s mistake, and scored', async () => {
    expect((await ask('/nowhere/x%2fy')).status).toBe(404);
    const wrongVerb = await ask('/notes/note_seed0001', { method: 'PUT', body: '{}' });
    expect(wrongVerb.status).toBe(404);
    expect(wrongVerb.headers.get('allow')).toBe('GET, HEAD, PATCH, DELETE, OPTIONS');
    expect(steps().map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['GET /nowhere/x%2fy', 'unknown-tool'],
      ['PUT /notes/note_seed0001', 'unknown-tool'],
    ]);
  });

  it('that are not well percent-encoded do not exist', async () => {
    const head = `GET /notes/%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`;
    const answer = await rawExchange(server.port, [
      `${head}authorization: Bearer ${tokenOf(session, 'notes')}\r\n\r\n`,
    ]);
    expect(parsedAnswer(answer)).toMatchObject({
      status: 404,
      body: { error: { code: 'unknown_operation' } },
    });
  });

  it('that the vendor has and the replica has not void the run', async () => {
    const { coverage } = server.host.source.services[0] ?? {};
    const absent = coverage?.find(({ http, status }) => status === 'absent' && http);
    expect(absent).toBeDefined();
    const path = absent?.http?.path.replaceAll(/\{\w+\}/gu, 'x') ?? '';
    await ask(path, { method: absent?.http?.method ?? '' });
    expect(steps()).toMatchObject([{ tool: absent?.operation, outcome: 'unmodelled' }]);
  });

  it('take HEAD as GET without its body, and say what they take to OPTIONS, which is no step', async () => {
    const head = await ask('/notes/note_seed0001', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
    expect(await head.text()).toBe('');
    const options = await fetch(`${server.url}/notes/note_seed0001`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([
      204,
      'GET, HEAD, PATCH, DELETE, OPTIONS',
    ]);
    expect(steps()).toHaveLength(1);
  });

  it('of names that lead elsewhere in a file system lead nowhere', async () => {
    const names = [
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e%2f',
      '....//',
      '..%5c..%5c',
      '%00',
      '__proto__',
      'constructor',
    ];
    for (const name of names) {
      const paths = [
        `/notes/${name}`,
        `/notes/${name}/open`,
        `/_groundhog/s/${name}/notes/notes`,
        `/${name}`,
      ];
      for (const path of paths) {
        const answer = await rawExchange(server.port, [
          `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${tokenOf(session, 'notes')}\r\n\r\n`,
        ]);
        expect([401, 404]).toContain(parsedAnswer(answer).status);
      }
    }
  });
});

describe('arguments', () => {
  it('in a query get the types that the operation wants, or stay text', async () => {
    expect(await (await ask('/notes?limit=1&tag=home')).json()).toMatchObject({ notes: [{}] });
    expect((await ask('/notes?limit=one')).status).toBe(422);
    expect((await ask('/notes?limit=1&limit=2')).status).toBe(422);
    expect(steps().map(({ input }) => input)).toEqual([
      { limit: 1, tag: 'home' },
      { limit: 'one' },
      { limit: ['1', '2'] },
    ]);
  });

  it.each([
    ['application/json', JSON.stringify(NOTE)],
    ['text/plain', JSON.stringify(NOTE)],
    ['application/x-www-form-urlencoded', JSON.stringify(NOTE)],
    ['application/x-www-form-urlencoded', new URLSearchParams(NOTE).toString()],
    ['application/json', `\uFEFF${JSON.stringify(NOTE)}`],
  ])('come in a body of type %s: %s', async (type, body) => {
    const response = await ask('/notes', { method: 'POST', body, headers: { 'content-type': type } });
    expect(response.status).toBe(201);
    expect(steps()[0]?.input).toEqual(NOTE);
  });

  it('come in a multipart form, files in base64', async () => {
    const form = new FormData();
    form.append('title', 'One');
    form.append('labels[]', 'a');
    form.append('labels[]', 'b');
    form.append('attachment', new Blob([Buffer.from([0, 255])], { type: 'image/png' }), 'a.png');
    await ask('/notes', { method: 'POST', body: form });
    expect(steps()[0]?.input).toEqual({
      title: 'One',
      labels: ['a', 'b'],
      attachment: { filename: 'a.png', contentType: 'image/png', content: 'AP8=' },
    });
  });

  it.each([
    ['malformed JSON', '{"notebook_id":', 'application/json'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'application/json'],
    ['JSON nested too deep', `${'[{"a":'.repeat(200)}1${'}]'.repeat(200)}`, 'application/json'],
    ['JSON nested absurdly deep', '['.repeat(500_000), 'application/json'],
    ['text', 'Dear Sir or Madam', 'text/plain'],
    ['markup', '<note/>', 'application/xml'],
    ['a form of too many parts', 'a=1&'.repeat(2_000), 'application/x-www-form-urlencoded'],
    ['a form nested too deep', `a${'[b]'.repeat(50)}=1`, 'application/x-www-form-urlencoded'],
    ['a form that names a prototype', '__proto__[polluted]=1', 'application/x-www-form-urlencoded'],
    ['multipart without a boundary', 'x', 'multipart/form-data'],
    [
      'multipart that never ends',
      '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1',
      'multipart/form-data; boundary=x',
    ],
  ])('that are %s get the vendor’s own answer', async (_what, body, type) => {
    const bytes = new Uint8Array(Buffer.from(body));
    const response = await ask('/notes', { method: 'POST', body: bytes, headers: { 'content-type': type } });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_input' } });
    expect(steps()).toMatchObject([{ tool: 'create_note', outcome: 'invalid-input' }]);
    expect(steps()[0]?.malformed).toBeTypeOf('string');
  });

  it('that name a prototype are data', async () => {
    const body = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    await ask('/notes?constructor=1&__proto__x=2', { method: 'POST', body });
    expect(Object.hasOwn(steps()[0]?.input as object, '__proto__')).toBe(true);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('in the path stand above those of body and query', async () => {
    await ask('/notes/note_seed0001/open?id=a', { method: 'POST', body: '{"id":"b","pin":"1"}' });
    expect(steps()[0]?.input).toEqual({ id: 'note_seed0001', pin: '1' });
  });

  it('beyond what JSON can hold, or too many, are malformed: the vendor says so', async () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 100_001 }, (_, key) => [key, 1])));
    for (const body of ['1e999', '{"title":-1E400}', `[${many}]`]) {
      const answer = await ask('/notes', { method: 'POST', body });
      expect([answer.status, await answer.json()]).toMatchObject([422, { error: { code: 'invalid_input' } }]);
    }
    expect(steps().map(({ outcome, malformed }) => [outcome, malformed?.slice(0, 5)])).toEqual([
      ['invalid-input', '1e999'],
      ['invalid-input', '{"tit'],
      ['invalid-input', '[{"0"'],
    ]);
  });

  it('that are JSON but no object are what they are', async () => {
    expect((await ask('/notes', { method: 'POST', body: '[1]' })).status).toBe(422);
    expect(steps()[0]?.input).toEqual([1]);
  });
});

describe('answers', () => {
  it('are packed for those who take it, and large', async () => {
    const packed = await ask('/orders?status=delivered', { service: 'helpdesk' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const plain = await ask('/orders?status=delivered', {
      service: 'helpdesk',
      headers: { 'accept-encoding': 'gzip;q=0, br' },
    });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await packed.json()).toEqual(await plain.json());
  });

  it('are the same to the last byte in every run: their date is the world’s', async () => {
    const bytes = async (): Promise<string> => {
      const own = await server.host.open();
      const head = `host: x\r\nauthorization: Bearer ${tokenOf(own, 'notes')}\r\nconnection: close\r\n`;
      const body = JSON.stringify(NOTE);
      const written = `POST /notes HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`;
      const read = `GET /notes HTTP/1.1\r\n${head}\r\n`;
      return [await rawExchange(server.port, [written]), await rawExchange(server.port, [read])].join('\n');
    };
    const first = await bytes();
    expect(first).toMatch(/date: Mon, 03 Mar 2025 09:00:00 GMT/u);
    expect(await bytes()).toBe(first);
  });

  it('that are lost never come, and the call has happened', async () => {
    await server.host.inject(session, [
      { id: 'lost', label: 'lost', match: { step: 0 }, effect: { kind: 'response-lost' } },
    ]);
    await expect(ask('/notes', { method: 'POST', body: JSON.stringify(NOTE) })).rejects.toThrow();
    expect(steps()).toMatchObject([{ outcome: 'ok', delivered: { lost: true } }]);
    expect((await ask('/notes')).status).toBe(200);
  });

  it('say that the episode is over in words that no vendor has', async () => {
    session = await server.host.open({ services: ['notes'], budgets: { calls: 1 } });
    await ask('/notes');
    for (const _again of [1, 2]) {
      const over = await ask('/notes');
      expect([over.status, over.headers.get('x-groundhog-ended')]).toEqual([503, 'budget-calls']);
      expect(await over.json()).toMatchObject({ error: { code: 'episode-over' } });
    }
    expect(steps()).toHaveLength(1);
  });

  it('are the errors of fault plans, in the vendor’s envelope', async () => {
    await server.host.inject(session, [
      { id: 'busy', label: 'busy', match: {}, effect: { kind: 'reject', status: 429, retryAfterSeconds: 7 } },
    ]);
    const busy = await ask('/notes');
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await busy.json()).toMatchObject({ error: { code: 'rate_limited' } });
  });
});
