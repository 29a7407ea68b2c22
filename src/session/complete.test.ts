import { describe, expect, it } from 'vitest';
import {
  CALLS_MOST,
  openShelf,
  shelf,
  shelfBehaviour,
  shelfOptions,
  shelfWorld,
} from '../../test/shelf-service.ts';
import { InvariantError } from '../base/errors.ts';
import type { Completion, Protocol, Service } from '../service/types.ts';
import { readTrajectory } from '../trajectory/index.ts';
import { openSession, replayTrajectory, type Session } from './index.ts';

const PAPER = { shelf: 'shelf-1', path: 'a/b.txt' };

function counted(session: Session, actor = 'agent'): unknown {
  return session.world.table('shelf.counts').get(actor)?.calls ?? 0;
}

/** The shelf with another protocol, and a session on it. */
function openWith(protocol: Partial<Protocol>, change: Partial<Service> = {}): Session {
  const service = { ...shelf, ...change, protocol: { ...shelf.protocol, ...protocol } };
  return openSession(shelfOptions({ services: [service] }));
}

describe('complete', () => {
  it('gives the answer its status, headers, body and form', () => {
    const session = openShelf();
    const first = session.call({ tool: 'papers.get', input: PAPER });
    const { etag = '' } = first.headers ?? {};
    expect(first).toMatchObject({ status: 200, headers: { 'x-called': 'papers.get', 'x-accept': 'none' } });
    const headers = { 'if-none-match': etag };
    const second = session.call({ tool: 'papers.get', input: PAPER, headers });
    expect(second).toMatchObject({ ok: true, status: 304, body: null, form: 'empty' });
    const [, step] = session.steps();
    expect(step).toMatchObject({ outcome: 'ok', status: 304, response: null, requestHeaders: headers });
    expect(step?.operations).toEqual([{ id: 'papers.get', status: 304 }]);
    expect(step?.headers).toBeUndefined();
  });

  it('runs after every call, failed ones too, and what it wrote stays', () => {
    const refusing = {
      rules: [
        {
          id: 'r',
          match: { tool: 'papers.check' },
          effect: { kind: 'reject', status: 429, retryAfterSeconds: 5 },
          label: 'l',
        },
      ],
    } as const;
    const session = openShelf({ faults: refusing });
    const calls = [
      { tool: 'papers.get', input: PAPER },
      { tool: 'papers.get', input: { ...PAPER, path: 'none' } },
      { tool: 'papers.get', input: { shelf: 1 } },
      { tool: 'papers.get', malformed: '{' },
      { tool: 'no.such' },
      { tool: 'papers.get', input: PAPER, headers: { 'x-mood': 'bad' } },
      { tool: 'papers.check', input: PAPER },
    ];
    const left = calls.map((call) => session.call(call).headers?.['x-calls-left']);
    expect(left).toEqual(calls.map((_, index) => String(CALLS_MOST - 1 - index)));
    const steps = session.steps();
    expect(steps.map(({ outcome }) => outcome)).toEqual([
      'ok',
      'error',
      'invalid-input',
      'invalid-input',
      'unknown-tool',
      'error',
      'error',
    ]);
    expect(steps.every(({ before, after }) => before === after)).toBe(true);
    expect(new Set(steps.map(({ full }) => full)).size).toBe(calls.length);
    expect(steps.every(({ diff }) => diff.length === 1 && diff[0]?.table === 'shelf.counts')).toBe(true);
    expect(steps[6]?.fault?.rule).toBe('r');
  });

  it('joins its changes to those of the operation, by table and key', () => {
    const session = openShelf();
    session.call({ tool: 'papers.put', input: { shelf: 's', path: 'p', content: '' } });
    const changes = session.steps()[0]?.diff.map(({ op, table }) => [op, table]);
    expect(changes).toEqual([
      ['insert', 'shelf.counts'],
      ['insert', 'shelf.papers'],
    ]);
  });

  it('is told who called what, with which arguments and headers', () => {
    const seen: Completion[] = [];
    const session = openWith({
      complete: (call) => {
        seen.push(call);
        return call.answer;
      },
    });
    session.call({
      tool: 'get_paper',
      input: { path: 'none', shelf: 's' },
      headers: { b: '1', accept: 'x' },
    });
    session.call({ tool: 'GET /nowhere', input: { a: 1 } });
    expect(seen[0]).toMatchObject({
      actor: { id: 'agent' },
      operation: { id: 'papers.get', effect: 'read' },
      headers: { accept: 'x', b: '1' },
      answer: { status: 404, headers: {}, form: 'json', body: { code: 'no_paper', called: 'papers.get' } },
      error: { code: 'no_paper' },
      nowMs: shelf.epochMs,
      facts: {},
    });
    expect(Object.keys(seen[0]?.input as object)).toEqual(['path', 'shelf']);
    expect(Object.keys(seen[0]?.headers ?? {})).toEqual(['accept', 'b']);
    expect(seen[1]).toMatchObject({
      operation: undefined,
      error: { code: 'unknown_operation' },
      input: { a: 1 },
    });
  });

  it('makes no new world where it writes nothing', () => {
    const session = openWith({ complete: ({ answer }) => answer });
    session.call({ tool: 'papers.get', input: PAPER });
    expect(session.steps()[0]?.diff).toEqual([]);
    expect(session.world.contentDigest()).toBe(shelfWorld.contentDigest());
  });

  it('may write ambient tables alone, and an operation that reads none', () => {
    const writing = openWith({
      complete: ({ answer, table }) => {
        table('papers').delete([PAPER.shelf, PAPER.path]);
        return answer;
      },
    });
    expect(() => writing.call({ tool: 'papers.get', input: PAPER })).toThrow(InvariantError);
    expect(() => writing.call({ tool: 'papers.get', input: PAPER })).toThrow('changed shelf.papers');
    const operations = shelf.operations.map((operation) => ({
      ...operation,
      run: (ctx: Parameters<typeof operation.run>[0]) => {
        ctx.tx.counts?.insert({ actor: 'x', calls: 1 });
        return null;
      },
    }));
    expect(() => openWith({}, { operations }).call({ tool: 'papers.get', input: PAPER })).toThrow(
      'the read papers.get changed rows',
    );
  });

  it.each([
    ['a status that ends no request', { status: 101 }],
    ['bytes that are no text', { form: 'base64', body: { a: 1 } }],
  ] as const)('must not answer with %s', (_what, wrong) => {
    const session = openWith({ complete: ({ answer }) => ({ ...answer, ...wrong }) });
    expect(() => session.call({ tool: 'papers.get', input: PAPER })).toThrow(InvariantError);
  });

  it('counts each operation of a composed tool, whose answer is made of what they gave', () => {
    const session = openShelf();
    const input = { shelf: 'shelf-1', one: 'a/b.txt', other: 'a/b.txt' };
    const both = session.call({ tool: 'compare_papers', input });
    expect(both).toMatchObject({ ok: true, status: 200, body: [{ labels: ['old'] }, { labels: ['old'] }] });
    expect([both.headers, both.form, counted(session)]).toEqual([undefined, undefined, 2]);
    const failed = session.call({ tool: 'compare_papers', input: { ...input, other: 'none' } });
    expect(failed).toMatchObject({ status: 404, headers: { 'x-called': 'papers.get' } });
    expect(counted(session)).toBe(4);
    session.call({ tool: 'compare_papers', input: {} });
    expect(counted(session)).toBe(4);
  });
});

