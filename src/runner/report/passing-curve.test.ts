import { describe, expect, it } from 'vitest';
import { type SummaryTrial, summarise, voidScore } from '../../scoring/index.ts';
import { passingCurve } from './passing-curve.ts';
import type { ReportRun } from './read-run.ts';

const VOID = voidScore('infrastructure', 'gone');

/** Trials by scenario as texts: `1` succeeded, `0` failed, `v` void. The first letter names the cluster. */
function runOf(outcomes: Readonly<Record<string, string>>, options: { clusters: boolean }): ReportRun {
  const trials = Object.entries(outcomes).flatMap(([scenario, text]) =>
    [...text].map((sign, trial): SummaryTrial & { trajectory: null } => ({
      scenario,
      cluster: scenario.slice(0, 1),
      trial,
      trajectory: null,
      score: sign === 'v' ? VOID : { ...VOID, void: null, success: sign === '1' },
    })),
  );
  const k = Math.max(...Object.values(outcomes).map((text) => text.length));
  const scenarios = Object.keys(outcomes).map((id) => ({
    id,
    hash: '',
    ...(options.clusters && { cluster: id.slice(0, 1) }),
  }));
  return { config: { scenarios }, summary: summarise({ trials, k }), trials } as unknown as ReportRun;
}

const OUTCOMES = { a1: '1111', a2: '1100', b1: '1000', c1: '0000', d1: '111v' };

describe('pass^k over k', () => {
  it('falls, and takes what the summary has as it stands', () => {
    const run = runOf(OUTCOMES, { clusters: true });
    const curve = passingCurve(run);
    expect(curve.map(({ k }) => k)).toEqual([1, 2, 3, 4]);
    expect(curve[0]?.estimate).toBe(run.summary.passHat['1']);
    expect(curve[3]?.estimate).toBe(run.summary.passHat['4']);
    // (1 + 1/6 + 0 + 0 + 1) / 5
    expect(curve[1]?.estimate.value).toBeCloseTo(13 / 30, 10);
    expect(curve[3]?.estimate).toMatchObject({ note: expect.stringContaining('1 of 5 scenarios') });
  });

  it('computes the summary’s own figures where they are missing', () => {
    const run = runOf(OUTCOMES, { clusters: true });
    const bare = { ...run, summary: { ...run.summary, passHat: {} } };
    const [one, , , four] = passingCurve(bare).map(({ estimate }) => estimate);
    expect(one).toEqual({ ...run.summary.passHat['1'] });
    expect(four).toEqual({ ...run.summary.passHat['4'] });
  });

  it('gives no interval where the clusters are not known', () => {
    expect(passingCurve(runOf(OUTCOMES, { clusters: false }))[1]?.estimate).toMatchObject({
      low: null,
      high: null,
      reason: 'the run does not say its clusters',
    });
  });

  it('is undefined with a reason where no scenario has enough trials', () => {
    const run = runOf({ a1: '1v', b1: '0v' }, { clusters: true });
    expect(passingCurve(run)[1]?.estimate).toEqual({
      value: null,
      reason: 'undefined for 2 of 2 scenarios: fewer than 2 trials that are not void',
    });
  });
});
