import { keyPriority } from './keys.ts';
import type { Row } from './types.ts';

/** A row that is still text in a packed file; read when somebody looks at it. */
export abstract class LazyRow {
  abstract read(): Row;
}

/**
 * What a node holds: shared by all copies of the node, so that a path copy copies one pointer. `value` is a row (or
 * a row still packed) in a table's tree, and the encoded primary key in an index's tree.
 */
export class Entry {
  readonly key: string;
  readonly priority: number;
  value: Row | LazyRow | string;
  /** SHA-256 of the row, hexadecimal; computed when first asked for. */
  digest: string | undefined;

  constructor(key: string, value: Row | LazyRow | string, digest: string | undefined, priority: number) {
    this.key = key;
    this.priority = priority;
    this.value = value;
    this.digest = digest;
  }
}

/**
 * A node of a persistent treap: ordered by key, heap-ordered by the priority of the key, so that the shape depends
 * on the keys alone. Nodes are never changed once a world holds them, but for caches: the Merkle digest, and the
 * fields of a node that is still in a packed file (a `PageReference`) and is filled in when first visited.
 *
 * A write copies ten of these or more, so they are as small as can be: 48 bytes. The Merkle digest is a member
 * only of the nodes that have one; the prototype answers for the others.
 */
export class Node {
  entry: Entry;
  left: Node | null;
  right: Node | null;
  declare merkle: string | undefined;

  constructor(entry: Entry, left: Node | null, right: Node | null) {
    this.entry = entry;
    this.left = left;
    this.right = right;
  }
}

Node.prototype.merkle = undefined;

/** A tree: its root, or null when it is empty. */
export type Tree = Node | null;

/** Stands in the entry of a node that has not been read yet; its key is undefined. */
export abstract class PageReference extends Entry {
  constructor() {
    super(undefined as unknown as string, '', undefined, 0);
  }

  /** Fills in entry, left and right of the node. */
  abstract fill(node: Node): void;
}

/** A new entry for a key. */
export function entryFor(key: string, value: Row | string): Entry {
  return new Entry(key, value, undefined, keyPriority(key));
}

/** An entry under the same key with another row. */
export function entryWith(entry: Entry, row: Row): Entry {
  return new Entry(entry.key, row, undefined, entry.priority);
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
  if (node.entry.key === undefined) (node.entry as PageReference).fill(node);
  return node;
}

/** The key of a node, read from the packed file if need be. */
export function keyOfNode(node: Node): string {
  const key = node.entry.key;
  return key === undefined ? ready(node).entry.key : key;
}

/** The entry under this key. */
export function find(tree: Tree, key: string): Entry | undefined {
  let node = tree;
  while (node !== null) {
    const own = keyOfNode(node);
    if (key < own) node = node.left;
    else if (key === own) return node.entry;
    else node = node.right;
  }
  return undefined;
}

/** The first entry whose key is not below `from`. */
export function ceiling(tree: Tree, from: string): Entry | undefined {
  let node = tree;
  let best: Entry | undefined;
  while (node !== null) {
    if (keyOfNode(node) < from) {
      node = node.right;
    } else {
      best = node.entry;
      node = node.left;
    }
  }
  return best;
}

/** The tree with another entry under a key that it has. */
export function replace(tree: Node, entry: Entry): Node {
  const key = entry.key;
  const top = copy(tree);
  let node = top;
  for (;;) {
    const own = node.entry.key;
    if (key < own) {
      node.left = copy(node.left as Node);
      node = node.left;
    } else if (key === own) {
      node.entry = entry;
      return top;
    } else {
      node.right = copy(node.right as Node);
      node = node.right;
    }
  }
}

/** The tree with an entry more, under a key that it does not have. */
export function insert(tree: Tree, entry: Entry): Node {
  if (tree === null || !outranks(tree, entry)) return placeAbove(tree, entry);
  const key = entry.key;
  const top = copy(tree);
  let parent = top;
  for (;;) {
    const toLeft = key < parent.entry.key;
    const child: Tree = toLeft ? parent.left : parent.right;
    const deeper = child !== null && outranks(child, entry);
    const next: Node = deeper ? copy(child) : placeAbove(child, entry);
    if (toLeft) parent.left = next;
    else parent.right = next;
    if (!deeper) return top;
    parent = next;
  }
}

