import { describe, expect, it } from 'vitest';
import { diffTexts, patchLineAt, patchLineByPosition } from './index.ts';

const NUMBERS = Array.from({ length: 30 }, (_, at) => `${at + 1}\n`);
const BEFORE = NUMBERS.join('');
const AFTER = NUMBERS.map((line, at) => (at === 4 ? 'five\nand more\n' : at === 24 ? 'x' : line)).join('');
const { patch } = diffTexts(BEFORE, AFTER);

describe('lines of a patch', () => {
  it('are found by the line of a side', () => {
    expect(patchLineAt(patch, { line: 6, side: 'RIGHT' })).toEqual({
      position: 6,
      line: 6,
      side: 'RIGHT',
      hunk: '@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+and more',
    });
    expect(patchLineAt(patch, { line: 5, side: 'LEFT' })).toMatchObject({
      position: 4,
      line: 5,
      side: 'LEFT',
    });
    expect(patchLineAt(patch, { line: 7, side: 'LEFT' })?.position).toBe(8);
    expect(patchLineAt(patch, { line: 8, side: 'RIGHT' })?.position).toBe(8);
    expect(patchLineAt(patch, { line: 15, side: 'RIGHT' })).toBeNull();
  });

  it('are found by position, which counts the headers of later hunks', () => {
    expect(patchLineByPosition(patch, 4)).toMatchObject({ line: 5, side: 'LEFT' });
    expect(patchLineByPosition(patch, 9)).toMatchObject({ line: 9, side: 'RIGHT' });
    expect(patchLineByPosition(patch, 10)).toBeNull();
    expect(patchLineByPosition(patch, 11)).toMatchObject({ line: 23, side: 'RIGHT' });
    expect(patchLineByPosition(patch, 11)?.hunk).toBe('@@ -22,8 +23,7 @@\n 22');
    expect([patchLineByPosition(patch, 0), patchLineByPosition(patch, 99)]).toEqual([null, null]);
  });

  it('pass over the mark of a missing line break', () => {
    const marked = diffTexts('a', 'b').patch;
    expect(marked.split('\n')).toHaveLength(5);
    expect(patchLineAt(marked, { line: 1, side: 'LEFT' })?.position).toBe(1);
    expect(patchLineAt(marked, { line: 1, side: 'RIGHT' })?.position).toBe(3);
  });
});
