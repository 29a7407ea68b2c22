import { type Entry, keyOfNode, type Leaf, Node, placeIn, type Tree } from './tree.ts';

/** Keys from `from` (inclusive) to `until` (exclusive), upwards or downwards. */
export interface KeyRange {
  readonly from: string;
  readonly until: string;
  readonly reverse: boolean;
}

/**
 * Walks the entries of a tree within a range of keys. It goes over the tree that it was given, whatever
 * follows.
 */
export class Cursor {
  readonly #nodes: Node[] = [];
  readonly #from: string;
  readonly #until: string;
  readonly #reverse: boolean;
  /** The leaf that the walk is in, and the place of the next entry in it. */
  #leaf: Leaf | null = null;
  #place = 0;

  constructor(tree: Tree, range: KeyRange) {
    this.#from = range.from;
    this.#until = range.until;
    this.#reverse = range.reverse;
    const leaf = range.reverse ? this.#descendBelow(tree, range.until) : this.#descendFrom(tree, range.from);
    if (leaf === null) return;
    this.#leaf = leaf;
    this.#place = range.reverse ? placeIn(leaf, range.until) - 1 : placeIn(leaf, range.from);
  }

  /** The next entry, or undefined at the end. */
  next(): Entry | undefined {
    const entry = this.#inLeaf() ?? this.#fromNodes();
    if (entry === undefined) return undefined;
    const inside = this.#reverse ? entry.key >= this.#from : entry.key < this.#until;
    if (inside) return entry;
    this.#nodes.length = 0;
    this.#leaf = null;
    return undefined;
  }

  #inLeaf(): Entry | undefined {
    if (this.#leaf === null) return undefined;
    const entry = this.#leaf[this.#place];
    this.#place += this.#reverse ? -1 : 1;
    if (entry === undefined) this.#leaf = null;
    return entry;
  }

  #fromNodes(): Entry | undefined {
    const node = this.#nodes.pop();
    if (node === undefined) return undefined;
    let rest = this.#reverse ? node.left : node.right;
    while (rest instanceof Node) {
      keyOfNode(rest);
      this.#nodes.push(rest);
      rest = this.#reverse ? rest.right : rest.left;
    }
    this.#leaf = rest;
    this.#place = this.#reverse && rest !== null ? rest.length - 1 : 0;
    return node.entry;
  }

  #descendFrom(tree: Tree, from: string): Leaf | null {
    let rest = tree;
    while (rest instanceof Node) {
      if (keyOfNode(rest) < from) {
        rest = rest.right;
      } else {
        this.#nodes.push(rest);
        rest = rest.left;
      }
    }
    return rest;
  }

  #descendBelow(tree: Tree, until: string): Leaf | null {
    let rest = tree;
    while (rest instanceof Node) {
      if (keyOfNode(rest) >= until) {
        rest = rest.left;
      } else {
        this.#nodes.push(rest);
        rest = rest.right;
      }
    }
    return rest;
  }
}
