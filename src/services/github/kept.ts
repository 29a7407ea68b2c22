/** Something that was made, and what it was made of besides its key. */
interface Version<Made> {
  readonly of: readonly unknown[];
  readonly made: Made;
}

/**
 * Things made of rows, such as views: made anew only once something that they are made of is another thing.
 * Rows never change, and tables have versions, so that nothing has to be told of changes, and sessions that
 * began with the same world share what was made. What was not asked for lately is let go.
 */
export class Kept<Key, Made> {
  readonly #most: number;
  #younger = new Map<Key, Version<Made>>();
  #older = new Map<Key, Version<Made>>();

  /** Keeps so many at least, twice as many at most. */
  constructor(most: number) {
    this.#most = most;
  }

  /** What `make` makes of the key; `of` is all else that it depends on, compared one by one. */
  of(key: Key, of: readonly unknown[], make: () => Made): Made {
    const young = this.#younger.get(key);
    if (young && sameItems(young.of, of)) return young.made;
    const old = young ? undefined : this.#older.get(key);
    const kept = old && sameItems(old.of, of) ? old : { of, made: make() };
    if (this.#younger.size >= this.#most) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, kept);
    return kept.made;
  }
}

function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}
