import { describe, expect, it } from 'vitest';
import { type SummaryTrial, summarise, voidScore } from '../../scoring/index.ts';
import { counted } from './counted.ts';
import { runTable } from './run-table.ts';

const VOID = voidScore('unmodelled', 'x');

/** Trials by scenario as texts: `1` succeeded, `0` failed, `v` void. */
function linesOf(outcomes: Readonly<Record<string, string>>): string[] {
  const trials = Object.entries(outcomes).flatMap(([scenario, text]) =>
    [...text].map(
      (sign, trial): SummaryTrial => ({
        scenario,
        trial,
        score: sign === 'v' ? VOID : { ...VOID, void: null, success: sign === '1' },
      }),
    ),
  );
  return runTable([{ name: 'mine', summary: summarise({ trials, k: 2 }) }]);
}

describe('a count', () => {
  it.each([
    [0, '0 rows'],
    [1, '1 row'],
    [2, '2 rows'],
  ])('of %i', (count, text) => {
    expect(counted(count, 'row')).toBe(text);
  });
});

describe('the table of a run', () => {
  it('has the rates with voids failed and passed right below each rate', () => {
    const lines = linesOf({ a: '11', b: '1v', c: '00' });
    const below = (label: string): string =>
      lines[lines.findIndex((line) => line.startsWith(label)) + 1] ?? '';
    expect(below('success')).toMatch(/if voids failed \/ passed +50\.0 % \/ 66\.7 %/u);
    expect(below('pass@1')).toMatch(/if voids failed \/ passed +50\.0 % \/ 66\.7 %/u);
    expect(below('pass^2')).toMatch(/if voids failed \/ passed +33\.3 % \/ 66\.7 %/u);
  });

  it('counts one cluster as one', () => {
    expect(linesOf({ a: '11' }).join('\n')).not.toMatch(/\b1 \w+s\b/u);
    expect(linesOf({ a: '10', b: '11' }).join('\n')).toContain('over 2 clusters;');
  });

  it('has no such row without voids', () => {
    expect(linesOf({ a: '11', b: '10' }).join('\n')).not.toContain('voids failed');
  });
});
