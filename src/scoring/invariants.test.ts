import { describe, expect, it } from 'vitest';
import { hasToken } from './grounding.ts';
import { checkInvariants } from './invariants.ts';
import { orderingRule, type SyntheticOptions, type SyntheticStep, syntheticTrajectory } from './synthetic.ts';
import type { Invariant, InvariantResult } from './types.ts';

function check(
  rule: object,
  steps: readonly SyntheticStep[],
  options: SyntheticOptions = {},
): InvariantResult {
  const [result] = checkInvariants(
    [{ id: 'rule', ...rule } as Invariant],
    syntheticTrajectory(steps, options),
  );
  if (!result) throw new Error('no result');
  return result;
}

const policy = (order: unknown): SyntheticStep => ({ tool: 'policy', input: { order } as never });
const refund = (order: unknown, amount = 5): SyntheticStep => ({
  tool: 'refund',
  input: { order, amount } as never,
});
const failed = (step: SyntheticStep): SyntheticStep => ({ ...step, outcome: 'error' });

describe('ordering', () => {
  const rule = orderingRule({ id: 'rule', each: 'order' }, { tool: 'policy' }, { tool: 'refund' });

  it.each<[string, SyntheticStep[], string, number[]]>([
    ['first, then', [policy('A'), refund('A')], 'pass', []],
    ['then without first', [refund('A')], 'fail', [0]],
    ['first too late', [refund('A'), policy('A')], 'fail', [0]],
    ['first for another value', [policy('B'), refund('A')], 'fail', [1]],
    ['a number is not its text', [policy('1'), refund(1)], 'fail', [1]],
    ['one first covers every later then of its value', [policy('A'), refund('A'), refund('A')], 'pass', []],
    ['each breach is named', [refund('A'), policy('A'), refund('B')], 'fail', [0, 2]],
    ['a first that failed does not count', [failed(policy('A')), refund('A')], 'fail', [1]],
    ['a then that failed does not count', [failed(refund('A'))], 'skipped', []],
    ['nothing to order', [policy('A')], 'skipped', []],
  ])('%s', (_, steps, verdict, broken) => {
    const result = check(rule, steps);
    expect(result.verdict).toBe(verdict);
    expect(result.witnesses.flatMap((witness) => witness.steps)).toEqual(broken);
  });

  it('with attempts: all counts failed calls on both sides', () => {
    const all = { ...rule, attempts: 'all' } as const;
    expect(check(all, [failed(refund('A'))]).verdict).toBe('fail');
    expect(check(all, [failed(policy('A')), refund('A')]).verdict).toBe('pass');
  });

  it('without each binds all calls together, and honours where', () => {
    const dear = { tool: 'refund', where: { amount: { gt: 100 } } };
    const any = orderingRule({ id: 'rule' }, { tool: 'policy' }, dear);
    expect(check(any, [refund('A', 50)]).verdict).toBe('skipped');
    expect(check(any, [policy('B'), refund('A', 500)]).verdict).toBe('pass');
    expect(check(any, [refund('A', 500)]).witnesses[0]?.message).toBe(
      'refund at step 0 has no policy before it',
    );
  });

  it('a first of the same turn does not come before: both were decided together', () => {
    const together = (step: SyntheticStep, batch = 'b'): SyntheticStep => ({ ...step, batch });
    const same = check(rule, [together(policy('A')), together(refund('A'))]);
    expect(same.witnesses).toMatchObject([
      {
        steps: [1],
        message: 'refund at step 1 has no policy before it for order "A": step 0 is of the same turn',
      },
    ]);
    expect(check(rule, [together(refund('A')), together(policy('A')), refund('A')]).witnesses).toHaveLength(
      1,
    );
    expect(check(rule, [together(policy('A')), together(policy('B')), refund('A')]).verdict).toBe('pass');
    expect(check(rule, [policy('A'), together(policy('B')), together(refund('A'))]).verdict).toBe('pass');
    expect(check(rule, [together(policy('A')), together(refund('A'), 'c')]).verdict).toBe('pass');
  });

  it('a call that both patterns mean does not precede itself', () => {
    const own = orderingRule({ id: 'rule' }, { tool: 'refund' }, { tool: 'refund' });
    expect(check(own, [refund('A')]).verdict).toBe('fail');
  });
});

