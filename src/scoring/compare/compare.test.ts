import { describe, expect, it } from 'vitest';
import { compareArms } from './compare.ts';
import { flakeReport } from './flakes.ts';
import { planComparison } from './plan.ts';
import type { ComparedTrial } from './types.ts';

/** Outcomes by scenario: `1` solved, `0` not, `v` void. */
function arm(outcomes: Readonly<Record<string, string>>, clusters: Readonly<Record<string, string>> = {}) {
  return Object.entries(outcomes).flatMap(([scenario, text]) =>
    [...text].map(
      (mark, trial): ComparedTrial => ({
        scenario,
        cluster: clusters[scenario],
        trial,
        value: mark === '1' ? 1 : 0,
        void: mark === 'v',
      }),
    ),
  );
}

const named = (marks: string): Record<string, string> =>
  Object.fromEntries([...marks].map((mark, index) => [`s${index}`, mark]));

describe('compareArms', () => {
  it('with one trial each is McNemar’s test, and the paired interval', () => {
    // 9 lost, 2 gained, 19 alike: difference −7/30.
    const first = arm(named(`${'1'.repeat(9)}00${'1'.repeat(19)}`));
    const second = arm(named(`${'0'.repeat(9)}11${'1'.repeat(19)}`));
    const comparison = compareArms({ first, second, aligned: true });
    expect(comparison).toMatchObject({
      paired: 'trials',
      n: 30,
      clusters: 30,
      delta: { value: -0.233333333333 },
      test: { name: 'McNemar exact', reason: expect.stringContaining('11 of them differ') },
      p: expect.closeTo(0.06543, 6),
      verdict: 'worse',
    });
    expect(comparison.mde).toBeGreaterThan(0.2);
  });

  it('with several trials takes a scenario as one difference', () => {
    const base = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`s${index}`, '1100']));
    const better = { ...base, s0: '1111', s1: '1110', s2: '1110' };
    const comparison = compareArms({ first: arm(base), second: arm(better), aligned: true });
    expect(comparison.delta.value).toBeCloseTo(1 / 12, 11);
    expect(comparison.test.name).toBe('paired t, CR2');
    expect(comparison.scenarios[0]).toMatchObject({
      first: { passed: 2, of: 4 },
      second: { passed: 4, of: 4 },
    });
    expect(comparison.scenarios[0]?.adjusted).toBe(1);
    expect(comparison.verdict).toBe('no-difference-shown');
  });

  it('assumes no distribution for few clusters', () => {
    const clusters = { s0: 'a', s1: 'a', s2: 'b', s3: 'b', s4: 'c', s5: 'c' };
    const comparison = compareArms({
      first: arm(named('000000'), clusters),
      second: arm(named('111110'), clusters),
      aligned: false,
    });
    // Sums 2, 2, 1: only +++ and −−− of 8 reach 5.
    expect(comparison).toMatchObject({
      paired: 'scenarios',
      clusters: 3,
      test: { name: 'paired permutation, exact' },
      p: 0.25,
    });
  });

  it('leaves out the partner of a void trial where trials are aligned', () => {
    const first = arm({ a: '11', b: '0v' });
    const second = arm({ a: 'v1', b: '01' });
    const aligned = compareArms({ first, second, aligned: true });
    expect(aligned.scenarios).toMatchObject([
      { scenario: 'a', first: { passed: 1, of: 1 }, second: { passed: 1, of: 1 } },
      { scenario: 'b', first: { passed: 0, of: 1 }, second: { passed: 0, of: 1 } },
    ]);
    const apart = compareArms({ first, second, aligned: false });
    expect(apart.scenarios[1]).toMatchObject({ first: { of: 1 }, second: { passed: 1, of: 2 } });
  });

  it('is inconclusive where the void shares differ, and says what the voids could make of it', () => {
    const comparison = compareArms({
      first: arm(named('111111')),
      second: arm(named('11111v')),
      aligned: true,
    });
    expect(comparison).toMatchObject({
      verdict: 'inconclusive',
      reason: 'void shares differ: 0 of 6 against 1 of 6 trials',
      unpaired: ['s5'],
      n: 5,
      deltaIfVoid: { worst: expect.closeTo(-1 / 6, 9), best: 0 },
    });
  });

  it.each([Number.NaN, -0.1, 1.5, Number.POSITIVE_INFINITY])(
    'refuses the value %d, by its trial',
    (value) => {
      const second = [{ scenario: 's0', trial: 0, value, void: false }];
      expect(() => compareArms({ first: arm(named('1')), second, aligned: true })).toThrow(
        `trial 0 of s0 has the value ${value}`,
      );
    },
  );

  it('gives reasons, not numbers, where nothing can be said', () => {
    const alike = compareArms({ first: arm(named('1010')), second: arm(named('1010')), aligned: true });
    expect(alike).toMatchObject({
      p: null,
      mde: null,
      test: { name: null, reason: 'no scenario differs: there is nothing to test' },
      delta: { value: 0, low: null, reason: expect.any(String) },
      verdict: 'no-difference-shown',
    });
    const none = compareArms({ first: arm(named('1')), second: arm({ other: '1' }), aligned: true });
    expect(none).toMatchObject({ n: 0, delta: { value: null, reason: 'no pairs' }, p: null });
    const one = compareArms({ first: arm({ a: '11' }), second: arm({ a: '00' }), aligned: true });
    expect(one).toMatchObject({
      n: 1,
      delta: { value: -1, low: null, reason: expect.stringContaining('one cluster') },
      verdict: 'inconclusive',
    });
  });
});

