import type { Side } from './line-diff.ts';

/** Two sides, and how many different lines they have together. */
interface Comparison {
  readonly old: Side;
  readonly fresh: Side;
  readonly classCount: number;
}

/** The part of a side that needs comparing: its classes, and where each stands in the side. */
interface Kept {
  readonly classes: Int32Array;
  readonly places: Int32Array;
  readonly changed: Uint8Array;
}

/**
 * Marks the lines that differ, by E. W. Myers's linear-space method ("An O(ND) difference algorithm", 1986).
 * Like git it sets lines aside that the other side lacks, so that rewritten files stay cheap.
 */
export function markChanges({ old, fresh, classCount }: Comparison): void {
  const start = commonStart(old.classes, fresh.classes);
  const end = commonEnd(old.classes, fresh.classes, start);
  const oldCounts = countClasses(old.classes, classCount);
  const newCounts = countClasses(fresh.classes, classCount);
  const one = keep(old, { start, end: old.classes.length - end, counts: newCounts });
  const other = keep(fresh, { start, end: fresh.classes.length - end, counts: oldCounts });
  const diagonals = one.classes.length + other.classes.length + 3;
  const finder = new PathFinder(one, other, Math.max(roughRoot(diagonals), 256));
  finder.compare({ oldFrom: 0, oldTo: one.classes.length, newFrom: 0, newTo: other.classes.length }, false);
}

function commonStart(one: Int32Array, other: Int32Array): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one[at] === other[at]) at += 1;
  return at;
}

function commonEnd(one: Int32Array, other: Int32Array, start: number): number {
  const length = Math.min(one.length, other.length) - start;
  let count = 0;
  while (count < length && one[one.length - 1 - count] === other[other.length - 1 - count]) count += 1;
  return count;
}

function countClasses(classes: Int32Array, classCount: number): Int32Array {
  const counts = new Int32Array(classCount);
  for (const number of classes) counts[number] = (counts[number] ?? 0) + 1;
  return counts;
}

/** A power of two near the square root. */
function roughRoot(count: number): number {
  let root = 1;
  for (let rest = count; rest > 0; rest >>= 2) root <<= 1;
  return root;
}

const UNMATCHED = 0;
const MATCHED = 1;
const FREQUENT = 2;
const FREQUENT_AT_MOST = 1024;

/** Marks what the other side lacks, and keeps the rest for comparing. */
function keep(
  side: Side,
  { start, end, counts }: { readonly start: number; readonly end: number; readonly counts: Int32Array },
): Kept {
  const limit = Math.min(roughRoot(side.classes.length), FREQUENT_AT_MOST);
  const matches = new Uint8Array(side.classes.length);
  for (let at = start; at < end; at += 1) {
    const count = counts[side.classes[at] ?? 0] ?? 0;
    matches[at] = count === 0 ? UNMATCHED : count >= limit ? FREQUENT : MATCHED;
  }
  const classes: number[] = [];
  const places: number[] = [];
  for (let at = start; at < end; at += 1) {
    const kept =
      matches[at] === MATCHED || (matches[at] === FREQUENT && !amongUnmatched(matches, { at, start, end }));
    if (kept) {
      classes.push(side.classes[at] ?? 0);
      places.push(at);
    } else {
      side.changed[at] = 1;
    }
  }
  return { classes: Int32Array.from(classes), places: Int32Array.from(places), changed: side.changed };
}

const WINDOW_LINES = 100;

/** Whether a frequent line, such as a blank one, stands in a run of lines that the other side lacks. */
function amongUnmatched(
  matches: Uint8Array,
  { at, start, end }: { readonly at: number; readonly start: number; readonly end: number },
): boolean {
  let unmatched = 0;
  let frequent = 2;
  for (const step of [-1, 1]) {
    const limit = step < 0 ? Math.max(start, at - WINDOW_LINES) : Math.min(end - 1, at + WINDOW_LINES);
    let found = 0;
    for (let near = at + step; step < 0 ? near >= limit : near <= limit; near += step) {
      if (matches[near] === UNMATCHED) found += 1;
      else if (matches[near] === FREQUENT) frequent += 1;
      else break;
    }
    if (found === 0) return false;
    unmatched += found;
  }
  return frequent * 4 < frequent + unmatched;
}

