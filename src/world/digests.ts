import { sortMembers } from '../base/canonical.ts';
import { type Digest, digestBytes, digestText } from '../base/digest.ts';
import type { Json } from '../base/json.ts';
import type { CompiledTable } from './compile.ts';
import { keyOf } from './row.ts';
import { type Entry, isNode, type Node, ready, rowOf, type Tree } from './tree.ts';
import type { Row } from './types.ts';

/**
 * A sum of row digests: eight 32-bit lanes, each modulo 2^32, as signed integers (they need no heap number).
 */
export type Lanes = number[];

const LANE_PLACES = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * SHA-256 of the canonical JSON of `[table, key, row]`, the row without its unhashed columns: 32 characters,
 * one for each byte.
 */
function rowDigest(table: CompiledTable, row: Row): string {
  const sorted = blankOf(table);
  for (const name of table.hashed) {
    const value = row[name];
    sorted[name] = typeof value === 'object' ? sortMembers(value) : value;
  }
  return digestBytes(JSON.stringify([table.name, keyOf(table, row), sorted]));
}

type Sorted = Record<string, Json | undefined>;

const blanks = new WeakMap<CompiledTable, Sorted>();

/**
 * An object with the hashed columns of a table, in order, to be filled in. One that grows name by name ends
 * as a hash table, which takes twice as long to fill and to turn into text.
 */
function blankOf(table: CompiledTable): Sorted {
  let blank = blanks.get(table);
  if (blank === undefined) {
    blank = JSON.parse(`{${table.hashed.map((name) => `${JSON.stringify(name)}:null`).join()}}`) as Sorted;
    blanks.set(table, blank);
  }
  return { ...blank };
}

/** The digest of a row as the entry keeps it. Computed once for each entry. */
function byteDigest(table: CompiledTable, entry: Entry): string {
  entry.digest ??= rowDigest(table, rowOf(entry));
  return entry.digest;
}

/** The digest of a row in hexadecimal. */
export function entryDigest(table: CompiledTable, entry: Entry): Digest {
  return hexFromBytes(byteDigest(table, entry));
}

/** Adds the digest of a row to lanes. */
export function addRow(lanes: Lanes, table: CompiledTable, entry: Entry): void {
  const bytes = byteDigest(table, entry);
  for (let lane = 0; lane < 8; lane += 1) lanes[lane] = ((lanes[lane] as number) + wordAt(bytes, lane)) | 0;
}

/** Takes the digest of a row from lanes. */
export function subtractRow(lanes: Lanes, table: CompiledTable, entry: Entry): void {
  const bytes = byteDigest(table, entry);
  for (let lane = 0; lane < 8; lane += 1) lanes[lane] = ((lanes[lane] as number) - wordAt(bytes, lane)) | 0;
}

function wordAt(bytes: string, lane: number): number {
  const start = lane * 4;
  const high = (bytes.charCodeAt(start) << 24) | (bytes.charCodeAt(start + 1) << 16);
  return high | (bytes.charCodeAt(start + 2) << 8) | bytes.charCodeAt(start + 3);
}

/** Half as long as hexadecimal: 48 bytes of memory for each row written instead of 80. */
export function bytesFromHex(hex: Digest): string {
  const codes = new Array<number>(32);
  for (let index = 0; index < 32; index += 1) {
    codes[index] = (hexValue(hex.charCodeAt(index * 2)) << 4) | hexValue(hex.charCodeAt(index * 2 + 1));
  }
  return String.fromCharCode.apply(null, codes);
}

function hexValue(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}

function hexFromBytes(bytes: string): Digest {
  const codes = new Array<number>(64);
  for (let index = 0; index < 32; index += 1) {
    const byte = bytes.charCodeAt(index);
    codes[index * 2] = HEX_DIGITS[byte >> 4] as number;
    codes[index * 2 + 1] = HEX_DIGITS[byte & 15] as number;
  }
  return String.fromCharCode.apply(null, codes);
}

const HEX_DIGITS = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/**
 * Lanes as 64 hexadecimal characters. Made of character codes: a sum of pieces would keep all the pieces
 * alive.
 */
export function lanesText(lanes: Lanes): Digest {
  const codes = new Array<number>(64);
  for (let index = 0; index < 64; index += 1) {
    const lane = lanes[index >> 3] as number;
    codes[index] = HEX_DIGITS[(lane >>> (28 - (index & 7) * 4)) & 15] as number;
  }
  return String.fromCharCode.apply(null, codes);
}

/** Lanes from 64 hexadecimal characters. */
export function lanesFrom(text: Digest): Lanes {
  const bytes = bytesFromHex(text);
  return LANE_PLACES.map((lane) => wordAt(bytes, lane));
}

/**
 * The Merkle digest of a table's tree. Of a leaf: over the digests of its rows; of a node: over left subtree,
 * row and right subtree, kept in the node.
 */
export function treeDigest(table: CompiledTable, tree: Tree): Digest {
  if (tree === null) return '';
  if (!isNode(tree)) return digestText(tree.map((entry) => entryDigest(table, entry)).join());
  tree.merkle ??= nodeDigest(table, ready(tree));
  return tree.merkle;
}

function nodeDigest(table: CompiledTable, node: Node): Digest {
  const left = treeDigest(table, node.left);
  const right = treeDigest(table, node.right);
  return digestText(`${left}/${entryDigest(table, node.entry)}/${right}`);
}
