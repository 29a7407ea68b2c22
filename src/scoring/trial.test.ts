import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import type { ChangeRecord } from '../trajectory/types.ts';
import { type SyntheticOptions, type SyntheticStep, syntheticTrajectory } from './synthetic.ts';
import { failedChecks, scoreTrial, voidScore } from './trial.ts';
import type { Grader, ScoringInput, TrialScore } from './types.ts';
import { vacuousGraders } from './vacuous.ts';

const paid = (key = 'O-1'): ChangeRecord => ({
  op: 'update',
  table: 'desk.orders',
  key,
  cells: { status: { from: 'open', to: 'paid' } },
});
const mailed = (key: string): ChangeRecord => ({ op: 'insert', table: 'desk.mails', key, row: { to: 'x' } });
const READ: SyntheticStep = { tool: 'read', input: { id: 'O-1' } };
const PAY: SyntheticStep = { tool: 'pay', input: { id: 'O-1' }, diff: [paid()] };
const CONTRACT: Grader = { kind: 'contract', required: true };

function input(
  steps: readonly SyntheticStep[],
  rest: Partial<ScoringInput> & { options?: SyntheticOptions } = {},
): ScoringInput {
  const { options, ...parts } = rest;
  return {
    trajectory: syntheticTrajectory(steps, { answer: 'done', ...options }),
    shape: {},
    contract: { expect: [paid()], allow: [], mask: [] },
    milestones: [],
    invariants: [],
    graders: [CONTRACT],
    reference: [
      { tool: 'read', input: { id: 'O-1' } },
      { tool: 'pay', input: { id: 'O-1' } },
    ],
    ...parts,
  };
}

const score = (...args: Parameters<typeof input>): TrialScore => scoreTrial(input(...args));

describe('scoreTrial: success', () => {
  it('is every required grader passing on a proper end', () => {
    expect(score([READ, PAY])).toMatchObject({
      success: true,
      void: null,
      precision: { value: 1, numerator: 2, denominator: 2 },
      recall: { value: 1, numerator: 2, denominator: 2 },
      redundant: { value: 0, numerator: 0, denominator: 2 },
      steps: 2,
      cost: null,
      firstFailure: null,
    });
    expect(score([READ])).toMatchObject({
      success: false,
      void: null,
      firstFailure: { step: null, check: 'contract' },
    });
  });

  it('does not hang on graders that are not required', () => {
    const optional: Grader = { kind: 'answer', required: false, check: { contains: ['receipt'] } };
    const result = score([PAY], { graders: [CONTRACT, optional] });
    expect(result.success).toBe(true);
    expect(result.graders.map((grader) => grader.verdict)).toEqual(['pass', 'fail']);
    expect(failedChecks(result)).toEqual([]);
  });

  it.each(['agent-crashed', 'agent-timeout', 'agent-stopped', 'agent-protocol', 'budget-calls'] as const)(
    'an end by %s is a failure of the agent, not void',
    (reason) => {
      const result = score([PAY], { options: { reason, answer: null, detail: 'why' } });
      expect(result).toMatchObject({ success: false, void: null });
      expect(result.firstFailure).toEqual({
        step: 0,
        check: `end ${reason}`,
        message: `the run ended by ${reason}: why`,
      });
    },
  );

  it('an end by the user is proper, and its last word from the agent is the answer', () => {
    const said: Grader = { kind: 'answer', required: true, check: { contains: ['paid'] } };
    const messages = [
      { role: 'agent', text: 'it is paid' },
      { role: 'user', text: 'thanks' },
    ] as const;
    const options = { reason: 'user-ended', answer: null, messages } as const;
    expect(score([PAY], { graders: [CONTRACT, said], options }).success).toBe(true);
  });

  it('an answer grader may look at everything that the agent said, and at nothing that the user said', () => {
    const needs = (text: string): readonly Grader[] => [
      CONTRACT,
      { kind: 'answer', required: true, check: { contains: [text] }, in: 'messages' },
    ];
    const messages = [
      { role: 'agent', text: 'that is $1,786' },
      { role: 'user', text: 'and 99?' },
      { role: 'agent', text: 'good bye' },
    ] as const;
    const passes = (text: string): boolean =>
      score([PAY], { graders: needs(text), options: { answer: 'sent 42', messages } }).success;
    expect(['1786', 'good bye', '42', '99', '786'].map(passes)).toEqual([true, true, true, false, false]);
    expect(score([PAY], { graders: needs('42'), options: { answer: null } }).success).toBe(false);
  });

  it('the first failure is the earliest step that broke something', () => {
    const invariants = [
      { id: 'no-delete', kind: 'prohibition', tool: 'delete' },
      { id: 'one-pay', kind: 'cardinality', tool: 'pay', max: 1 },
    ] as const;
    const result = score([PAY, PAY, { tool: 'delete', input: {} }], { invariants });
    expect(failedChecks(result).map(({ check, witness }) => [check, witness.steps[0]])).toEqual([
      ['invariant one-pay', 1],
      ['invariant no-delete', 2],
    ]);
    expect(result.firstFailure?.check).toBe('invariant one-pay');
    // No invariants grader is required: the break is told, the success stands.
    expect(result.success).toBe(true);
    expect(
      score([PAY, PAY], { invariants, graders: [CONTRACT, { kind: 'invariants', required: true }] }).success,
    ).toBe(false);
  });

  it('a wrong value is laid to the step that wrote it last, an unexpected change to its first writer', () => {
    const write = (column: string, from: Json, to: Json): SyntheticStep => ({
      tool: 'set',
      input: { column, to },
      diff: [{ op: 'update', table: 'desk.orders', key: 'O-1', cells: { [column]: { from, to } } }],
    });
    const wrong = score([PAY, write('note', 1, 2), write('status', 'paid', 'void'), write('note', 2, 3)]);
    expect(wrong.graders[0]?.witnesses).toMatchObject([
      { steps: [1, 3], message: 'desk.orders "O-1": note changed, which the contract does not expect' },
      { steps: [2, 0], message: 'desk.orders "O-1": status is "void", expected "paid"' },
    ]);
  });

  it('keeps the earliest fifty witnesses', () => {
    const mails = Array.from(
      { length: 80 },
      (_, index): SyntheticStep => ({
        tool: 'mail',
        input: {},
        diff: [mailed(`M-${index}`)],
      }),
    );
    const [contract] = score([...mails, READ]).graders;
    expect(contract?.witnesses).toHaveLength(50);
    expect(contract?.witnesses[0]?.steps).toEqual([0]);
  });

  it('reads must have succeeded', () => {
    const reads: Grader = { kind: 'reads', required: true, calls: [{ tool: 'read', where: { id: 'O-1' } }] };
    const none = { expect: [], allow: [], mask: [] };
    expect(score([READ], { contract: none, graders: [CONTRACT, reads] }).success).toBe(true);
    const failed = score([{ ...READ, outcome: 'error' }], { contract: none, graders: [CONTRACT, reads] });
    expect(failed).toMatchObject({ success: false, firstFailure: { check: 'reads' } });
  });
});

