import { keyPriority } from './keys.ts';
import type { Row } from './types.ts';

/** A row that is still text in a packed file; read when somebody looks at it. */
export abstract class LazyRow {
  abstract read(): Row;
}

/**
 * What a node holds: shared by all copies of the node, so that a path copy copies one pointer. `value` is a
 * row (or a row still packed) in a table's tree, and the encoded primary key in an index's tree.
 */
export class Entry {
  readonly key: string;
  readonly priority: number;
  value: Row | LazyRow | string;
  /** SHA-256 of the row, a character for each byte; computed when first asked for. */
  digest: string | undefined = undefined;

  constructor(key: string, value: Row | LazyRow | string, priority: number) {
    this.key = key;
    this.priority = priority;
    this.value = value;
  }
}

/** Subtrees of so many entries or fewer are leaves. */
export const LEAF_ENTRIES = 16;

/**
 * A whole subtree as the list of its entries in key order. Never empty, never changed. Below sixteen entries,
 * lists are smaller than nodes, and a write copies one list instead of three or four nodes.
 */
export type Leaf = readonly Entry[];

/**
 * An inner node of a persistent treap: ordered by key, heap-ordered by the priority of the key. A subtree is
 * a leaf exactly when it has few entries, so the shape depends on the keys alone. Nodes are never changed
 * once a world holds them, but for caches: the Merkle digest, and the fields of a node that is still in a
 * packed file (its entry is a `PageReference`) and is filled in when first visited.
 *
 * A write copies several of these, so they are as small as can be: 48 bytes. The Merkle digest is a member
 * only of the nodes that have one; the prototype answers for the others.
 */
export class Node {
  entry: Entry;
  left: Tree;
  right: Tree;
  declare merkle: string | undefined;

  constructor(entry: Entry, left: Tree, right: Tree) {
    this.entry = entry;
    this.left = left;
    this.right = right;
  }
}

Node.prototype.merkle = undefined;

/** A tree: a node, a leaf, or null when it is empty. */
export type Tree = Node | Leaf | null;

/** Stands in the entry of a node that has not been read yet; its key is undefined. */
export abstract class PageReference extends Entry {
  constructor() {
    super(undefined as unknown as string, '', 0);
  }

  /** Fills in entry, left and right of the node. */
  abstract fill(node: Node): void;
}

/** A new entry for a key. */
export function entryFor(key: string, value: Row | string): Entry {
  return new Entry(key, value, keyPriority(key));
}

