import { readFileSync } from 'node:fs';
import { UsageError } from '../base/errors.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder, and a file is expected'],
]);

/** A file's text. @throws UsageError when it cannot be read or is not UTF-8. */
export function readText(path: string): string {
  return decodeText(path, readBytes(path));
}

/** A file's bytes. @throws UsageError when it cannot be read. */
export function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new UsageError('unreadable', REASONS.get(code) ?? `it cannot be read (${code})`, {
      place: { file: path },
    });
  }
}

/** Bytes of a file as text. @throws UsageError with the line when they are not UTF-8. */
export function decodeText(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError('not-text', 'the file is not UTF-8 text', {
      place: { file: path, line: brokenLine(bytes) },
    });
  }
}

/**
 * The first line whose bytes are not UTF-8: no byte of a longer sequence is a line break, so lines part
 * cleanly.
 */
function brokenLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 1;
  for (let start = 0; start <= bytes.length; line += 1) {
    const found = bytes.indexOf(LINE_BREAK, start);
    const end = found < 0 ? bytes.length : found;
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return line;
}

const LINE_BREAK = 0x0a;
