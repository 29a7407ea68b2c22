import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parsedAnswer, rawExchange, startTestServer, tokenOf } from '../../../test/servers.ts';
import { SHELF_ORIGIN, shelfSource } from '../../../test/shelf-service.ts';
import type { StepRecord } from '../../trajectory/index.ts';
import type { HostedSession } from '../host/index.ts';
import type { RunningServer } from '../serve.ts';
import { Origins } from './origins.ts';

/** What a vendor's own HTTP needs of the door, on a service that uses all of it. */

let server: RunningServer;
let session: HostedSession;

beforeAll(async () => {
  server = await startTestServer(shelfSource);
});
afterAll(() => server.close());
beforeEach(async () => {
  session = await server.host.open();
});

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const authorization = `Bearer ${tokenOf(session, 'shelf')}`;
  return fetch(`${server.url}${path}`, { ...init, headers: { authorization, ...init.headers } });
}

function steps(): readonly StepRecord[] {
  return session.episode.session.steps();
}

function inputs(): unknown[] {
  return steps().map(({ input }) => input);
}

const PAPER = '/shelves/shelf-1/papers/a/b.txt';

describe('request headers', () => {
  it('reach the operation and the record, as the protocol picks them', async () => {
    const first = await ask(PAPER, { headers: { accept: 'x/y', 'x-other': '1' } });
    expect([first.status, first.headers.get('x-accept')]).toEqual([200, 'x/y']);
    expect(first.headers.get('content-type')).toBe('application/shelf+json');
    const etag = first.headers.get('etag') ?? '';
    const again = await ask(PAPER, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect([again.headers.get('content-type'), again.headers.get('x-calls-left')]).toEqual([null, '48']);
    expect((await ask(PAPER, { headers: { 'x-mood': 'bad' } })).status).toBe(403);
    expect(steps().map(({ requestHeaders }) => requestHeaders)).toEqual([
      { accept: 'x/y' },
      { 'if-none-match': etag },
      { 'x-mood': 'bad' },
    ]);
  });

  it('complete the answer to a name that nobody has', async () => {
    const answer = await ask('/nowhere');
    expect([answer.status, answer.headers.get('x-called')]).toEqual([404, 'nothing']);
  });
});

describe('routes', () => {
  it('by other paths give the same inputs', async () => {
    expect((await ask('/by-shelf/1/a/b.txt')).status).toBe(200);
    await ask(PAPER);
    expect(inputs()).toEqual(Array(2).fill({ path: 'a/b.txt', shelf: 'shelf-1' }));
  });

  it('tell upper from lower case', async () => {
    expect((await ask(PAPER.replace('papers', 'Papers'))).status).toBe(404);
    expect(steps()[0]?.outcome).toBe('unknown-tool');
  });
});

describe('bodies', () => {
  it('that are no object go to the input that takes them, beside path and query', async () => {
    const set = await ask('/shelves/shelf-1/labels/a/b.txt?color=red', { method: 'PUT', body: '["x"]' });
    expect([set.status, await set.json()]).toEqual([200, ['x']]);
    await ask('/shelves/shelf-1/labels/a/b.txt', { method: 'PUT', body: '{"labels": []}' });
    expect(inputs()).toEqual([
      { color: 'red', labels: ['x'], path: 'a/b.txt', shelf: 'shelf-1' },
      { labels: [], path: 'a/b.txt', shelf: 'shelf-1' },
    ]);
  });

  it.each([
    ['image/png', Buffer.from([0, 255, 10])],
    ['application/json', Buffer.from('{"a": 1}')],
    ['multipart/form-data; boundary=x', Buffer.from('not really')],
    ['', Buffer.alloc(0)],
  ])('of type %s go as they came where the file is the body', async (type, body) => {
    const headers = type === '' ? {} : { 'content-type': type };
    const put = await ask('/shelves/s/contents/f?name=n', { method: 'PUT', body, headers });
    expect(put.status).toBe(201);
    const content = body.toString('base64');
    const typed = type === '' ? {} : { content_type: type };
    expect(inputs()).toEqual([{ content, ...typed, name: 'n', path: 'f', shelf: 's' }]);
    const back = await ask('/shelves/s/contents/f');
    expect(Buffer.from(await back.arrayBuffer())).toEqual(body);
    expect(back.headers.get('content-type')).toBe(type || 'application/octet-stream');
    expect(back.headers.get('content-length')).toBe(String(body.length));
  });

  it('have their limit also where they go as they came', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1);
    const put = ask('/shelves/s/contents/f', { method: 'PUT', body });
    expect((await put).status).toBe(413);
    expect(steps()).toHaveLength(0);
  });
});

