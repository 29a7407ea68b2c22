import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { rawExchange, startTestServer, tokenOf } from '../../../test/servers.ts';
import { UsageError } from '../../base/errors.ts';
import { servedSource } from '../../runner/served.ts';
import { replayTrajectory } from '../../session/index.ts';
import { readTrajectory } from '../../trajectory/index.ts';
import { type HostedSession, SessionHost } from '../host/index.ts';
import { type RunningServer, startServer } from '../serve.ts';
import { ControlClient } from './client.ts';
import { controlRoutes } from './routes.ts';
import * as schemas from './schemas.ts';

let server: RunningServer;
let client: ControlClient;
let id: string;

beforeAll(async () => {
  server = await startTestServer({ services: ['notes'] });
  client = new ControlClient(server.control);
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ id } = await client.open());
});

function session(of = id): HostedSession {
  const found = server.host.session(of);
  if (!found) throw new Error('the session is gone');
  return found;
}

/** Makes a note over REST, as an agent would. */
async function note(title: string, of = id): Promise<string> {
  const response = await fetch(`${server.url}/notes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf(session(of), 'notes')}` },
    body: JSON.stringify({ notebook_id: 'book_1', title, body: '', pin: '1234' }),
  });
  return ((await response.json()) as { id: string }).id;
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).code;
}

describe('sessions', () => {
  it('are opened with all that an agent needs to be told', async () => {
    const opened = await client.open({
      services: ['notes'],
      actors: ['ann', { id: 'ben' }],
      seed: 'x',
    });
    expect(schemas.openedSession.parse(opened)).toEqual(opened);
    expect(opened.credentials.map(({ service, actor }) => [service, actor])).toEqual([
      [null, 'ann'],
      ['notes', 'ann'],
      [null, 'ben'],
      ['notes', 'ben'],
    ]);
    const [service] = opened.services;
    expect((await fetch(`${service?.prefixUrl}/notes`)).status).toBe(200);
    const headers = { authorization: `Bearer ${service?.environment.NOTES_TOKEN}` };
    expect((await fetch(`${opened.baseUrl}/notes`, { headers })).status).toBe(200);
    expect(session(opened.id).episode.session.stepCount).toBe(2);
  });

  it('are listed in pages and closed', async () => {
    const own = await startTestServer({ services: ['notes'] });
    const control = new ControlClient(own.control);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await control.open()).id);
    const first = await control.list({ limit: 3 });
    const second = await control.list({ limit: 3, after: first.next ?? '' });
    expect([...first.sessions, ...second.sessions].map((listed) => listed.id)).toEqual(ids);
    expect(second.next).toBeNull();
    await control.close(ids[0] ?? '');
    expect(await refusal(control.summary(ids[0] ?? ''))).toBe('no-session');
    await own.close();
  });

  it('that are closed while a request still comes in are gone for that one too', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const next = async (): Promise<string> => ((await once(socket, 'data')) as [Buffer])[0].toString();
    const token = `authorization: Bearer ${server.control.token}\r\n`;
    socket.write(
      `POST /_groundhog/control/v1/sessions/${id}/score HTTP/1.1\r\nhost: x\r\n${token}connection: close\r\n` +
        'expect: 100-continue\r\ncontent-length: 2\r\n\r\n',
    );
    expect(await next()).toContain('100 Continue');
    await client.close(id);
    socket.write('{}');
    expect(await next()).toContain('HTTP/1.1 404');
  });

  it('are forked, here and at an earlier step, and live on apart', async () => {
    await note('One');
    await note('Two');
    const here = await client.fork(id);
    const earlier = await client.fork(id, { at: 1 });
    expect((await client.summary(here.id)).content).toBe((await client.summary(id)).content);
    expect(await client.summary(earlier.id)).toMatchObject({ steps: 1, forkOf: { session: id, at: 1 } });
    await note('Three', here.id);
    expect(await client.summary(id)).toMatchObject({ steps: 2 });
    expect(await refusal(client.fork(id, { at: 9 }))).toBe('no-step');
  });

  it('go back to the start, to a step and to a checkpoint', async () => {
    const start = await client.summary(id);
    await note('One');
    expect(await client.checkpoint(id, 'one')).toEqual({ name: 'one', step: 1 });
    const one = await client.summary(id);
    await note('Two');
    expect(await client.rollback(id, { checkpoint: 'one' })).toEqual(one);
    await note('Other');
    expect(await client.rollback(id, { at: 1 })).toEqual(one);
    const reset = await client.reset(id);
    expect([reset.full, reset.steps]).toEqual([start.full, 0]);
    expect(await refusal(client.rollback(id, { checkpoint: 'none' }))).toBe('no-checkpoint');
    for (const to of [{}, { at: 0, checkpoint: 'one' }]) {
      await expect(client.rollback(id, to as { at: number })).rejects.toThrow('give at or checkpoint');
    }
  });

  it('take further actors with tokens of their own', async () => {
    const { credentials } = await client.join(id, ['ben']);
    expect(credentials.map(({ service, actor }) => [service, actor])).toEqual([
      [null, 'ben'],
      ['notes', 'ben'],
    ]);
    expect((await client.credentials(id)).credentials).toHaveLength(4);
    expect(await refusal(client.join(id, [{ id: 'ben' }]))).not.toBe('');
  });

  it('are refused where the request makes no sense', async () => {
    const twice = [{ id: 'ann' }, { id: 'ann' }];
    expect(await refusal(client.open({ actors: twice }))).toBe('id-taken');
    expect(await refusal(client.open({ services: ['notes', 'notes/small'] }))).toBe('id-taken');
    const rule = { id: 'a', match: {}, effect: { kind: 'response-lost' }, label: '' } as const;
    expect(await refusal(client.open({ faults: { rules: [rule, rule] } }))).toBe('id-taken');
    // The dates of such a world would be none.
    expect(await refusal(client.open({ epochMs: Number.MAX_SAFE_INTEGER }))).toBe('bad-epoch');
  });

  it('beyond the most that a server takes are refused with 429', async () => {
    const small = await startTestServer({ services: ['notes'] }, { sessionsMost: 1 });
    const control = new ControlClient(small.control);
    await control.open();
    expect(await refusal(control.open())).toBe('no-room');
    const headers = { authorization: `Bearer ${small.control.token}` };
    expect((await fetch(`${small.control.url}/sessions`, { method: 'POST', headers })).status).toBe(429);
    await small.close();
  });
});

