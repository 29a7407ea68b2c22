import { describe, expect, it } from 'vitest';
import { clusterLabels } from './clusters.ts';
import { summarise } from './summary.ts';
import type { SummaryTrial } from './summary-types.ts';
import { voidScore } from './trial.ts';
import type { TrialScore } from './types.ts';

const BASE: TrialScore = { ...voidScore('grader', ''), void: null, end: { reason: 'answer' } };

function trial(
  scenario: string,
  number: number,
  rest: Partial<TrialScore> & Partial<SummaryTrial> = {},
): SummaryTrial {
  const { cluster, wallClockMs, ...score } = rest;
  return { scenario, cluster, trial: number, wallClockMs, score: { ...BASE, ...score } };
}

const passed = (scenario: string, number: number, rest: Partial<TrialScore> = {}): SummaryTrial =>
  trial(scenario, number, { success: true, ...rest });
const voided = (scenario: string, number: number): SummaryTrial => ({
  scenario,
  trial: number,
  score: voidScore('unmodelled', 'x'),
});

/** Five scenarios of four trials: three always pass, two never. */
const RUN = ['a', 'b', 'c', 'd', 'e'].flatMap((scenario, index) =>
  [0, 1, 2, 3].map((number) => trial(scenario, number, { success: index < 3 })),
);

describe('clusterLabels', () => {
  const groups = (trials: Parameters<typeof clusterLabels>[0]): number => new Set(clusterLabels(trials)).size;

  it('the scenario is always at least a cluster; a label makes it coarser', () => {
    expect(groups([{ scenario: 'a' }, { scenario: 'a' }, { scenario: 'b' }])).toBe(2);
    expect(
      groups([
        { scenario: 'a', cluster: 'x' },
        { scenario: 'b', cluster: 'x' },
      ]),
    ).toBe(1);
    expect(
      groups([
        { scenario: 'a', cluster: 'x' },
        { scenario: 'b', cluster: 'y' },
      ]),
    ).toBe(2);
  });

  it('a label per trial does not take a scenario apart, and overlaps join', () => {
    expect(
      groups([
        { scenario: 'a', cluster: 'x' },
        { scenario: 'a', cluster: 'y' },
      ]),
    ).toBe(1);
    const chain = [
      { scenario: 'a', cluster: 'x' },
      { scenario: 'a', cluster: 'y' },
      { scenario: 'b', cluster: 'y' },
      { scenario: 'c', cluster: 'z' },
      { scenario: 'b' },
    ];
    expect(groups(chain)).toBe(2);
    expect(groups([{ scenario: 'x' }, { scenario: 'y', cluster: 'x' }])).toBe(2);
  });
});

describe('summarise: success', () => {
  it('has one figure with the interval of the clusters', () => {
    const summary = summarise({ trials: RUN, k: 4 });
    const wanted = { value: 0.6, low: 0.131243616718, high: 0.937081952509, se: 0.244948974278, clusters: 5 };
    expect(summary.success).toMatchObject({ ...wanted, n: 20 });
    expect(summary.passHat['1']).toMatchObject({ ...wanted, n: 5 });
    expect(summary.passHat['4']).toMatchObject({ ...wanted, n: 5 });
    expect(summary.passAt['4']).toMatchObject({ value: 0.6 });
    expect(Object.keys(summary.passHat)).toEqual(['1', '4']);
    expect(summary.metrics.success).toEqual(summary.success);
    expect(summary).toMatchObject({ trials: 20, k: 4, void: { count: 0, byReason: {} } });
  });

  it('believes pass^k and pass@k no more than there are scenarios, however many trials each had', () => {
    const even = ['a', 'b', 'c', 'd'].flatMap((scenario) =>
      [0, 1, 2, 3].map((number) => trial(scenario, number, { success: number < 2 })),
    );
    const { passHat, success } = summarise({ trials: even, k: 4 });
    // Four values of 1/2 agree, so the size is held at 4 and t is 3.182446 on 3 degrees: t²/4 = 2.531991,
    // half = 3.182446 / 3.531991 · sqrt(0.25/4 + 2.531991/16) = 0.423342.
    expect(passHat['1']).toMatchObject({ value: 0.5, n: 4 });
    expect(passHat['1']).toHaveProperty('low', expect.closeTo(0.5 - 0.423342, 6));
    expect(passHat['1']).toHaveProperty('high', expect.closeTo(0.5 + 0.423342, 6));
    // The success rate has 16 observations of its own: t²/16 = 0.632998, half = 0.311299.
    expect(success).toHaveProperty('low', expect.closeTo(0.5 - 0.311299, 6));
  });

  it('does not depend on the order of the trials', () => {
    expect(JSON.stringify(summarise({ trials: [...RUN].reverse(), k: 4 }))).toBe(
      JSON.stringify(summarise({ trials: RUN, k: 4 })),
    );
  });

  it('with one scenario has no error, and says so', () => {
    const summary = summarise({ trials: RUN.slice(0, 4), k: 4 });
    expect(summary.success).toMatchObject({ value: 1, low: null, se: null, clusters: 1 });
    expect(summary.success).toHaveProperty('reason');
  });

  it('with no trials is undefined throughout', () => {
    const summary = summarise({ trials: [], k: 1 });
    expect(summary.success).toEqual({ value: null, reason: 'every trial is void, or there is none' });
    expect(summary.passHat['1']).toMatchObject({ value: null });
    expect(summary.metrics.precision).toMatchObject({ value: null, pooled: { value: null } });
    expect(summary.metrics.steps.p50).toEqual({ value: null, reason: 'no trial succeeded' });
    expect(summary.metrics.costPerSuccess).toMatchObject({ value: null });
  });
});