describe('arguments', () => {
  const rule = {
    kind: 'arguments',
    tool: 'refund',
    require: { amount: { gt: 0 }, order: { exists: true } },
  } as const;

  it('names the argument, the requirement and the value', () => {
    expect(check(rule, [refund('A'), refund('B', -5)])).toMatchObject({
      verdict: 'fail',
      witnesses: [
        {
          steps: [1],
          message: 'refund at step 1: amount is -5, required {"gt":0}',
          expected: { gt: 0 },
          got: -5,
        },
      ],
    });
    expect(check(rule, [refund(undefined)]).witnesses[0]?.message).toContain('order is absent');
  });

  it('counts failed and malformed calls only with attempts: all', () => {
    const malformed: SyntheticStep = {
      tool: 'refund',
      input: null,
      malformed: '{',
      outcome: 'invalid-input',
    };
    expect(check(rule, [malformed]).verdict).toBe('skipped');
    expect(check({ ...rule, attempts: 'all' }, [malformed])).toMatchObject({ verdict: 'fail' });
    expect(check({ ...rule, attempts: 'all' }, [failed(refund('A', 0))]).verdict).toBe('fail');
  });
});

describe('prohibition', () => {
  it('never allows the call, by tool and arguments', () => {
    const rule = { kind: 'prohibition', tool: 'refund', where: { amount: { gt: 100 } } } as const;
    expect(check(rule, [refund('A', 5)]).verdict).toBe('pass');
    expect(check(rule, [refund('A', 5), refund('A', 500)])).toMatchObject({
      verdict: 'fail',
      witnesses: [{ steps: [1], message: 'refund at step 1 is prohibited' }],
    });
    expect(check(rule, [failed(refund('A', 500))]).verdict).toBe('pass');
    expect(check({ ...rule, attempts: 'all' }, [failed(refund('A', 500))]).verdict).toBe('fail');
  });
});

describe('cardinality', () => {
  const once = { kind: 'cardinality', tool: 'refund', each: 'order', max: 1 } as const;

  it('counts per value, the call beyond the limit first', () => {
    expect(check(once, [refund('A'), refund('B')]).verdict).toBe('pass');
    expect(check(once, [refund('A'), refund('B'), refund('A')])).toMatchObject({
      verdict: 'fail',
      witnesses: [{ steps: [2, 0], expected: 1, got: 2 }],
    });
    expect(check(once, [refund('A'), failed(refund('A'))]).verdict).toBe('pass');
    expect(check(once, [policy('A')]).verdict).toBe('skipped');
  });

  it('has a lower limit too', () => {
    const some = { kind: 'cardinality', tool: 'policy', min: 2 } as const;
    expect(check(some, []).verdict).toBe('fail');
    expect(check(some, [policy('A')])).toMatchObject({
      verdict: 'fail',
      witnesses: [{ steps: [0], expected: 2, got: 1 }],
    });
    expect(check(some, [policy('A'), policy('B')]).verdict).toBe('pass');
    expect(check({ ...some, each: 'order' }, [policy('A'), policy('B')]).witnesses).toHaveLength(2);
  });
});

describe('termination', () => {
  const rule = { kind: 'termination', by: 'answer' } as const;

  it('is met by an answer only', () => {
    expect(check(rule, [], { answer: 'done' }).verdict).toBe('pass');
    expect(check(rule, [policy('A')], { reason: 'agent-crashed', detail: 'exit 1' })).toMatchObject({
      verdict: 'fail',
      witnesses: [{ steps: [0], message: 'the run ended by agent-crashed, not by an answer: exit 1' }],
    });
    expect(check(rule, [], { cut: true }).verdict).toBe('not-run');
  });
});

