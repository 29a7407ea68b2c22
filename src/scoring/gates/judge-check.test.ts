import { describe, expect, it } from 'vitest';
import type { JudgeLabel, JudgeVerdict } from '../judge/validate.ts';
import { evaluateGate } from './evaluate.ts';
import { trialsOf } from './gates.test-kit.ts';
import { judgeChecks } from './judge-check.ts';
import type { JudgedRuns } from './types.ts';

const verdict = (id: string, faulty: boolean, judge = 'j'): JudgeVerdict => ({
  id,
  judge,
  faulty,
  step: null,
  kind: null,
  confidence: null,
});

/** 200 faulty and 200 clean runs, of which the judge gets so many wrong. */
function labelled(wrong: number, judge = 'j'): Pick<JudgedRuns, 'labels' | 'verdicts'> {
  const labels = Array.from({ length: 400 }, (_, index): JudgeLabel => {
    const instance = `i${index % 200}`;
    return {
      id: `l${index}`,
      faulty: index < 200,
      instance,
      twin: null,
      reply: null,
      silent: null,
      step: null,
      kind: null,
    };
  });
  const verdicts = labels.map(({ id, faulty }, index) =>
    verdict(id, index % 200 < wrong ? !faulty : faulty, judge),
  );
  return { labels, verdicts };
}

/** 100 trials of as many scenarios, of which the judge flags so many. */
function candidate(flagged: number, judge = 'j'): Pick<JudgedRuns, 'trials' | 'said'> {
  const trials = Array.from({ length: 100 }, (_, index) => ({ id: `t${index}`, cluster: `s${index}` }));
  return { trials, said: trials.map(({ id }, index) => verdict(id, index < flagged, judge)) };
}

const bound = { most: 0.2, confidence: 0.95 };
const outcome = (runs: JudgedRuns, most = bound.most) => judgeChecks({ ...bound, most }, runs);

describe('a judge that may gate', () => {
  it.each([
    [0, 'pass'],
    [2, 'pass'],
    [20, 'inconclusive'],
    [60, 'fail'],
  ])('with %i of 100 runs called faulty, of at most 20 %%: %s', (flagged, expected) => {
    const { checks, shown } = outcome({ ...labelled(4), ...candidate(flagged) });
    expect(shown).toEqual([]);
    expect(checks).toMatchObject([{ check: 'judge j', verdict: expected }]);
    expect(checks[0]?.reason).toContain(`${flagged} of 100 runs called faulty; corrected for its errors`);
  });

  it('is corrected for what it gets wrong: 10 % of false alarms are no faulty runs', () => {
    // TPR = TNR = .9: 10 of 100 flagged is what a judge says of runs that are all clean.
    const { checks } = outcome({ ...labelled(20), ...candidate(10) }, 0.12);
    expect(checks).toMatchObject([{ verdict: 'pass' }]);
  });

  it('has an error where it flags none of a few', () => {
    const { trials, said } = candidate(0);
    const few = { trials: trials.slice(0, 4), said: said.slice(0, 4) };
    expect(outcome({ ...labelled(4), ...few }).checks).toMatchObject([{ verdict: 'inconclusive' }]);
  });

  it('counts trials of one cluster as one, and says how many have no verdict', () => {
    const { trials, said } = candidate(0);
    const one = trials.map((trial) => ({ ...trial, cluster: 'all' }));
    const { checks } = outcome({ ...labelled(4), trials: one, said: said.slice(0, 90) });
    expect(checks).toMatchObject([{ verdict: 'inconclusive' }]);
    expect(checks[0]?.reason).toContain('0 of 90 runs called faulty, 10 without a verdict');
  });
});

describe('a judge that may not', () => {
  it('is shown with the reason, and decides nothing', () => {
    const always = { ...labelled(0), verdicts: labelled(0).labels.map(({ id }) => verdict(id, true)) };
    const { checks, shown } = outcome({ ...always, ...candidate(100) });
    expect(checks).toEqual([]);
    expect(shown).toEqual([
      expect.stringMatching(
        /^judge j: 100 of 100 runs called faulty; not decided on: TPR \+ TNR − 1 is 0\.000 without/u,
      ),
    ]);
  });

  it('leaves the gate open where nothing is known of it, such as under a misspelt name', () => {
    const { checks, shown } = outcome({ ...labelled(0, 'other'), ...candidate(100) });
    expect(shown).toEqual([]);
    expect(checks).toMatchObject([{ check: 'judge j', verdict: 'inconclusive' }]);
    expect(checks[0]?.reason).toMatch(/no verdict on the labelled runs/u);
  });
});

it('a run that no judge saw leaves the gate open', () => {
  const unseen = { ...labelled(0), ...candidate(0), said: [] };
  expect(outcome(unseen).checks).toMatchObject([{ check: 'judge', verdict: 'inconclusive' }]);
});

it('a gate takes the check beside its others, and what is shown changes no verdict', () => {
  const common = { candidate: trialsOf({ outcomes: { a: '11' } }), baseline: null, aligned: false };
  const profile = {
    falseAlarms: 0.05,
    invariants: { never: 'all' as const },
    judge: { ...bound, labels: 'l', verdicts: 'v' },
  };
  const failing = evaluateGate(profile, { ...common, judged: { ...labelled(4), ...candidate(60) } });
  expect(failing).toMatchObject({ verdict: 'fail', checks: [{ verdict: 'pass' }, { check: 'judge j' }] });
  const always = { ...labelled(0), verdicts: labelled(0).labels.map(({ id }) => verdict(id, true)) };
  const shown = evaluateGate(profile, { ...common, judged: { ...always, ...candidate(60) } });
  expect(shown).toMatchObject({ verdict: 'pass', shown: [expect.stringContaining('60 of 100')] });
});
