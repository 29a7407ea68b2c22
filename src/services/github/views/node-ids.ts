/**
 * Global ids as GitHub forms them since 2021: a prefix for the kind, and the numbers in MessagePack, in
 * base64 for URLs. `[0, 7]` is a user's `U_kgAH`.
 */
const KINDS = {
  User: 'U',
  Bot: 'BOT',
  Organization: 'O',
  Repository: 'R',
  Team: 'T',
} as const;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The global id of an account, repository or other thing that stands for itself. */
export function nodeId(kind: keyof typeof KINDS, id: number): string {
  return globalId(KINDS[kind], [0, id]);
}

/**
 * The global id with this prefix: `I` of an issue, with the numbers of its repository and its own; `C` and
 * `REF` of a commit and a ref, with the repository's number and the hash or name.
 */
export function globalId(prefix: string, parts: readonly (number | string)[]): string {
  const bytes = parts.flatMap((part) => (typeof part === 'string' ? packedText(part) : packed(part)));
  return `${prefix}_${base64Url([0x90 + parts.length, ...bytes])}`;
}

/** MessagePack of an ASCII text: the short form up to 31 characters, else that of 16 bits. */
function packedText(text: string): readonly number[] {
  const { length } = text;
  const head = length < 32 ? [0xa0 + length] : [0xda, length >> 8, length & 0xff];
  return [...head, ...[...text].map((character) => character.charCodeAt(0) & 0xff)];
}

/** MessagePack of a whole number from 0. */
function packed(value: number): readonly number[] {
  if (value < 0x80) return [value];
  if (value < 0x100) return [0xcc, value];
  if (value < 0x1_0000) return [0xcd, value >> 8, value & 0xff];
  if (value < 0x1_0000_0000) return [0xce, ...bytesOf(value)];
  return [0xcf, ...bytesOf(Math.floor(value / 0x1_0000_0000)), ...bytesOf(value % 0x1_0000_0000)];
}

function bytesOf(value: number): readonly number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
}

function base64Url(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = bytes.slice(at, at + 3);
    const word = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    const letters = second === undefined ? 2 : third === undefined ? 3 : 4;
    for (let letter = 0; letter < letters; letter += 1) text += ALPHABET[(word >> (18 - 6 * letter)) & 63];
  }
  return text;
}

/** A global id taken apart; null for a text that is none. */
export interface NodeIdParts {
  readonly prefix: string;
  readonly parts: readonly (number | string)[];
}

/** Takes a global id apart, as `globalId` puts it together. */
export function nodeIdParts(id: string): NodeIdParts | null {
  const [, prefix, packedBytes] = /^([A-Z]+)_([\w-]+)$/u.exec(id) ?? [];
  if (prefix === undefined || packedBytes === undefined) return null;
  const bytes = bytesOfBase64Url(packedBytes);
  const parts: (number | string)[] = [];
  let at = 1;
  while (at < bytes.length) {
    const read = unpacked(bytes, at);
    if (!read) return null;
    parts.push(read.value);
    at = read.end;
  }
  return bytes[0] === 0x90 + parts.length ? { prefix, parts } : null;
}

/** Bytes behind a leading one that tell a number, by that leading byte. */
const NUMBER_LENGTHS: Readonly<Record<number, number>> = { 204: 1, 205: 2, 206: 4, 207: 8 };

function unpacked(bytes: readonly number[], at: number): { value: number | string; end: number } | null {
  const head = bytes[at] ?? 0;
  if (head < 0x80) return { value: head, end: at + 1 };
  if (head >= 0xa0 && head < 0xc0) return textOf(bytes, at + 1, head - 0xa0);
  if (head === 0xda) return textOf(bytes, at + 3, ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0));
  const length = NUMBER_LENGTHS[head];
  if (length === undefined || at + length >= bytes.length) return null;
  const digits = bytes.slice(at + 1, at + 1 + length);
  return { value: digits.reduce((sum, byte) => sum * 256 + byte, 0), end: at + 1 + length };
}

function textOf(bytes: readonly number[], at: number, length: number): { value: string; end: number } {
  return { value: String.fromCharCode(...bytes.slice(at, at + length)), end: at + length };
}

function bytesOfBase64Url(text: string): number[] {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 4) {
    const letters = [...text.slice(at, at + 4)].map((letter) => ALPHABET.indexOf(letter));
    const [a = 0, b = 0, c = 0, d = 0] = letters;
    const word = (a << 18) | (b << 12) | (c << 6) | d;
    for (let byte = 0; byte < letters.length - 1; byte += 1) bytes.push((word >> (16 - 8 * byte)) & 255);
  }
  return bytes;
}