describe('summarise: void trials', () => {
  const trials = [
    passed('a', 0),
    passed('a', 1),
    passed('b', 0),
    voided('b', 1),
    trial('c', 0),
    trial('c', 1),
  ];

  it('are in no rate, and beside it counted both ways', () => {
    const summary = summarise({ trials, k: 2 });
    expect(summary.void).toEqual({ count: 1, byReason: { unmodelled: 1 } });
    expect(summary.success).toMatchObject({ value: 0.6, n: 5 });
    expect(summary.successIfVoid.fail).toMatchObject({ value: 0.5, n: 6 });
    expect(summary.successIfVoid.pass).toMatchObject({ value: 0.666666666667, n: 6 });
  });

  it('count both ways in pass@k and pass^k too, over all scenarios', () => {
    const { passAtIfVoid, passHatIfVoid, passHat } = summarise({ trials, k: 2 });
    // Of a both trials pass, of c none; b has one success and one void.
    expect(passHatIfVoid['2']?.fail).toMatchObject({ value: 0.333333333333, n: 3 });
    expect(passHatIfVoid['2']?.pass).toMatchObject({ value: 0.666666666667, n: 3 });
    expect(passAtIfVoid['2']?.fail).toMatchObject({ value: 0.666666666667, n: 3 });
    expect(passHatIfVoid['1']?.fail).toMatchObject({ value: 0.5 });
    expect(passAtIfVoid['1']?.pass).toMatchObject({ value: 0.666666666667 });
    expect(Object.keys(passHatIfVoid)).toEqual(Object.keys(passHat));
    const sure = summarise({ trials: RUN, k: 4 });
    expect(sure.passHatIfVoid['4']).toEqual({ fail: sure.passHat['4'], pass: sure.passHat['4'] });
  });

  it('leave pass^k of their scenario undefined, which the figure says', () => {
    const summary = summarise({ trials, k: 2 });
    expect(summary.passHat['2']).toMatchObject({
      value: 0.5,
      n: 2,
      note: 'undefined for 1 of 3 scenarios: fewer than 2 trials that are not void',
    });
    expect(summary.passHat['1']).not.toHaveProperty('note');
    expect(summarise({ trials: [voided('a', 0)], k: 1 }).passHat['1']).toEqual({
      value: null,
      reason: 'undefined for 1 of 1 scenarios: fewer than 1 trials that are not void',
    });
  });
});

