import { UsageError } from '../base/errors.ts';
import type { CompiledTable } from './compile.ts';

/**
 * A packed world, as bytes:
 *
 *     16 bytes   magic
 *     …          pages: the texts of their rows, then the page record itself; children before parents
 *     …          footer: JSON in UTF-8, with clock, streams, sums and the place of every tree's first page
 *     20 bytes   trailer: length of the footer, its checksum, format version, closing magic
 *
 * A page record is the byte length of its text, the checksum of its text, and the text: JSON of a list of
 * inner nodes, the page's top node first. A leaf stands, as the list of its entries, in the page of the node
 * above it. All numbers in binary are little-endian.
 */
export const FORMAT_VERSION = 1;
export const MAGIC = 'GROUNDHOG-WORLD\n';
export const CLOSING_MAGIC = 'GHWORLD\n';
export const TRAILER_LENGTH = 20;
export const PAGE_HEADER_LENGTH = 8;

/** Where a page is, and the Merkle digest below it; index trees have none. */
export interface PagePlace {
  readonly offset: number;
  readonly length: number;
  readonly merkle?: string;
}

/** An entry of a table's tree: the row's text is `length` bytes at `offset` with this checksum. */
export type PackedRow = readonly [
  key: string,
  offset: number,
  length: number,
  checksum: number,
  digest: string,
];

/** An entry of an index tree. */
export type PackedPosting = readonly [key: string, primary: string];

export type PackedEntry = PackedRow | PackedPosting;

/**
 * A child: none, a node of the same page by its place in the list, a leaf, or the top node of another page.
 */
export type PackedChild = null | number | readonly PackedEntry[] | PagePlace;

export type PackedNode = readonly [
  entry: PackedEntry,
  left: PackedChild,
  right: PackedChild,
  merkle?: string,
];

/** A whole tree: empty, a leaf, or the page of its top node. */
export type PackedTree = null | readonly PackedEntry[] | PagePlace;

export interface PackedTable {
  readonly name: string;
  readonly layout: string;
  readonly size: number;
  readonly draws: number;
  readonly root: PackedTree;
  readonly indexes: readonly PackedTree[];
}

export interface PackedFooter {
  readonly seed: string;
  readonly clockMs: number;
  readonly random: readonly [number, number, number, number];
  readonly content: string;
  readonly ambient: string;
  readonly merkle: string;
  readonly tables: readonly PackedTable[];
}

/** Where the bytes of a packed world come from; reads are synchronous. */
export interface PageSource {
  /** Bytes in all. */
  readonly length: number;
  /** So many bytes from an offset on, not backed by shared memory. @throws when they can't be read. */
  read(offset: number, length: number): Uint8Array;
}

/** What of a declaration the packed trees depend on; a world packed under another one can't be opened. */
export function layoutOf(table: CompiledTable): string {
  const indexes = table.indexes.map((index) => [index.name, index.columns, index.unique]);
  return JSON.stringify([
    table.primary,
    [...table.columns.keys()].sort(),
    table.hashed,
    indexes,
    table.ambient,
  ]);
}

/** A 32-bit check of some bytes (FNV-1a): finds damage, not malice. */
export function checksum(bytes: Uint8Array): number {
  let mixed = 0x811c9dc5;
  for (let index = 0; index < bytes.length; index += 1) {
    mixed = Math.imul(mixed ^ (bytes[index] as number), 0x01000193);
  }
  return mixed >>> 0;
}

/** The error for bytes that are a packed world but not whole. */
export function damaged(what: string): UsageError {
  return new UsageError('world-file-damaged', `the packed world is damaged: ${what}`, {
    hint: 'packed worlds can always be built again: delete the file',
  });
}