describe('a world', () => {
  it('shows its tables and rows in pages, redacted columns masked', async () => {
    await note('One');
    const state = await client.state(id);
    expect(schemas.state.parse(state)).toEqual(state);
    const table = state.tables.find(({ name }) => name === 'notes.notes');
    expect(table).toMatchObject({ redacted: ['pin'], primaryKey: ['id'] });
    const rows: Record<string, unknown>[] = [];
    let after: string | null | undefined;
    do {
      const page = await client.rows(id, 'notes.notes', { limit: 1, ...(after && { after }) });
      rows.push(...page.rows);
      after = page.next;
    } while (after);
    expect(rows).toHaveLength(table?.rows ?? 0);
    expect(rows.find(({ title }) => title === 'One')).toMatchObject({ pin: '***' });
    expect(await refusal(client.rows(id, '../notes'))).toBe('no-table');
    for (const after of ['{', '[]', '["a","b"]', '1e999', 'null']) {
      expect(await refusal(client.rows(id, 'notes.notes', { after }))).toBe('bad-page');
    }
    expect(await refusal(client.rows(id, 'notes.tags', { after: '["a"]' }))).toBe('bad-page');
  });

  it('shows no key that is redacted, and pages without it', async () => {
    for (let count = 0; count < 3; count += 1) {
      const headers = { authorization: `Bearer ${tokenOf(session(), 'notes')}` };
      await fetch(`${server.url}/tokens`, { method: 'POST', headers, body: '{"scope":"read"}' });
    }
    const first = await client.rows(id, 'notes.access_tokens', { limit: 2 });
    const rest = await client.rows(id, 'notes.access_tokens', { limit: 2, after: first.next ?? '' });
    expect([first.rows.length, rest.rows.length, rest.next]).toEqual([2, 1, null]);
    expect(await refusal(client.rows(id, 'notes.access_tokens', { after: 'x' }))).toBe('bad-page');
    expect(JSON.stringify([first, rest, await client.diff(id)])).not.toContain('access_0');
  });

  it('says what changed since the start and since a step', async () => {
    await note('One');
    await note('Two');
    const all = await client.diff(id);
    expect(schemas.diff.parse(all)).toEqual(all);
    expect(all.changes.map(({ op, table }) => [op, table])).toEqual([
      ['insert', 'notes.notes'],
      ['insert', 'notes.notes'],
    ]);
    const since = await client.diff(id, { from: 1 });
    expect(since).toMatchObject({ from: 1, to: 2, changes: [{ row: { title: 'Two', pin: '***' } }] });
  });
});

