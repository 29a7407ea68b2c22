import { describe, expect, it } from 'vitest';
import { EVERYTHING, everything, openNotes, playEverything, WORLD } from '../../test/episodes.ts';
import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { readTrajectory } from '../trajectory/index.ts';
import type { Session } from './session.ts';
import { LONGEST_WAIT_MS } from './step.ts';
import { LOST_RESPONSE_TIMEOUT_MS } from './strike.ts';
import type { CallRequest } from './types.ts';

const CALLS: readonly CallRequest[] = [
  { tool: 'create_note', input: { notebook_id: 'book_1', title: 'One', body: '' } },
  { tool: 'get_note', input: { id: 'note_nowhere' } },
  { tool: 'tag_note', input: { id: 'note_seed0001', tag: 'new' } },
  { tool: 'open_note', input: { id: 'note_seed0003', pin: '1111' } },
  { tool: 'share_note', input: { id: 'note_seed0001' } },
  { tool: 'delete_note', input: { id: 'note_seed0002' } },
];

function played(calls: readonly CallRequest[], session: Session = openNotes()): Session {
  for (const call of calls) session.call(call);
  return session;
}

/** The file of an episode that ends here, without ending the session itself. */
function fileOf(session: Session): string {
  const fork = session.fork();
  fork.finish({ reason: 'answer', answer: '' });
  return fork.text();
}

function usageError(run: () => unknown): UsageError {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('expected a UsageError, nothing was thrown');
}

describe('the one door', () => {
  it('gives the same lines whether a call names the tool or its operation', () => {
    const operations = [
      'notes.create',
      'notes.get',
      'notes.tag',
      'notes.open',
      'notes.share',
      'notes.delete',
    ];
    const byOperation = CALLS.map((call, index) => ({ ...call, tool: operations[index] ?? '' }));
    expect(fileOf(played(byOperation))).toBe(fileOf(played(CALLS)));
  });

  it('gives the same lines over every transport and for every member order', () => {
    const turned = CALLS.map(({ tool, input }) => ({
      tool,
      transport: 'http',
      input: Object.fromEntries(Object.entries(input as object).reverse()) as Json,
    }));
    expect(fileOf(played(turned))).toBe(fileOf(played(CALLS)));
  });

  it('writes the same file for the same calls, and one that reads back', () => {
    const one = everything();
    expect(everything().text).toBe(one.text);
    expect(readTrajectory(one.text)).toEqual(one.trajectory);
  });

  it('depends on the stream seed and on nothing else of the kind', () => {
    expect(fileOf(played(CALLS, openNotes({ streamSeed: 'other' })))).not.toBe(fileOf(played(CALLS)));
  });
});

describe('forks and rollbacks', () => {
  it('from every step go on exactly as a fresh run does', () => {
    const whole = openNotes(EVERYTHING);
    playEverything(whole);
    const steps = whole.steps();
    for (let at = 0; at <= steps.length; at += 1) {
      const fork = whole.fork(at);
      expect(fork.stepCount).toBe(at);
      expect(fork.steps()).toEqual(steps.slice(0, at));
    }
    for (let at = 0; at <= CALLS.length; at += 1) {
      const fresh = fileOf(played(CALLS));
      expect(fileOf(played(CALLS.slice(at), played(CALLS).fork(at)))).toBe(fresh);
      const back = played(CALLS);
      back.rollback(at);
      expect(fileOf(played(CALLS.slice(at), back))).toBe(fresh);
    }
  });

  it('do not leak: neither side sees what the other does', () => {
    const session = played(CALLS.slice(0, 3));
    const before = fileOf(session);
    const fork = session.fork(1);
    played(CALLS, fork);
    fork.say({ role: 'agent', text: 'hello' });
    expect(fileOf(session)).toBe(before);
    const forkFile = fileOf(fork);
    played(CALLS.slice(3), session);
    expect(fileOf(fork)).toBe(forkFile);
  });

  it('take fault progress and message budgets back with them', () => {
    const session = openNotes({ ...EVERYTHING, budgets: { messages: 1 } });
    session.say({ role: 'agent', text: 'a' });
    expect(session.call({ tool: 'list_notes' }).status).toBe(429);
    expect(session.call({ tool: 'list_notes' }).status).toBe(200);
    session.rollback(0);
    expect(session.call({ tool: 'list_notes' }).status).toBe(429);
    expect(session.say({ role: 'agent', text: 'b' })).toBe(false);
    session.rollback(0);
    expect(session.ended).toBeNull();
  });

  it('lead back from a reached budget, but not from a finished episode', () => {
    const session = openNotes({ budgets: { calls: 1 } });
    played(CALLS.slice(0, 2), session);
    expect(session.ended).toBe('budget-calls');
    session.rollback(0);
    expect(session.call(CALLS[0] as CallRequest).ok).toBe(true);
    session.finish({ reason: 'answer', answer: '' });
    expect(usageError(() => session.rollback(0)).code).toBe('finished');
    expect(usageError(() => session.finish({ reason: 'answer' })).code).toBe('finished');
  });
});

