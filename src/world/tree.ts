import { keyPriority } from './keys.ts';
import type { Row } from './types.ts';

/** A row that is still text in a packed file; read when somebody looks at it. */
export abstract class LazyRow {
  abstract read(): Row;
}

/**
 * What a node holds besides its place: shared by all copies of the node, so that a path copy copies one pointer.
 * `value` is a row (or a row still packed) in a table's tree, and the encoded primary key in an index's tree.
 */
export class Entry {
  readonly priority: number;
  value: Row | LazyRow | string;
  /** SHA-256 of the row, hexadecimal; computed when first asked for. */
  digest: string | undefined;

  constructor(priority: number, value: Row | LazyRow | string, digest: string | undefined) {
    this.priority = priority;
    this.value = value;
    this.digest = digest;
  }
}

/**
 * A node of a persistent treap: ordered by key, heap-ordered by the priority of the key, so that the shape depends
 * on the keys alone. Nodes are never changed once a world holds them, but for caches: the Merkle digest, and the
 * fields of a node that is still in a packed file (`key` undefined) and is filled in when first visited.
 */
export class Node {
  key: string;
  entry: Entry;
  left: Node | null;
  right: Node | null;
  merkle: string | undefined;

  constructor(key: string, entry: Entry, left: Node | null, right: Node | null) {
    this.key = key;
    this.entry = entry;
    this.left = left;
    this.right = right;
    this.merkle = undefined;
  }
}

/** A tree: its root, or null when it is empty. */
export type Tree = Node | null;

/** Stands in the entry of a node that has not been read yet. */
export abstract class PageReference extends Entry {
  /** Fills in key, entry, left and right of the node. */
  abstract fill(node: Node): void;
}

/** A new entry for a key. */
export function entryFor(key: string, value: Row | string): Entry {
  return new Entry(keyPriority(key), value, undefined);
}

/** The row of an entry of a table's tree. */
export function rowOf(entry: Entry): Row {
  const value = entry.value;
  if (!(value instanceof LazyRow)) return value as Row;
  const row = value.read();
  entry.value = row;
  return row;
}

/** The node with its fields read, from the packed file if need be. */
export function ready(node: Node): Node {
  if (node.key === undefined) (node.entry as PageReference).fill(node);
  return node;
}

/** The entry under this key. */
export function find(tree: Tree, key: string): Entry | undefined {
  let node = tree;
  while (node !== null) {
    if (node.key === undefined) ready(node);
    if (key < node.key) node = node.left;
    else if (key === node.key) return node.entry;
    else node = node.right;
  }
  return undefined;
}

/** The first node whose key is not below `from`. */
export function ceiling(tree: Tree, from: string): Node | null {
  let node = tree;
  let best: Node | null = null;
  while (node !== null) {
    if (ready(node).key < from) {
      node = node.right;
    } else {
      best = node;
      node = node.left;
    }
  }
  return best;
}

/** The tree with another entry under a key that it has. */
export function replace(tree: Node, key: string, entry: Entry): Node {
  const top = copy(tree);
  let node = top;
  while (key !== node.key) {
    if (key < node.key) {
      node.left = copy(node.left as Node);
      node = node.left;
    } else {
      node.right = copy(node.right as Node);
      node = node.right;
    }
  }
  node.entry = entry;
  return top;
}

/** The tree with an entry more, under a key that it does not have. */
export function insert(tree: Tree, key: string, entry: Entry): Node {
  if (tree === null || !outranks(ready(tree), key, entry)) return placeAbove(tree, key, entry);
  const top = copy(tree);
  let parent = top;
  for (;;) {
    const toLeft = key < parent.key;
    const child: Tree = toLeft ? parent.left : parent.right;
    const deeper = child !== null && outranks(ready(child), key, entry);
    const next: Node = deeper ? copy(child) : placeAbove(child, key, entry);
    if (toLeft) parent.left = next;
    else parent.right = next;
    if (!deeper) return top;
    parent = next;
  }
}

