import { compactChanges } from './compaction.ts';
import { markChanges } from './myers.ts';

/** Lines of the old side that lines of the new side replace; either count may be zero. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** One side of a comparison of lines. */
export interface Side {
  readonly lines: readonly string[];
  /** For each line a number that equal lines of both sides share. */
  readonly classes: Int32Array;
  /** For each line 1 when it is changed; a zero stands at the end. */
  readonly changed: Uint8Array;
}

/** How to compare lines. */
export interface LineDiffOptions {
  /** Whether indentation decides where a change that could slide is shown: for people, not for merges. */
  readonly byIndent?: boolean;
}

/** The changes between two lists of lines, in order: those that git finds, placed where git places them. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  { byIndent = true }: LineDiffOptions = {},
): LineChange[] {
  const numbers = new Map<string, number>();
  const old = sideOf(before, numbers);
  const fresh = sideOf(after, numbers);
  markChanges({ old, fresh, classCount: numbers.size });
  compactChanges({ side: old, other: fresh, byIndent });
  compactChanges({ side: fresh, other: old, byIndent });
  return collect(old.changed, fresh.changed);
}

function sideOf(lines: readonly string[], numbers: Map<string, number>): Side {
  const classes = new Int32Array(lines.length);
  for (const [at, line] of lines.entries()) {
    let number = numbers.get(line);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(line, number);
    }
    classes[at] = number;
  }
  return { lines, classes, changed: new Uint8Array(lines.length + 1) };
}

function collect(old: Uint8Array, fresh: Uint8Array): LineChange[] {
  const changes: LineChange[] = [];
  let oldAt = 0;
  let newAt = 0;
  while (oldAt < old.length || newAt < fresh.length) {
    const oldStart = oldAt;
    const newStart = newAt;
    while (old[oldAt]) oldAt += 1;
    while (fresh[newAt]) newAt += 1;
    const oldCount = oldAt - oldStart;
    const newCount = newAt - newStart;
    if (oldCount + newCount > 0) changes.push({ oldStart, oldCount, newStart, newCount });
    oldAt += 1;
    newAt += 1;
  }
  return changes;
}