/** An entry under the same key with another row. */
export function entryWith(entry: Entry, row: Row): Entry {
  return new Entry(entry.key, row, entry.priority);
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

/** True for an inner node. */
export function isNode(tree: Tree): tree is Node {
  return tree instanceof Node;
}

/** The entry under this key. */
export function find(tree: Tree, key: string): Entry | undefined {
  let rest = tree;
  while (rest instanceof Node) {
    const own = keyOfNode(rest);
    if (key < own) rest = rest.left;
    else if (key === own) return rest.entry;
    else rest = rest.right;
  }
  if (rest === null) return undefined;
  const entry = rest[placeIn(rest, key)];
  return entry !== undefined && entry.key === key ? entry : undefined;
}

/** The first entry whose key is not below `from`. */
export function ceiling(tree: Tree, from: string): Entry | undefined {
  let rest = tree;
  let best: Entry | undefined;
  while (rest instanceof Node) {
    if (keyOfNode(rest) < from) {
      rest = rest.right;
    } else {
      best = rest.entry;
      rest = rest.left;
    }
  }
  return rest === null ? best : (rest[placeIn(rest, from)] ?? best);
}

/** The place of the first entry of a leaf whose key is not below this one; the leaf's length when all are. */
export function placeIn(leaf: Leaf, key: string): number {
  let low = 0;
  let high = leaf.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((leaf[middle] as Entry).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The tree with another entry under a key that it has. */
export function replace(tree: Tree, entry: Entry): Tree {
  const key = entry.key;
  if (!(tree instanceof Node)) return replaceInLeaf(tree as Leaf, entry);
  const top = copy(tree);
  let node = top;
  for (;;) {
    const own = node.entry.key;
    if (key === own) {
      node.entry = entry;
      return top;
    }
    const toLeft = key < own;
    const child = toLeft ? node.left : node.right;
    const inner = child instanceof Node;
    const next = inner ? copy(child) : replaceInLeaf(child as Leaf, entry);
    if (toLeft) node.left = next;
    else node.right = next;
    if (!inner) return top;
    node = next as Node;
  }
}

/** The tree with an entry more, under a key that it does not have. */
export function insert(tree: Tree, entry: Entry): Tree {
  if (tree === null) return [entry];
  if (!(tree instanceof Node)) return insertInLeaf(tree, entry);
  if (!outranks(tree, entry)) {
    const { less, more } = split(tree, entry.key);
    return new Node(entry, less, more);
  }
  const top = copy(tree);
  if (entry.key < top.entry.key) top.left = insert(top.left, entry);
  else top.right = insert(top.right, entry);
  return top;
}

/** The tree without a key that it has. */
export function remove(tree: Tree, key: string): Tree {
  if (!(tree instanceof Node)) return removeFromLeaf(tree as Leaf, key);
  const own = keyOfNode(tree);
  if (own === key) return merge(tree.left, tree.right);
  if (key < own) return join(tree.entry, remove(tree.left, key), tree.right);
  return join(tree.entry, tree.left, remove(tree.right, key));
}

/** The tree without one key and with another entry instead; what both paths share is copied once. */
export function move(tree: Tree, key: string, entry: Entry): Tree {
  if (!(tree instanceof Node)) return insert(remove(tree, key), entry);
  const own = keyOfNode(tree);
  if (own === key || !outranks(tree, entry)) return insert(remove(tree, key), entry);
  const { left, right } = tree;
  const removed = key < own;
  const added = entry.key < own;
  if (removed && added) return new Node(tree.entry, move(left, key, entry), right);
  if (!removed && !added) return new Node(tree.entry, left, move(right, key, entry));
  if (removed) return join(tree.entry, remove(left, key), insert(right, entry));
  return join(tree.entry, insert(left, entry), remove(right, key));
}

/** True when the node belongs above an entry: by priority, then by the smaller key. */
export function outranks(node: Node, entry: Entry): boolean {
  ready(node);
  return above(node.entry, entry);
}

/** The trees of what is below and above a key, and the entry of the key itself. */
export function split(tree: Tree, key: string): { less: Tree; equal: Entry | undefined; more: Tree } {
  if (tree === null) return { less: null, equal: undefined, more: null };
  if (!(tree instanceof Node)) {
    const place = placeIn(tree, key);
    const equal = tree[place]?.key === key ? tree[place] : undefined;
    return { less: part(tree, 0, place), equal, more: part(tree, equal ? place + 1 : place, tree.length) };
  }
  const own = keyOfNode(tree);
  if (own === key) return { less: tree.left, equal: tree.entry, more: tree.right };
  if (key < own) {
    const { less, equal, more } = split(tree.left, key);
    return { less, equal, more: join(tree.entry, more, tree.right) };
  }
  const { less, equal, more } = split(tree.right, key);
  return { less: join(tree.entry, tree.left, less), equal, more };
}

/**
 * The top entry of a tree that is not empty, and what is below: for walks that need no difference to leaves.
 */
export function opened(tree: Node | Leaf): Node {
  if (tree instanceof Node) return ready(tree);
  let top = 0;
  for (let place = 1; place < tree.length; place += 1) {
    if (above(tree[place] as Entry, tree[top] as Entry)) top = place;
  }
  return new Node(tree[top] as Entry, part(tree, 0, top), part(tree, top + 1, tree.length));
}

/** A tree of an entry and of what is below it: a leaf when that is little. */
function join(entry: Entry, left: Tree, right: Tree): Tree {
  if (left instanceof Node || right instanceof Node) return new Node(entry, left, right);
  const before = left === null ? 0 : left.length;
  const after = right === null ? 0 : right.length;
  if (before + after >= LEAF_ENTRIES) return new Node(entry, left, right);
  const leaf = new Array<Entry>(before + 1 + after);
  for (let place = 0; place < before; place += 1) leaf[place] = (left as Leaf)[place] as Entry;
  leaf[before] = entry;
  for (let place = 0; place < after; place += 1) leaf[before + 1 + place] = (right as Leaf)[place] as Entry;
  return leaf;
}

/** One tree of two, where every key on the left is below every key on the right. */
function merge(left: Tree, right: Tree): Tree {
  if (left === null) return right;
  if (right === null) return left;
  const first = opened(left);
  const second = opened(right);
  if (above(first.entry, second.entry)) return join(first.entry, first.left, merge(first.right, right));
  return join(second.entry, merge(left, second.left), second.right);
}

function above(first: Entry, second: Entry): boolean {
  if (first.priority !== second.priority) return first.priority > second.priority;
  return first.key < second.key;
}

function part(leaf: Leaf, from: number, until: number): Leaf | null {
  return from >= until ? null : leaf.slice(from, until);
}

function replaceInLeaf(leaf: Leaf, entry: Entry): Leaf {
  const copied = leaf.slice();
  copied[placeIn(leaf, entry.key)] = entry;
  return copied;
}

function insertInLeaf(leaf: Leaf, entry: Entry): Tree {
  const place = placeIn(leaf, entry.key);
  const longer = new Array<Entry>(leaf.length + 1);
  for (let index = 0; index < place; index += 1) longer[index] = leaf[index] as Entry;
  longer[place] = entry;
  for (let index = place; index < leaf.length; index += 1) longer[index + 1] = leaf[index] as Entry;
  return longer.length > LEAF_ENTRIES ? opened(longer) : longer;
}

function removeFromLeaf(leaf: Leaf, key: string): Leaf | null {
  if (leaf.length === 1) return null;
  const place = placeIn(leaf, key);
  const shorter = new Array<Entry>(leaf.length - 1);
  for (let index = 0; index < place; index += 1) shorter[index] = leaf[index] as Entry;
  for (let index = place + 1; index < leaf.length; index += 1) shorter[index - 1] = leaf[index] as Entry;
  return shorter;
}

function copy(node: Node): Node {
  ready(node);
  return new Node(node.entry, node.left, node.right);
}
