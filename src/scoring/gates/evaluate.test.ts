import { describe, expect, it } from 'vitest';
import { evaluateGate } from './evaluate.ts';
import { many, trialsOf } from './gates.test-kit.ts';
import type { GateCheck, GateProfile, GateVerdict } from './types.ts';

type Outcomes = Readonly<Record<string, string>>;

function gate(profile: Partial<GateProfile>, candidate: Outcomes, baseline: Outcomes | null = null) {
  return evaluateGate(
    { falseAlarms: 0.05, ...profile },
    {
      candidate: trialsOf({ outcomes: candidate }),
      baseline: baseline && trialsOf({ outcomes: baseline }),
      aligned: true,
    },
  );
}

const only = (checks: readonly GateCheck[]): GateCheck => {
  expect(checks).toHaveLength(1);
  return checks[0] as GateCheck;
};

/** 20 scenarios of which so many are solved in each of two trials. */
const solved = (count: number): Outcomes => ({ ...many(count, '11'), ...many(20 - count, '00', 'u') });

describe('harm', () => {
  const harm = { harm: { confidence: 0.95 } };

  it.each<[string, Outcomes, GateVerdict]>([
    ['the same', solved(12), 'pass'],
    ['one worse, as luck has it', { ...solved(12), s0: '01' }, 'pass'],
    ['eight worse', { ...solved(12), ...many(8, '00') }, 'fail'],
    ['better', { ...solved(12), ...many(8, '11', 'u') }, 'pass'],
  ])('%s', (_, candidate, verdict) => {
    expect(gate(harm, candidate, solved(12)).verdict).toBe(verdict);
  });

  it('fails where every scenario got worse, though nothing spreads', () => {
    const { checks } = gate(harm, many(12, '00'), many(12, '11'));
    expect(only(checks)).toMatchObject({ verdict: 'fail', reason: expect.stringContaining('moved alike') });
  });

  it('is asked at a confidence next to 1 too, as an early look of many is', () => {
    for (const confidence of [1 - Number.EPSILON / 2, 1]) {
      const { checks } = gate({ harm: { confidence } }, { ...solved(12), s0: '01' }, solved(12));
      expect(only(checks)).toMatchObject({
        verdict: 'pass',
        reason: expect.stringContaining('over 99.99 % interval'),
      });
    }
  });

  it('is open without a baseline, with other void shares, and of one cluster', () => {
    expect(gate(harm, solved(3)).verdict).toBe('inconclusive');
    expect(only(gate(harm, { ...solved(12), s0: '1v' }, solved(12)).checks)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'void shares differ: 0 of 40 against 1 of 40 trials',
    });
    expect(gate(harm, { a: '01' }, { a: '11' }).verdict).toBe('inconclusive');
  });
});

describe('noninferiority', () => {
  const within = (margin: number) => ({ noninferiority: { margin, confidence: 0.95 } });

  it('passes where the whole interval lies above the margin, fails where it lies below', () => {
    const candidate = { ...solved(12), s0: '01' };
    expect(gate(within(0.1), candidate, solved(12)).verdict).toBe('pass');
    expect(gate(within(0.05), candidate, solved(12)).verdict).toBe('inconclusive');
    expect(gate(within(0.05), { ...solved(12), ...many(10, '00') }, solved(12)).verdict).toBe('fail');
  });

  it('and harm are each asked of an interval of their own confidence', () => {
    const rules = { harm: { confidence: 0.99 }, noninferiority: { margin: 0.5, confidence: 0.6 } };
    // Half of 20 scenarios lost a trial of two: .25 ± t·.0573539, t(.995, 19) = 2.860935.
    const { checks } = gate(rules, { ...solved(12), ...many(10, '01') }, solved(12));
    const [harm, within] = checks.map(({ reason }) => reason);
    expect(harm).toContain('-41.4 to -8.6 points (99 % interval)');
    expect(within).toContain('(60 % interval)');
    expect(within).not.toContain('-41.4');
  });

  it('of runs that came out alike is bounded by how many scenarios there are', () => {
    // 1 − .025^(1/20) = .168.
    const { checks } = gate(within(0.2), solved(12), solved(12));
    expect(only(checks)).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining(
        '-16.8 to 16.8 points (95 % interval, no scenario of 20 came out otherwise)',
      ),
    });
    expect(gate(within(0.1), solved(12), solved(12)).verdict).toBe('inconclusive');
  });
});

describe('scenarios', () => {
  it('fails where one got worse beyond what Holm allows, and names it', () => {
    const [before, after] = [
      { ...solved(5), big: '1'.repeat(16) },
      { ...solved(5), big: '0'.repeat(16) },
    ];
    const { checks } = gate({ scenarios: { alpha: 0.05 } }, after, before);
    expect(only(checks)).toMatchObject({
      check: 'scenario big',
      scenario: 'big',
      verdict: 'fail',
      reason: expect.stringContaining('solved 16 of 16 before and 0 of 16 now'),
    });
    expect(gate({ scenarios: { alpha: 0.05 } }, before, after).verdict).toBe('pass');
  });
});

