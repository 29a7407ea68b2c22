import { describe, expect, it } from 'vitest';
import { type TrialScore, voidScore, type Witness } from '../../scoring/index.ts';
import { findingsByStep, findingsOf } from './findings.ts';
import { printable } from './printable.ts';

const early: Witness = { steps: [2], message: 'refund at step 2 is prohibited' };
const whole: Witness = { steps: [], message: 'the answer lacks "10548"', expected: '10548' };

const score: TrialScore = {
  ...voidScore('infrastructure', ''),
  void: null,
  invariants: [
    { id: 'no-refund', kind: 'prohibition', verdict: 'fail', witnesses: [early] },
    { id: 'held', kind: 'cardinality', verdict: 'pass', witnesses: [] },
  ],
  graders: [
    { kind: 'answer', required: true, verdict: 'fail', witnesses: [whole] },
    {
      kind: 'invariants',
      required: true,
      verdict: 'fail',
      witnesses: [{ ...early, message: `no-refund: ${early.message}` }],
    },
    { kind: 'reads', required: false, verdict: 'fail', witnesses: [{ steps: [], message: 'no call' }] },
  ],
  steps: 4,
  end: { reason: 'budget-calls' },
};

describe('findings of a trial', () => {
  it('say everything once, the earliest step first, the whole run last', () => {
    expect(findingsOf(score).map(({ check, steps }) => [check, steps])).toEqual([
      ['invariant no-refund', [2]],
      ['end budget-calls', [3]],
      ['answer', []],
      ['reads (not required)', []],
    ]);
  });

  it('go to the step that they point at first', () => {
    const byStep = findingsByStep(findingsOf(score));
    expect([...byStep.keys()]).toEqual([2, 3, null]);
    expect(byStep.get(null)).toHaveLength(2);
  });

  it('keep equal words about one step once', () => {
    const twice = { ...score, graders: [], invariants: score.invariants.flatMap((one) => [one, one]) };
    expect(findingsOf(twice).filter(({ steps }) => steps[0] === 2)).toHaveLength(1);
  });
});

describe('text of others', () => {
  it('steers no terminal and turns no direction', () => {
    expect(printable('a\u001b[2Jb\u202ec\r\nd\te')).toBe('a\\u001b[2Jb\\u202ec\nd\te');
  });
});
