import { UsageError } from '../base/errors.ts';
import { deepFreeze } from '../base/json.ts';
import { type CompiledSchema, type CompiledTable, compileSchema } from './compile.ts';
import { bytesFromHex } from './digests.ts';
import { keyPriority } from './keys.ts';
import {
  CLOSING_MAGIC,
  checksum,
  damaged,
  FORMAT_VERSION,
  layoutOf,
  MAGIC,
  PAGE_HEADER_LENGTH,
  type PackedChild,
  type PackedEntry,
  type PackedFooter,
  type PackedNode,
  type PackedPosting,
  type PackedRow,
  type PackedTable,
  type PackedTree,
  type PagePlace,
  type PageSource,
  TRAILER_LENGTH,
} from './packed-format.ts';
import { Slots } from './slots.ts';
import { TableState } from './table.ts';
import { Entry, LazyRow, Node, PageReference, type Tree } from './tree.ts';
import type { Row, Schema } from './types.ts';
import { World } from './world.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The world in a packed file. Only the footer is read now; pages and rows when they are first needed, so
 * opening costs the same for few rows and many. The bytes must not change as long as the world is in use.
 * @throws UsageError for bytes that are no packed world, are damaged, or were packed under other
 * declarations; damage further in is found, and thrown, when that page or row is first read.
 */
export function openPacked(
  packed: Uint8Array | PageSource,
  services: Readonly<Record<string, Schema>>,
): World {
  const source = packed instanceof Uint8Array ? bufferSource(packed) : packed;
  const footer = readFooter(source);
  const schema = compileSchema(services);
  checkTables(schema, footer.tables);
  const tables = footer.tables.map((table, position) =>
    openTable(source, table, schema.tables[position] as CompiledTable),
  );
  const { seed, clockMs, random } = footer;
  const sums = { content: footer.content, ambient: footer.ambient, pending: undefined };
  return new World({ schema, tables: new Slots(tables), clockMs, seed, random }, sums);
}

/** A source over bytes in memory, also shared memory: what is read is copied out, as decoders ask for. */
function bufferSource(bytes: Uint8Array): PageSource {
  return {
    length: bytes.length,
    read: (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > bytes.length) throw damaged('it ends too early');
      return bytes.slice(offset, offset + length);
    },
  };
}

function readFooter(source: PageSource): PackedFooter {
  const foreign = new UsageError('not-a-world-file', 'this is not a packed world', {
    hint: 'packed worlds are written by packWorld',
  });
  if (source.length < MAGIC.length + TRAILER_LENGTH) throw foreign;
  if (textOf(source.read(0, MAGIC.length)) !== MAGIC) throw foreign;
  const trailer = source.read(source.length - TRAILER_LENGTH, TRAILER_LENGTH);
  if (textOf(trailer.subarray(12)) !== CLOSING_MAGIC) throw damaged('its end is missing');
  const version = numberAt(trailer, 8);
  if (version !== FORMAT_VERSION) {
    throw new UsageError(
      'world-file-version',
      `packed world of format ${version}, known is ${FORMAT_VERSION}`,
      {
        hint: 'delete the file and let it be built again',
      },
    );
  }
  const length = numberAt(trailer, 0);
  const start = source.length - TRAILER_LENGTH - length;
  if (start < MAGIC.length) throw damaged('the footer is longer than the file');
  const bytes = source.read(start, length);
  if (checksum(bytes) !== numberAt(trailer, 4)) throw damaged('the footer fails its checksum');
  return parse(bytes, 'the footer') as PackedFooter;
}

function checkTables(schema: CompiledSchema, packed: readonly PackedTable[]): void {
  const names = packed.map((table) => table.name);
  const hint = 'it was packed by other versions of the services: delete it and let it be built again';
  if (names.join('\n') !== schema.names.join('\n')) {
    const other = [...names, ...schema.names].filter(
      (name) => names.includes(name) !== schema.names.includes(name),
    );
    throw new UsageError('world-file-schema', `the packed world has other tables: ${other.join(', ')}`, {
      hint,
    });
  }
  for (const [position, table] of schema.tables.entries()) {
    if (layoutOf(table) === packed[position]?.layout) continue;
    throw new UsageError(
      'world-file-schema',
      `table ${table.name} is declared differently in the packed world`,
      {
        hint,
      },
    );
  }
}

