import { bytesOfText } from './bytes.ts';
import { type FileDiff, fileDiff } from './diff.ts';
import type { GitReader } from './store.ts';

/** How a diff is written. */
export interface UnifiedOptions {
  /** Digits of a hash in `index` lines. */
  readonly hashDigits?: number;
}

const HASH_DIGITS = 7;

/** A diff as `git diff` writes it: what the media type `diff` answers. Empty when nothing differs. */
export function unifiedDiff(
  reader: GitReader,
  files: readonly FileDiff[],
  { hashDigits = HASH_DIGITS }: UnifiedOptions = {},
): string {
  return files
    .flatMap((file) => (file.status === 'changed' ? replacement(reader, file) : [file]))
    .map((file) => fileText(file, hashDigits))
    .join('');
}

/** A file that became another kind of thing is shown as removed and added. */
function replacement(reader: GitReader, file: FileDiff): FileDiff[] {
  return [
    fileDiff(reader, { ...file, status: 'removed', after: null }),
    fileDiff(reader, { ...file, status: 'added', before: null }),
  ];
}

function fileText(file: FileDiff, hashDigits: number): string {
  const oldName = quotePath(`a/${file.previousPath ?? file.path}`);
  const newName = quotePath(`b/${file.path}`);
  const lines = [`diff --git ${oldName} ${newName}`, ...headerLines(file, hashDigits)];
  const from = file.before ? oldName : '/dev/null';
  const to = file.after ? newName : '/dev/null';
  if (file.binary && file.before?.sha !== file.after?.sha)
    lines.push(`Binary files ${from} and ${to} differ`);
  if (file.patch !== null) lines.push(`--- ${ended(from)}`, `+++ ${ended(to)}`, file.patch);
  return `${lines.join('\n')}\n`;
}

function headerLines(
  { before, after, previousPath, path, similarity }: FileDiff,
  hashDigits: number,
): string[] {
  const lines: string[] = [];
  if (!before && after) lines.push(`new file mode ${after.mode}`);
  else if (before && !after) lines.push(`deleted file mode ${before.mode}`);
  else if (before && after && before.mode !== after.mode) {
    lines.push(`old mode ${before.mode}`, `new mode ${after.mode}`);
  }
  if (previousPath !== null) {
    const [from, to] = [quotePath(previousPath), quotePath(path)];
    lines.push(`similarity index ${similarity}%`, `rename from ${from}`, `rename to ${to}`);
  }
  if (before?.sha !== after?.sha) {
    const short = (sha: string | undefined): string => (sha ?? '0'.repeat(40)).slice(0, hashDigits);
    const mode = before && after && before.mode === after.mode ? ` ${before.mode}` : '';
    lines.push(`index ${short(before?.sha)}..${short(after?.sha)}${mode}`);
  }
  return lines;
}

/** A name with white space is ended by a tab, so that readers find its end. */
function ended(name: string): string {
  return /\s/u.test(name) ? `${name}\t` : name;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** A path as git prints it: in quotes, with escapes, when it holds more than plain ASCII. */
export function quotePath(path: string): string {
  const bytes = bytesOfText(path);
  const escaped = bytes.replace(/[^ !#-[\]-~]/gu, (byte) => {
    return ESCAPES[byte] ?? `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return escaped === bytes ? path : `"${escaped}"`;
}
