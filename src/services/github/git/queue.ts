/** A queue of commits that gives the youngest first, those of one second in the order they came. */
export class CommitQueue<Item> {
  readonly #heap: { readonly item: Item; readonly seconds: number; readonly turn: number }[] = [];
  #turns = 0;

  get size(): number {
    return this.#heap.length;
  }

  push(item: Item, seconds: number): void {
    const heap = this.#heap;
    const added = { item, seconds, turn: this.#turns };
    this.#turns += 1;
    let at = heap.length;
    heap.push(added);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (!above || !precedes(added, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = added;
  }

  pop(): Item | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first && last && heap.length > 0) this.#sink(last);
    return first?.item;
  }

  #sink(moved: { readonly item: Item; readonly seconds: number; readonly turn: number }): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      const next = left && right && precedes(right, left) ? right : left;
      if (!next || !precedes(next, moved)) break;
      heap[at] = next;
      at = 2 * at + (next === right ? 2 : 1);
    }
    heap[at] = moved;
  }
}

function precedes(
  one: { readonly seconds: number; readonly turn: number },
  other: { readonly seconds: number; readonly turn: number },
): boolean {
  return one.seconds > other.seconds || (one.seconds === other.seconds && one.turn < other.turn);
}