describe('budgets', () => {
  it('end the episode before the call that would exceed them, with their own names', () => {
    const calls = openNotes({ budgets: { calls: 2 } });
    played(CALLS.slice(0, 2), calls);
    expect(calls.call(CALLS[2] as CallRequest)).toEqual({
      step: -1,
      ok: false,
      status: 0,
      body: null,
      ended: 'budget-calls',
    });
    expect(calls.stepCount).toBe(2);
    const clock = openNotes({ budgets: { clockMs: 5_000 } });
    clock.call({ tool: 'list_notes', waitedMs: 6_000 });
    expect(clock.call({ tool: 'list_notes' }).ended).toBe('budget-clock');
    const messages = openNotes({ budgets: { messages: 1 } });
    expect(messages.say({ role: 'agent', text: 'a' })).toBe(true);
    expect(messages.say({ role: 'user', text: 'b' })).toBe(true);
    expect(messages.say({ role: 'agent', text: 'c' })).toBe(false);
    expect(messages.ended).toBe('budget-messages');
  });

  it('stop a batch where they are reached', () => {
    const session = openNotes({ budgets: { calls: 2 } });
    const deliveries = session.callBatch(CALLS);
    expect(deliveries).toHaveLength(3);
    expect(deliveries[2]?.ended).toBe('budget-calls');
    expect(session.steps().map((step) => step.batch)).toEqual(['batch-0', 'batch-0']);
  });

  it('are the end that the trajectory names, whatever is said later', () => {
    const session = openNotes({ budgets: { calls: 0 } });
    session.call(CALLS[0] as CallRequest);
    const { end } = session.finish({ reason: 'answer', answer: 'done all the same' });
    expect(end).toMatchObject({ reason: 'budget-calls', answer: null, steps: 0 });
  });

  it('leave nothing that can still be called or said', () => {
    const session = openNotes();
    session.finish({ reason: 'answer', answer: '' });
    expect(usageError(() => session.call(CALLS[0] as CallRequest)).code).toBe('episode-over');
    expect(usageError(() => session.say({ role: 'agent', text: '' })).code).toBe('episode-over');
    expect(usageError(() => session.callBatch(CALLS)).code).toBe('episode-over');
  });
});

