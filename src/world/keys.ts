import { InvariantError } from '../base/errors.ts';
import type { Key, KeyPart } from './types.ts';

/**
 * Keys as strings whose order by UTF-16 code units is the order of the typed parts:
 * null or absent < boolean < number < string.
 *
 * Every part starts with a tag below `\u0010`, except strings whose first unit lies in `\u0010`…`\ufffd`:
 * they stand for themselves, so that looking up a row by a usual text key encodes nothing. Other strings get
 * `\u0008` or `\ufffe` before them, which keeps them in order. Inside a list of parts a string ends with
 * `\u0000`, and a `\u0000` in it is written `\u0000\uffff`; as no part starts with `\uffff`, that is neither
 * ambiguous nor out of order, and `prefix + '\uffff'` is the exclusive end of all keys that start with whole
 * parts.
 */
export const AFTER_PREFIX = '\uffff';

/** What may stand in an index entry. */
export type IndexPart = KeyPart | boolean | null;

const NULL = '\u0001';
const FALSE = '\u0002';
const TRUE = '\u0003';
const NUMBER_TAG = 4;
const LOW = '\u0008';
const HIGH = '\ufffe';
const END = '\u0000';
const FIRST_PLAIN = 0x10;
const LAST_PLAIN = 0xfffd;

const scratch = new DataView(new ArrayBuffer(8));

/** The key of a table whose primary key is one column. */
export function encodeSingle(part: KeyPart): string {
  if (typeof part === 'string') return orderedText(part);
  if (typeof part === 'number') return orderedNumber(part);
  throw new InvariantError('a key part must be a string or a finite number');
}

/** The key of a table whose primary key has several columns. */
export function encodeMany(parts: readonly KeyPart[]): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += terminated(part);
    else text += encodeSingle(part);
  }
  return text;
}

/** A key as a caller gives it: a scalar for one column, a list of so many parts otherwise. */
export function encodeKey(key: Key, partCount: number): string {
  if (typeof key === 'string' || typeof key === 'number') {
    if (partCount === 1) return encodeSingle(key);
    throw new InvariantError(`the key has ${partCount} parts: give a list`);
  }
  if (!Array.isArray(key) || key.length !== partCount) {
    throw new InvariantError(
      `a key must be ${partCount === 1 ? 'a scalar' : `a list of ${partCount} parts`}`,
    );
  }
  return partCount === 1 ? encodeSingle((key as readonly KeyPart[])[0] as KeyPart) : encodeMany(key);
}

/** One part of an index entry, ended so that more parts may follow. Anything but a scalar is refused. */
export function encodePart(part: unknown): string {
  if (typeof part === 'string') return terminated(part);
  if (part === null || part === undefined) return NULL;
  if (typeof part === 'number') return orderedNumber(part);
  if (typeof part === 'boolean') return part ? TRUE : FALSE;
  throw new InvariantError('an index part must be a string, a number, a boolean or null');
}

/** Priority of a key in its tree: 31 well mixed bits of its code units. */
export function keyPriority(key: string): number {
  let mixed = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    mixed = Math.imul(mixed ^ key.charCodeAt(index), 0x01000193);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 1;
}

function terminated(text: string): string {
  const ordered = orderedText(text);
  return (ordered.includes(END) ? ordered.replaceAll(END, `${END}${AFTER_PREFIX}`) : ordered) + END;
}

function orderedText(text: string): string {
  if (text.length === 0) return LOW;
  const first = text.charCodeAt(0);
  if (first >= FIRST_PLAIN && first <= LAST_PLAIN) return text;
  return (first < FIRST_PLAIN ? LOW : HIGH) + text;
}

/** Nine units: the tag and the eight bytes of the double, flipped so that they sort as the numbers do. */
function orderedNumber(value: number): string {
  if (!Number.isFinite(value)) throw new InvariantError('a key part must be a finite number');
  scratch.setFloat64(0, value + 0);
  let high = scratch.getInt32(0);
  let low = scratch.getInt32(4);
  if (high < 0) {
    high = ~high;
    low = ~low;
  } else {
    high ^= 0x80000000;
  }
  return String.fromCharCode(
    NUMBER_TAG,
    high >>> 24,
    (high >>> 16) & 255,
    (high >>> 8) & 255,
    high & 255,
    low >>> 24,
    (low >>> 16) & 255,
    (low >>> 8) & 255,
    low & 255,
  );
}