describe('scoreTrial: void', () => {
  it.each<[string, Parameters<typeof input>, string, RegExp]>([
    ['an unmodelled route', [[PAY, { ...READ, outcome: 'unmodelled' }]], 'unmodelled', /step 1 \(read\)/],
    ['a trajectory that was cut short', [[PAY], { options: { cut: true } }], 'infrastructure', /cut short/],
    [
      'a grader that throws, required or not',
      [[PAY], { graders: [CONTRACT, { kind: 'answer', required: false, check: { matches: ['('] } }] }],
      'grader',
      /answer could not run/,
    ],
    [
      'an invariant that throws',
      [[PAY], { invariants: [{ id: 'g', kind: 'grounding', in: 'answer', match: '(', from: 'results' }] }],
      'grader',
      /invariant g could not be checked/,
    ],
    [
      'a required grader with nothing to see',
      [
        [{ ...PAY, breaches: null }],
        {
          graders: [CONTRACT, { kind: 'invariants', required: true }],
          invariants: [{ id: 's', kind: 'state', always: { table: 't', check: {} } }],
        },
      ],
      'grader',
      /does not say enough/,
    ],
    ['graders that anything passes', [[PAY], { graders: [] }], 'grader', /demands anything/],
    [
      'milestones that wait for each other',
      [
        [PAY],
        {
          graders: [CONTRACT, { kind: 'milestones', required: true }],
          milestones: [{ id: 'a', after: ['a'], expect: [paid()] }],
        },
      ],
      'grader',
      /milestones could not run/,
    ],
  ])('%s', (_, args, reason, detail) => {
    const result = score(...args);
    expect(result).toMatchObject({ success: false, void: { reason, detail: expect.stringMatching(detail) } });
  });

  it('has a score of its own for a trial without a trajectory', () => {
    expect(voidScore('sandbox', 'no memory')).toMatchObject({
      success: false,
      void: { reason: 'sandbox', detail: 'no memory' },
      precision: { value: null, denominator: 0 },
    });
  });
});

