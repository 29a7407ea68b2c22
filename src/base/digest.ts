import { createHmac, hash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import type { Json } from './json.ts';

/** SHA-256 in lower-case hexadecimal, 64 characters. */
export type Digest = string;

/** SHA-256 of the UTF-8 form of a text. A lone surrogate counts as U+FFFD, as UTF-8 has none. */
export function digestText(text: string): Digest {
  return hash('sha256', text, 'hex');
}

/** The same as `digestText`, as 32 characters, one for each byte: for digests that are added up. */
export function digestBytes(text: string): string {
  return hash('sha256', text, 'binary');
}

/** SHA-256 of the canonical JSON of a value. */
export function digestJson(value: Json | undefined): Digest {
  return digestText(canonicalJson(value));
}

/**
 * SHA-1 in lower-case hexadecimal, as git names its objects: of bytes, or of a text each character of which
 * stands for one byte.
 */
export function sha1Hex(bytes: Uint8Array | string): string {
  return hash('sha1', typeof bytes === 'string' ? Uint8Array.from(bytes, byteOf) : bytes, 'hex');
}

function byteOf(character: string): number {
  return character.charCodeAt(0);
}

/** A keyed digest (HMAC) of the UTF-8 form of a text, in lower-case hexadecimal, as webhooks are signed. */
export function hmacHex(algorithm: 'sha1' | 'sha256', key: string, text: string): string {
  return createHmac(algorithm, key).update(text).digest('hex');
}
