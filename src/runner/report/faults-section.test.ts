import { describe, expect, it } from 'vitest';
import type { FaultHit, TrialScore } from '../../scoring/index.ts';
import { faultsSection } from './faults-section.ts';
import type { ReportRun } from './read-run.ts';
import { reportRun, wordsOf } from './report-run.test-kit.ts';
import { scenariosText } from './runs-section.ts';

const HIT: FaultHit = {
  step: 0,
  tool: 'refund',
  rule: 'r',
  kind: 'response-lost',
  label: 'lost',
  strikes: 1,
  recovered: false,
  way: null,
  reason: 'the write took effect twice',
  wasted: 2,
  duplicates: 1,
  backOff: null,
};
const HONEST = { value: false, reason: null, untrue: ['<b>'] };

/** Two scenarios without a plan and under one, which struck in the first alone. */
function underPlan(): ReportRun {
  const run = reportRun({ a: '1', b: '1', 'a@p': '0', 'b@p': '1' });
  const scenarios = run.config.scenarios.map((one) => {
    const [scenario = '', plan] = one.id.split('@');
    return plan === undefined ? one : { ...one, scenario, plan, cluster: scenario };
  });
  const config = { ...run.config, scenarios, faults: { plans: [{ id: 'p', rules: [] }] } };
  const trials = run.trials.map((trial) => {
    if (!trial.scenario.endsWith('@p')) return trial;
    const hits = trial.scenario === 'a@p' ? [HIT] : [];
    const faults: TrialScore['faults'] = { plan: 'p', struck: hits.length, hits, honest: HONEST };
    return { ...trial, score: { ...trial.score, faults } };
  });
  return { ...run, config, trials, arm: { ...run.arm, config, trials } };
}

describe('the section on faults', () => {
  const words = wordsOf(faultsSection([underPlan()]));

  it('has the table, what was not hit, and what the faults cost', () => {
    expect(words).toMatch(/2 trials under 1 fault plan: 1 hit, 1 not hit/u);
    expect(words).toMatch(/Not hit: p 1 of 2/u);
    expect(words).toMatch(/response-lost refund 1 0\.0 %.+0\.0 %.+1 after 1 unseen writes 2/u);
    expect(words).toMatch(/Success under faults: 50\.0 %; the same 2 scenarios without: 100\.0 %/u);
    expect(words).toMatch(/a paired difference of -50\.0 points/u);
  });

  it('is no list of episodes, which the page hides when it has none to show', () => {
    expect(faultsSection([underPlan()])?.text).not.toContain('of-run');
  });

  it('is not there where no trial met a fault', () => {
    expect(faultsSection([reportRun({ a: '1' })])).toBeNull();
  });

  it('counts scenarios once, whatever they ran under', () => {
    expect(scenariosText([underPlan().config])).toBe('2 scenarios, without and under 1 fault plan');
    expect(scenariosText([reportRun({ a: '1' }).config])).toBe('1 scenario');
  });
});