function openTable(source: PageSource, packed: PackedTable, table: CompiledTable): TableState {
  const open = (tree: PackedTree, read: ReadEntry): Tree => childOf(source, tree, read);
  const trees = {
    root: open(packed.root, readRow),
    indexes: packed.indexes.map((tree) => open(tree, readPosting)),
  };
  return new TableState(table, { ...trees, size: packed.size, draws: packed.draws });
}

type ReadEntry = (source: PageSource, packed: PackedEntry) => Entry;

function readRow(source: PageSource, packed: PackedEntry): Entry {
  const [key, offset, length, check, digest] = packed as PackedRow;
  const entry = new Entry(key, new UnreadRow(source, { offset, length, check }), keyPriority(key));
  entry.digest = bytesFromHex(digest);
  return entry;
}

function readPosting(_source: PageSource, packed: PackedEntry): Entry {
  const [key, primary] = packed as PackedPosting;
  return new Entry(key, primary, keyPriority(key));
}

/** A tree that starts with a leaf or another page. */
function childOf(source: PageSource, packed: PackedTree, read: ReadEntry): Tree {
  if (packed === null) return null;
  if (isPackedLeaf(packed)) return packed.map((entry) => read(source, entry));
  const node = new Node(new UnreadPage(source, packed, read), null, null);
  if (packed.merkle !== undefined) node.merkle = packed.merkle;
  return node;
}

function isPackedLeaf(packed: PackedChild): packed is readonly PackedEntry[] {
  return Array.isArray(packed);
}

class UnreadPage extends PageReference {
  readonly #source: PageSource;
  readonly #place: PagePlace;
  readonly #read: ReadEntry;

  constructor(source: PageSource, place: PagePlace, read: ReadEntry) {
    super();
    this.#source = source;
    this.#place = place;
    this.#read = read;
  }

  /** Reads the page and makes all its nodes; the given node becomes the first of them. */
  override fill(node: Node): void {
    const source = this.#source;
    const { offset, length } = this.#place;
    const bytes = source.read(offset, length);
    const text = bytes.subarray(PAGE_HEADER_LENGTH);
    if (numberAt(bytes, 0) !== text.length || checksum(text) !== numberAt(bytes, 4)) {
      throw damaged(`the page at byte ${offset} fails its checksum`);
    }
    const packed = parse(text, `the page at byte ${offset}`) as PackedNode[];
    const nodes = packed.map((_, index) => (index === 0 ? node : new Node(node.entry, null, null)));
    const child = (place: PackedChild): Tree =>
      typeof place === 'number' ? (nodes[place] as Node) : childOf(source, place, this.#read);
    packed.forEach(([entry, left, right, merkle], index) => {
      const target = nodes[index] as Node;
      target.entry = this.#read(source, entry);
      target.left = child(left);
      target.right = child(right);
      if (merkle !== undefined) target.merkle = merkle;
    });
  }
}

class UnreadRow extends LazyRow {
  readonly #source: PageSource;
  readonly #place: { readonly offset: number; readonly length: number; readonly check: number };

  constructor(source: PageSource, place: { offset: number; length: number; check: number }) {
    super();
    this.#source = source;
    this.#place = place;
  }

  override read(): Row {
    const { offset, length, check } = this.#place;
    const bytes = this.#source.read(offset, length);
    if (checksum(bytes) !== check) throw damaged(`the row at byte ${offset} fails its checksum`);
    return deepFreeze(parse(bytes, `the row at byte ${offset}`) as Row);
  }
}

function parse(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw damaged(`${what} is not JSON`);
  }
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function numberAt(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(offset, true);
}