describe('faults', () => {
  it('that reject leave the world alone, give Retry-After, and let the retry through once spent', () => {
    const rule = {
      id: 'busy',
      match: { tool: 'create_note', occurrence: 2 },
      effect: { kind: 'reject', status: 503, retryAfterSeconds: 7 },
      hits: 2,
      label: 'busy',
    } as const;
    const session = openNotes({ faults: { rules: [rule] } });
    const create = CALLS[0] as CallRequest;
    expect(session.call(create).ok).toBe(true);
    const before = session.world.contentDigest();
    for (const hit of [1, 2]) {
      const delivery = session.call(create);
      expect(delivery).toMatchObject({ ok: false, status: 503, headers: { 'retry-after': '7' } });
      expect(session.world.contentDigest()).toBe(before);
      expect(session.steps().at(-1)).toMatchObject({
        outcome: 'error',
        operations: [],
        diff: [],
        fault: { rule: 'busy', kind: 'reject', label: 'busy', hit },
      });
    }
    expect(session.call(create)).toMatchObject({ ok: true, status: 201 });
    // The refused calls drew no ids: the second note has the id that it has without the plan.
    expect(idOf(session)).toBe(idOf(played([create, create])));
  });

  it('that lose the answer commit the call, and record what happened beside what arrived', () => {
    const session = openNotes(EVERYTHING);
    const clock = session.world.clockMs;
    const delivery = session.call({ tool: 'share_note', input: { id: 'note_seed0001' } });
    expect(delivery).toEqual({ step: 0, ok: false, status: 504, body: null, lost: true });
    const [step] = session.steps();
    expect(step).toMatchObject({
      outcome: 'ok',
      status: 200,
      delivered: { status: 504, body: null, lost: true },
    });
    expect(step?.diff).toHaveLength(1);
    expect(session.world.clockMs - clock).toBeGreaterThanOrEqual(LOST_RESPONSE_TIMEOUT_MS);
    // Asked again, the service gives the code it gave before: the first call did happen.
    const again = session.call({ tool: 'share_note', input: { id: 'note_seed0001' } });
    expect(again.body).toEqual(step?.response);
  });
});

function idOf(session: Session): unknown {
  const { response } = session.steps().at(-1) ?? { response: {} };
  return (response as { readonly id?: string }).id;
}

describe('calls that are not as they should be', () => {
  it('are recorded: malformed, unfitting, unknown, unmodelled, not on offer', () => {
    const session = openNotes({ tools: ['get_note', 'create_note'] });
    const outcomes = [
      { tool: 'create_note', malformed: '{"a": ' },
      { tool: 'create_note', input: { title: 5 } },
      { tool: 'create_note', input: ['no object'] },
      { tool: 'no_such_tool' },
      { tool: 'notes.export' },
      { tool: 'delete_note', input: { id: 'note_seed0002' } },
      { tool: 'notes.delete', input: { id: 'note_seed0002' } },
      { tool: 'constructor' },
    ].map((call) => session.call(call) && session.steps().at(-1)?.outcome);
    expect(outcomes).toEqual([
      'invalid-input',
      'invalid-input',
      'invalid-input',
      'unknown-tool',
      'unknown-tool',
      'unknown-tool',
      'unknown-tool',
      'unknown-tool',
    ]);
    expect(session.steps()[0]).toMatchObject({ input: null, malformed: '{"a": ' });
    expect(session.world.contentDigest()).toBe(WORLD.contentDigest());
  });

  it('taint the trial only where everything is on offer: a name that was never offered is made up', () => {
    const open = openNotes();
    open.call({ tool: 'notes.export' });
    expect(open.steps()[0]?.outcome).toBe('unmodelled');
  });

  it('without a tool, and steps that were never made, are the caller’s mistakes', () => {
    const session = openNotes();
    expect(() => session.call({} as never)).toThrow(UsageError);
    for (const step of [99, -1, 0.5]) {
      expect(() => session.rollback(step)).toThrow(UsageError);
      expect(() => session.fork(step)).toThrow(UsageError);
    }
    expect(session.stepCount).toBe(0);
  });

  it('are refused as the caller’s mistake where no trajectory could hold them', () => {
    const session = openNotes();
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as Json;
    for (const input of [Number.NaN, { a: [1 / 0] }, { a: 1n as never }, { f: (() => 1) as never }, deep]) {
      expect(usageError(() => session.call({ tool: 'get_note', input })).code).toBe('bad-arguments');
    }
    for (const waitedMs of [-1, 0.5, Number.NaN, LONGEST_WAIT_MS + 1]) {
      expect(usageError(() => session.call({ tool: 'get_note', waitedMs })).code).toBe('bad-wait');
    }
    expect(usageError(() => session.call({ tool: 'get_note', actor: 'nobody' })).code).toBe('unknown-actor');
    expect(session.stepCount).toBe(0);
  });

  it('reach the world as the trajectory holds them: no absent members, no minus zero', () => {
    const session = openNotes();
    const delivery = session.call({
      tool: 'get_note',
      input: { id: 'note_seed0001', colour: undefined },
    });
    expect(delivery.ok).toBe(true);
    session.call({ tool: 'list_notes', input: { limit: -0 } });
    const [first, second] = session.steps();
    expect(first?.input).toEqual({ id: 'note_seed0001' });
    const { limit } = (second ?? { input: {} }).input as { readonly limit?: number };
    expect(Object.is(limit, 0)).toBe(true);
  });

  it('are refused when the session is opened with names that are not there', () => {
    expect(usageError(() => openNotes({ tools: ['get_not'] })).hint).toBe('did you mean get_note?');
    const watch = { id: 'w', table: 'notes.nots', check: { a: 1 } };
    expect(usageError(() => openNotes({ watches: [watch] })).code).toBe('unknown-table');
    const broken = { id: 'w', table: 'notes.notes', check: { revision: { gt: 5 } } };
    expect(usageError(() => openNotes({ watches: [broken] })).code).toBe('broken-at-start');
  });
});