describe('scoreTrial: redundant steps', () => {
  it('counts repeats, and reading again after a write only in the plain rate', () => {
    const result = score([READ, PAY, READ, READ]);
    expect(result.redundant).toEqual({ value: 0.5, numerator: 2, denominator: 4 });
    expect(result.redundantSinceWrite).toEqual({ value: 0.25, numerator: 1, denominator: 4 });
  });

  it('a repeated write is redundant either way', () => {
    const result = score([PAY, READ, PAY]);
    expect(result.redundant.numerator).toBe(1);
    expect(result.redundantSinceWrite.numerator).toBe(1);
  });

  it('goes by the declared effect in a trace without diffs, and by no ambient change', () => {
    const foreign = { breaches: null, diff: [] };
    const steps = [READ, { ...PAY, ...foreign }, READ].map((step) => ({ ...step, ...foreign }));
    const effects = { pay: 'write', read: 'read' } as const;
    expect(score(steps, { options: { effects } }).redundantSinceWrite.numerator).toBe(0);
    const shape = {
      'desk.keys': { primaryKey: [], foreignKeys: {}, volatile: [], unhashed: [], ambient: true },
    };
    const ambient: SyntheticStep = {
      tool: 'ping',
      input: {},
      diff: [{ op: 'insert', table: 'desk.keys', key: 1, row: {} }],
    };
    expect(score([READ, ambient, READ], { shape }).redundantSinceWrite.numerator).toBe(1);
  });

  it('is undefined without calls', () => {
    expect(score([])).toMatchObject({
      precision: { value: null, numerator: 0, denominator: 0 },
      redundant: { value: null },
      recall: { value: 0, denominator: 2 },
    });
    expect(score([PAY], { reference: [] })).toMatchObject({
      precision: { value: 0 },
      recall: { value: null },
    });
    expect(score([PAY], { reference: null })).toMatchObject({
      precision: { value: null },
      recall: { value: null },
      calls: [],
    });
  });
});

describe('scoreTrial: recovery', () => {
  const lost = { status: 0, body: null, lost: true } as const;
  const outage = { status: 503, body: { error: 'try later' } } as const;

  it.each<[string, SyntheticStep[], { met: boolean; recovered: boolean }]>([
    ['no error', [READ, PAY], { met: false, recovered: false }],
    ['an error, then success', [{ ...READ, outcome: 'error' }, PAY], { met: true, recovered: true }],
    ['an error, then failure', [{ ...READ, outcome: 'error' }], { met: true, recovered: false }],
    [
      'an outage that a fault made',
      [{ ...READ, delivered: outage }, READ, PAY],
      { met: true, recovered: true },
    ],
    ['a lost answer, no retry', [{ ...PAY, delivered: lost }], { met: true, recovered: true }],
    [
      'a lost answer, a retry that changed nothing',
      [
        { ...PAY, delivered: lost },
        { ...PAY, diff: [] },
      ],
      { met: true, recovered: true },
    ],
    [
      'an error that a fault hid',
      [{ ...READ, outcome: 'error', delivered: { status: 200, body: {} } }, PAY],
      { met: false, recovered: false },
    ],
  ])('%s', (_, steps, wanted) => {
    expect(score(steps).recovery).toEqual(wanted);
  });

  describe('a retry that has its effect twice is no recovery', () => {
    const mail = (key: string, rest: Partial<SyntheticStep> = {}): SyntheticStep => ({
      tool: 'mail',
      input: { to: 'x', body: key },
      diff: [mailed(key)],
      ...rest,
    });
    // A lenient contract: any mail may be sent.
    const contract = { expect: [paid()], allow: [], mask: [] };
    const graders: Grader[] = [{ kind: 'reads', required: true, calls: [{ tool: 'pay' }] }];
    const same = { input: { to: 'x' } };
    const steps = [PAY, mail('M-1', { ...same, delivered: lost }), mail('M-2', same)];

    it('as a call with equal arguments', () => {
      expect(score(steps, { contract, graders })).toMatchObject({
        success: true,
        recovery: { met: true, recovered: false },
      });
    });

    it('also when only the free text differs', () => {
      const worded = [PAY, mail('M-1', { delivered: lost }), mail('M-2')];
      expect(score(worded, { contract, graders }).recovery.recovered).toBe(true);
      expect(score(worded, { contract, graders, freeText: { mail: ['body'] } }).recovery.recovered).toBe(
        false,
      );
    });

    it('unless the reference makes the call as often, or the contract allows the change', () => {
      const twice: Json = { to: 'x' };
      const reference = [
        { tool: 'mail', input: twice },
        { tool: 'mail', input: twice },
      ];
      expect(score(steps, { contract, graders, reference }).recovery.recovered).toBe(true);
      const lenient = { ...contract, allow: [{ table: 'desk.mails' }] };
      expect(score(steps, { contract: lenient, graders }).recovery.recovered).toBe(true);
    });
  });
});

