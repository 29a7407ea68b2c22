import { type Bytes, base64OfBytes, base64OfText, bytesOfBase64, bytesOfText, textOfBytes } from './bytes.ts';
import type { GitBlob } from './store.ts';

/** What blobs hold, where it was asked for before. */
const contents = new WeakMap<GitBlob, Bytes>();
const texts = new WeakMap<GitBlob, string>();

/** A blob of the UTF-8 bytes of a text. A lone surrogate counts as U+FFFD. */
export function blobOfText(text: string): GitBlob {
  const whole = text.toWellFormed();
  return blobOfStoredText(whole, bytesOfText(whole).length);
}

/** A blob of a text whose size is known. Its base64 is made when it is asked for, which is seldom. */
export function blobOfStoredText(text: string, size: number): GitBlob {
  const blob: GitBlob = {
    kind: 'blob',
    size,
    get base64() {
      return base64OfText(text);
    },
  };
  texts.set(blob, text);
  return blob;
}

/** A blob of bytes. */
export function blobOfBytes(bytes: Bytes): GitBlob {
  return { kind: 'blob', base64: base64OfBytes(bytes), size: bytes.length };
}

/** A blob of base64 as a client sends it; null when it is not valid. */
export function blobOfBase64(base64: string): GitBlob | null {
  const bytes = bytesOfBase64(base64);
  return bytes === null ? null : blobOfBytes(bytes);
}

/** The bytes of a blob. */
export function bytesOfBlob(blob: GitBlob): Bytes {
  const known = contents.get(blob);
  if (known !== undefined) return known;
  const text = texts.get(blob);
  const bytes = text === undefined ? (bytesOfBase64(blob.base64) ?? '') : bytesOfText(text);
  contents.set(blob, bytes);
  return bytes;
}

/** A blob as UTF-8 text, with U+FFFD for what is none. */
export function textOfBlob(blob: GitBlob): string {
  const known = texts.get(blob);
  if (known !== undefined) return known;
  const text = textOfBytes(bytesOfBlob(blob));
  texts.set(blob, text);
  return text;
}

const BINARY_PROBE_BYTES = 8000;

/** Whether git takes a blob for binary: a NUL among its first 8,000 bytes. */
export function isBinary(blob: GitBlob): boolean {
  const at = bytesOfBlob(blob).indexOf('\0');
  return at >= 0 && at < BINARY_PROBE_BYTES;
}

/** Lines of a text; what follows the last line break counts as one when it is not empty. */
export function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count + (text === '' || text.endsWith('\n') ? 0 : 1);
}

/** Lines of a text, each with its line break; the last may have none. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
    lines.push(text.slice(start, at + 1));
    start = at + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}
