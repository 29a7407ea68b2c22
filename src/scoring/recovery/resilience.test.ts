import { describe, expect, it } from 'vitest';
import { roundFigure, wilsonInterval } from '../../stats/index.ts';
import { countFaults, type FaultedTrial, resilienceOf } from './resilience.ts';
import type { FaultHit, TrialFaults } from './types.ts';

const HIT: FaultHit = {
  step: 1,
  tool: 'refund',
  rule: 'r',
  kind: 'response-lost',
  label: 'lost',
  strikes: 1,
  recovered: true,
  way: 'check',
  reason: null,
  wasted: 0,
  duplicates: 0,
  backOff: null,
};
const HONEST = { value: true, reason: null, untrue: [] };

function trial(
  scenario: string,
  success: boolean,
  faults?: Partial<TrialFaults> & { readonly voided?: true },
): FaultedTrial {
  const { voided, ...given } = faults ?? {};
  const plan = given.plan ?? undefined;
  return {
    scenario,
    ...(plan !== undefined && { plan }),
    score: {
      success,
      void: voided ? { reason: 'grader', detail: '' } : null,
      ...(faults && { faults: { plan: null, struck: 0, hits: [], honest: HONEST, ...given } }),
    },
  };
}

const hit = (more: Partial<FaultHit> = {}): Partial<TrialFaults> => ({
  plan: 'p',
  struck: 1,
  hits: [{ ...HIT, ...more }],
});

describe('counts of trials under plans', () => {
  it('keeps those that were not hit apart, by plan, and leaves void ones out', () => {
    const scores = [
      trial('a', true),
      trial('a', true, hit()),
      trial('b', true, { plan: 'p' }),
      trial('c', false, { plan: 'o' }),
      trial('d', false, { plan: 'p', voided: true }),
    ].map(({ score }) => score);
    expect(countFaults(scores)).toEqual({
      plans: [
        { id: 'o', trials: 1, hit: 0, notHit: 1 },
        { id: 'p', trials: 2, hit: 1, notHit: 1 },
      ],
      hit: 1,
      notHit: 2,
    });
    expect(countFaults([trial('a', true).score])).toBeNull();
  });
});

describe('the table of a run', () => {
  const trials = [
    trial('a', true),
    trial('a', true, hit()),
    trial('b', true),
    trial('b', false, hit({ recovered: false, duplicates: 2, wasted: 3 })),
    trial('c', false),
    trial('c', true, hit({ tool: 'lookup', kind: 'reject', duplicates: null, backOff: back(true) })),
    trial('d', true),
    trial('d', true, hit({ tool: 'lookup', kind: 'delay', recovered: null, duplicates: null })),
    trial('e', true),
    trial('e', true, { plan: 'p' }),
  ];
  const table = resilienceOf(trials);

  function back(kept: boolean): FaultHit['backOff'] {
    return { kept, askedMs: 1_000, waitedMs: kept ? 1_000 : 0 };
  }

  it('has a row for each kind and tool, and their sums', () => {
    expect(table.table.map(({ kind, tool, hits }) => [kind, tool, hits])).toEqual([
      ['delay', 'lookup', 1],
      ['reject', 'lookup', 1],
      ['response-lost', 'refund', 2],
    ]);
    expect(table.byKind.map(({ kind, hits }) => [kind, hits])).toEqual([
      ['delay', 1],
      ['reject', 1],
      ['response-lost', 2],
    ]);
    expect(table.byTool.map(({ tool, hits }) => [tool, hits])).toEqual([
      ['lookup', 2],
      ['refund', 2],
    ]);
    expect(table.total).toMatchObject({ hits: 4, wasted: 3, duplicates: { of: 2, effects: 2 } });
  });

  it('leaves hits out of a share that it is not defined for, and says why where none is left', () => {
    expect(table.total.recovered).toMatchObject({ value: roundFigure(2 / 3), n: 3, clusters: 3 });
    const [delay, reject, lost] = table.table;
    expect(delay?.recovered).toEqual({ value: null, reason: expect.stringMatching(/nothing|no hit/u) });
    expect(reject?.backOff).toMatchObject({ value: 1, n: 1 });
    expect(lost?.backOff).toMatchObject({ value: null });
    expect(delay?.duplicates).toBeNull();
  });

  it('gives a rate that is 1 the interval of its clusters', () => {
    const all = resilienceOf(['a', 'b', 'c', 'd'].map((name) => trial(name, true, hit())));
    const { low, high } = all.total.recovered as { low: number; high: number };
    expect(high).toBe(1);
    expect(low).toBeLessThanOrEqual(wilsonInterval(1, 4).low + 1e-9);
    expect(low).toBeGreaterThan(0);
  });

  it('sets success under plans against success without, scenario by scenario', () => {
    const { cost, costWhenHit } = table;
    expect(cost.scenarios).toBe(5);
    expect(cost.baseline).toMatchObject({ value: 0.8 });
    expect(cost.faults).toMatchObject({ value: 0.8 });
    expect(cost.difference).toMatchObject({ value: 0, n: 5 });
    expect(costWhenHit.scenarios).toBe(4);
    expect(costWhenHit.baseline).toMatchObject({ value: 0.75 });
  });

  it('does not depend on the order of the trials', () => {
    expect(resilienceOf([...trials].reverse())).toEqual(table);
  });

  it('counts one scenario under several plans as one piece of evidence', () => {
    const one = resilienceOf([trial('a', true, hit()), trial('a', true, { ...hit(), plan: 'q' })]);
    expect(one.total.recovered).toMatchObject({ n: 2, clusters: 1, low: null });
  });

  it('says why there is nothing to compare', () => {
    const alone = resilienceOf([trial('a', true, hit())]);
    expect(alone.cost.difference).toEqual({
      value: null,
      reason: expect.stringMatching(/with and without/u),
    });
    expect(resilienceOf([]).total).toMatchObject({ hits: 0, duplicates: null });
  });
});
