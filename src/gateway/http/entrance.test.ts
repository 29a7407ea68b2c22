import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestServer, tokenOf } from '../../../test/servers.ts';
import {
  defineErrors,
  defineSchema,
  defineService,
  operationFor,
  PLAIN_ERRORS,
  plainProtocol,
  type Service,
  type TokenPlace,
} from '../../service/index.ts';
import { seedWorld } from '../../service/seed.ts';
import type { EnvironmentSource, HostedSession } from '../host/index.ts';
import type { RunningServer } from '../serve.ts';

const errors = defineErrors({ ...PLAIN_ERRORS });
const schema = defineSchema({});
const operation = operationFor(schema, errors);

/** A service that says who calls, and takes its token in one place only. */
function echo(name: string, places: readonly TokenPlace[]): Service {
  const say = operation({
    id: `${name}.say`,
    summary: 'Gives back what it was given.',
    effect: 'read',
    http: { method: 'POST', path: `/${name}/{rest*}` },
    input: z.looseObject({}),
    output: z.unknown(),
    example: {},
    errors: [],
    run: (ctx, input) => ({ actor: ctx.actor.id, input }),
  });
  return defineService({
    name,
    version: '1.0.0',
    summary: 'An echo.',
    schema,
    errors,
    operations: [say],
    tools: [],
    protocol: plainProtocol(errors),
    access: {
      hosts: [`${name}.example`],
      environment: [],
      token: { prefix: `${name}-`, length: 32 },
      places,
    },
    coverage: [],
    epochMs: 0,
    seeds: { small: () => undefined },
  });
}

const services = [
  echo('scheme', [{ in: 'authorization', scheme: 'token' }]),
  echo('user', [{ in: 'basic', part: 'user' }]),
  echo('password', [{ in: 'basic', part: 'password' }]),
  echo('header', [{ in: 'header', name: 'X-Api-Key' }]),
  echo('query', [{ in: 'query', name: 'api_key' }]),
  echo('body', [{ in: 'body', name: 'token' }]),
];

const source: EnvironmentSource = {
  choices: [],
  defaults: {},
  services,
  open: (request) => ({
    name: 'echo',
    services,
    options: {
      services,
      world: seedWorld(services.map((service) => ({ service, seed: 'small' as const }))),
      seeds: {},
      streamSeed: 'echo',
      epochMs: 0,
      behaviour: { engine: 'test', services: {} },
      actors: request.actors ?? [{ id: 'ann' }, { id: 'ben' }],
    },
    task: null,
    policy: '',
    user: null,
    score: null,
  }),
};

let server: RunningServer;
let session: HostedSession;

beforeAll(async () => {
  server = await startTestServer(source);
});
afterAll(() => server.close());
beforeEach(async () => {
  session = await server.host.open();
});

interface Shown {
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly body?: string;
}

async function post(path: string, { headers = {}, query = '', body = '' }: Shown) {
  const response = await fetch(`${server.url}${path}${query}`, {
    method: 'POST',
    headers,
    ...(body !== '' && { body }),
  });
  return {
    status: response.status,
    body: (await response.json()) as { actor?: string; input?: object; error?: object },
  };
}

