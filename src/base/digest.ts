import { hash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import type { Json } from './json.ts';

/** SHA-256 in lower-case hexadecimal, 64 characters. */
export type Digest = string;

/** SHA-256 of the UTF-8 form of a text. A lone surrogate counts as U+FFFD, as UTF-8 has none. */
export function digestText(text: string): Digest {
  return hash('sha256', text, 'hex');
}

/** SHA-256 of the canonical JSON of a value. */
export function digestJson(value: Json | undefined): Digest {
  return digestText(canonicalJson(value));
}
