import { describe, expect, it } from 'vitest';
import { type JudgeLabel, type JudgeVerdict, validateJudges } from './validate.ts';

/** Pairs of a faulty run and its clean twin, `f0` and `c0`, …: each an instance of its own. */
function pairs(count: number, one: (index: number) => Partial<JudgeLabel> = () => ({})): JudgeLabel[] {
  return Array.from({ length: count }, (_, index) => {
    const common = { instance: `i${index}`, step: null, kind: null };
    const clean = { ...common, id: `c${index}`, faulty: false, twin: null, reply: 'same', silent: null };
    const faulty = {
      ...common,
      id: `f${index}`,
      faulty: true,
      twin: `c${index}`,
      reply: 'same',
      silent: true,
    };
    return [clean, { ...faulty, ...one(index) }];
  }).flat();
}

const verdicts = (
  labels: readonly JudgeLabel[],
  faulty: (label: JudgeLabel) => boolean,
  judge = 'judge',
): JudgeVerdict[] =>
  labels.map((label) => ({
    id: label.id,
    judge,
    faulty: faulty(label),
    step: null,
    kind: null,
    confidence: null,
  }));

const only = (labels: readonly JudgeLabel[], said: readonly JudgeVerdict[]) => {
  const [validation, ...more] = validateJudges(labels, said);
  expect(more).toEqual([]);
  if (!validation) throw new Error('no judge');
  return validation;
};

const number = (label: JudgeLabel): number => Number(label.id.slice(1));

describe('a judge against labels', () => {
  it('is counted by hand: 20 pairs, 15 faulty runs found, 4 false alarms', () => {
    const labels = pairs(20);
    const found = only(
      labels,
      verdicts(labels, (label) => (label.faulty ? number(label) < 15 : number(label) < 4)),
    );
    expect(found.confusion).toEqual({
      truePositives: 15,
      falsePositives: 4,
      trueNegatives: 16,
      falseNegatives: 5,
    });
    expect(found.truePositiveRate.value).toBeCloseTo(0.75);
    expect(found.trueNegativeRate.value).toBeCloseTo(0.8);
    expect(found.information.value).toBeCloseTo(0.55);
    expect(found.accuracy).toBeCloseTo(31 / 40);
    // Observed .775; by chance (20·19 + 20·21) / 40² = .5: kappa .275 / .5.
    expect(found.kappa.value).toBeCloseTo(0.55);
    // θ = (19/40 + .8 − 1) / .55, the share of faulty runs that there is.
    expect(found.corrected.value).toBeCloseTo(0.5);
    expect(found.gating).toMatchObject({ allowed: false, reason: expect.stringContaining('below 0.5') });
    const same = found.discrimination['reply identical'];
    expect(same).toMatchObject({ pairs: 20, faultyFlagged: 0.75, cleanFlagged: 0.2 });
    expect(same.difference.value).toBeCloseTo(0.55);
    expect(found.discrimination['reply differs']).toMatchObject({ pairs: 0, difference: { value: null } });
  });

  it('may gate once the lower bound is high enough, which takes labels enough', () => {
    const gate = (count: number) => {
      const labels = pairs(count);
      return only(
        labels,
        verdicts(labels, (label) => (label.faulty ? number(label) % 10 !== 0 : number(label) % 10 === 1)),
      );
    };
    const [few, many] = [gate(10), gate(200)];
    expect([few.information.value, many.information.value]).toEqual([
      expect.closeTo(0.8),
      expect.closeTo(0.8),
    ]);
    expect(few.gating.allowed).toBe(false);
    expect(many.gating).toMatchObject({ allowed: true, reason: expect.stringContaining('at least 0.5') });
  });

  it('that was never wrong may gate where there are instances enough to say so', () => {
    const flawless = (count: number) => {
      const labels = pairs(count);
      return only(
        labels,
        verdicts(labels, (label) => label.faulty),
      ).gating;
    };
    // 1 − 2·(1 − .0125^(1/10)) = .290 and, of 40, .792.
    expect(flawless(10)).toMatchObject({ allowed: false, reason: expect.stringContaining('is 0.290') });
    expect(flawless(40)).toMatchObject({ allowed: true, reason: expect.stringContaining('is 0.792') });
  });

  it('that says faulty to everything knows nothing, however often it is right', () => {
    const labels = pairs(30).filter(({ id }) => id !== 'c1' && id !== 'c2');
    const found = only(
      labels,
      verdicts(labels, () => true),
    );
    expect(found.truePositiveRate.value).toBe(1);
    expect(found.trueNegativeRate.value).toBe(0);
    expect(found.information.value).toBeCloseTo(0);
    expect(found.kappa.value).toBeCloseTo(0);
    expect(found.gating.allowed).toBe(false);
    expect(found.corrected).toMatchObject({ value: null, reason: expect.any(String) });
  });

  it('tells silent faults from loud ones, and leaves out what was not judged', () => {
    const labels = pairs(12, (index) => ({
      silent: index % 2 === 0,
      reply: index % 2 === 0 ? 'same' : 'other',
    }));
    const said = verdicts(labels, (label) => label.faulty && label.silent === false).slice(0, 20);
    const found = only(labels, said);
    expect(found.unjudged).toBe(4);
    expect(found.silentRecall.value).toBe(0);
    expect(found.loudRecall.value).toBe(1);
    expect(found.discrimination.silent).toMatchObject({ pairs: 5, faultyFlagged: 0 });
    expect(found.discrimination.loud).toMatchObject({ pairs: 5, faultyFlagged: 1 });
  });

  it('of labels of one kind only is refused with the reason', () => {
    const labels = pairs(5).filter(({ faulty }) => faulty);
    const found = only(
      labels,
      verdicts(labels, () => true),
    );
    expect(found.gating).toEqual({ allowed: false, reason: 'no clean run is labelled' });
    expect(found.corrected).toEqual({ value: null, reason: 'labels of one kind only' });
  });

  it('stands beside others in the order in which they appear', () => {
    const labels = pairs(3);
    const said = [...verdicts(labels, () => false, 'second'), ...verdicts(labels, () => true, 'first')];
    expect(validateJudges(labels, said).map(({ judge }) => judge)).toEqual(['second', 'first']);
  });
});
