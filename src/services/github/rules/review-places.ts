import {
  diffSinceBase,
  type FileDiff,
  gitReader,
  type PatchSide,
  patchLineAt,
  patchLineByPosition,
} from '../git/index.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Pull, ReviewComment } from '../schema/pulls.ts';
import { filesOf } from './pulls.ts';

/** Where a comment stands in a pull, as a request says it. */
export interface PlaceWish {
  readonly path: string;
  readonly position?: number | null | undefined;
  readonly line?: number | null | undefined;
  readonly side?: PatchSide | undefined;
  readonly start_line?: number | null | undefined;
  readonly start_side?: PatchSide | undefined;
  readonly subject_type?: 'line' | 'file' | undefined;
}

/** The columns of a comment that tell where it stands. */
export type CommentPlace = Pick<
  ReviewComment,
  | 'path'
  | 'subject_type'
  | 'diff_hunk'
  | 'position'
  | 'original_position'
  | 'side'
  | 'line'
  | 'original_line'
  | 'start_side'
  | 'start_line'
  | 'original_start_line'
>;

/** A place that a pull does not have: the members of the request that say so. */
export interface NoPlace {
  readonly missing: readonly string[];
}

/** Finds the place in a pull's files: by line and side, by position in the patch, or the whole file. */
export function placeIn(ctx: Reading, pull: Pull, wish: PlaceWish): CommentPlace | NoPlace {
  const file = filesOf(ctx, pull).find(({ path }) => path === wish.path);
  if (!file) return { missing: ['path'] };
  if (wish.subject_type === 'file') return wholeFile(wish.path);
  const patch = file.patch ?? '';
  const side = wish.side ?? 'RIGHT';
  const byLine = wish.line !== null && wish.line !== undefined;
  const found = byLine
    ? patchLineAt(patch, { line: wish.line ?? 0, side })
    : patchLineByPosition(patch, wish.position ?? 0);
  if (!found) return { missing: byLine ? ['line'] : ['position'] };
  const start = startOf(patch, wish, side);
  if (start === undefined) return { missing: ['start_line'] };
  return {
    path: wish.path,
    subject_type: 'line',
    diff_hunk: found.hunk,
    position: found.position,
    original_position: found.position,
    side: found.side,
    line: found.line,
    original_line: found.line,
    start_side: start?.side ?? null,
    start_line: start?.line ?? null,
    original_start_line: start?.line ?? null,
  };
}

/** The first of several lines; null for a comment on one line, undefined where the pull does not show it. */
function startOf(
  patch: string,
  { start_line, start_side }: PlaceWish,
  side: PatchSide,
): { readonly line: number; readonly side: PatchSide } | null | undefined {
  if (start_line === null || start_line === undefined) return null;
  const place = { line: start_line, side: start_side ?? side };
  return patchLineAt(patch, place) ? place : undefined;
}

function wholeFile(path: string): CommentPlace {
  return {
    path,
    subject_type: 'file',
    diff_hunk: '',
    position: 1,
    original_position: 1,
    side: 'RIGHT',
    line: 1,
    original_line: 1,
    start_side: null,
    start_line: null,
    original_start_line: null,
  };
}

/** Finds the comments of a pull in its files as they are now: those whose line has gone are outdated. */
export function placeComments(ctx: Writing, pull: Pull): void {
  const comments = [...ctx.tx.review_comments.by('by_issue', [pull.issue_id])];
  if (comments.length === 0) return;
  const files = filesOf(ctx, pull);
  for (const comment of comments) {
    if (comment.subject_type === 'file') continue;
    const found = movedTo(ctx, pull, { comment, files });
    const position = found?.position ?? null;
    const line = found?.line ?? null;
    const shift = line === null || comment.original_line === null ? 0 : line - comment.original_line;
    ctx.tx.review_comments.update(comment.id, {
      position,
      line,
      start_line:
        line === null || comment.original_start_line === null ? null : comment.original_start_line + shift,
      ...(found && { commit_sha: pull.head_sha }),
    });
  }
}

/** Where the commented line stands now: the same text, moved by what was changed above it since. */
function movedTo(
  ctx: Reading,
  pull: Pull,
  { comment, files }: { readonly comment: ReviewComment; readonly files: readonly FileDiff[] },
): { readonly position: number; readonly line: number } | null {
  const { original_line: line, side, original_commit_sha: before, path } = comment;
  const patch = files.find((file) => file.path === path)?.patch;
  if (line === null || patch === null || patch === undefined) return null;
  if (side === 'LEFT') return patchLineAt(patch, { line, side });
  const since = diffSinceBase(gitReader(ctx.tx), before, pull.head_sha).find((file) => file.path === path);
  const now = since?.patch ? lineAfter(since.patch, line) : line;
  return now === null ? null : patchLineAt(patch, { line: now, side });
}

/** The number that a line of the old text has in the new one; null where it was changed. */
function lineAfter(patch: string, line: number): number | null {
  let shift = 0;
  let [left, right] = [0, 0];
  for (const text of patch.split('\n')) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))?/u.exec(text);
    if (header) {
      // A side without lines is named by the line above.
      left = Number(header[1]) + (header[2] === '0' ? 1 : 0);
      right = Number(header[3]) + (header[4] === '0' ? 1 : 0);
      if (line < left) return line + shift;
      continue;
    }
    const sign = text[0];
    if (sign === '-') {
      if (left === line) return null;
      left += 1;
    } else if (sign === '+') right += 1;
    else if (sign !== '\\') {
      if (left === line) return right;
      left += 1;
      right += 1;
    }
    shift = right - left;
  }
  return line + shift;
}