describe('summarise: metrics', () => {
  const half = { value: 0.5, numerator: 2, denominator: 4 };
  const whole = { value: 1, numerator: 1, denominator: 1 };
  const none = { value: null, numerator: 0, denominator: 0 };

  it('gives the mean over trials, and beside it the pooled counts', () => {
    const trials = [
      trial('a', 0, { precision: half }),
      trial('b', 0, { precision: whole }),
      trial('c', 0, { precision: none }),
    ];
    const { precision, recall } = summarise({ trials, k: 1 }).metrics;
    expect(precision).toMatchObject({
      value: 0.75,
      se: 0.25,
      n: 2,
      note: 'undefined in 1 of 3 trials: denominator 0',
      pooled: { value: 0.6, numerator: 3, denominator: 5 },
    });
    expect(recall).toEqual({ value: null, reason: 'the denominator is 0 in every trial', pooled: none });
  });

  it('counts recovered trials among those that met an error', () => {
    const met = { met: true, recovered: false };
    const trials = [
      trial('a', 0, { recovery: { met: true, recovered: true } }),
      trial('b', 0, { recovery: met }),
      trial('c', 0, { recovery: met }),
      trial('d', 0),
    ];
    expect(summarise({ trials, k: 1 }).metrics.recovery).toMatchObject({
      value: 0.333333333333,
      n: 3,
      pooled: { numerator: 1, denominator: 3 },
    });
    expect(summarise({ trials: trials.slice(3), k: 1 }).metrics.recovery).toMatchObject({
      value: null,
      reason: 'no trial met a tool error',
    });
  });

  it('counts steps, time and cost per success', () => {
    const trials = [
      trial('a', 0, { success: true, steps: 4, cost: 0.25, wallClockMs: 10 }),
      trial('b', 0, { success: true, steps: 9, cost: 0.5, wallClockMs: 30 }),
      trial('c', 0, { success: true, steps: 5, cost: 0.25, wallClockMs: 20 }),
      trial('d', 0, { success: false, steps: 99, cost: 2, wallClockMs: 999 }),
    ];
    const { steps, costPerSuccess, wallClockMs } = summarise({ trials, k: 1 }).metrics;
    expect(steps).toEqual({
      p50: { value: 5, n: 3, method: 'nearest rank' },
      p99: { value: 9, n: 3, method: 'max of 3' },
    });
    expect(wallClockMs).toMatchObject({ p50: { value: 20 }, p99: { value: 30 } });
    // The failed trial's cost is paid too: 3 for three successes.
    expect(costPerSuccess).toMatchObject({ value: 1, n: 4, clusters: 4 });
  });

  it('says why a cost or a time is missing', () => {
    const trials = [passed('a', 0, { cost: 1 }), passed('b', 0)];
    const { costPerSuccess, wallClockMs } = summarise({ trials, k: 1 }).metrics;
    expect(costPerSuccess).toEqual({ value: null, reason: 'the cost of 1 of 2 trials is not known' });
    expect(wallClockMs.p50).toEqual({ value: null, reason: 'not measured in 2 of 2 successful trials' });
    const failed = summarise({ trials: [trial('a', 0, { cost: 1 })], k: 1 }).metrics;
    expect(failed.costPerSuccess).toEqual({ value: null, reason: 'no trial succeeded' });
  });
});

describe('summarise: invariants and failures', () => {
  const result = (
    verdict: 'pass' | 'fail' | 'skipped' | 'not-run',
    step = 0,
  ): TrialScore['invariants'][number] => ({
    id: 'one-refund',
    kind: 'cardinality',
    verdict,
    witnesses: verdict === 'fail' ? [{ steps: [step], message: 'twice', expected: 1, got: 2 }] : [],
  });

  it('counts what broke, of what, and where first', () => {
    const trials = [
      trial('b', 1, { invariants: [result('fail', 7)] }),
      trial('b', 0, { invariants: [result('fail', 5)] }),
      trial('a', 0, { invariants: [result('pass')] }),
      trial('c', 0, { invariants: [result('skipped')] }),
      trial('d', 0, { invariants: [result('not-run')] }),
      trial('e', 0),
    ];
    expect(summarise({ trials, k: 1 }).invariants).toEqual([
      {
        id: 'one-refund',
        kind: 'cardinality',
        broken: 2,
        of: 4,
        skipped: 1,
        first: { scenario: 'b', trial: 0, step: 5 },
      },
    ]);
  });

  it('lists every failed check by scenario, trial and step', () => {
    const trials = [
      trial('b', 0, { end: { reason: 'agent-crashed', detail: 'exit 1' }, steps: 3 }),
      trial('a', 1, {
        invariants: [result('fail', 4)],
        graders: [
          { kind: 'contract', required: true, verdict: 'fail', witnesses: [{ steps: [2], message: 'row' }] },
          { kind: 'answer', required: true, verdict: 'fail', witnesses: [{ steps: [], message: 'words' }] },
        ],
      }),
      voided('a', 0),
    ];
    expect(summarise({ trials, k: 1 }).failures).toEqual([
      { scenario: 'a', trial: 1, step: 2, check: 'contract', expected: null, got: null, message: 'row' },
      {
        scenario: 'a',
        trial: 1,
        step: 4,
        check: 'invariant one-refund',
        expected: 1,
        got: 2,
        message: 'twice',
      },
      { scenario: 'a', trial: 1, step: null, check: 'answer', expected: null, got: null, message: 'words' },
      {
        scenario: 'b',
        trial: 0,
        step: 2,
        check: 'end agent-crashed',
        expected: 'answer',
        got: 'agent-crashed',
        message: 'the run ended by agent-crashed: exit 1',
      },
    ]);
  });
});