describe('reply', () => {
  it('gives status, headers and form, which no record holds', () => {
    const session = openShelf();
    const input = { shelf: 's', path: 'p', content: 'eA==', content_type: 'text/x' };
    const put = session.call({ tool: 'papers.put', input });
    expect([put.status, put.headers?.location]).toEqual([201, 'https://api.shelf.example/p']);
    expect(session.call({ tool: 'papers.put', input }).status).toBe(200);
    const got = session.call({ tool: 'papers.content', input: { shelf: 's', path: 'p' } });
    expect(got).toMatchObject({ body: 'eA==', form: 'base64', headers: { 'content-type': 'text/x' } });
    const known = session.call({ tool: 'papers.check', input: { shelf: 's', path: 'none' } });
    expect(known).toMatchObject({ ok: true, status: 404, body: null, form: 'empty' });
    expect(JSON.stringify(session.steps())).not.toContain('location');
  });
});

describe('a step with request headers', () => {
  it('holds them sorted, only where there are any, and replays', () => {
    const session = openShelf();
    session.call({ tool: 'papers.content', input: PAPER, headers: { b: '2', accept: 'text/plain' } });
    session.call({ tool: 'papers.content', input: PAPER, headers: {} });
    session.call({ tool: 'papers.content', input: PAPER, actor: 'nobody' });
    const [first, second, third] = session.steps();
    expect(JSON.stringify(first?.requestHeaders)).toBe('{"accept":"text/plain","b":"2"}');
    expect(first?.response).toBe('content of a/b.txt: ü');
    expect(second && 'requestHeaders' in second).toBe(false);
    expect([third?.actor, counted(session, 'nobody')]).toEqual(['nobody', 1]);
    session.finish({ reason: 'answer', answer: '' });
    const environment = { services: [shelf], world: shelfWorld, behaviour: shelfBehaviour };
    const replay = replayTrajectory(readTrajectory(session.text()), environment);
    expect(replay).toMatchObject({ identical: true, steps: 3 });
    const { anonymous: _nobody, ...protocol } = shelf.protocol;
    const closed = { ...environment, services: [{ ...shelf, protocol }] };
    expect(replayTrajectory(readTrajectory(session.text()), closed).firstDivergence?.step).toBe(2);
  });

  it('knows no stranger but the one that the service lets in', () => {
    expect(() => openShelf().call({ tool: 'papers.get', input: PAPER, actor: 'somebody' })).toThrow(
      'no actor named somebody',
    );
  });
});