/** The tree without a key that it has. */
export function remove(tree: Node, key: string): Tree {
  if (ready(tree).key === key) return merge(tree.left, tree.right);
  const top = copy(tree);
  let parent = top;
  for (;;) {
    const toLeft = key < parent.key;
    const child: Node = ready((toLeft ? parent.left : parent.right) as Node);
    const found = child.key === key;
    const next: Tree = found ? merge(child.left, child.right) : copy(child);
    if (toLeft) parent.left = next;
    else parent.right = next;
    if (found) return top;
    parent = next as Node;
  }
}

/** True when the node belongs above an entry with this key: by priority, then by the smaller key. */
export function outranks(node: Node, key: string, entry: Entry): boolean {
  const priority = node.entry.priority;
  return priority > entry.priority || (priority === entry.priority && node.key < key);
}

/** The nodes of a tree below and above a key; the node with the key itself is in neither. */
export function split(tree: Tree, key: string): { less: Tree; equal: Node | undefined; more: Tree } {
  const holder = new Node(key, NO_ENTRY, null, null);
  const equal = splitInto(holder, tree);
  return { less: holder.left, equal, more: holder.right };
}

function placeAbove(tree: Tree, key: string, entry: Entry): Node {
  const node = new Node(key, entry, null, null);
  if (tree !== null) splitInto(node, tree);
  return node;
}

/** Hangs what is below the node's key on its left and what is above on its right. */
function splitInto(node: Node, tree: Tree): Node | undefined {
  const key = node.key;
  let less: Node | null = null;
  let more: Node | null = null;
  let equal: Node | undefined;
  let current = tree;
  while (current !== null) {
    const part: Node = copy(current);
    if (part.key === key) {
      equal = current;
      hang(node, less, part.left);
      hangMore(node, more, part.right);
      return equal;
    }
    if (part.key < key) {
      hang(node, less, part);
      less = part;
      current = part.right;
    } else {
      hangMore(node, more, part);
      more = part;
      current = part.left;
    }
  }
  if (less !== null) less.right = null;
  if (more !== null) more.left = null;
  return equal;
}

function hang(node: Node, less: Node | null, part: Tree): void {
  if (less === null) node.left = part;
  else less.right = part;
}

function hangMore(node: Node, more: Node | null, part: Tree): void {
  if (more === null) node.right = part;
  else more.left = part;
}

/** One tree of two, where every key on the left is below every key on the right. */
function merge(left: Tree, right: Tree): Tree {
  if (left === null) return right;
  if (right === null) return left;
  if (outranks(ready(left), ready(right).key, right.entry)) {
    const top = copy(left);
    top.right = merge(left.right, right);
    return top;
  }
  const top = copy(right);
  top.left = merge(left, right.left);
  return top;
}

function copy(node: Node): Node {
  if (node.key === undefined) ready(node);
  return new Node(node.key, node.entry, node.left, node.right);
}

const NO_ENTRY = new Entry(0, '', undefined);

/** Walks a tree in key order from `from` (inclusive) to `until` (exclusive), or backwards from there. */
export class Cursor {
  readonly #stack: Node[] = [];
  readonly #from: string;
  readonly #until: string;
  readonly #reverse: boolean;

  constructor(tree: Tree, range: { from: string; until: string; reverse: boolean }) {
    this.#from = range.from;
    this.#until = range.until;
    this.#reverse = range.reverse;
    this.#descend(tree, true);
  }

  /** The next node, or null at the end. */
  next(): Node | null {
    const node = this.#stack.pop();
    if (node === undefined) return null;
    const inside = this.#reverse ? node.key >= this.#from : node.key < this.#until;
    if (!inside) {
      this.#stack.length = 0;
      return null;
    }
    this.#descend(this.#reverse ? node.left : node.right, false);
    return node;
  }

  #descend(tree: Tree, bounded: boolean): void {
    let node = tree;
    while (node !== null) {
      ready(node);
      const outside = bounded && (this.#reverse ? node.key >= this.#until : node.key < this.#from);
      if (outside) {
        node = this.#reverse ? node.left : node.right;
      } else {
        this.#stack.push(node);
        node = this.#reverse ? node.right : node.left;
      }
    }
  }
}
