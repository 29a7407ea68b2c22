import { describe, expect, it } from 'vitest';
import { BEHAVIOUR, ENVIRONMENT, openNotes, SERVICES } from '../../test/episodes.ts';
import { UsageError } from '../base/errors.ts';
import type { FaultRule } from '../faults/index.ts';
import { readTrajectory } from '../trajectory/index.ts';
import { replayTrajectory } from './index.ts';

const LIST = { tool: 'list_notes', input: {} };
const BUSY: FaultRule = {
  id: 'busy',
  match: { tool: 'list_notes' },
  effect: { kind: 'reject', status: 429, retryAfterSeconds: 2, holds: true },
  label: 'busy until asked to come back',
};

describe('actors who join an episode', () => {
  it('may call from then on, and are recorded with the next call', () => {
    const session = openNotes();
    expect(() => session.call({ ...LIST, actor: 'clerk' })).toThrow(UsageError);
    session.join([{ id: 'clerk', roles: ['reader'] }]);
    expect(session.actors.map(({ id }) => id)).toEqual(['agent', 'clerk']);
    session.call({ tool: 'create_notebook', input: { name: 'Post' }, actor: 'clerk' });
    session.call({ ...LIST, actor: 'clerk' });
    const [first, second] = session.steps();
    expect(first).toMatchObject({ actor: 'clerk', joined: [{ id: 'clerk', roles: ['reader'] }] });
    expect(first?.response).toMatchObject({ owner: 'clerk' });
    expect(second?.joined).toBeUndefined();
  });

  it('have names of their own', () => {
    const session = openNotes();
    expect(() => session.join([{ id: 'agent' }])).toThrow('there is an actor named agent already');
    expect(() => session.join([{ id: 'two' }, { id: 'two' }])).toThrow(UsageError);
    expect(session.actors).toHaveLength(1);
  });

  it('go with a fork and are dropped by a rollback', () => {
    const session = openNotes();
    session.call(LIST);
    session.join([{ id: 'clerk' }]);
    const forked = session.fork();
    session.rollback(1);
    expect(session.actors.map(({ id }) => id)).toEqual(['agent']);
    forked.call({ ...LIST, actor: 'clerk' });
    expect(forked.fork(1).actors).toHaveLength(1);
    expect(forked.actors).toHaveLength(2);
  });
});

describe('fault rules that are injected', () => {
  it('strike from the next call on, until the client has waited as it was told', () => {
    const session = openNotes();
    expect(session.call(LIST).status).toBe(200);
    session.inject([BUSY]);
    expect(session.call(LIST)).toMatchObject({ status: 429, headers: { 'retry-after': '2' } });
    expect(session.call(LIST).status).toBe(429);
    session.wait(2_000);
    expect(session.call(LIST).status).toBe(200);
    expect(session.steps().map(({ injected }) => injected !== undefined)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('stand beside those of the start, under ids of their own', () => {
    const session = openNotes({ faults: { rules: [BUSY] } });
    expect(() => session.inject([BUSY])).toThrow('there is a fault rule named busy already');
    session.inject([{ ...BUSY, id: 'lost', match: { tool: 'get_note' }, effect: { kind: 'response-lost' } }]);
    expect(session.call(LIST).status).toBe(429);
    expect(session.call({ tool: 'get_note', input: { id: 'note_seed0001' } }).lost).toBe(true);
  });
});

describe('a token that an operation issued', () => {
  it('lets a call in by its scope, and is an input of the step', () => {
    const session = openNotes();
    const { body } = session.call({ tool: 'tokens.create', input: { scope: 'read' } });
    const credential = String((body as { access_token: string }).access_token);
    expect(session.call({ ...LIST, credential }).status).toBe(200);
    const remove = { tool: 'delete_note', input: { id: 'note_seed0001' }, credential };
    expect(session.call(remove).status).toBe(403);
    // Who may not come in is told that before anybody looks at what was sent.
    expect(session.call({ tool: 'delete_note', malformed: '{', credential }).status).toBe(403);
    session.call({ tool: 'tokens.revoke', input: { access_token: credential } });
    expect(session.call({ ...LIST, credential }).status).toBe(401);
    expect(session.steps().map((step) => step.credential === credential)).toEqual([
      false,
      true,
      true,
      true,
      false,
      true,
    ]);
  });
});

describe('replay', () => {
  it('lets the same actors, rules and tokens in again', () => {
    const session = openNotes({ services: SERVICES, behaviour: BEHAVIOUR });
    const { body } = session.call({ tool: 'tokens.create', input: { scope: 'write' } });
    const { access_token } = body as { access_token: string };
    session.join([{ id: 'clerk' }]);
    session.inject([BUSY]);
    session.call({ ...LIST, actor: 'clerk', credential: access_token });
    session.wait(2_000);
    session.call({ ...LIST, actor: 'clerk' });
    session.finish({ reason: 'answer', answer: 'done' });
    const result = replayTrajectory(readTrajectory(session.text()), ENVIRONMENT);
    expect(result).toMatchObject({ identical: true, steps: 3 });
  });
});
