import type { Side } from './line-diff.ts';

/** A run of changed lines of one side, maybe empty; between two runs stands one unchanged line. */
interface Run {
  start: number;
  end: number;
}

/**
 * Slides runs of changed lines to where git shows them. A run that could stand at several places goes beside
 * a run of the other side if there is one, else to where indentation and blank lines split best.
 */
export function compactChanges({ side, other, byIndent }: Compaction): void {
  const run = firstRun(side);
  const facing = firstRun(other);
  for (;;) {
    if (run.end > run.start) place({ side, other, byIndent, run, facing });
    if (!toNext(side, run)) return;
    toNext(other, facing);
  }
}

/** The side whose runs are moved, and the one that they are moved along. */
interface Compaction {
  readonly side: Side;
  readonly other: Side;
  /** Else a run with a choice goes as far down as it can. */
  readonly byIndent: boolean;
}

interface Placing extends Compaction {
  readonly run: Run;
  readonly facing: Run;
}

function place({ side, other, byIndent, run, facing }: Placing): void {
  let size: number;
  let earliestEnd: number;
  let endBeside: number;
  do {
    size = run.end - run.start;
    endBeside = -1;
    while (slideUp(side, run)) toPrevious(other, facing);
    earliestEnd = run.end;
    if (facing.end > facing.start) endBeside = run.end;
    while (slideDown(side, run)) {
      toNext(other, facing);
      if (facing.end > facing.start) endBeside = run.end;
    }
  } while (size !== run.end - run.start);
  if (run.end === earliestEnd) return;
  if (endBeside !== -1) {
    while (facing.end === facing.start && slideUp(side, run)) toPrevious(other, facing);
    return;
  }
  if (!byIndent) return;
  const best = bestEnd(side, run, earliestEnd);
  while (run.end > best && slideUp(side, run)) toPrevious(other, facing);
}

const SLIDES_AT_MOST = 100;

function bestEnd(side: Side, run: Run, earliestEnd: number): number {
  const size = run.end - run.start;
  const from = Math.max(earliestEnd, run.end - size - 1, run.end - SLIDES_AT_MOST);
  let best = run.end;
  let bestScore: Score | null = null;
  for (let end = from; end <= run.end; end += 1) {
    const score = { indent: 0, penalty: 0 };
    addSplit(score, measure(side, end));
    addSplit(score, measure(side, end - size));
    if (bestScore === null || compareScores(score, bestScore) <= 0) [best, bestScore] = [end, score];
  }
  return best;
}

function firstRun(side: Side): Run {
  const run = { start: 0, end: 0 };
  while (side.changed[run.end]) run.end += 1;
  return run;
}

function toNext(side: Side, run: Run): boolean {
  if (run.end === side.lines.length) return false;
  run.start = run.end + 1;
  run.end = run.start;
  while (side.changed[run.end]) run.end += 1;
  return true;
}

function toPrevious(side: Side, run: Run): void {
  if (run.start === 0) return;
  run.end = run.start - 1;
  run.start = run.end;
  while (side.changed[run.start - 1]) run.start -= 1;
}

function slideDown({ classes, changed }: Side, run: Run): boolean {
  if (run.end >= classes.length || classes[run.start] !== classes[run.end]) return false;
  changed[run.start] = 0;
  changed[run.end] = 1;
  run.start += 1;
  run.end += 1;
  while (changed[run.end]) run.end += 1;
  return true;
}

function slideUp({ classes, changed }: Side, run: Run): boolean {
  if (run.start === 0 || classes[run.start - 1] !== classes[run.end - 1]) return false;
  run.start -= 1;
  run.end -= 1;
  changed[run.start] = 1;
  changed[run.end] = 0;
  while (changed[run.start - 1]) run.start -= 1;
  return true;
}

/** What stands around a split before a line. Indents are in columns, -1 for none. */
interface Split {
  readonly atEnd: boolean;
  readonly indent: number;
  readonly blanksBefore: number;
  readonly indentBefore: number;
  readonly blanksAfter: number;
  readonly indentAfter: number;
}

const BLANKS_AT_MOST = 20;

function measure({ lines }: Side, split: number): Split {
  const before = lookFrom(lines, split - 1, -1);
  const after = lookFrom(lines, split + 1, 1);
  const atEnd = split >= lines.length;
  return {
    atEnd,
    indent: atEnd ? -1 : indentOf(lines[split] ?? ''),
    blanksBefore: before.blanks,
    indentBefore: before.indent,
    blanksAfter: after.blanks,
    indentAfter: after.indent,
  };
}

function lookFrom(
  lines: readonly string[],
  from: number,
  step: 1 | -1,
): { readonly blanks: number; readonly indent: number } {
  let blanks = 0;
  for (let at = from; at >= 0 && at < lines.length; at += step) {
    const indent = indentOf(lines[at] ?? '');
    if (indent !== -1) return { blanks, indent };
    blanks += 1;
    if (blanks === BLANKS_AT_MOST) return { blanks, indent: 0 };
  }
  return { blanks, indent: -1 };
}

const TAB_COLUMNS = 8;
const INDENT_AT_MOST = 200;

/** In columns; -1 for a line of white space. */
function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns += 1;
    else if (character === '\t') columns += TAB_COLUMNS - (columns % TAB_COLUMNS);
    else if (!/[\n\r\v\f]/u.test(character)) return columns;
    if (columns >= INDENT_AT_MOST) return INDENT_AT_MOST;
  }
  return -1;
}

/** How bad a place is: less is better. The weights are git's. */
interface Score {
  indent: number;
  penalty: number;
}

function addSplit(score: Score, split: Split): void {
  const { indentBefore, indentAfter, blanksBefore } = split;
  if (indentBefore === -1 && blanksBefore === 0) score.penalty += 1;
  if (split.atEnd) score.penalty += 21;
  const blanksAfter = split.indent === -1 ? 1 + split.blanksAfter : 0;
  const blanks = blanksBefore + blanksAfter;
  score.penalty += 6 * blanksAfter - 30 * blanks;
  const indent = split.indent === -1 ? indentAfter : split.indent;
  score.indent += indent;
  if (indent === -1 || indentBefore === -1 || indent === indentBefore) return;
  if (indent > indentBefore) score.penalty += blanks > 0 ? 10 : -4;
  else if (indentAfter !== -1 && indentAfter > indent) score.penalty += blanks > 0 ? 17 : 24;
  else score.penalty += blanks > 0 ? 17 : 23;
}

const INDENT_WEIGHT = 60;

function compareScores(one: Score, other: Score): number {
  return INDENT_WEIGHT * Math.sign(one.indent - other.indent) + one.penalty - other.penalty;
}
