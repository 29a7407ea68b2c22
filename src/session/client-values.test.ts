import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ENVIRONMENT, openNotes } from '../../test/episodes.ts';
import { InvariantError } from '../base/errors.ts';
import {
  defineErrors,
  defineSchema,
  defineService,
  operationFor,
  PLAIN_ERRORS,
  plainAccess,
  plainProtocol,
  table,
} from '../service/index.ts';
import { seedWorld } from '../service/seed.ts';
import { readTrajectory } from '../trajectory/index.ts';
import { replayTrajectory, sessionAt } from './replay.ts';
import { openSession, type Session } from './session.ts';

const NOTE = { notebook_id: 'book_1', title: 'One', body: '' };

function createNote(session: Session, key: string): unknown {
  return session.call({ tool: 'create_note', input: { ...NOTE, request_key: key } }).body;
}

function fileOf(session: Session): string {
  const fork = session.fork();
  fork.finish({ reason: 'answer', answer: '' });
  return fork.text();
}

function playedWith(keys: readonly string[]): Session {
  const session = openNotes();
  for (const key of keys) createNote(session, key);
  return session;
}

describe('unhashed inputs', () => {
  it('leave no trace of their values: two runs with other random keys write the same file', () => {
    const text = fileOf(playedWith(['8f14e45f', 'c9f0f895', '8f14e45f', '45c48cce']));
    expect(fileOf(playedWith(['a', 'b', 'a', 'c']))).toBe(text);
    expect(text).not.toContain('c9f0f895');
    const inputs = readTrajectory(text).steps.map(
      ({ input }) => (input as { request_key: string }).request_key,
    );
    expect(inputs).toEqual(['unhashed-1', 'unhashed-2', 'unhashed-1', 'unhashed-3']);
  });

  it('still tell a repeated value from a new one', () => {
    const session = openNotes();
    const first = createNote(session, 'mine');
    expect(createNote(session, 'other')).not.toEqual(first);
    expect(createNote(session, 'mine')).toEqual(first);
    expect(session.steps()[2]?.diff).toEqual([]);
  });

  it('keep apart a value that looks like the name of another', () => {
    const session = openNotes();
    const first = createNote(session, 'unhashed-2');
    const second = createNote(session, 'mine');
    expect(second).not.toEqual(first);
    expect(createNote(session, 'unhashed-2')).toEqual(first);
    expect(createNote(session, 'mine')).toEqual(second);
  });

  it('replay to the same file, and go on from any step', () => {
    const text = fileOf(playedWith(['x', 'y', 'x']));
    const trajectory = readTrajectory(text);
    expect(replayTrajectory(trajectory, ENVIRONMENT).firstDivergence).toBeNull();
    const resumed = sessionAt(trajectory, ENVIRONMENT, 2);
    createNote(resumed, 'unhashed-1');
    expect(fileOf(resumed)).toBe(text);
  });

  it('belong to their fork, and are forgotten by a rollback', () => {
    const session = playedWith(['x']);
    const fork = session.fork();
    createNote(fork, 'only in the fork');
    createNote(session, 'only here');
    expect(fileOf(fork)).toBe(fileOf(session));
    const text = fileOf(session);
    session.rollback(1);
    createNote(session, 'after the rollback');
    expect(fileOf(session)).toBe(text);
  });

  it('stay as they are where the schema refuses them', () => {
    const session = openNotes();
    expect(session.call({ tool: 'create_note', input: { ...NOTE, request_key: '' } }).ok).toBe(false);
    expect(session.call({ tool: 'create_note', input: { ...NOTE, request_key: 7 } }).ok).toBe(false);
    expect(session.steps().map(({ input }) => (input as { request_key: unknown }).request_key)).toEqual([
      '',
      7,
    ]);
  });

  it('are named also where other arguments are refused', () => {
    const files = ['p', 'q'].map((request_key) => {
      const session = openNotes();
      expect(session.call({ tool: 'create_note', input: { request_key } }).ok).toBe(false);
      return fileOf(session);
    });
    expect(files[0]).toBe(files[1]);
  });
});

/** A service whose answers repeat the key, and one whose schema takes no name. */
const schema = defineSchema({ charges: table({ primaryKey: 'key', columns: { key: z.string() } }) });
const errors = defineErrors(PLAIN_ERRORS);
const operation = operationFor(schema, errors);

function charge(id: string, key: z.ZodType<string>) {
  return operation({
    id,
    summary: 'Charges once for each key.',
    effect: 'write',
    input: z.strictObject({ key, note: z.string().optional() }),
    output: z.strictObject({ key: z.string(), all: z.array(z.string()), note: z.string() }),
    unhashedInputs: ['key'],
    example: { key: 'k' },
    errors: [],
    run({ tx }, input) {
      if (!tx.charges.has(input.key)) tx.charges.insert({ key: input.key });
      const all = [...tx.charges.scan()].map((row) => row.key);
      return { key: input.key, all, note: `charged under ${input.key}` };
    },
  });
}

const till = defineService({
  name: 'till',
  version: '1.0.0',
  summary: 'A till.',
  schema,
  errors,
  operations: [charge('charges.create', z.string()), charge('charges.strict', z.uuid())],
  tools: [],
  protocol: plainProtocol(errors),
  access: plainAccess('sample'),
  coverage: [],
  epochMs: 0,
  seeds: { small: () => undefined },
});

function openTill(): Session {
  return openSession({
    services: [till],
    world: seedWorld([{ service: till, seed: 'small' }]),
    seeds: { till: 'small' },
    streamSeed: 'till',
    epochMs: 0,
    behaviour: { engine: 'test', services: { till: 'test' } },
  });
}

describe('answers that repeat an unhashed input', () => {
  it('carry the value of the client, but are recorded with its name', () => {
    const session = openTill();
    session.call({ tool: 'charges.create', input: { key: 'mine' } });
    const { body } = session.call({ tool: 'charges.create', input: { key: 'second' } });
    expect(body).toEqual({ key: 'second', all: ['mine', 'second'], note: 'charged under unhashed-2' });
    expect(session.steps()[1]?.response).toEqual({
      key: 'unhashed-2',
      all: ['unhashed-1', 'unhashed-2'],
      note: 'charged under unhashed-2',
    });
  });

  it('break loudly where the schema takes no name: the service is wrong, not the client', () => {
    const key = '0f8fad5b-d9cb-469f-a165-70867728950e';
    expect(() => openTill().call({ tool: 'charges.strict', input: { key } })).toThrow(InvariantError);
  });
});