describe('floors', () => {
  const floors = (rate: number) => ({ floors: [{ scenario: '*', rate, confidence: 0.95 }] });

  it('hold, fall or are open by the interval of each scenario', () => {
    expect(gate(floors(0.3), { a: '1111' }).verdict).toBe('pass');
    expect(gate(floors(0.3), { a: '1111', b: '0'.repeat(12) })).toMatchObject({
      verdict: 'fail',
      checks: [
        { check: 'floor b', verdict: 'fail' },
        { check: 'floor *', verdict: 'pass' },
      ],
    });
    expect(only(gate(floors(0.9), { a: '1111' }).checks)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('4 trials cannot show 0.9'),
    });
    expect(gate(floors(0.3), { a: 'vv' }).checks[0]?.reason).toBe('every trial of it is void');
  });

  it('of a scenario by name stand for it alone', () => {
    const two = { floors: [{ scenario: 'a', rate: 0.01, confidence: 0.95 }, ...floors(0.3).floors] };
    expect(gate(two, { a: '01', b: '1111' }).verdict).toBe('pass');
    expect(
      only(gate({ floors: [{ scenario: 'gone', rate: 0.1, confidence: 0.95 }] }, { a: '1' }).checks),
    ).toEqual({
      check: 'floor gone',
      scenario: 'gone',
      verdict: 'inconclusive',
      reason: 'the run has no such scenario',
    });
  });
});

describe('invariants', () => {
  it('must never break, or not anew', () => {
    expect(gate({ invariants: { never: 'all' } }, { a: '11' }).verdict).toBe('pass');
    expect(only(gate({ invariants: { never: ['rule'] } }, { a: '1x' }).checks)).toMatchObject({
      check: 'invariant rule',
      verdict: 'fail',
      reason: 'broken in 1 of 2 trials, first in a, trial 1',
    });
    const anew = { invariants: { newlyBroken: 'all' as const } };
    expect(gate(anew, { a: '1x' }, { a: '11' }).verdict).toBe('fail');
    expect(gate(anew, { a: '1x' }, { a: 'x1' }).verdict).toBe('pass');
    expect(gate(anew, { a: '11' }, { a: 'xx' }).verdict).toBe('pass');
    expect(gate(anew, { a: '1x' }).verdict).toBe('inconclusive');
    expect(gate({ invariants: { never: ['typo'] } }, { a: '1' }).checks[0]?.reason).toBe(
      'no scenario has it',
    );
  });
});

describe('budgets', () => {
  const spend = (budgets: GateProfile['budgets'], outcomes: Outcomes, cost: number | null = 0.1) =>
    evaluateGate(
      { falseAlarms: 0.05, ...(budgets && { budgets }) },
      { candidate: trialsOf({ outcomes, steps: 7, cost }), baseline: null, aligned: false },
    );

  it.each<[string, GateProfile['budgets'], GateVerdict]>([
    ['steps within', { steps: { p50: 7, p99: 7 } }, 'pass'],
    ['steps beyond', { steps: { p50: 6 } }, 'fail'],
    ['wall clock beyond', { wallClockMs: { p99: 4 } }, 'fail'],
    ['cost within', { costPerSuccess: 1 }, 'pass'],
    ['cost beyond', { costPerSuccess: 0.01 }, 'fail'],
    ['voids within', { voidShare: 0 }, 'pass'],
  ])('%s', (_, budgets, verdict) => {
    expect(spend(budgets, many(12, '1101')).verdict).toBe(verdict);
  });

  it('are open where nothing is known, and count voids of all trials', () => {
    expect(spend({ costPerSuccess: 1 }, { a: '11' }, null).verdict).toBe('inconclusive');
    expect(spend({ steps: { p50: 9 } }, { a: '00' }).verdict).toBe('inconclusive');
    expect(only(spend({ voidShare: 0.1 }, { a: '1v' }).checks)).toMatchObject({
      verdict: 'fail',
      reason: '1 of 2 trials are void, of at most 10 %',
    });
    expect(spend({ voidShare: 0.1 }, {}).verdict).toBe('inconclusive');
  });
});

describe('a gate', () => {
  it('fails before it is open, and a profile without checks passes nothing', () => {
    const both = { harm: { confidence: 0.95 }, invariants: { never: 'all' as const } };
    expect(gate(both, { a: '1x' })).toMatchObject({ verdict: 'fail' });
    expect(gate({}, { a: '1' }).verdict).toBe('inconclusive');
  });

  it('asks step-wise figures first', () => {
    const shares = (value: number) =>
      Array.from({ length: 20 }, (_, index) => ({
        scenario: `s${index}`,
        trial: 0,
        value: Math.min(1, value + (index % 3) * 0.01),
        void: false,
      }));
    const result = evaluateGate(
      { falseAlarms: 0.05, harm: { confidence: 0.95 }, stepwise: { harm: { confidence: 0.95 } } },
      {
        candidate: trialsOf({ outcomes: solved(12) }),
        baseline: trialsOf({ outcomes: solved(12) }),
        aligned: true,
        stepwise: { candidate: shares(0.6), baseline: shares(0.9).toReversed(), aligned: true },
      },
    );
    expect(result.checks.map(({ check, verdict }) => [check, verdict])).toEqual([
      ['step-wise harm', 'fail'],
      ['harm', 'pass'],
    ]);
  });
});
