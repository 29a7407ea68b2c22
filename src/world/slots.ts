/**
 * A long list of which few places differ from one that many worlds share: a world is a value, and of some
 * ninety tables a call changes six. Beyond a quarter of the places it is a list of its own.
 */
export class Slots<T> {
  readonly #shared: readonly T[];
  readonly #places: readonly number[];
  readonly #values: readonly T[];

  constructor(shared: readonly T[], places: readonly number[] = NONE, values: readonly T[] = NONE) {
    this.#shared = shared;
    this.#places = places;
    this.#values = values;
  }

  get length(): number {
    return this.#shared.length;
  }

  /** The value at a place from 0 to the length. */
  at(place: number): T {
    const places = this.#places;
    for (let index = 0; index < places.length; index += 1) {
      if (places[index] === place) return this.#values[index] as T;
    }
    return this.#shared[place] as T;
  }

  /** The list with other values at some places. */
  with(changes: readonly (readonly [place: number, value: T])[]): Slots<T> {
    const places = [...this.#places];
    const values = [...this.#values];
    for (const [place, value] of changes) {
      const known = places.indexOf(place);
      const index = known < 0 ? places.length : known;
      places[index] = place;
      values[index] = value;
    }
    const changed = new Slots(this.#shared, exact(places), exact(values));
    return this.length >= LONG && places.length * 4 <= this.length ? changed : new Slots(changed.all());
  }

  /** All values in order. */
  all(): readonly T[] {
    const places = this.#places;
    if (places.length === 0) return this.#shared;
    const all = this.#shared.slice();
    for (let index = 0; index < places.length; index += 1)
      all[places[index] as number] = this.#values[index] as T;
    return all;
  }
}

const NONE: readonly never[] = [];

/** A shorter list is no larger than what says how it differs. */
const LONG = 32;

/** A list that grew has room to grow on; its copy has none. */
function exact<T>(list: readonly T[]): readonly T[] {
  return list.slice();
}
