import { crc32 } from 'node:zlib';

/**
 * What a record of a session log is about, one letter in the file: a session opens (or forks off), an input,
 * an input that brings credentials, a snapshot, a session closes.
 */
export const RECORD_KINDS = { open: 'o', input: 'i', credentials: 'j', snapshot: 's', close: 'c' } as const;

export type RecordKind = (typeof RECORD_KINDS)[keyof typeof RECORD_KINDS];

/** One record as it stands in a log. */
export interface LogRecord {
  readonly kind: RecordKind;
  readonly session: string;
  /** Where the record before it stands, that of its session or of the one it forked off; null for a root. */
  readonly previous: number | null;
  /** JSON. */
  readonly body: Buffer;
}

/** Eight hexadecimal characters and a space. */
const CHECKSUM_BYTES = 9;
/** Checksum, kind, session and place of the record before it take less. */
const HEAD_BYTES = 128;
const NEWLINE = 0x0a;

/** The line of a record: checksum, kind, session, place of the record before it, JSON. */
export function recordLine(record: Omit<LogRecord, 'body'>, json: string): string {
  const { kind, session, previous } = record;
  const text = `${kind} ${session} ${previous ?? '-'} ${json}`;
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
}

/** The record of a line, given without its newline; null when the line is not one. */
export function parsedRecord(line: Buffer): LogRecord | null {
  const short = line.toString('latin1', 0, HEAD_BYTES);
  const checksum = Number.parseInt(short.slice(0, 8), 16);
  if (short[CHECKSUM_BYTES - 1] !== ' ' || crc32(line.subarray(CHECKSUM_BYTES)) !== checksum) return null;
  // What is written before the JSON is short, and ASCII.
  const afterSession = short.indexOf(' ', CHECKSUM_BYTES + 2);
  const afterPrevious = short.indexOf(' ', afterSession + 1);
  const previous = short.slice(afterSession + 1, afterPrevious);
  return {
    kind: short[CHECKSUM_BYTES] as RecordKind,
    // A text of its own: a slice would keep the whole head in memory.
    session: line.toString('latin1', CHECKSUM_BYTES + 2, afterSession),
    previous: previous === '-' ? null : Number(previous),
    body: line.subarray(afterPrevious + 1),
  };
}

/** A record and where it stands in its segment, in bytes. */
export interface PlacedRecord extends LogRecord {
  readonly offset: number;
  readonly length: number;
}

/**
 * Visits the records of a segment in order, up to the first line that is none.
 * @returns where that line begins; the length of the segment when all is well
 */
export function visitRecords(segment: Buffer, visit: (record: PlacedRecord) => void): number {
  let offset = 0;
  while (offset < segment.length) {
    const newline = segment.indexOf(NEWLINE, offset);
    const record = newline < 0 ? null : parsedRecord(segment.subarray(offset, newline));
    if (record === null) return offset;
    visit({ ...record, offset, length: newline + 1 - offset });
    offset = newline + 1;
  }
  return offset;
}

/** True when a whole record stands anywhere after this byte: then what stands there is no torn end. */
export function recordFollows(segment: Buffer, from: number): boolean {
  let newline = segment.indexOf(NEWLINE, from);
  while (newline >= 0) {
    const next = segment.indexOf(NEWLINE, newline + 1);
    if (next < 0) return false;
    if (parsedRecord(segment.subarray(newline + 1, next))) return true;
    newline = next;
  }
  return false;
}
