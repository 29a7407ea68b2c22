import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../base/errors.ts';
import {
  type LogRecord,
  type PlacedRecord,
  parsedRecord,
  recordFollows,
  visitRecords,
} from './session-log-format.ts';

/**
 * A log is a folder of segments, each named by the position of its first byte in the whole log. The folder
 * has a number: a compaction writes the next one and takes effect by its rename.
 */
export interface Segment {
  /** Position of its first byte. */
  readonly start: number;
  readonly path: string;
  /** Open for reading and writing. */
  readonly file: number;
}

const SEGMENT = /^(\d{16})\.log$/u;
const GENERATION = /^sessions-(\d+)$/u;
const UNFINISHED = '.tmp';

export function generationPath(directory: string, generation: number): string {
  return join(directory, `sessions-${generation}`);
}

/** The path at which a generation is written before it counts. */
export function unfinishedPath(directory: string, generation: number): string {
  return `${generationPath(directory, generation)}${UNFINISHED}`;
}

/** The newest generation, made where there is none; what is unfinished or outdated is removed. */
export function newestGeneration(directory: string): number {
  const names = readdirSync(directory);
  const generations = names.flatMap((name) => GENERATION.exec(name)?.[1] ?? []).map(Number);
  const newest = Math.max(...generations, 0);
  if (generations.length > 1) assertSegments(generationPath(directory, newest));
  for (const name of names) {
    const outdated = GENERATION.test(name) && Number(GENERATION.exec(name)?.[1]) < newest;
    const unfinished = name.startsWith('sessions-') && name.endsWith(UNFINISHED);
    if (outdated || unfinished) rmSync(join(directory, name), { recursive: true, force: true });
  }
  if (newest > 0) return newest;
  mkdirSync(generationPath(directory, 1), { mode: 0o700 });
  syncFolder(directory);
  return 1;
}

/** A generation that took effect has segments: one without any is none, and the one before it stays. */
function assertSegments(folder: string): void {
  if (readdirSync(folder).some((name) => SEGMENT.test(name))) return;
  throw new UsageError('log-damaged', `${folder}: this folder has nothing of a log in it`, {
    place: { file: folder },
    hint: 'bring its files back from a copy, or remove the folder: an older one beside it is whole',
  });
}

/** The segments of a generation in order. */
export function openSegments(folder: string): Segment[] {
  return readdirSync(folder)
    .flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
    .sort()
    .map((digits) => openSegment(folder, Number(digits)));
}

/** A segment that begins at this position; made, for nobody but its owner, where there is none. */
export function openSegment(folder: string, start: number): Segment {
  const path = join(folder, `${String(start).padStart(16, '0')}.log`);
  const file = openSync(path, 'a+', 0o600);
  closeSync(file);
  return { start, path, file: openSync(path, 'r+') };
}

/** Makes the names in a folder as safe as the files themselves. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems cannot, and need not.
    if (!['EINVAL', 'EPERM', 'ENOTSUP', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  } finally {
    closeSync(handle);
  }
}

/** A record and its position in the whole log. */
export interface FoundRecord extends PlacedRecord {
  readonly position: number;
}

/**
 * Visits all records in order. A torn end is cut off and said.
 * @returns the position behind the last record
 * @throws UsageError with file and byte when something in the middle is damaged.
 */
export function visitSegments(
  segments: readonly Segment[],
  visit: (record: FoundRecord) => void,
  note: (text: string) => void,
): number {
  let end = 0;
  for (const [index, segment] of segments.entries()) {
    const { start, path } = segment;
    if (start !== end) throw missing(path, end);
    const bytes = readFileSync(path);
    const whole = visitRecords(bytes, (record) => visit({ ...record, position: start + record.offset }));
    end = start + whole;
    if (whole === bytes.length) continue;
    if (index < segments.length - 1 || recordFollows(bytes, whole)) throw damaged(path, whole);
    note(`${path}: its last ${bytes.length - whole} bytes were never written to their end and are dropped`);
    truncateSync(path, whole);
  }
  return end;
}

/** The record that stands at this byte of a segment. @throws UsageError when none does. */
export function readRecord(segment: Segment, offset: number): LogRecord {
  for (let size = FIRST_READ_BYTES; ; size *= 8) {
    const bytes = Buffer.allocUnsafe(size);
    const length = readSync(segment.file, bytes, 0, size, offset);
    const newline = bytes.subarray(0, length).indexOf(0x0a);
    if (newline < 0 && length === size) continue;
    const record = newline < 0 ? null : parsedRecord(bytes.subarray(0, newline));
    if (record === null) throw damaged(segment.path, offset);
    return record;
  }
}

const FIRST_READ_BYTES = 4096;

function damaged(path: string, byte: number): UsageError {
  return new UsageError('log-damaged', `${path}: byte ${byte} is no longer what was written there`, {
    place: { file: path },
    hint: 'bring the file back from a copy; what stands before that byte is whole',
  });
}

function missing(path: string, end: number): UsageError {
  return new UsageError(
    'log-damaged',
    `${path}: the log ends at byte ${end}, a segment before it is missing`,
    {
      place: { file: path },
      hint: 'bring the missing file back from a copy',
    },
  );
}
