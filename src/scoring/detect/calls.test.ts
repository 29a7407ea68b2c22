import { describe, expect, it } from 'vitest';
import { briefly, found, runOf, toolOf, type WrittenCall } from './detect.test-kit.ts';
import type { DetectRun } from './types.ts';

/** A faulty run, what is said of it, and its clean twin of which nothing is said. */
interface Pair {
  readonly name: string;
  readonly faulty: DetectRun;
  readonly says: readonly string[];
  readonly twin: DetectRun;
}

const order = (id: string, more: object = {}) => ({
  order_id: id,
  status: 'delivered',
  total: 70.5,
  ...more,
});
const look = (id: string, more: object = {}): WrittenCall => [
  'lookup_order',
  { order_id: id },
  order(id, more),
];
const refund = (amount: number, more: object = {}): WrittenCall => [
  'refund',
  { order_id: '4711', amount },
  { order_id: '4711', amount, ...more },
];
const TASK = { task: 'Refund order 4711.' };

const PAIRS: readonly Pair[] = [
  {
    name: 'an id that nobody gave',
    faulty: runOf([look('4712')], TASK),
    says: ['0 hallucinated_argument grounding.argument'],
    twin: runOf([look('4711')], TASK),
  },
  {
    name: 'an id out of an earlier answer, or of a user who said it in between',
    faulty: runOf([look('4711', { sku: 'A-12' }), ['get_policy', { sku: 'B-12' }, { days: 14 }]], TASK),
    says: ['1 hallucinated_argument grounding.argument'],
    twin: runOf([look('4711', { sku: 'A-12' }), ['get_policy', { sku: 'A-12' }, { days: 14 }]], TASK),
  },
  {
    name: 'an amount that nothing computes',
    faulty: runOf([look('4711'), refund(33.17)], TASK),
    says: ['1 ignored_observation grounding.argument'],
    twin: runOf([look('4711', { fee_percent: 10 }), refund(63.45)], TASK),
  },
  {
    name: 'an amount above what may go back',
    faulty: runOf([look('4711', { max_refund: 50 }), refund(70.5)], TASK),
    says: ['1 ignored_observation totals.bound'],
    twin: runOf([look('4711', { max_refund: 70.5 }), refund(70.5)], TASK),
  },
  {
    name: 'an address in a text that goes out',
    faulty: runOf([['send_mail', { body: 'Write to ann@shop.example about it.' }, { sent: true }]], TASK),
    says: ['0 hallucinated_argument grounding.text'],
    twin: runOf([['send_mail', { body: 'Write to us about order 4711.' }, { sent: true }]], TASK),
  },
  {
    name: 'a read that is made again for no reason',
    faulty: runOf([look('4711'), look('4711')], TASK),
    says: ['1 repetition repetition.read'],
    twin: runOf(
      [look('4711'), ['set_note', { order_id: '4711', note: 'seen' }, { ok: true }], look('4711')],
      TASK,
    ),
  },
  {
    name: 'a write that is made twice',
    faulty: runOf([look('4711'), refund(70.5), refund(70.5)], TASK),
    says: ['2 duplicate_effect repetition.write'],
    twin: runOf([look('4711'), refund(70.5)], TASK),
  },
  {
    name: 'a call that is not what was announced',
    faulty: runOf([look('4711'), ['get_customer', {}, {}, { thought: 'Check the refund policy for it.' }]], {
      tools: ['lookup_order', 'get_customer', 'get_policy', 'refund'].map((name) => toolOf(name)),
      task: 'See to order 4711.',
    }),
    says: ['1 wrong_tool reasoning.tool'],
    twin: runOf([look('4711'), ['get_policy', {}, {}, { thought: 'Check the refund policy for it.' }]], {
      tools: ['lookup_order', 'get_customer', 'get_policy', 'refund'].map((name) => toolOf(name)),
      task: 'See to order 4711.',
    }),
  },
  {
    name: 'what the task asks for and nobody did',
    faulty: runOf([look('4711')], {
      task: 'Look at order 4711, confirm eligibility and answer.',
      tools: [toolOf('lookup_order'), toolOf('check_eligibility', { effect: 'read' })],
    }),
    says: ['0 skipped_precondition demands.unmet'],
    twin: runOf([look('4711'), ['check_eligibility', { order_id: '4711' }, { eligible: true }]], {
      task: 'Look at order 4711, confirm eligibility and answer.',
      tools: [toolOf('lookup_order'), toolOf('check_eligibility', { effect: 'read' })],
    }),
  },
  {
    name: 'a run without a reply',
    faulty: runOf([look('4711')], { ...TASK, reply: null, ended: 'no-answer' }),
    says: ['0 premature_stop ending.no-reply'],
    twin: runOf([look('4711')], { ...TASK, reply: null, ended: 'unknown' }),
  },
  {
    name: 'a reply that puts off',
    faulty: runOf([look('4711')], { ...TASK, reply: 'I am looking into it.' }),
    says: ['0 premature_stop ending.deferral'],
    twin: runOf([look('4711')], { ...TASK, reply: 'Order 4711 is delivered.' }),
  },
];

describe('calls', () => {
  it.each(PAIRS)('$name is found, and not in the clean twin', ({ faulty, says, twin }) => {
    expect(briefly(found(faulty))).toEqual(says);
    expect(briefly(found(twin))).toEqual([]);
  });
});

describe('a trace that says little', () => {
  it('is not blamed for what it does not hold', () => {
    const silent = { result: null, failed: null, status: null } as const;
    const run = runOf([['refund', {}, null, { ...silent, arguments: { kind: 'not-captured' } }]], {
      ended: 'unknown',
      reply: null,
    });
    expect(found(run)).toEqual([]);
  });
});

describe('schemas', () => {
  const schema = {
    type: 'object',
    properties: {
      order_id: { type: 'string' },
      state: { enum: ['open', 'closed'] },
      days: { type: 'integer' },
    },
    required: ['order_id'],
    additionalProperties: false,
  };
  const tools = [toolOf('list_returns', { inputSchema: schema })];
  const call = (input: WrittenCall[1]) => found(runOf([['list_returns', input, []]], { ...TASK, tools }));

  it.each([
    ['an argument that must be there', {}, 'schema.required'],
    ['one that is not known', { order_id: '4711', colour: 'red' }, 'schema.unknown'],
    ['a value of another type', { order_id: '4711', days: 'two' }, 'schema.type'],
    ['a value outside its choices', { order_id: '4711', state: 'ajar' }, 'schema.type'],
  ])('name %s', (_, input, rule) => {
    expect(call(input as WrittenCall[1]).map((one) => one.rule)).toContain(rule);
  });

  it('say nothing of a call that fits', () => {
    expect(call({ order_id: '4711', state: 'open', days: 2 })).toEqual([]);
  });

  it('name a tool that is not there, and arguments that are no JSON', () => {
    const unknown = found(runOf([['list_orders', {}, []]], { ...TASK, tools }));
    expect(briefly(unknown)).toEqual(['0 wrong_tool schema.tool']);
    const torn = { arguments: { kind: 'malformed', text: '{"order' } } as const;
    expect(briefly(found(runOf([['list_returns', {}, [], torn]], { ...TASK, tools })))).toEqual([
      '0 invalid_call schema.malformed',
    ]);
  });
});