describe('arms that all moved alike', () => {
  it('are told apart by exchanges, where no interval can be had', () => {
    const [first, second] = ['0000000', '1111111'].map((marks) => arm(named(marks)));
    const both = { first: first ?? [], second: second ?? [], aligned: true };
    expect(compareArms(both)).toMatchObject({
      delta: { value: 1, low: null },
      p: 0.015625,
      verdict: 'better',
    });
  });
});

describe('flakeReport', () => {
  it('sorts scenarios, those nearest to a half first', () => {
    const report = flakeReport(arm({ a: '1111', b: '0000', c: '1110', d: '1100', e: '1', f: '1v0v' }));
    expect(report).toMatchObject({ always: 1, never: 1, single: 1 });
    expect(report.flakes.map(({ scenario, passed, of }) => [scenario, passed, of])).toEqual([
      ['d', 2, 4],
      ['f', 1, 2],
      ['c', 3, 4],
    ]);
  });
});

describe('planComparison', () => {
  it('needs fewer scenarios with more trials each, down to what scenarios differ by', () => {
    const pilot = arm({ a: '1100', b: '1000', c: '1111', d: '0001', e: '0000' });
    const plan = planComparison(pilot, null, { delta: 0.05, ks: [1, 4, 16] });
    const scenarios = plan.rows.map((row) => row.scenarios);
    expect(scenarios[0]).toBeGreaterThan(3 * (scenarios[1] ?? 0));
    expect(plan.rows[0]?.mde).toBeGreaterThan(plan.rows[1]?.mde ?? 1);
  });

  it('shows at the size of the pilot what a comparison of it could have shown, clusters included', () => {
    const clustered = (marks: Record<string, string>) =>
      arm(marks).map((trial) => ({ ...trial, cluster: trial.scenario.slice(0, 1) }));
    const pilot = clustered({
      a1: '11',
      a2: '11',
      b1: '10',
      b2: '01',
      c1: '00',
      c2: '11',
      d1: '10',
      d2: '00',
    });
    const other = clustered({
      a1: '00',
      a2: '01',
      b1: '11',
      b2: '11',
      c1: '00',
      c2: '01',
      d1: '10',
      d2: '00',
    });
    const { mde, delta } = compareArms({ first: pilot, second: other, aligned: true });
    const plan = planComparison(pilot, other, { delta: 0.05, ks: [2] });
    expect(plan.shared).toBeGreaterThan(0);
    expect(delta).toMatchObject({ n: 8, clusters: 4 });
    expect(plan.rows[0]?.mde).toBeCloseTo(mde ?? 0, 9);
  });

  it('has a reason for a pilot that says nothing', () => {
    const options = { delta: 0.05, ks: [1] };
    expect(planComparison(arm({ a: '10' }), null, options)).toMatchObject({ rows: [], pilot: 1 });
    expect(planComparison(arm({ a: '11', b: '11' }), null, options)).toMatchObject({
      rows: [],
      reason: 'nothing varied in the pilot: it has no spread to plan with',
    });
  });
});
