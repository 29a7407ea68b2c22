import { closeSync, fsyncSync, mkdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { type LogRecord, recordLine } from './session-log-format.ts';
import {
  type FoundRecord,
  generationPath,
  openSegment,
  readRecord,
  type Segment,
  syncFolder,
  unfinishedPath,
} from './session-log-segments.ts';

/** What is known of a record without its content. */
export type KnownRecord = Pick<FoundRecord, 'kind' | 'session' | 'previous' | 'position' | 'length'>;

/** The records to be kept when a log is to be written anew, as most of it is dead; null when it is not. */
export function worthCompacting(
  records: readonly KnownRecord[],
  compactBytes: number,
): readonly KnownRecord[] | null {
  if (!records.some(({ kind }) => kind === 'c')) return null;
  const needed = neededRecords(records);
  const live = bytesOf(needed);
  return bytesOf(records) - live > Math.max(compactBytes, live) ? needed : null;
}

function bytesOf(records: readonly KnownRecord[]): number {
  return records.reduce((sum, { length }) => sum + length, 0);
}

/**
 * Writes a log anew with these of its records. The new generation counts from its rename on: whatever happens
 * before leaves the old one as it was.
 */
export function compactLog(
  directory: string,
  generation: number,
  from: {
    readonly segments: readonly Segment[];
    readonly records: readonly KnownRecord[];
    readonly segmentBytes: number;
  },
): void {
  const unfinished = unfinishedPath(directory, generation + 1);
  mkdirSync(unfinished, { mode: 0o700 });
  writeRecords(unfinished, from.records, from);
  renameSync(unfinished, generationPath(directory, generation + 1));
  syncFolder(directory);
  for (const { file } of from.segments) closeSync(file);
  rmSync(generationPath(directory, generation), { recursive: true, force: true });
}

/**
 * Records that open sessions lead back to, in order; and that a session is closed, where its records stay for
 * a fork.
 */
function neededRecords(records: readonly KnownRecord[]): readonly KnownRecord[] {
  const closed = new Set<string>();
  const newest = new Map<string, number>();
  for (const { kind, session, position } of records) {
    if (kind === 'c') closed.add(session);
    else newest.set(session, position);
  }
  const wanted = new Set<number>();
  for (const [session, position] of newest) if (!closed.has(session)) wanted.add(position);
  const present = new Set<string>();
  for (const { position, previous, session, kind } of records.toReversed()) {
    if (kind === 'c' || !wanted.has(position)) continue;
    present.add(session);
    if (previous !== null) wanted.add(previous);
  }
  return records.filter(({ kind, session, position }) =>
    kind === 'c' ? present.has(session) : wanted.has(position),
  );
}

function writeRecords(
  folder: string,
  records: readonly KnownRecord[],
  from: { readonly segments: readonly Segment[]; readonly segmentBytes: number },
): void {
  const moved = new Map<number, number>();
  let target = openSegment(folder, 0);
  let end = 0;
  const finish = (): void => {
    fsyncSync(target.file);
    closeSync(target.file);
  };
  for (const { position, kind, session, previous } of records) {
    if (end - target.start >= from.segmentBytes) {
      finish();
      target = openSegment(folder, end);
    }
    const segment = from.segments.findLast(({ start }) => start <= position) as Segment;
    const { body }: LogRecord = readRecord(segment, position - segment.start);
    const link = previous === null ? null : (moved.get(previous) ?? null);
    const line = Buffer.from(recordLine({ kind, session, previous: link }, body.toString()));
    for (let done = 0; done < line.length; ) {
      done += writeSync(target.file, line, done, line.length - done, end - target.start + done);
    }
    moved.set(position, end);
    end += line.length;
  }
  finish();
  syncFolder(folder);
}
