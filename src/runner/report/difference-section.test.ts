import { describe, expect, it } from 'vitest';
import { compareReadArms, detectableWords, testWords } from '../compare/index.ts';
import { differenceSection } from './difference-section.ts';
import { reportRun, wordsOf } from './report-run.test-kit.ts';

const FIRST = reportRun({ a: '1111', b: '1111', c: '1100', d: '0000', e: '1111' }, { name: 'main' });
const SECOND = reportRun(
  { a: '1111', b: '0001', c: '1101', d: '0000', e: '1110' },
  { name: 'branch', index: 1 },
);

describe('the difference from the first run', () => {
  it('is nothing to show of one run', () => {
    expect(differenceSection([FIRST], [])).toBeNull();
  });

  it('says what `compare` says', () => {
    const { comparison } = compareReadArms([FIRST.arm, SECOND.arm]);
    const words = wordsOf(differenceSection([FIRST, SECOND], []));
    expect(words).toContain('branch − main no difference shown :');
    expect(words).toContain(comparison.reason);
    expect(words).toContain(testWords(comparison));
    expect(words).toContain(detectableWords(comparison));
    // (0 − 3/4 + 1/4 + 0 − 1/4) / 5
    expect(comparison.delta.value).toBeCloseTo(-0.15, 10);
    expect(words).toContain('−15.0');
  });

  it('lists scenarios that came out otherwise, losses first, and marks the flipped ones', () => {
    const markup = differenceSection([FIRST, SECOND], [])?.text ?? '';
    const rows = [...markup.matchAll(/<li><span class="scenario">[\s\S]*?<\/li>/gu)].map(([text]) =>
      wordsOf({ text }).trim(),
    );
    expect(rows).toEqual([
      'b ⇄ flipped −75.0 points 4 of 4 → 1 of 4',
      'e −25.0 points 4 of 4 → 3 of 4',
      'c +25.0 points 2 of 4 → 3 of 4',
    ]);
    expect(wordsOf({ text: markup })).toContain('3 of 5 scenarios came out otherwise, 1 flipped');
  });

  it('leads from a count to a failed trial that is shown', () => {
    const chosen = [
      { anchors: new Map<string, string>(), steps: new Set<string>() },
      { anchors: new Map([['b#1', 't1-b-1']]), steps: new Set<string>() },
    ];
    const markup = differenceSection([FIRST, SECOND], chosen)?.text ?? '';
    expect(markup).toContain('<a href="#t1-b-1" aria-label="1 of 4: a failed trial of branch">1 of 4</a>');
  });

  it('is refused with the reason where the worlds differ', () => {
    const other = reportRun({ a: '1111' }, { name: 'other', index: 1, engine: 'changed' });
    const words = wordsOf(differenceSection([FIRST, other, { ...SECOND, index: 2 }], []));
    expect(words).toContain('Not compared: the runs are not of the same world: a (the engine behaves');
    expect(words).toContain('groundhog compare runs/main runs/other --intersect');
    expect(words).toContain('branch − main no difference shown');
  });

  it('says what voids could make of it', () => {
    const voids = reportRun({ a: '111v', b: '1111', c: '1100', d: '0000', e: '1111' }, { index: 1 });
    const words = wordsOf(differenceSection([FIRST, voids], []));
    expect(words).toContain('inconclusive : void shares differ: 0 of 20 against 1 of 20 trials');
    expect(words).toContain('With all void trials decided against and for the second run: −5.0 points');
  });
});
