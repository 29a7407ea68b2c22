/**
 * Bytes are held as text with one character per byte (latin1), the form that `btoa` and `sha1Hex` take.
 */
export type Bytes = string;

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const STRICT_DECODER = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const CHUNK_LENGTH = 8192;
const ASCII = /^[\0-\x7f]*$/u;

/** The UTF-8 bytes of a text. A lone surrogate counts as U+FFFD, as UTF-8 has none. */
export function bytesOfText(text: string): Bytes {
  if (ASCII.test(text)) return text;
  const array = ENCODER.encode(text);
  let bytes = '';
  for (let start = 0; start < array.length; start += CHUNK_LENGTH) {
    bytes += String.fromCharCode(...array.subarray(start, start + CHUNK_LENGTH));
  }
  return bytes;
}

/** The text of UTF-8 bytes, with U+FFFD for what is no UTF-8. */
export function textOfBytes(bytes: Bytes): string {
  return ASCII.test(bytes) ? bytes : DECODER.decode(arrayOf(bytes));
}

/** The text of UTF-8 bytes; null when they are no UTF-8. */
export function strictTextOfBytes(bytes: Bytes): string | null {
  if (ASCII.test(bytes)) return bytes;
  try {
    return STRICT_DECODER.decode(arrayOf(bytes));
  } catch {
    return null;
  }
}

/** The same bytes in an array. */
export function arrayOf(bytes: Bytes): Uint8Array {
  const array = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) array[at] = bytes.charCodeAt(at);
  return array;
}

/** Standard base64 in one line, with padding. */
export function base64OfBytes(bytes: Bytes): string {
  return btoa(bytes);
}

/** Base64 of the UTF-8 bytes of a text. */
export function base64OfText(text: string): string {
  return btoa(bytesOfText(text));
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

/** The bytes of standard base64. White space is skipped, padding is required; null for anything else. */
export function bytesOfBase64(base64: string): Bytes | null {
  const packed = base64.replace(/\s+/gu, '');
  return BASE64.test(packed) ? atob(packed) : null;
}

/** The bytes of a hash in hexadecimal. */
export function bytesOfHex(hex: string): Bytes {
  let bytes = '';
  for (let at = 0; at + 1 < hex.length; at += 2) {
    bytes += String.fromCharCode(Number.parseInt(hex.slice(at, at + 2), 16));
  }
  return bytes;
}

/** Base64 in lines of 60 characters, each ended, as the contents and blob operations answer it. */
export function wrapBase64(base64: string): string {
  return base64.replace(/.{1,60}/gu, '$&\n');
}
