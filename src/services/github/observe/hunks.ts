import { diffTexts } from '../git/index.ts';

/** Two states of a file. */
export interface FileTexts {
  readonly before: string;
  readonly after: string;
}

interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly heading: string;
  readonly lines: readonly string[];
}

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: (.*))?$/u;
const NO_END = '\\ No newline at end of file';

/** The hunks of a patch, or of its beginning. */
function hunksIn(patch: string): Hunk[] {
  const hunks: (Hunk & { lines: string[] })[] = [];
  for (const text of patch.split('\n')) {
    const header = HEADER.exec(text);
    if (!header) hunks.at(-1)?.lines.push(text);
    else {
      const [, oldStart, oldCount = '1', newStart, newCount = '1', heading = ''] = header;
      hunks.push({
        oldStart: Number(oldStart),
        oldCount: Number(oldCount),
        newStart: Number(newStart),
        newCount: Number(newCount),
        heading,
        lines: [],
      });
    }
  }
  return hunks;
}

/**
 * A file before and after, of which patches are known as far as they were shown; several that begin alike
 * are parts of one. Null where no file has such a patch.
 */
export function textsOfPatches(patches: readonly string[], path: string): FileTexts | null {
  const longest = new Map<number, Hunk>();
  for (const hunk of patches.flatMap(hunksIn)) {
    const known = longest.get(hunk.oldStart);
    if (!known || known.lines.length < hunk.lines.length) longest.set(hunk.oldStart, hunk);
  }
  const hunks = [...longest.values()].sort((one, other) => one.oldStart - other.oldStart);
  const sides = new Sides(path);
  for (const hunk of hunks) if (!sides.add(hunk)) return null;
  const texts = sides.texts();
  const { patch } = diffTexts(texts.before, texts.after, path);
  const isShown = hunks.every((hunk) => patch.includes(shownOf(hunk)));
  return isShown && patch !== '' ? texts : null;
}

function shownOf({ lines }: Hunk): string {
  return lines.filter((line) => line !== NO_END).join('\n');
}

/** Both sides of a file, line by line. */
class Sides {
  readonly #path: string;
  readonly #before: string[] = [];
  readonly #after: string[] = [];
  #ends = { before: true, after: true };

  constructor(path: string) {
    this.#path = path;
  }

  /** Adds what a hunk shows, and lines that nobody saw before and in it. */
  add(hunk: Hunk): boolean {
    const gap = firstLine(hunk.oldStart, hunk.oldCount) - 1 - this.#before.length;
    const sameGap = firstLine(hunk.newStart, hunk.newCount) - 1 - this.#after.length;
    if (gap < 0 || gap !== sameGap) return false;
    for (let line = 1; line <= gap; line += 1) {
      const isLast = line === gap && hunk.heading !== '';
      this.#both(isLast ? hunk.heading : this.#unseen('line'));
    }
    let [left, right] = [hunk.oldCount, hunk.newCount];
    let last = ' ';
    for (const text of hunk.lines) {
      const sign = text[0] ?? ' ';
      if (sign === '\\') this.#endless(last);
      else {
        if (sign !== '+') left -= 1;
        if (sign !== '-') right -= 1;
        this.#line(sign, text.slice(1));
        last = sign;
      }
    }
    return left >= 0 && right >= 0 && this.#rest(left, right);
  }

  texts(): FileTexts {
    return {
      before: joined(this.#before, this.#ends.before),
      after: joined(this.#after, this.#ends.after),
    };
  }

  /** What of a hunk was not shown: removed and added lines, and up to three that stay. */
  #rest(left: number, right: number): boolean {
    const context = Math.min(3, left, right);
    for (let count = left - context; count > 0; count -= 1) this.#before.push(this.#unseen('old'));
    for (let count = right - context; count > 0; count -= 1) this.#after.push(this.#unseen('new'));
    for (let count = context; count > 0; count -= 1) this.#both(this.#unseen('line'));
    return true;
  }

  #line(sign: string, text: string): void {
    if (sign !== '+') this.#before.push(text);
    if (sign !== '-') this.#after.push(text);
  }

  #endless(sign: string): void {
    this.#ends = {
      before: this.#ends.before && sign === '+',
      after: this.#ends.after && sign === '-',
    };
  }

  #both(text: string): void {
    this.#before.push(text);
    this.#after.push(text);
  }

  #unseen(kind: string): string {
    return `${kind} ${this.#before.length}.${this.#after.length} of ${this.#path}`;
  }
}

/** A side without lines is named by the line above. */
function firstLine(start: number, count: number): number {
  return count === 0 ? start + 1 : start;
}

function joined(lines: readonly string[], isEnded: boolean): string {
  if (lines.length === 0) return '';
  return lines.join('\n') + (isEnded ? '\n' : '');
}

/** A file of which only the numbers of added and removed lines are known. */
export function textsOfCounts(path: string, additions: number, deletions: number): FileTexts {
  const lines = (kind: string, count: number): string =>
    Array.from({ length: count }, (_, index) => `${kind} ${index + 1} of ${path}\n`).join('');
  return {
    before: `${path}\n${lines('old', deletions)}`,
    after: `${path}\n${lines('new', additions)}`,
  };
}