describe('grounding', () => {
  const rule = { kind: 'grounding', in: 'answer', match: 'order[ #]*(\\d+)', from: 'results' } as const;
  const seen = (response: unknown): SyntheticStep => ({
    tool: 'lookup',
    input: {},
    response: response as never,
  });

  it.each<[string, SyntheticStep[], SyntheticOptions, string]>([
    ['seen as text', [seen({ id: '88213' })], { answer: 'Order #88213 is done' }, 'pass'],
    ['seen as a number', [seen({ id: 88213 })], { answer: 'order 88213' }, 'pass'],
    ['seen inside a sentence', [seen('see order 88213, please')], { answer: 'order 88213' }, 'pass'],
    ['seen as a member name', [seen({ 88213: true })], { answer: 'order 88213' }, 'pass'],
    ['part of a longer number', [seen({ id: 882130 })], { answer: 'order 88213' }, 'fail'],
    ['never seen', [seen({ id: 1 })], { answer: 'order 88213' }, 'fail'],
    ['only in the arguments', [{ tool: 't', input: { id: '88213' } }], { answer: 'order 88213' }, 'fail'],
    [
      'only in a failed call',
      [{ ...seen('no order 88213'), outcome: 'error' }],
      { answer: 'order 88213' },
      'fail',
    ],
    [
      'lost on the way',
      [{ ...seen({ id: 88213 }), delivered: { status: 0, body: null, lost: true } }],
      { answer: 'order 88213' },
      'fail',
    ],
    [
      'as delivered, not as it was',
      [{ ...seen({ id: 88213 }), delivered: { status: 200, body: { id: 9 } } }],
      { answer: 'order 9' },
      'pass',
    ],
    ['only in the task', [], { answer: 'order 88213', task: 'about order 88213' }, 'fail'],
    ['no id in the answer', [], { answer: 'done' }, 'skipped'],
    ['no answer', [], { reason: 'agent-crashed' }, 'skipped'],
  ])('%s', (_, steps, options, verdict) => {
    expect(check(rule, steps, options).verdict).toBe(verdict);
  });

  it('names every value that was not given', () => {
    const result = check(rule, [seen({ id: 7 })], { answer: 'order 7, order 8 and order 9' });
    expect(result.witnesses.map((witness) => witness.got)).toEqual(['8', '9']);
  });

  it('takes the task and the user as sources where the rule says so', () => {
    const wide = { ...rule, from: 'results-and-task' } as const;
    expect(check(wide, [], { answer: 'order 88213', task: 'about order 88213' }).verdict).toBe('pass');
    const messages = [
      { role: 'user', text: 'my order 5' },
      { role: 'agent', text: 'order 5 and order 6' },
    ] as const;
    expect(check(wide, [], { reason: 'user-ended', messages }).witnesses).toMatchObject([{ got: '6' }]);
  });

  it('with attempts: all takes failed calls as sources', () => {
    const failure: SyntheticStep = { ...seen('no order 88213'), outcome: 'error' };
    expect(check({ ...rule, attempts: 'all' }, [failure], { answer: 'order 88213' }).verdict).toBe('pass');
  });

  it('a pattern that is none is an error of the rule, not of the agent', () => {
    expect(check({ ...rule, match: '(' }, [], { answer: 'x' })).toMatchObject({ verdict: 'error' });
  });

  it.each([
    ['order 8821.', '8821', true],
    ['(8821)', '8821', true],
    ['8821, 8822', '8821', true],
    ['88213', '8821', false],
    ['ord-8821', '8821', false],
    ['ord-8821', 'ORD-8821', true],
    ['ord-8821-b', 'ord-8821', false],
    ['8821.50', '8821', false],
    ['x_8821', '8821', false],
    ['no 88213, but 8821', '8821', true],
    ['é8821', '8821', false],
  ])('in "%s" the token %s: %s', (text, value, found) => {
    expect(hasToken(text, value)).toBe(found);
  });
});

describe('state', () => {
  const rule = { kind: 'state', always: { table: 'desk.accounts', check: { balance: { gte: 0 } } } } as const;
  const step = (...keys: string[]): SyntheticStep => ({
    tool: 't',
    input: {},
    breaches: keys.map((key) => ({ id: 'rule', table: 'desk.accounts', key })),
  });

  it('names each row at the step that broke it', () => {
    const result = check(rule, [step(), step('A'), step('A', 'B'), step('B'), step('A')]);
    expect(result.verdict).toBe('fail');
    expect(result.witnesses.map((witness) => [witness.got, ...witness.steps])).toEqual([
      ['A', 1],
      ['B', 2],
      ['A', 4],
    ]);
  });

  it('passes, skips, and says when nobody looked', () => {
    expect(check(rule, [step()]).verdict).toBe('pass');
    expect(check(rule, []).verdict).toBe('skipped');
    expect(check(rule, [{ tool: 't', input: {}, breaches: null }]).verdict).toBe('not-run');
  });

  it('leaves breaches of other rules alone', () => {
    const other = { tool: 't', input: {}, breaches: [{ id: 'other', table: 'desk.accounts', key: 'A' }] };
    expect(check(rule, [other]).verdict).toBe('pass');
  });
});

it('an unknown kind is an error of the rule', () => {
  expect(check({ kind: 'novelty' }, [])).toMatchObject({ verdict: 'error' });
});