describe('what a step records', () => {
  it('has the actor, the wait, and the breaches that it caused', () => {
    const session = openNotes(EVERYTHING);
    const from = session.world.clockMs;
    session.call({
      tool: 'tag_note',
      input: { id: 'note_seed0001', tag: 'x' },
      actor: 'clerk',
      waitedMs: 900,
    });
    const update = (revision: number): unknown =>
      session.call({ tool: 'update_note', input: { id: 'note_seed0001', revision, body: 'b' } });
    update(1);
    update(2);
    update(9);
    const steps = session.steps();
    expect(steps[0]).toMatchObject({ actor: 'clerk', waited: 900, breaches: [] });
    expect((steps[0]?.clock ?? 0) - from).toBeGreaterThanOrEqual(900);
    expect(steps.map((step) => step.breaches.map(({ key }) => key))).toEqual([[], [], ['note_seed0001'], []]);
  });

  it('is the actor that the rules of the service see', () => {
    const session = openNotes(EVERYTHING);
    session.call({ tool: 'create_notebook', input: { name: 'Mine' }, actor: 'clerk' });
    expect(session.steps()[0]?.response).toMatchObject({ owner: 'clerk' });
    expect(session.call({ tool: 'create_notebook', input: { name: 'Mine' } }).ok).toBe(true);
    expect(session.call({ tool: 'create_notebook', input: { name: 'Mine' }, actor: 'clerk' }).status).toBe(
      409,
    );
  });

  it('gives the ids of a failed call back', () => {
    const create = CALLS[0] as CallRequest;
    const failing = { tool: 'create_note', input: { notebook_id: 'book_9', title: 'x', body: '' } };
    expect(idOf(played([failing, failing, create]))).toBe(idOf(played([create])));
  });

  it('keeps the writes of an error that the service commits', () => {
    const session = played([CALLS[3] as CallRequest]);
    expect(session.steps()[0]).toMatchObject({ outcome: 'error', status: 403, error: { code: 'wrong_pin' } });
    expect(session.steps()[0]?.diff).toHaveLength(1);
  });
});

describe('values handed in and out', () => {
  it('change nothing when they are changed', () => {
    const input = { notebook_id: 'book_1', title: 'Mine', body: 'b' };
    const session = openNotes();
    const { body } = session.call({ tool: 'create_note', input });
    const file = fileOf(session);
    const digest = session.world.contentDigest();
    input.title = 'Changed';
    const view = body as { title: string; tags: string[] };
    try {
      view.title = 'Changed';
      view.tags.push('changed');
    } catch (error) {
      // Frozen is as good as copied.
      expect(error).toBeInstanceOf(TypeError);
    }
    (session.steps()[0] as { tool: string }).tool = 'changed';
    expect(session.world.contentDigest()).toBe(digest);
    expect(fileOf(session)).toBe(file);
    const read = session.call({ tool: 'get_note', input: { id: idOf(session) as string } });
    expect(read.body).toMatchObject({ title: 'Mine', tags: [] });
  });

  it('are not shared between the rows of the world and a nested argument', () => {
    const attributes = { floor: 2 };
    const session = openNotes({ actors: [{ id: 'a', attributes }] });
    session.call({ tool: 'list_notes' });
    const header = session.fork().finish({ reason: 'answer' }).header;
    expect(header.actors[0]?.attributes).toEqual({ floor: 2 });
  });
});
