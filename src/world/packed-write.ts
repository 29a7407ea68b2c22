import type { CompiledTable } from './compile.ts';
import { entryDigest, treeDigest } from './digests.ts';
import {
  CLOSING_MAGIC,
  checksum,
  FORMAT_VERSION,
  layoutOf,
  MAGIC,
  PAGE_HEADER_LENGTH,
  type PackedChild,
  type PackedEntry,
  type PackedFooter,
  type PackedNode,
  type PackedRow,
  type PackedTable,
  type PackedTree,
  type PagePlace,
} from './packed-format.ts';
import type { TableState } from './table.ts';
import { type Entry, isNode, type Leaf, type Node, ready, rowOf, type Tree } from './tree.ts';
import type { World } from './world.ts';

/** A page holds so many entries, up to twice as many and one; the page of a tree's top may hold fewer. */
const PAGE_ENTRIES = 32;

/** A packed copy of a world: all tables, clock and streams. `openPacked` reads it. */
export function packWorld(world: World): Uint8Array {
  const pieces: Uint8Array[] = [];
  let length = 0;
  packInto(world, (bytes) => {
    pieces.push(bytes);
    length += bytes.length;
  });
  const packed = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    packed.set(piece, offset);
    offset += piece.length;
  }
  return packed;
}

/** Like `packWorld`, piece by piece, so that a large world is never held twice. */
export function packInto(world: World, write: (bytes: Uint8Array) => void): void {
  const writer = new PageWriter(write);
  writer.text(MAGIC);
  const { tables, clockMs, seed, random } = world.parts;
  const sums = world.settledSums();
  const footer: PackedFooter = {
    seed,
    clockMs,
    random,
    content: sums.content,
    ambient: sums.ambient,
    merkle: world.merkleRoot(),
    tables: tables.all().map((state) => packTable(writer, state)),
  };
  const bytes = writer.text(JSON.stringify(footer));
  writer.numbers([bytes.length, checksum(bytes), FORMAT_VERSION]);
  writer.text(CLOSING_MAGIC);
}

/** Counts what goes through, to know offsets. */
class PageWriter {
  offset = 0;
  readonly #write: (bytes: Uint8Array) => void;
  readonly #encoder = new TextEncoder();

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  bytes(bytes: Uint8Array): void {
    this.#write(bytes);
    this.offset += bytes.length;
  }

  text(text: string): Uint8Array {
    const bytes = this.#encoder.encode(text);
    this.bytes(bytes);
    return bytes;
  }

  numbers(values: readonly number[]): void {
    const view = new DataView(new ArrayBuffer(values.length * 4));
    values.forEach((value, index) => {
      view.setUint32(index * 4, value, true);
    });
    this.bytes(new Uint8Array(view.buffer));
  }

  encode(text: string): Uint8Array {
    return this.#encoder.encode(text);
  }
}

function packTable(writer: PageWriter, state: TableState): PackedTable {
  const rows = new TreePacker(writer, (entry) => packRow(writer, state.table, entry), {
    merkle: (node) => treeDigest(state.table, node),
  });
  const postings = new TreePacker(writer, (entry) => [entry.key, entry.value as string], {
    merkle: undefined,
  });
  return {
    name: state.table.name,
    layout: layoutOf(state.table),
    size: state.size,
    draws: state.draws,
    root: rows.pack(state.root),
    indexes: state.indexes.map((tree) => postings.pack(tree)),
  };
}

function packRow(writer: PageWriter, table: CompiledTable, entry: Entry): PackedRow {
  const offset = writer.offset;
  const bytes = writer.text(JSON.stringify(rowOf(entry)));
  return [entry.key, offset, bytes.length, checksum(bytes), entryDigest(table, entry)];
}

/** A node not yet written: part of the page of some node above. */
interface Waiting {
  readonly node: Node;
  readonly left: Waiting | Leaf | PagePlace | null;
  readonly right: Waiting | Leaf | PagePlace | null;
  readonly count: number;
}

/** Cuts a tree into pages from below: whenever enough entries wait, they become a page. */
class TreePacker {
  readonly #writer: PageWriter;
  readonly #packEntry: (entry: Entry) => PackedEntry;
  readonly #merkle: ((node: Node) => string) | undefined;

  constructor(
    writer: PageWriter,
    packEntry: (entry: Entry) => PackedEntry,
    options: { merkle: ((node: Node) => string) | undefined },
  ) {
    this.#writer = writer;
    this.#packEntry = packEntry;
    this.#merkle = options.merkle;
  }

  pack(tree: Tree): PackedTree {
    const rest = this.#gather(tree);
    if (isLeaf(rest)) return rest.map(this.#packEntry);
    return rest !== null && 'node' in rest ? this.#writePage(rest) : rest;
  }

  #gather(tree: Tree): Waiting | Leaf | PagePlace | null {
    if (!isNode(tree)) return tree;
    const node = ready(tree);
    const left = this.#gather(node.left);
    const right = this.#gather(node.right);
    const waiting = { node, left, right, count: 1 + waitingCount(left) + waitingCount(right) };
    return waiting.count >= PAGE_ENTRIES ? this.#writePage(waiting) : waiting;
  }

  #writePage(top: Waiting): PagePlace {
    const members = [top];
    const placeOf = (child: Waiting | Leaf | PagePlace | null): PackedChild => {
      if (isLeaf(child)) return child.map(this.#packEntry);
      if (child === null || !('node' in child)) return child;
      return members.push(child) - 1;
    };
    const nodes: PackedNode[] = [];
    for (let next = 0; next < members.length; next += 1) {
      const { node, left, right } = members[next] as Waiting;
      const packed = [this.#packEntry(node.entry), placeOf(left), placeOf(right)] as const;
      nodes.push(this.#merkle === undefined ? packed : [...packed, this.#merkle(node)]);
    }
    const text = this.#writer.encode(JSON.stringify(nodes));
    const offset = this.#writer.offset;
    this.#writer.numbers([text.length, checksum(text)]);
    this.#writer.bytes(text);
    const length = PAGE_HEADER_LENGTH + text.length;
    return this.#merkle === undefined
      ? { offset, length }
      : { offset, length, merkle: this.#merkle(top.node) };
  }
}

function waitingCount(part: Waiting | Leaf | PagePlace | null): number {
  if (isLeaf(part)) return part.length;
  return part !== null && 'node' in part ? part.count : 0;
}

function isLeaf(part: Waiting | Leaf | PagePlace | null): part is Leaf {
  return Array.isArray(part);
}