describe('an episode', () => {
  it('waits, and the next call records it', async () => {
    expect(await client.wait(id, 5_000)).toEqual({ durationMs: 5_000 });
    await note('One');
    expect(session().episode.session.steps()[0]?.waited).toBe(5_000);
    expect(await refusal(client.wait(id, 1e15))).toBe('bad-wait');
  });

  it.each([
    [{ match: { tool: 'list_note' }, effect: { kind: 'response-lost' } }, 'did you mean list_notes?'],
    [{ match: { tool: 'list_notes' }, effect: { kind: 'write-dropped' } }, undefined],
    [{ match: {}, effect: { kind: 'unit-wrong', factor: 2, hours: 1 } }, undefined],
  ] as const)('refuses a plan that could never happen: %j', async (part, hint) => {
    const rule = { id: 'bad', label: 'bad', ...part };
    for (const path of [`/sessions/${id}/faults`, '/sessions']) {
      const body =
        path === '/sessions' ? { services: ['notes'], faults: { rules: [rule] } } : { rules: [rule] };
      const answer = await fetch(`${server.control.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.control.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(400);
      const { error } = (await answer.json()) as { error: Record<string, unknown> };
      expect(error).toMatchObject({
        code: 'bad-fault-plan',
        message: expect.stringMatching(/^faults\.rules\.0\./u),
      });
      expect(error.hint).toBe(hint);
    }
    expect((await client.summary(id)).steps).toBe(0);
  });

  it('takes faults in its course', async () => {
    const rule = {
      id: 'busy',
      label: 'busy',
      match: { tool: 'list_notes' },
      effect: { kind: 'reject', status: 503, retryAfterSeconds: 1 },
    } as const;
    expect(await client.inject(id, [rule])).toEqual({ rules: 1 });
    const headers = { authorization: `Bearer ${tokenOf(session(), 'notes')}` };
    expect((await fetch(`${server.url}/notes`, { headers })).status).toBe(503);
    expect((await fetch(`${server.url}/notes`, { headers })).status).toBe(200);
  });

  it('gives its trajectory so far, which replays', async () => {
    await note('One');
    const text = await client.trajectory(id);
    const { options } = session().episode.environment;
    expect(replayTrajectory(readTrajectory(text), options).identical).toBe(true);
    expect((await client.summary(id)).ended).toBeNull();
  });

  it('without a scenario has no verdict, and nobody to talk to', async () => {
    expect(await client.score(id)).toMatchObject({ verdict: null, reason: expect.any(String) });
    expect(await refusal(client.say(id, 'Hello?'))).toBe('nobody-there');
    expect(await client.answer(id, 'Done.')).toEqual({ ended: 'answer', steps: 0, verdict: null });
    expect(await refusal(client.answer(id, 'Again.'))).not.toBe('');
  });

  it('ended by a budget has the verdict of that end, and answered once only', async () => {
    const bank = await startTestServer({ scenarios: ['helpdesk/refund-88213'] });
    const control = new ControlClient(bank.control);
    const opened = await control.open({ scenario: 'refund-88213', budgets: { calls: 1 } });
    const authorization = `Bearer ${opened.services[0]?.environment.HELPDESK_TOKEN}`;
    for (const _ of [1, 2]) await fetch(`${bank.url}/orders/88213`, { headers: { authorization } });
    const cut = await control.answer(opened.id, 'Too late.');
    expect(cut).toMatchObject({ steps: 1, verdict: { success: false } });
    expect(cut.ended).not.toBe('answer');
    expect(await control.answer(opened.id, 'Still too late.')).toEqual(cut);
    const answered = await control.open();
    await control.answer(answered.id, 'Done.');
    await expect(control.answer(answered.id, 'Again.')).rejects.toMatchObject({
      code: 'finished',
      hint: expect.stringContaining('score') as string,
    });
    await bank.close();
  });

  it('on a scenario is scored as it stands and at its end', async () => {
    const bank = await startTestServer({ scenarios: ['helpdesk/refund-88213'] });
    const control = new ControlClient(bank.control);
    const opened = await control.open();
    expect(opened.task?.text).not.toBe('');
    const now = await control.score(opened.id, { answer: 'Nothing was done.' });
    expect(schemas.score.parse(now)).toMatchObject({ verdict: { success: false }, reason: null });
    const { task, policy, opening } = opened;
    expect(await control.summary(opened.id)).toMatchObject({ ended: null, task, policy, opening });
    expect((await control.list()).sessions).toMatchObject([{ environment: 'refund-88213' }]);
    const ended = await control.answer(opened.id, 'Nothing was done.');
    expect(ended).toMatchObject({ ended: 'answer', verdict: { success: false } });
    await bank.close();
  });
});

describe('the control plane', () => {
  function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${server.control.token}`, ...init.headers };
    return fetch(`${server.control.url}${path}`, { ...init, headers });
  }

  it('is closed to all tokens but its own', async () => {
    const own = session();
    const wrong = [
      '',
      'Bearer ',
      `Bearer ${tokenOf(own, null)}`,
      `Bearer ${tokenOf(own, 'notes')}`,
      'Bearer x',
    ];
    for (const authorization of wrong) {
      for (const path of ['/sessions', '/openapi.json', '/metrics', '/nowhere']) {
        expect((await ask(path, { headers: { authorization } })).status).toBe(401);
      }
    }
    expect((await fetch(`${server.url}/_groundhog/health`)).status).toBe(200);
  });

  it.each([
    ['{', 'bad-json', 'the body is not JSON'],
    ['[]', 'bad-request', 'body: '],
    [
      `{"actors":[{"id":"a","attributes":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}]}`,
      'bad-json',
      'the body',
    ],
    ['{"trial":-1}', 'bad-request', 'body.trial: '],
    ['{"services":["notes"],"more":1}', 'bad-request', 'body: '],
    ['{"actors":[{"id":""}]}', 'bad-request', 'body.actors.0.id: '],
    ['{"services":["nothing"]}', 'not-served', ''],
  ])('says what is wrong with %.40s', async (body, code, sentence) => {
    const response = await ask('/sessions', { method: 'POST', body });
    expect(response.status).toBe(400);
    const { error } = schemas.problem.parse(await response.json());
    expect(error.code).toBe(code);
    expect(error.message.startsWith(sentence)).toBe(true);
  });

  it('refuses wrong verbs, paths and pages', async () => {
    const wrongVerb = await ask('/sessions', { method: 'PUT' });
    expect([wrongVerb.status, wrongVerb.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await ask('/nowhere')).status).toBe(404);
    expect((await ask('/sessions/nobody/state')).status).toBe(404);
    expect((await ask('/sessions?limit=0')).status).toBe(400);
    expect((await ask('/sessions?limit=x')).status).toBe(400);
    expect((await ask('/sessions?__proto__[a]=1')).status).toBe(400);
  });

  it.each(['..%2f..%2fetc%2fpasswd', '%2e%2e%2f', '%00', '__proto__', 'constructor', '%zz', 'a%2fb'])(
    'finds nothing under the name %s',
    async (name) => {
      const paths = controlRoutes
        .filter(({ path }) => path.includes('{'))
        .map(({ method, path }) => ({ method, path: path.replace('{id}', name).replace('{table}', name) }))
        .concat({ method: 'GET', path: `/sessions/${id}/tables/${name}` });
      for (const { method, path } of paths) {
        const head = `authorization: Bearer ${server.control.token}\r\nconnection: close\r\n`;
        const answer = await rawExchange(server.port, [
          `${method} /_groundhog/control/v1${path} HTTP/1.1\r\nhost: x\r\n${head}\r\n`,
        ]);
        expect(answer).toMatch(/^HTTP\/1\.1 (?:404|405) /u);
      }
    },
  );

  it('has a document of itself, a client method for each route, and figures', async () => {
    const document = await client.openApi();
    const paths = document.paths as Record<string, Record<string, { operationId: string }>>;
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map((one) => one.operationId));
    expect(ids).toEqual(expect.arrayContaining(controlRoutes.map(({ name }) => name)));
    for (const { name } of controlRoutes) expect(client).toHaveProperty(name);
    await note('One');
    const metrics = await client.metrics();
    expect(metrics).toMatch(/^groundhog_sessions_open \d+$/mu);
    expect(metrics).toMatch(/^groundhog_requests_total\{door="rest",status="201"\} \d+$/mu);
  });

  it('answers as its schemas say', async () => {
    await note('One');
    const asked: [z.ZodType, unknown][] = [
      [schemas.environments, await client.environments()],
      [schemas.sessionList, await client.list()],
      [schemas.summary, await client.summary(id)],
      [schemas.credentials, await client.credentials(id)],
      [schemas.tableRows, await client.rows(id, 'notes.notes')],
    ];
    for (const [schema, answer] of asked) expect(schema.parse(answer)).toEqual(answer);
  });

  it('has a client that loads no checker and no Node module', () => {
    const text = readFileSync(new URL('client.ts', import.meta.url), 'utf8');
    const loaded = [...text.matchAll(/^import (?!type)[^;]*from '([^']+)'/gmu)].map(([, from]) => from);
    expect(loaded).toEqual(['../../base/errors.ts']);
  });

  it('has a client that says when nobody answers', async () => {
    const nobody = new ControlClient({ url: 'http://127.0.0.1:9/_groundhog/control/v1', token: 'x' });
    expect(await refusal(nobody.open())).toBe('unreachable');
  });
});

describe('the list', () => {
  it('names what a session was opened on, and brings none into memory for it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'groundhog-list-'));
    const state = { directory, durability: 'batch' } as const;
    const source = await servedSource({ services: ['notes'] });
    const host = new SessionHost({ source, sessionsMost: 10, nowMs: Date.now, state, hotMost: 1 });
    const running = await startServer(host);
    const control = new ControlClient(running.control);
    await control.open();
    await control.open({ services: ['notes/small'] });
    const { sessions } = await control.list();
    expect(sessions.map(({ environment }) => environment)).toEqual([null, 'notes/small']);
    expect(host.counters()).toMatchObject({ sessionsCold: 1, rebuilds: 0 });
    await running.close();
    await host.stop();
    rmSync(directory, { recursive: true });
  });
});

describe('the log', () => {
  it('has a line for each request, with no token in it', async () => {
    const lines: object[] = [];
    const logged = await startTestServer({ services: ['notes'] }, { log: (line) => lines.push(line) });
    const opened = await new ControlClient(logged.control).open();
    await fetch(`${opened.services[0]?.prefixUrl}/notes?tag=home`);
    await fetch(`${logged.url}/notes`, { headers: { authorization: `Bearer ${opened.mcp.token}` } });
    expect(lines).toEqual([
      {
        event: 'request',
        door: 'control',
        method: 'POST',
        path: '/_groundhog/control/v1/sessions',
        status: 200,
      },
      {
        event: 'request',
        door: 'rest',
        method: 'GET',
        path: '/_groundhog/s/hog_session_***/notes/notes',
        status: 200,
      },
      { event: 'request', door: 'rest', method: 'GET', path: '/notes', status: 401 },
    ]);
    await logged.close();
  });
});