function basic(user: string, password: string): Shown {
  return { headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` } };
}

const SHOWN: Readonly<Record<string, (token: string) => Shown>> = {
  scheme: (token) => ({ headers: { authorization: `Token ${token}` } }),
  user: (token) => basic(token, ''),
  password: (token) => basic('anyone', token),
  header: (token) => ({ headers: { 'x-api-key': token } }),
  query: (token) => ({ query: `?api_key=${token}&a=1` }),
  body: (token) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `token=${token}&a=1`,
  }),
};

describe('a token', () => {
  it.each(Object.entries(SHOWN))('in the place of kind %s selects session and actor', async (name, shown) => {
    for (const actor of ['ann', 'ben']) {
      const token = tokenOf(session, name, actor);
      const answer = await post(`/${name}/some/where`, shown(token));
      expect(answer).toMatchObject({ status: 200, body: { actor, input: { rest: 'some/where' } } });
      expect(JSON.stringify(answer)).not.toContain(token);
    }
    expect(session.episode.session.stepCount).toBe(2);
    expect(session.episode.asIfEnded(null).text).not.toContain(`${name}-`);
  });

  it.each(Object.entries(SHOWN))(
    'of kind %s that is unknown, or missing, is no step',
    async (name, shown) => {
      const unknown = await post(`/${name}/x`, shown(`${name}-${'x'.repeat(32)}`));
      expect(unknown).toMatchObject({ status: 401, body: { error: { details: { reason: 'unknown' } } } });
      const missing = await post(`/${name}/x`, {});
      expect(missing).toMatchObject({ status: 401, body: { error: { details: { reason: 'missing' } } } });
      expect(session.episode.session.stepCount).toBe(0);
      expect(server.host.list({ limit: 100 }).at(-1)?.id).toBe(session.id);
    },
  );

  it('of an actor who joined after the step that the session went back to is unknown again', async () => {
    const [joined] = await server.host.join(session, [{ id: 'cid' }]);
    const headers = { 'x-api-key': tokenOf(session, 'header', 'cid') };
    expect(joined?.actor).toBe('cid');
    expect(await post('/header/x', { headers })).toMatchObject({ status: 200, body: { actor: 'cid' } });
    await server.host.rollback(session, 0);
    const answer = await post('/header/x', { headers });
    expect(answer).toMatchObject({ status: 401, body: { error: { details: { reason: 'unknown' } } } });
    expect(session.episode.session.stepCount).toBe(0);
  });

  it('of one service opens no other, nor does that of the session', async () => {
    const other = tokenOf(session, 'user');
    expect(await post('/header/x', { headers: { 'x-api-key': other } })).toMatchObject({ status: 401 });
    const own = tokenOf(session, null);
    expect(await post('/header/x', { headers: { 'x-api-key': own } })).toMatchObject({ status: 401 });
    const host = { host: 'header.example', authorization: `Bearer ${own}` };
    expect(await post('/header/x', { headers: host })).toMatchObject({ status: 401 });
  });

  it('in JSON is found in the body too', async () => {
    const body = JSON.stringify({ token: tokenOf(session, 'body'), a: 1 });
    const answer = await post('/body/x', { body, headers: { 'content-type': 'application/json' } });
    expect(answer).toMatchObject({ status: 200, body: { input: { a: 1, rest: 'x' } } });
  });
});

describe('a session', () => {
  it('is selected by path, as its first actor or as one whose token is shown', async () => {
    const prefix = `/_groundhog/s/${tokenOf(session, null)}`;
    expect(await post(`${prefix}/header/header/x`, {})).toMatchObject({
      status: 200,
      body: { actor: 'ann' },
    });
    const ben = { headers: { 'x-api-key': tokenOf(session, 'header', 'ben') } };
    expect(await post(`${prefix}/header/header/x`, ben)).toMatchObject({
      status: 200,
      body: { actor: 'ben' },
    });
    const fake = { headers: { 'x-api-key': 'anything' } };
    expect(await post(`${prefix}/header/header/x`, fake)).toMatchObject({
      status: 200,
      body: { actor: 'ann' },
    });
    const other = await server.host.open();
    const foreign = { headers: { 'x-api-key': tokenOf(other, 'header', 'ben') } };
    expect(await post(`${prefix}/header/header/x`, foreign)).toMatchObject({ body: { actor: 'ann' } });
    expect(other.episode.session.stepCount).toBe(0);
    expect(session.episode.session.stepCount).toBe(4);
  });

  it('is selected by header, the service by its routes', async () => {
    const headers = { 'x-groundhog-session': tokenOf(session, null, 'ben') };
    expect(await post('/query/x', { headers })).toMatchObject({ status: 200, body: { actor: 'ben' } });
    const nobody = { 'x-groundhog-session': 'hog_session_nobody' };
    expect(await post('/query/x', { headers: nobody })).toMatchObject({ status: 401 });
  });

  it('that nobody has is refused by path, and a service that is not there is not found', async () => {
    expect(await post('/_groundhog/s/hog_session_nobody/header/x', {})).toMatchObject({ status: 401 });
    const prefix = `/_groundhog/s/${tokenOf(session, null)}`;
    expect(await post(`${prefix}/elsewhere/x`, {})).toMatchObject({ status: 404 });
    expect(await post('/_groundhog/s/', {})).toMatchObject({ status: 404 });
    expect(session.episode.session.stepCount).toBe(0);
  });

  it('that is closed while a request still comes in is gone for that one too', async () => {
    const before = server.host.counters();
    const head = `POST /header/x HTTP/1.1\r\nhost: x\r\nx-api-key: ${tokenOf(session, 'header')}\r\n`;
    const socket = connect(server.port, '127.0.0.1');
    const answer = once(socket, 'data') as Promise<[Buffer]>;
    socket.write(`${head}connection: close\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n`);
    expect((await answer).toString()).toContain('100 Continue');
    await server.host.close(session);
    const rest = once(socket, 'data') as Promise<[Buffer]>;
    socket.write('{}');
    expect((await rest).toString()).toContain('HTTP/1.1 401');
    expect(server.host.counters().calls).toEqual(before.calls);
  });

  it('that was closed is opened by none of its tokens', async () => {
    const token = tokenOf(session, 'header');
    await server.host.close(session);
    expect(await post('/header/x', { headers: { 'x-api-key': token } })).toMatchObject({ status: 401 });
  });
});

describe('a permissive server', () => {
  it('takes any token for the one session that is open', async () => {
    const lenient = await startTestServer(source, { permissive: true });
    const ask = (): Promise<Response> =>
      fetch(`${lenient.url}/header/x`, { method: 'POST', headers: { 'x-api-key': 'anything' } });
    expect((await ask()).status).toBe(401);
    const only = await lenient.host.open();
    expect(await (await ask()).json()).toMatchObject({ actor: 'ann' });
    await lenient.host.open();
    expect((await ask()).status).toBe(401);
    expect(only.episode.session.stepCount).toBe(1);
    await lenient.close();
  });
});

describe('a connection', () => {
  it('that several clients share gives each its own session, also after one was closed', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const second = await server.host.open();
    const ask = (token: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const options = { agent, method: 'POST', headers: { 'x-api-key': token } };
        const sent = request(`${server.url}/header/x`, options, (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        });
        sent.on('error', reject);
        sent.end();
      });
    const [one, two] = [tokenOf(session, 'header'), tokenOf(second, 'header')];
    expect([await ask(one), await ask(one), await ask(two), await ask(one)]).toEqual([200, 200, 200, 200]);
    expect([session.episode.session.stepCount, second.episode.session.stepCount]).toEqual([3, 1]);
    await server.host.close(session);
    expect([await ask(one), await ask(two), await ask(one)]).toEqual([401, 200, 401]);
    expect(second.episode.session.stepCount).toBe(2);
    agent.destroy();
  });
});