describe('answers', () => {
  it('are text where they are', async () => {
    const got = await ask('/shelves/shelf-1/contents/a/b.txt', { headers: { accept: 'text/plain' } });
    expect(got.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await got.text()).toBe('content of a/b.txt: ü');
    expect(steps()[0]?.response).toBe('content of a/b.txt: ü');
  });

  it('have neither body nor type where there is nothing to say, whatever the status', async () => {
    const [known, unknown] = [await ask('/shelves/shelf-1/known/a/b.txt'), await ask('/shelves/s/known/x')];
    expect([known.status, unknown.status]).toEqual([204, 404]);
    for (const answer of [known, unknown]) {
      expect(answer.headers.get('content-type')).toBeNull();
      expect(await answer.text()).toBe('');
    }
    expect([known.headers.get('content-length'), unknown.headers.get('content-length')]).toEqual([null, '0']);
  });

  it('to HEAD are those to GET without their body', async () => {
    for (const path of [PAPER, '/shelves/shelf-1/contents/a/b.txt', '/shelves/s/known/x']) {
      const head = await ask(path, { method: 'HEAD' });
      const got = await ask(path);
      expect([head.status, await head.text()]).toEqual([got.status, '']);
      expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
    }
  });
});

describe('URLs in answers', () => {
  const note = `see "${SHELF_ORIGIN}/x"`;

  it('lead back to where the client is', async () => {
    const answer = await ask(PAPER);
    expect(await answer.json()).toEqual({ url: server.url + PAPER, labels: ['old'], note });
    const put = await ask('/shelves/s/contents/f', { method: 'PUT', body: 'x' });
    expect(put.headers.get('location')).toBe(`${server.url}/f`);
    expect(steps()[0]?.response).toMatchObject({ url: SHELF_ORIGIN + PAPER });
  });

  it('hold the prefix that the client came by', async () => {
    const prefix = `/_groundhog/s/${tokenOf(session, null)}/shelf`;
    const answer = await (await fetch(server.url + prefix + PAPER)).json();
    expect(answer).toMatchObject({ url: server.url + prefix + PAPER });
    expect((await fetch((answer as { url: string }).url)).status).toBe(200);
  });

  it('stay the vendor’s for who came by the vendor’s name', async () => {
    const head = `GET ${PAPER} HTTP/1.1\r\nhost: api.shelf.example\r\nconnection: close\r\n`;
    const authorization = `authorization: Bearer ${tokenOf(session, 'shelf')}\r\n\r\n`;
    const answer = parsedAnswer(await rawExchange(server.port, [head + authorization]));
    expect(answer.body).toMatchObject({ url: SHELF_ORIGIN + PAPER });
  });

  it('are found at the beginning of values, nowhere else', () => {
    const origins = new Origins(['https://a.b', 'https://up.a.b']);
    const body = {
      'https://a.b/name': 1,
      one: 'https://a.b',
      list: ['https://up.a.b/x', 'https://a.b{/y}', 'https://a.b?q'],
      other: ['https://a.bc/', 'https://a.b.c/', 'x https://a.b/', '"https://a.b/"', 'https://axb/'],
      'https://a.b/last': ['\\', 'https://a.b/"\\'],
    };
    const text = origins.inBody(JSON.stringify(body), 'http://h:1/"');
    expect(JSON.parse(text)).toEqual({
      ...body,
      one: 'http://h:1/"',
      list: ['http://h:1/"/x', 'http://h:1/"{/y}', 'http://h:1/"?q'],
      'https://a.b/last': ['\\', 'http://h:1/"/"\\'],
    });
    expect(JSON.parse(origins.inBody('"https://a.b/x"', 'http://h'))).toBe('http://h/x');
    const link = '<https://a.b/x?page=2>; rel="next", <https://a.b.c/>; rel="last"';
    expect(origins.inHeader(link, 'http://h')).toBe(
      '<http://h/x?page=2>; rel="next", <https://a.b.c/>; rel="last"',
    );
  });
});

describe('who calls', () => {
  it('is found by each word for a token, and as the password', async () => {
    const token = tokenOf(session, 'shelf');
    const basic = Buffer.from(`someone:${token}`).toString('base64');
    for (const authorization of [`Bearer ${token}`, `token ${token}`, `Token ${token}`, `Basic ${basic}`]) {
      expect((await ask(PAPER, { headers: { authorization } })).status).toBe(200);
    }
    for (const authorization of ['token nonsense', 'Basic bm9uZQ==', 'Digest x']) {
      const { status } = await ask(PAPER, { headers: { authorization } });
      expect(status).toBe(401);
    }
    expect(steps()).toHaveLength(4);
  });

  it('is nobody where the request says so, on a session that is chosen otherwise', async () => {
    const [own, ours] = [tokenOf(session, 'shelf'), tokenOf(session, null)];
    const anonymous = { 'x-groundhog-actor': 'anonymous' };
    const url = `${server.url}/_groundhog/s/${ours}/shelf${PAPER}`;
    const status = async (at: string, headers: Record<string, string>) =>
      (await fetch(at, { headers })).status;
    expect(await status(url, {})).toBe(200);
    expect(await status(url, anonymous)).toBe(200);
    expect(await status(server.url + PAPER, { ...anonymous, 'x-groundhog-session': ours })).toBe(200);
    expect(await status(url, { ...anonymous, authorization: `token ${own}` })).toBe(200);
    expect(await status(url, { ...anonymous, authorization: 'token nonsense' })).toBe(401);
    expect(await status(server.url + PAPER, anonymous)).toBe(401);
    expect(steps().map(({ actor }) => actor)).toEqual(['agent', 'nobody', 'nobody', 'agent']);
  });
});
