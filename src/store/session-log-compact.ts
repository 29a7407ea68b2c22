import { closeSync, fsyncSync, mkdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { type LogRecord, recordLine } from './session-log-format.ts';
import {
  type FoundRecord,
  generationPath,
  openSegment,
  openSegments,
  readRecord,
  type Segment,
  syncFolder,
  unfinishedPath,
  visitSegments,
} from './session-log-segments.ts';

/** What is known of a record without its content. */
type Known = Pick<FoundRecord, 'kind' | 'session' | 'previous' | 'position' | 'length'>;

/**
 * Writes a log anew without what no open session needs, if that is most of it. The new generation counts from
 * its rename on: whatever happens before leaves the old one as it was.
 * @returns the generation that counts
 */
export function compactLog(
  directory: string,
  generation: number,
  options: {
    readonly segmentBytes: number;
    readonly compactBytes: number;
    readonly note: (text: string) => void;
  },
): number {
  const segments = openSegments(generationPath(directory, generation));
  try {
    const records: Known[] = [];
    const bytes = visitSegments(
      segments,
      ({ kind, session, previous, position, length }) =>
        records.push({ kind, session, previous, position, length }),
      options.note,
    );
    const needed = neededRecords(records);
    const live = needed.reduce((sum, { length }) => sum + length, 0);
    if (bytes - live <= Math.max(options.compactBytes, live)) return generation;
    const unfinished = unfinishedPath(directory, generation + 1);
    mkdirSync(unfinished, { mode: 0o700 });
    writeRecords(unfinished, needed, { segments, segmentBytes: options.segmentBytes });
    renameSync(unfinished, generationPath(directory, generation + 1));
    syncFolder(directory);
  } finally {
    for (const { file } of segments) closeSync(file);
  }
  rmSync(generationPath(directory, generation), { recursive: true, force: true });
  return generation + 1;
}

/**
 * Records that open sessions lead back to, in order; and that a session is closed, where its records stay for
 * a fork.
 */
function neededRecords(records: readonly Known[]): readonly Known[] {
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
  records: readonly Known[],
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
