import { digestText } from './digest.ts';

/**
 * The state of a generator: four unsigned 32-bit words, not all zero. Plain data, so it can live in a world.
 */
export type RandomState = readonly [number, number, number, number];

/** A state drawn from any seed text; different texts give unrelated sequences. */
export function seedRandom(seed: string): RandomState {
  const digest = digestText(seed);
  const word = (index: number): number => Number.parseInt(digest.slice(index * 8, index * 8 + 8), 16) >>> 0;
  const state: RandomState = [word(0), word(1), word(2), word(3)];
  return state.some((part) => part !== 0) ? state : [1, 2, 3, 4];
}

/**
 * A seeded generator: xoshiro128** by Blackman and Vigna (public domain algorithm), 32 bits a draw, integer
 * arithmetic only, so every engine gives the same sequence. Not for secrets.
 */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(state: RandomState) {
    [this.#a, this.#b, this.#c, this.#d] = state;
  }

  /** A generator from a seed text. */
  static from(seed: string): SeededRandom {
    return new SeededRandom(seedRandom(seed));
  }

  /** The state now; a generator made from it goes on with the same sequence. */
  get state(): RandomState {
    return [this.#a, this.#b, this.#c, this.#d];
  }

  /** The next unsigned 32-bit integer. */
  nextUint32(): number {
    const scrambled = Math.imul(rotateLeft(Math.imul(this.#b, 5), 7), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b = (this.#b ^ this.#c) >>> 0;
    this.#a = (this.#a ^ this.#d) >>> 0;
    this.#c = (this.#c ^ shifted) >>> 0;
    this.#d = rotateLeft(this.#d, 11) >>> 0;
    return scrambled;
  }

  /** A number in [0, 1) with 32 random bits. */
  next(): number {
    return this.nextUint32() / 0x1_0000_0000;
  }

  /** A whole number from `low` to `high`, both included; unbiased by rejection. */
  integer(low: number, high: number): number {
    const span = high - low + 1;
    const limit = 0x1_0000_0000 - (0x1_0000_0000 % span);
    let draw = this.nextUint32();
    while (draw >= limit) draw = this.nextUint32();
    return low + (draw % span);
  }

  /**
   * Fills `target` with whole numbers below `bound`, unbiased: the draws of a resampling, whose cost this is.
   * Multiplies in place of dividing (Lemire 2019), so the numbers differ from those of `integer`.
   * @throws RangeError unless 1 ≤ bound ≤ 2^21, to which the products are exact.
   */
  fillBelow(bound: number, target: Uint32Array): void {
    if (!(bound >= 1 && bound <= 0x20_0000))
      throw new RangeError(`needs a bound from 1 to 2^21, got ${bound}`);
    const unfair = 0x1_0000_0000 % bound;
    let [a, b, c, d] = [this.#a | 0, this.#b | 0, this.#c | 0, this.#d | 0];
    for (let index = 0; index < target.length; ) {
      // The step of `nextUint32` on local variables, which engines keep in registers.
      const times5 = Math.imul(b, 5);
      const product = (Math.imul((times5 << 7) | (times5 >>> 25), 9) >>> 0) * bound;
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = (d << 11) | (d >>> 21);
      const high = Math.floor(product / 0x1_0000_0000);
      // Only remainders below 2^32 mod bound occur once too often: those are drawn again.
      if (product - high * 0x1_0000_0000 < unfair) continue;
      target[index] = high;
      index += 1;
    }
    [this.#a, this.#b, this.#c, this.#d] = [a >>> 0, b >>> 0, c >>> 0, d >>> 0];
  }

  /** One item of a list that is not empty. @throws RangeError for an empty list. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('cannot pick from an empty list');
    return items[this.integer(0, items.length - 1)] as T;
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A shuffled copy (Fisher–Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let index = copy.length - 1; index > 0; index -= 1) {
      const other = this.integer(0, index);
      const item = copy[index] as T;
      copy[index] = copy[other] as T;
      copy[other] = item;
    }
    return copy;
  }
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