interface Box {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

interface Split {
  readonly oldAt: number;
  readonly newAt: number;
  /** Whether the halves must be compared to the end, whatever it costs. */
  readonly exactFirst: boolean;
  readonly exactSecond: boolean;
}

const FAR = 0x7fffffff;

/** Finds where shortest edit paths run, from both ends at once. */
class PathFinder {
  readonly #old: Kept;
  readonly #new: Kept;
  readonly #costLimit: number;
  /** The furthest old line by diagonal, `offset` added to it. */
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  readonly #offset: number;

  constructor(old: Kept, fresh: Kept, costLimit: number) {
    this.#old = old;
    this.#new = fresh;
    this.#costLimit = costLimit;
    const size = old.classes.length + fresh.classes.length + 3;
    this.#offset = fresh.classes.length + 1;
    this.#forward = new Int32Array(size);
    this.#backward = new Int32Array(size);
  }

  /** Marks the changed lines of a part. */
  compare(box: Box, exact: boolean): void {
    const one = this.#old.classes;
    const other = this.#new.classes;
    let { oldFrom, oldTo, newFrom, newTo } = box;
    while (oldFrom < oldTo && newFrom < newTo && one[oldFrom] === other[newFrom]) {
      oldFrom += 1;
      newFrom += 1;
    }
    while (oldFrom < oldTo && newFrom < newTo && one[oldTo - 1] === other[newTo - 1]) {
      oldTo -= 1;
      newTo -= 1;
    }
    if (oldFrom === oldTo || newFrom === newTo) {
      mark(this.#old, oldFrom, oldTo);
      mark(this.#new, newFrom, newTo);
      return;
    }
    const { oldAt, newAt, exactFirst, exactSecond } = this.#split({ oldFrom, oldTo, newFrom, newTo }, exact);
    this.compare({ oldFrom, oldTo: oldAt, newFrom, newTo: newAt }, exactFirst);
    this.compare({ oldFrom: oldAt, oldTo, newFrom: newAt, newTo }, exactSecond);
  }

  /** A point on a shortest path; on a near-shortest one when it would cost too much. */
  #split(box: Box, exact: boolean): Split {
    const { oldFrom, oldTo, newFrom, newTo } = box;
    const offset = this.#offset;
    const lowest = oldFrom - newTo;
    const highest = oldTo - newFrom;
    const ahead = { from: oldFrom - newFrom, to: oldFrom - newFrom };
    const behind = { from: oldTo - newTo, to: oldTo - newTo };
    const odd = ((ahead.from - behind.from) & 1) === 1;
    this.#forward[ahead.from + offset] = oldFrom;
    this.#backward[behind.from + offset] = oldTo;
    for (let cost = 1; ; cost += 1) {
      widen(ahead, { lowest, highest, offset, edge: -1, reach: this.#forward });
      const met = this.#advance(box, { ahead, behind, odd });
      if (met) return met;
      widen(behind, { lowest, highest, offset, edge: FAR, reach: this.#backward });
      const metBehind = this.#retreat(box, { ahead, behind, odd });
      if (metBehind) return metBehind;
      if (!exact && cost >= this.#costLimit) return this.#giveUp(box, { ahead, behind });
    }
  }

  #advance({ oldTo, newTo }: Box, { ahead, behind, odd }: Fronts): Split | null {
    const offset = this.#offset;
    const [forward, backward] = [this.#forward, this.#backward];
    const [one, other] = [this.#old.classes, this.#new.classes];
    for (let diagonal = ahead.to; diagonal >= ahead.from; diagonal -= 2) {
      const below = forward[diagonal - 1 + offset] ?? 0;
      const above = forward[diagonal + 1 + offset] ?? 0;
      let at = below >= above ? below + 1 : above;
      while (at < oldTo && at - diagonal < newTo && one[at] === other[at - diagonal]) at += 1;
      forward[diagonal + offset] = at;
      const reached = odd && behind.from <= diagonal && diagonal <= behind.to;
      if (reached && (backward[diagonal + offset] ?? 0) <= at) return exactSplit(at, diagonal);
    }
    return null;
  }

  #retreat({ oldFrom, newFrom }: Box, { ahead, behind, odd }: Fronts): Split | null {
    const offset = this.#offset;
    const [forward, backward] = [this.#forward, this.#backward];
    const [one, other] = [this.#old.classes, this.#new.classes];
    for (let diagonal = behind.to; diagonal >= behind.from; diagonal -= 2) {
      const below = backward[diagonal - 1 + offset] ?? 0;
      const above = backward[diagonal + 1 + offset] ?? 0;
      let at = below < above ? below : above - 1;
      while (at > oldFrom && at - diagonal > newFrom && one[at - 1] === other[at - 1 - diagonal]) at -= 1;
      backward[diagonal + offset] = at;
      const reached = !odd && ahead.from <= diagonal && diagonal <= ahead.to;
      if (reached && at <= (forward[diagonal + offset] ?? 0)) return exactSplit(at, diagonal);
    }
    return null;
  }

  /** The point that either end came furthest to. */
  #giveUp({ oldFrom, oldTo, newFrom, newTo }: Box, { ahead, behind }: Omit<Fronts, 'odd'>): Split {
    let [best, bestOld] = [-1, -1];
    for (let diagonal = ahead.to; diagonal >= ahead.from; diagonal -= 2) {
      const reached = Math.min(this.#forward[diagonal + this.#offset] ?? 0, oldTo);
      const at = reached - diagonal > newTo ? newTo + diagonal : reached;
      if (2 * at - diagonal > best) [best, bestOld] = [2 * at - diagonal, at];
    }
    let [least, leastOld] = [FAR, FAR];
    for (let diagonal = behind.to; diagonal >= behind.from; diagonal -= 2) {
      const reached = Math.max(this.#backward[diagonal + this.#offset] ?? 0, oldFrom);
      const at = reached - diagonal < newFrom ? newFrom + diagonal : reached;
      if (2 * at - diagonal < least) [least, leastOld] = [2 * at - diagonal, at];
    }
    return oldTo + newTo - least < best - (oldFrom + newFrom)
      ? { oldAt: bestOld, newAt: best - bestOld, exactFirst: true, exactSecond: false }
      : { oldAt: leastOld, newAt: least - leastOld, exactFirst: false, exactSecond: true };
  }
}

interface Fronts {
  readonly ahead: { readonly from: number; readonly to: number };
  readonly behind: { readonly from: number; readonly to: number };
  readonly odd: boolean;
}

function exactSplit(oldAt: number, diagonal: number): Split {
  return { oldAt, newAt: oldAt - diagonal, exactFirst: true, exactSecond: true };
}

/** Takes one more diagonal on either side, or, at the border of the box, one less. */
function widen(
  front: { from: number; to: number },
  limits: {
    readonly lowest: number;
    readonly highest: number;
    readonly offset: number;
    readonly edge: number;
    readonly reach: Int32Array;
  },
): void {
  const { lowest, highest, offset, edge, reach } = limits;
  if (front.from > lowest) {
    front.from -= 1;
    reach[front.from - 1 + offset] = edge;
  } else {
    front.from += 1;
  }
  if (front.to < highest) {
    front.to += 1;
    reach[front.to + 1 + offset] = edge;
  } else {
    front.to -= 1;
  }
}

function mark(side: Kept, from: number, to: number): void {
  for (let at = from; at < to; at += 1) side.changed[side.places[at] ?? 0] = 1;
}
