import { splitLines } from './blobs.ts';
import { type Bytes, bytesOfText, textOfBytes } from './bytes.ts';
import { headingFor } from './headings.ts';
import { diffLines, type LineChange } from './line-diff.ts';

/** The changes of one file as text. */
export interface TextDiff {
  readonly additions: number;
  readonly deletions: number;
  /** Hunks in unified form, without a line break at the end; empty when nothing differs. */
  readonly patch: string;
}

const CONTEXT_LINES = 3;

/** Compares two texts by lines. The path tells the language, whose declarations head the hunks. */
export function diffTexts(before: string, after: string, path = ''): TextDiff {
  return diffBytes(bytesOfText(before), bytesOfText(after), path);
}

/** Compares two contents by lines; the patch is their text. */
export function diffBytes(before: Bytes, after: Bytes, path = ''): TextDiff {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const changes = diffLines(old, fresh);
  let additions = 0;
  let deletions = 0;
  for (const { oldCount, newCount } of changes) {
    additions += newCount;
    deletions += oldCount;
  }
  const heading = headingFor(path);
  const patch = groupChanges(changes).map((group) => {
    const above = headingAbove(old, (group[0]?.oldStart ?? 0) - CONTEXT_LINES, heading);
    return hunkText({ old, fresh, heading: above }, group);
  });
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

interface Sides {
  readonly old: readonly Bytes[];
  readonly fresh: readonly Bytes[];
  readonly heading: Bytes;
}

function hunkText({ old, fresh, heading }: Sides, group: readonly LineChange[]): Bytes {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return '';
  const lead = Math.min(CONTEXT_LINES, first.oldStart, first.newStart);
  const oldFrom = first.oldStart - lead;
  const newFrom = first.newStart - lead;
  const lastEnd = last.oldStart + last.oldCount;
  const oldTo = Math.min(old.length, lastEnd + CONTEXT_LINES);
  const newTo = last.newStart + last.newCount + oldTo - lastEnd;
  const ranges = `-${range(oldFrom, oldTo)} +${range(newFrom, newTo)}`;
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

/** The nearest line above that is a heading, shortened as git does. */
function headingAbove(lines: readonly Bytes[], from: number, heading: (line: Bytes) => Bytes | null): Bytes {
  for (let at = from - 1; at >= 0; at -= 1) {
    const found = heading((lines[at] ?? '').replace(/\r?\n$/u, ''));
    if (found !== null) return found.slice(0, HEADING_BYTES).replace(/[ \t\v\f\r]+$/u, '');
  }
  return '';
}
