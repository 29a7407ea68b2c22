import {
  appendFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { digestText } from '../base/digest.ts';
import { type SourcePlace, UsageError } from '../base/errors.ts';
import { decodeText, readBytes } from './text-files.ts';

/** One line of a JSONL file of a run, as it stands there. */
export interface StoredLine<T> {
  readonly value: T;
  readonly text: string;
  readonly place: SourcePlace;
}

const SEAL = /,"seal":"([0-9a-f]{64})"\}$/u;

/** A line that carries the SHA-256 of itself without the seal, so that an edited one is noticed. */
export function sealedLine(value: object): string {
  const text = JSON.stringify(value);
  return `${text.slice(0, -1)},"seal":"${digestText(text)}"}`;
}

/**
 * The whole lines of a JSONL file. A last line without its line break was torn by a kill: it is left out, and
 * with `repair` cut off the file.
 * @throws UsageError with file and line for a line that is not of the form, or whose seal is not its own.
 */
export function readLines<T>(
  path: string,
  schema: z.ZodType<T>,
  options: { readonly repair: boolean; readonly sealed: boolean },
): StoredLine<T>[] {
  if (!existsSync(path)) return [];
  const text = readWhole(path, options.repair);
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line, index) => {
    const place = { file: path, line: index + 1, column: 1 };
    const content = options.sealed ? unsealed(line, place) : line;
    return { value: parseLine(content, schema, place), text: line, place };
  });
}

/** The file up to its last line break. A torn line may end within a character, so it is cut off as bytes. */
function readWhole(path: string, repair: boolean): string {
  const bytes = readBytes(path);
  const length = bytes.lastIndexOf(LINE_BREAK) + 1;
  if (repair && length < bytes.length) truncateSync(path, length);
  return decodeText(path, bytes.subarray(0, length));
}

const LINE_BREAK = 0x0a;

function unsealed(line: string, place: SourcePlace): string {
  const match = SEAL.exec(line);
  const content = match ? `${line.slice(0, match.index)}}` : '';
  if (match && digestText(content) === match[1]) return content;
  throw new UsageError('run-file', 'the line does not match its own seal: it was edited', {
    place,
    hint: 'take the line out, and the same `run` command makes that trial again',
  });
}

function parseLine<T>(line: string, schema: z.ZodType<T>, place: SourcePlace): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UsageError('run-file', 'the line is not JSON', { place });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.map(String).join('.') || 'the line';
  throw new UsageError('run-file', `${where}: ${issue?.message ?? 'unknown'}`, { place });
}

export function appendLine(path: string, line: string): void {
  appendFileSync(path, `${line}\n`);
}

/** A file that is only appended to, beside a run: recordings and verdicts that were paid for. */
export class AppendedFile {
  readonly #path: string;

  /** Makes its folder, before anything is paid for. @throws UsageError where that cannot be made */
  constructor(path: string) {
    this.#path = path;
    orUnwritable(path, () => mkdirSync(dirname(path), { recursive: true }));
  }

  /** @throws UsageError when it cannot be written, a full disk included: that is no deed of an agent */
  add(line: string): void {
    orUnwritable(this.#path, () => appendLine(this.#path, line));
  }
}

function orUnwritable(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new UsageError('unwritable', `it cannot be written: ${UNWRITABLE[code] ?? message}`, {
      place: { file: path },
    });
  }
}

/**
 * Writes a file so that it is there whole or not at all.
 * @throws UsageError when the path cannot be written to: no such folder, no permission, a folder of that name
 */
export function writeWhole(path: string, text: string, options: { readonly mode?: number } = {}): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, options);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = UNWRITABLE[code];
    if (reason === undefined) throw error;
    throw new UsageError('unwritable', `it cannot be written: ${reason}`, { place: { file: path } });
  }
}

/** What the caller can mend; anything else, such as a full disk, is not the caller's mistake. */
const UNWRITABLE: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EEXIST: 'its folder is a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'there is a folder of that name',
};
