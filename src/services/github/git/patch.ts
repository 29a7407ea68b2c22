import { splitLines } from './blobs.ts';
import { type Bytes, bytesOfText, textOfBytes } from './bytes.ts';
import { diffLines, type LineChange } from './line-diff.ts';

/** The changes of one file as text. */
export interface TextDiff {
  readonly additions: number;
  readonly deletions: number;
  /** Hunks in unified form, without a line break at the end; empty when nothing differs. */
  readonly patch: string;
}

const CONTEXT_LINES = 3;

/** Compares two texts by lines. */
export function diffTexts(before: string, after: string): TextDiff {
  return diffBytes(bytesOfText(before), bytesOfText(after));
}

/** Compares two contents by lines; the patch is their text. */
export function diffBytes(before: Bytes, after: Bytes): TextDiff {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const changes = diffLines(old, fresh);
  let additions = 0;
  let deletions = 0;
  for (const { oldCount, newCount } of changes) {
    additions += newCount;
    deletions += oldCount;
  }
  const patch = groupChanges(changes).map((group) => hunkText(old, fresh, group));
  return { additions, deletions, patch: textOfBytes(patch.join('\n')) };
}

/** Changes that share context stand in one hunk. */
function groupChanges(changes: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const change of changes) {
    const group = groups.at(-1);
    if (group && change.oldStart - end <= 2 * CONTEXT_LINES) group.push(change);
    else groups.push([change]);
    end = change.oldStart + change.oldCount;
  }
  return groups;
}

function hunkText(old: readonly string[], fresh: readonly string[], group: readonly LineChange[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return '';
  const lead = Math.min(CONTEXT_LINES, first.oldStart, first.newStart);
  const oldFrom = first.oldStart - lead;
  const newFrom = first.newStart - lead;
  const lastEnd = last.oldStart + last.oldCount;
  const oldTo = Math.min(old.length, lastEnd + CONTEXT_LINES);
  const newTo = last.newStart + last.newCount + oldTo - lastEnd;
  const ranges = `-${range(oldFrom, oldTo)} +${range(newFrom, newTo)}`;
  const heading = headingAbove(old, oldFrom);
  const lines = [`@@ ${ranges} @@${heading === '' ? '' : ` ${heading}`}`];
  const push = (sign: string, from: readonly string[], [start, end]: readonly [number, number]): void => {
    for (const line of from.slice(start, end)) {
      if (line.endsWith('\n')) lines.push(sign + line.slice(0, -1));
      else lines.push(sign + line, '\\ No newline at end of file');
    }
  };
  let at = oldFrom;
  for (const { oldStart, oldCount, newStart, newCount } of group) {
    push(' ', old, [at, oldStart]);
    push('-', old, [oldStart, oldStart + oldCount]);
    push('+', fresh, [newStart, newStart + newCount]);
    at = oldStart + oldCount;
  }
  push(' ', old, [at, oldTo]);
  return lines.join('\n');
}

function range(from: number, to: number): string {
  const count = to - from;
  const start = count === 0 ? from : from + 1;
  return count === 1 ? `${start}` : `${start},${count}`;
}

const HEADING_BYTES = 80;

/** The nearest line above that starts like a declaration, as git heads its hunks. */
function headingAbove(lines: readonly Bytes[], from: number): string {
  for (let at = from - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    if (/^[A-Za-z_$]/u.test(line)) {
      return line.slice(0, HEADING_BYTES).replace(/[ \t\n\v\f\r]+$/u, '');
    }
  }
  return '';
}