describe('vacuousGraders', () => {
  const parts = (rest: Partial<ScoringInput> = {}): ScoringInput =>
    input([], { contract: { expect: [], allow: [], mask: [] }, ...rest });
  const answer = (check: Grader['check'] & {}): Grader => ({ kind: 'answer', required: true, check });

  it.each<[string, Grader[], ScoringInput, boolean]>([
    ['a contract with changes', [CONTRACT], input([]), true],
    ['a contract without', [CONTRACT], parts(), false],
    [
      'a contract whose only change is masked',
      [CONTRACT],
      input([], { contract: { expect: [paid()], allow: [], mask: ['desk.orders.status'] } }),
      false,
    ],
    ['one that is not required', [{ ...CONTRACT, required: false }], input([]), false],
    ['words of the answer', [answer({ contains: ['x'] })], parts(), true],
    ['words to avoid', [answer({ excludes: ['x'] })], parts(), false],
    ['a pattern that nothing matches', [answer({ matches: ['.*'] })], parts(), false],
    ['a pattern that needs text', [answer({ matches: ['\\d'] })], parts(), true],
    ['an empty word among the choices', [answer({ anyOf: ['x', ' '] })], parts(), false],
    ['a read', [{ kind: 'reads', required: true, calls: [{ tool: 'policy' }] }], parts(), true],
    ['no read', [{ kind: 'reads', required: true, calls: [] }], parts(), false],
    [
      'rules that forbid',
      [{ kind: 'invariants', required: true }],
      parts({ invariants: [{ id: 'a', kind: 'prohibition', tool: 'x' }] }),
      false,
    ],
    [
      'a rule that demands a call',
      [{ kind: 'invariants', required: true }],
      parts({ invariants: [{ id: 'a', kind: 'cardinality', tool: 'x', min: 1 }] }),
      true,
    ],
    [
      'milestones',
      [{ kind: 'milestones', required: true }],
      parts({ milestones: [{ id: 'a', expect: [paid()] }] }),
      true,
    ],
  ])('%s', (_, graders, given, sound) => {
    expect(vacuousGraders(graders, given).some((finding) => finding.grader === null)).toBe(!sound);
  });

  it('names each required grader that has nothing to check', () => {
    const graders: Grader[] = [
      CONTRACT,
      { kind: 'milestones', required: true },
      { kind: 'invariants', required: true },
      answer({}),
      { kind: 'reads', required: true },
      { kind: 'reads', required: false },
    ];
    expect(vacuousGraders(graders, input([])).map((finding) => finding.grader)).toEqual([1, 2, 3, 4]);
  });
});

it('never throws, and never leaves [0, 1], whatever the steps hold', () => {
  const anyStep = fc.record({
    tool: fc.constantFrom('read', 'pay', 'constructor', '__proto__'),
    input: fc.jsonValue() as fc.Arbitrary<Json>,
    response: fc.jsonValue() as fc.Arbitrary<Json>,
    outcome: fc.constantFrom('ok', 'error', 'invalid-input', 'unknown-tool'),
    diff: fc.constantFrom([], [paid()], [paid('O-2')], [mailed('M')]),
  }) as fc.Arbitrary<SyntheticStep>;
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 6 }), (steps) => {
      const result = score(steps, {
        invariants: [
          { id: 'a', kind: 'cardinality', tool: 'pay', each: 'id', max: 1 },
          { id: 'b', kind: 'arguments', tool: 'pay', require: { 'id.0': { gt: 1 } } },
          { id: 'c', kind: 'grounding', in: 'answer', match: '\\w+', from: 'results' },
        ],
      });
      for (const { value } of [
        result.precision,
        result.recall,
        result.redundant,
        result.redundantSinceWrite,
      ]) {
        if (value !== null) expect(value).toBeGreaterThanOrEqual(0);
        if (value !== null) expect(value).toBeLessThanOrEqual(1);
      }
      expect(result.invariants.every((one) => one.verdict !== 'error')).toBe(true);
    }),
  );
});
