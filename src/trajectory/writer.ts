import { type Digest, digestText } from '../base/digest.ts';
import { jsonText } from '../base/json.ts';
import type { EndRecord, HeaderRecord, MessageRecord, StepRecord } from './types.ts';

/** A record as its line, without the line break, and the line's SHA-256. */
export interface WrittenLine {
  readonly line: string;
  readonly hash: Digest;
}

/**
 * Writes a record other than the end. Members stand in the order in which the caller built them, which is the
 * order of the type: the bytes of a line are what the chain hashes, so builders keep that order.
 */
export function writeRecord(record: HeaderRecord | StepRecord | MessageRecord): WrittenLine {
  const line = writeLine(record);
  return { line, hash: digestText(line) };
}

/** The line alone: the hash of a step is needed only when the next one is made. */
export function writeLine(record: HeaderRecord | StepRecord | MessageRecord): string {
  return record.type === 'step' ? stepLine(record) : JSON.stringify(record);
}

/** Stands for the response while the rest is turned into text; no usual text is this one. */
const SLOT = '\u0000response\u0000';
const SLOT_TEXT = JSON.stringify(SLOT);

/** The same bytes as `JSON.stringify`, with the text of the response as others need it too. */
function stepLine(record: StepRecord): string {
  const { response } = record;
  if (typeof response !== 'object' || response === null) return JSON.stringify(record);
  const line = JSON.stringify({ ...record, response: SLOT });
  const at = line.indexOf(SLOT_TEXT);
  if (line.indexOf(SLOT_TEXT, at + 1) >= 0) return JSON.stringify(record);
  return line.slice(0, at) + jsonText(response) + line.slice(at + SLOT_TEXT.length);
}

/** Writes the end; its seal is the SHA-256 of its own line without the seal. */
export function writeEnd(end: Omit<EndRecord, 'seal'>): {
  readonly line: string;
  readonly record: EndRecord;
} {
  const open = JSON.stringify(end);
  const seal = digestText(open);
  return { line: `${open.slice(0, -1)},"seal":"${seal}"}`, record: { ...end, seal } };
}

/** The line of an end without its seal, or null when the line does not end with one. */
export function withoutSeal(line: string): string | null {
  const tail = /,"seal":"[0-9a-f]{64}"\}$/u.exec(line);
  return tail ? `${line.slice(0, tail.index)}}` : null;
}
