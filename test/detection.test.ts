import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasRecorded, judgeMarkdown, partOf, tauMarkdown, testbedMarkdown } from '../scripts/detection.ts';
import { DETECT_KINDS } from '../src/scoring/detect/index.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/detection.md'), 'utf8');
const absent = hasRecorded ? '' : ': left out, there are no recorded runs in ../shared here';

/** A share of a row of a table, as a number of percent. */
function shareIn(text: string, row: string, column: number): number {
  const line = text.split('\n').find((one) => one.startsWith(`| ${row} `));
  return Number(/^[\d.]+/.exec((line?.split('|')[column + 1] ?? '').trim())?.[0]);
}

describe(`docs/detection.md${absent}`, () => {
  it('has the figures of our banks', { timeout: 240_000 }, async () => {
    expect(partOf(PAGE, 'testbed')).toBe(await testbedMarkdown());
  });

  it.runIf(hasRecorded)('has the figures of trajectory-judge', { timeout: 60_000 }, () => {
    expect(partOf(PAGE, 'judge')).toBe(judgeMarkdown());
  });

  it.runIf(hasRecorded)('has the figures of the recorded runs of a model', { timeout: 60_000 }, () => {
    expect(partOf(PAGE, 'tau')).toBe(tauMarkdown());
  });

  it('shows what is promised of trajectory-judge: three quarters of the silent, next to no false alarm', () => {
    const judge = partOf(PAGE, 'judge');
    for (const row of ['nothing learned', 'learned from clean runs of other instances']) {
      expect(shareIn(judge, row, 1)).toBeGreaterThanOrEqual(75);
      expect(shareIn(judge, row, 4)).toBeLessThanOrEqual(2);
    }
  });

  it('names no kind that is not one', () => {
    const named = [...(PAGE.split('<!-- testbed -->')[0]?.matchAll(/`([a-z]+_[a-z_]+)`/gu) ?? [])];
    for (const [, kind] of named) expect(DETECT_KINDS).toContain(kind);
  });
});
