/** The side of a diff that a line stands on: the old text or the new one. */
export type PatchSide = 'LEFT' | 'RIGHT';

/** A line of a patch, as review comments name it. */
export interface PatchLine {
  /** Lines below the first hunk's header, later headers counted too. */
  readonly position: number;
  /** In the text of its side, counted from 1. */
  readonly line: number;
  /** Unchanged lines stand on the right, and can be named on either side. */
  readonly side: PatchSide;
  /** The hunk from its header down to this line. */
  readonly hunk: string;
}

interface WalkedLine {
  readonly index: number;
  readonly hunkStart: number;
  readonly sign: string;
  readonly left: number;
  readonly right: number;
}

/** The line of a patch that stands at a line of one side; null when the patch does not show it. */
export function patchLineAt(
  patch: string,
  place: { readonly line: number; readonly side: PatchSide },
): PatchLine | null {
  const { line, side } = place;
  const lines = patch.split('\n');
  for (const walked of walk(lines)) {
    const there =
      side === 'LEFT'
        ? walked.sign !== '+' && walked.left === line
        : walked.sign !== '-' && walked.right === line;
    if (there) return { ...described(lines, walked), line, side };
  }
  return null;
}

/** The line of a patch at a position; null when there is none, or when a header stands there. */
export function patchLineByPosition(patch: string, position: number): PatchLine | null {
  const lines = patch.split('\n');
  for (const walked of walk(lines)) if (walked.index === position) return described(lines, walked);
  return null;
}

function described(lines: readonly string[], { index, hunkStart, sign, left, right }: WalkedLine): PatchLine {
  const hunk = lines.slice(hunkStart, index + 1).join('\n');
  return sign === '-'
    ? { position: index, line: left, side: 'LEFT', hunk }
    : { position: index, line: right, side: 'RIGHT', hunk };
}

function* walk(lines: readonly string[]): Generator<WalkedLine> {
  let [left, right, hunkStart] = [0, 0, 0];
  for (const [index, text] of lines.entries()) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)/u.exec(text);
    const sign = text[0] ?? '';
    if (header) {
      [left, right, hunkStart] = [Number(header[1]), Number(header[2]), index];
    } else if (sign !== '\\') {
      yield { index, hunkStart, sign, left, right };
      if (sign !== '+') left += 1;
      if (sign !== '-') right += 1;
    }
  }
}
