import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvariantError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import {
  composedTool,
  defineErrors,
  defineSchema,
  defineService,
  OperationFailed,
  operationFor,
  PLAIN_ERRORS,
  plainAccess,
  plainProtocol,
  ToolFailed,
  table,
} from '../service/index.ts';
import { seedWorld } from '../service/seed.ts';
import { openSession, type Session } from './session.ts';

/** A till with one table: enough to compose tools that fail in the middle. */
const schema = defineSchema({
  entries: table({
    primaryKey: 'id',
    ids: { kind: 'sequence', prefix: 'e', start: 1 },
    columns: { id: z.string(), lines: z.array(z.strictObject({ text: z.string() })) },
  }),
});
const errors = defineErrors({ ...PLAIN_ERRORS, full: { status: 409, message: 'Full.' } });
const operation = operationFor(schema, errors);
const line = z.strictObject({ text: z.string() });
const add = operation({
  id: 'entries.add',
  summary: 'Adds an entry; three fit.',
  effect: 'write',
  input: z.strictObject({ lines: z.array(line) }),
  output: z.strictObject({ id: z.string(), lines: z.array(line) }),
  example: { lines: [] },
  errors: ['full'],
  run(ctx, { lines }) {
    if ([...ctx.tx.entries.scan()].length >= 3) ctx.fail('full');
    ctx.emit({ type: 'added', data: { count: lines.length } });
    return ctx.tx.entries.insert({ id: ctx.nextId('entries'), lines });
  },
});

type Compose = (invoke: (id: string, input: JsonObject) => Json, input: { readonly count: number }) => Json;

function composed(name: string, compose: Compose) {
  const input = z.strictObject({ count: z.int() });
  return composedTool({ name, description: name, input, operations: [add.id], compose });
}

const till = defineService({
  name: 'till',
  version: '1.0.0',
  summary: 'A till.',
  schema,
  errors,
  operations: [add],
  tools: [
    composed('add_many', (invoke, { count }) => {
      const ids: Json[] = [];
      for (let index = 0; index < count; index += 1) {
        ids.push((invoke(add.id, { lines: [{ text: `line ${index}` }] }) as JsonObject).id ?? null);
      }
      return { ids };
    }),
    composed('add_or_shrug', (invoke) => {
      try {
        for (;;) invoke(add.id, { lines: [] });
      } catch {
        return 'enough';
      }
    }),
    composed('add_badly', (invoke) => invoke(add.id, { lines: 'none' })),
    composed('add_elsewhere', (invoke) => invoke('entries.remove', {})),
    composed('trip', () => {
      throw new TypeError('tripped');
    }),
    {
      ...composed('add_or_say', (invoke, { count }) => {
        if (count < 1) throw new ToolFailed('count must be greater than 0');
        try {
          for (let index = 0; index < count; index += 1) invoke(add.id, { lines: [] });
          return 'added';
        } catch (failure) {
          if (!(failure instanceof OperationFailed)) throw failure;
          throw new ToolFailed(`failed to add: ${failure.operation} ${failure.status}`, failure);
        }
      }),
      refusal: (issues) => `no good: ${issues.map(({ path }) => path).join(', ')}`,
      optional: true,
    },
  ],
  protocol: plainProtocol(errors),
  access: plainAccess('sample'),
  coverage: [{ operation: add.id, status: 'supported' }],
  epochMs: 0,
  seeds: { small: () => undefined },
});

const services = [till];
const world = seedWorld([{ service: till, seed: 'small' }]);

function open(tools?: readonly string[]): Session {
  return openSession({
    ...(tools && { tools }),
    services,
    world,
    seeds: { till: 'small' },
    streamSeed: 's',
    epochMs: 0,
    behaviour: { engine: '', services: {} },
  });
}

