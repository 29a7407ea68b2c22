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

  it('leads with what the scenarios say of attempts', () => {
    const trials = [1, 0].map(
      (sign, trial): SummaryTrial => ({
        scenario: 'a',
        trial,
        score: { ...VOID, void: null, success: sign === 1 },
      }),
    );
    const summary = summarise({ trials, k: 2 });
    const rates = (...attempts: readonly ('one' | 'many')[]): string[] => {
      const scenarios = attempts.map((one, index) => ({ id: String(index), hash: '', attempts: one }));
      const lines = runTable([{ name: 'mine', summary, scenarios }]);
      return lines.filter((line) => /^(pass|success|Attempts)/u.test(line)).map((line) => line.slice(0, 8));
    };
    expect(rates('one')).toEqual(['pass^2  ', 'success ', 'pass@1  ']);
    expect(rates('many')).toEqual(['pass@2  ', 'success ', 'pass@1  ']);
    expect(rates('one', 'many')).toEqual(['pass@2  ', 'pass^2  ', 'success ', 'pass@1  ', 'Attempts']);
  });

  it('has no such row without voids', () => {
    expect(linesOf({ a: '11', b: '10' }).join('\n')).not.toContain('voids failed');
  });
});