/** The tree without a key that it has. */
export function remove(tree: Node, key: string): Tree {
  if (keyOfNode(tree) === key) return merge(tree.left, tree.right);
  const top = copy(tree);
  let parent = top;
  for (;;) {
    const toLeft = key < parent.entry.key;
    const child = (toLeft ? parent.left : parent.right) as Node;
    const found = keyOfNode(child) === key;
    const next: Tree = found ? merge(child.left, child.right) : copy(child);
    if (toLeft) parent.left = next;
    else parent.right = next;
    if (found) return top;
    parent = next as Node;
  }
}

/** The tree without one key and with another entry instead; what both paths share is copied once. */
export function move(tree: Node, key: string, entry: Entry): Node {
  const own = keyOfNode(tree);
  if (own === key || !outranks(tree, entry)) return insert(remove(tree, key), entry);
  const gone = key < own;
  const added = entry.key < own;
  const top = copy(tree);
  if (gone && added) top.left = move(tree.left as Node, key, entry);
  else if (!gone && !added) top.right = move(tree.right as Node, key, entry);
  else if (gone) {
    top.left = remove(tree.left as Node, key);
    top.right = insert(tree.right, entry);
  } else {
    top.left = insert(tree.left, entry);
    top.right = remove(tree.right as Node, key);
  }
  return top;
}

/** True when the node belongs above an entry: by priority, then by the smaller key. */
export function outranks(node: Node, entry: Entry): boolean {
  const key = keyOfNode(node);
  const priority = node.entry.priority;
  return priority > entry.priority || (priority === entry.priority && key < entry.key);
}

/** The nodes of a tree below and above a key; the node with the key itself is in neither. */
export function split(tree: Tree, key: string): { less: Tree; equal: Node | undefined; more: Tree } {
  const holder = new Node(new Entry(key, '', undefined, 0), null, null);
  const equal = splitInto(holder, tree);
  return { less: holder.left, equal, more: holder.right };
}

function placeAbove(tree: Tree, entry: Entry): Node {
  const node = new Node(entry, null, null);
  if (tree !== null) splitInto(node, tree);
  return node;
}

/** Hangs what is below the node's key on its left and what is above on its right. */
function splitInto(node: Node, tree: Tree): Node | undefined {
  const key = node.entry.key;
  let less: Node | null = null;
  let more: Node | null = null;
  let equal: Node | undefined;
  let current = tree;
  while (current !== null) {
    const own = keyOfNode(current);
    if (own === key) {
      equal = current;
      break;
    }
    const part: Node = copy(current);
    if (own < key) {
      if (less === null) node.left = part;
      else less.right = part;
      less = part;
      current = part.right;
    } else {
      if (more === null) node.right = part;
      else more.left = part;
      more = part;
      current = part.left;
    }
  }
  const lessRest = equal === undefined ? null : equal.left;
  const moreRest = equal === undefined ? null : equal.right;
  if (less === null) node.left = lessRest;
  else less.right = lessRest;
  if (more === null) node.right = moreRest;
  else more.left = moreRest;
  return equal;
}

/** One tree of two, where every key on the left is below every key on the right. */
function merge(left: Tree, right: Tree): Tree {
  if (left === null) return right;
  if (right === null) return left;
  if (outranks(left, ready(right).entry)) {
    const top = copy(left);
    top.right = merge(left.right, right);
    return top;
  }
  const top = copy(right);
  top.left = merge(left, right.left);
  return top;
}

function copy(node: Node): Node {
  ready(node);
  return new Node(node.entry, node.left, node.right);
}

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

  /** The next entry, or undefined at the end. */
  next(): Entry | undefined {
    const node = this.#stack.pop();
    if (node === undefined) return undefined;
    const key = node.entry.key;
    const inside = this.#reverse ? key >= this.#from : key < this.#until;
    if (!inside) {
      this.#stack.length = 0;
      return undefined;
    }
    this.#descend(this.#reverse ? node.left : node.right, false);
    return node.entry;
  }

  #descend(tree: Tree, bounded: boolean): void {
    let node = tree;
    while (node !== null) {
      const key = keyOfNode(node);
      const outside = bounded && (this.#reverse ? key >= this.#until : key < this.#from);
      if (outside) {
        node = this.#reverse ? node.left : node.right;
      } else {
        this.#stack.push(node);
        node = this.#reverse ? node.right : node.left;
      }
    }
  }
}