describe('a composed tool', () => {
  it('is one step with its operations, its net change and its events', () => {
    const session = open();
    expect(session.call({ tool: 'add_many', input: { count: 2 } }).body).toEqual({ ids: ['e1', 'e2'] });
    const [step] = session.steps();
    expect(step).toMatchObject({ tool: 'add_many', outcome: 'ok', status: 200 });
    expect(step?.operations).toEqual([
      { id: 'entries.add', status: 200 },
      { id: 'entries.add', status: 200 },
    ]);
    expect(step?.diff.map(({ op, key }) => [op, key])).toEqual([
      ['insert', 'e1'],
      ['insert', 'e2'],
    ]);
    expect(step?.events).toHaveLength(2);
  });

  it('that fails in the middle answers with the failed operation and keeps what came before', () => {
    const session = open();
    const delivery = session.call({ tool: 'add_many', input: { count: 5 } });
    expect(delivery).toMatchObject({ ok: false, status: 409, body: { error: { code: 'full' } } });
    const [step] = session.steps();
    expect(step).toMatchObject({ outcome: 'error', error: { code: 'full' } });
    expect(step?.operations.map(({ status }) => status)).toEqual([200, 200, 200, 409]);
    expect(step?.diff).toHaveLength(3);
    expect([...session.world.table('till.entries').scan()].map((row) => row.id)).toEqual(['e1', 'e2', 'e3']);
    expect(step?.before).not.toBe(step?.after);
  });

  it('answers invalid arguments of its own and of a sub-step alike, and may go on after a failure', () => {
    const session = open();
    expect(session.call({ tool: 'add_many', input: { count: 'x' } }).status).toBe(422);
    expect(session.call({ tool: 'add_badly', input: { count: 1 } }).status).toBe(422);
    expect(session.steps().map((step) => [step.outcome, step.operations.length])).toEqual([
      ['invalid-input', 0],
      ['invalid-input', 1],
    ]);
    expect(session.call({ tool: 'add_or_shrug', input: { count: 0 } })).toMatchObject({
      ok: true,
      body: 'enough',
    });
    expect(
      session
        .steps()
        .at(-1)
        ?.operations.map(({ status }) => status),
    ).toEqual([200, 200, 200, 409]);
  });

  it('may answer a failure, and refuse arguments, in words of its own', () => {
    const session = open(['add_or_say']);
    const answers = [5, 0, 'x'].map((count) => session.call({ tool: 'add_or_say', input: { count } }));
    expect(answers.map(({ ok, status, body }) => [ok, status, body])).toEqual([
      [false, 409, 'failed to add: entries.add 409'],
      [false, 422, 'count must be greater than 0'],
      [false, 422, 'no good: count'],
    ]);
    expect(session.steps().map((step) => [step.outcome, step.error?.code, step.diff.length])).toEqual([
      ['error', 'full', 3],
      ['error', 'invalid_input', 0],
      ['invalid-input', 'invalid_input', 0],
    ]);
  });

  it('that is optional is there for those who ask for it by name', () => {
    const call = { tool: 'add_or_say', input: { count: 1 } };
    expect(open().call(call)).toMatchObject({ ok: false, status: 404 });
    expect(open(['add_or_say']).call(call)).toMatchObject({ ok: true, body: 'added' });
    expect(open(['add_many', 'add_or_say']).call(call)).toMatchObject({ ok: true });
    expect(open().call({ tool: 'entries.add', input: { lines: [] } }).ok).toBe(true);
  });

  it('that breaks is our mistake, not an answer, and leaves no step', () => {
    const session = open();
    for (const tool of ['trip', 'add_elsewhere']) {
      expect(() => session.call({ tool, input: { count: 1 } })).toThrow(InvariantError);
    }
    expect(session.stepCount).toBe(0);
    expect(session.world.contentDigest()).toBe(open().world.contentDigest());
  });
});

describe('rows made of nested arguments', () => {
  it('stay as they are when the caller changes the arguments or the answer later', () => {
    const session = open();
    const input = { lines: [{ text: 'as sent' }] };
    const { body } = session.call({ tool: 'entries.add', input });
    const digest = session.world.fullDigest();
    (input.lines[0] as { text: string }).text = 'changed';
    input.lines.push({ text: 'more' });
    expect(() => {
      (body as unknown as typeof input).lines.push({ text: 'more' });
    }).toThrow(TypeError);
    expect(session.world.table('till.entries').get('e1')).toEqual({ id: 'e1', lines: [{ text: 'as sent' }] });
    expect(session.world.fullDigest()).toBe(digest);
  });
});
