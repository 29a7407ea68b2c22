import type { Held } from './held.ts';

/** How much of the hot sessions goes at once when there are too many: looking for the oldest is a sort. */
const SHARE_EVICTED = 0.05;

/** Sessions of the log that are in memory, and which of them were not asked for anything the longest. */
export class HotSet {
  readonly #most: number;
  /** By the count of touches at the last one. */
  readonly #touches = new Map<Held, number>();
  #count = 0;
  /** Not looked for a surplus before so many touches: those that cannot go yet would be sorted each time. */
  #nextLook = 0;

  /** @param most how many there may be at most, 1 or more */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#touches.size;
  }

  touch(held: Held): void {
    this.#count += 1;
    this.#touches.set(held, this.#count);
  }

  delete(held: Held): void {
    this.#touches.delete(held);
  }

  /** The ones to be evicted so that no more than the most are left; the newest one stays. */
  surplus(): readonly Held[] {
    const { size } = this.#touches;
    if (size <= this.#most || this.#count < this.#nextLook) return [];
    this.#nextLook = this.#count + Math.ceil(this.#most * SHARE_EVICTED);
    const left = Math.max(1, Math.floor(this.#most * (1 - SHARE_EVICTED)));
    const byAge = [...this.#touches].sort(([, one], [, other]) => one - other);
    return byAge.slice(0, size - left).map(([held]) => held);
  }

  /** The ones that were not touched since. */
  idleSince(touchedMs: number): readonly Held[] {
    return [...this.#touches.keys()].filter((held) => held.touchedMs < touchedMs);
  }
}
