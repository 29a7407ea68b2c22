import type { CompiledTable } from './compile.ts';
import { entryDigest, lanesText, treeDigest } from './digests.ts';
import {
  CLOSING_MAGIC,
  checksum,
  FORMAT_VERSION,
  layoutOf,
  MAGIC,
  PAGE_HEADER_LENGTH,
  type PackedChild,
  type PackedFooter,
  type PackedTable,
  type PagePlace,
} from './packed-format.ts';
import type { TableState } from './table.ts';
import { type Node, ready, rowOf, type Tree } from './tree.ts';
import type { World } from './world.ts';

/** A page holds so many nodes, up to twice as many and one; the page of a tree's top may hold fewer. */
const PAGE_NODES = 16;

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
  const { tables, draws, clockMs, seed, random } = world.parts;
  const sums = world.settledSums();
  const footer: PackedFooter = {
    seed,
    clockMs,
    random,
    content: lanesText(sums.content),
    ambient: lanesText(sums.ambient),
    merkle: world.merkleRoot(),
    tables: tables.map((state) => packTable(writer, state, draws[state.table.position] ?? 0)),
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

function packTable(writer: PageWriter, state: TableState, draws: number): PackedTable {
  const rows = new TreePacker(
    writer,
    (node, place) => packRowNode(writer, { table: state.table, node, place }),
    {
      merkle: (node) => treeDigest(state.table, node),
    },
  );
  const entries = new TreePacker(writer, packIndexNode, { merkle: undefined });
  return {
    name: state.table.name,
    layout: layoutOf(state.table),
    size: state.size,
    draws,
    root: rows.pack(state.root),
    indexes: state.indexes.map((tree) => entries.pack(tree)),
  };
}

interface Children {
  readonly left: PackedChild;
  readonly right: PackedChild;
}

function packRowNode(
  writer: PageWriter,
  item: { table: CompiledTable; node: Node; place: Children },
): readonly unknown[] {
  const { table, node, place } = item;
  const offset = writer.offset;
  const bytes = writer.text(JSON.stringify(rowOf(node.entry)));
  const digest = entryDigest(table, node.entry);
  const merkle = treeDigest(table, node);
  return [node.entry.key, place.left, place.right, offset, bytes.length, checksum(bytes), digest, merkle];
}

function packIndexNode(node: Node, place: Children): readonly unknown[] {
  return [node.entry.key, place.left, place.right, node.entry.value];
}

/** A subtree not yet written: part of the page of some node above. */
interface Waiting {
  readonly node: Node;
  readonly left: Waiting | PagePlace | null;
  readonly right: Waiting | PagePlace | null;
  readonly count: number;
}

/** Cuts a tree into pages from below: whenever enough nodes wait, they become a page. */
class TreePacker {
  readonly #writer: PageWriter;
  readonly #packNode: (node: Node, place: Children) => readonly unknown[];
  readonly #merkle: ((node: Node) => string) | undefined;

  constructor(
    writer: PageWriter,
    packNode: (node: Node, place: Children) => readonly unknown[],
    options: { merkle: ((node: Node) => string) | undefined },
  ) {
    this.#writer = writer;
    this.#packNode = packNode;
    this.#merkle = options.merkle;
  }

  pack(tree: Tree): PagePlace | null {
    const rest = this.#gather(tree);
    return rest === null || isPlace(rest) ? rest : this.#writePage(rest);
  }

  #gather(tree: Tree): Waiting | PagePlace | null {
    if (tree === null) return null;
    const node = ready(tree);
    const left = this.#gather(node.left);
    const right = this.#gather(node.right);
    const waiting = { node, left, right, count: 1 + waitingCount(left) + waitingCount(right) };
    return waiting.count >= PAGE_NODES ? this.#writePage(waiting) : waiting;
  }

  #writePage(top: Waiting): PagePlace {
    const members = [top];
    const placeOf = (child: Waiting | PagePlace | null): PackedChild => {
      if (child === null || isPlace(child)) return child;
      return members.push(child) - 1;
    };
    const nodes: (readonly unknown[])[] = [];
    for (let next = 0; next < members.length; next += 1) {
      const { node, left, right } = members[next] as Waiting;
      nodes.push(this.#packNode(node, { left: placeOf(left), right: placeOf(right) }));
    }
    const text = this.#writer.encode(JSON.stringify(nodes));
    const offset = this.#writer.offset;
    this.#writer.numbers([text.length, checksum(text)]);
    this.#writer.bytes(text);
    const length = PAGE_HEADER_LENGTH + text.length;
    return this.#merkle === undefined ? [offset, length] : [offset, length, this.#merkle(top.node)];
  }
}

function waitingCount(part: Waiting | PagePlace | null): number {
  return part === null || isPlace(part) ? 0 : part.count;
}

function isPlace(part: Waiting | PagePlace): part is PagePlace {
  return Array.isArray(part);
}
