import { hash } from 'node:crypto';
import type { Credential } from './types.ts';

/** What a token opens, besides the session that owns it. */
export type Opening = Pick<Credential, 'service' | 'actor' | 'worldToken'>;

const KEY_WORDS = 4;
const FIRST_SLOTS = 64;
const FULLEST = 0.7;

interface Slots<Owner> {
  readonly mask: number;
  /** 128 bits of SHA-256 for each slot. */
  readonly keys: Uint32Array;
  /** What the token of a slot opens, by number. */
  readonly openings: Uint32Array;
  readonly owners: (Owner | undefined)[];
}

/**
 * Tokens of many sessions in little memory: about 50 bytes each. Found by their hash, so that the time of a
 * look-up tells nothing about a token; a table with open addressing, as a Map of objects takes five times as
 * much.
 */
export class TokenIndex<Owner> {
  #slots: Slots<Owner> = emptySlots(FIRST_SLOTS);
  #size = 0;
  /** Most tokens open the same thing in another session: each such thing is kept once, and counted. */
  readonly #numbers = new Map<string, number>();
  readonly #openings: ({ readonly text: string; readonly opening: Opening; uses: number } | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#size;
  }

  /** Adds a token; one that is there already opens this from now on. */
  add(token: string, opening: Opening, owner: Owner): void {
    this.remove(token);
    if (this.#size + 1 > (this.#slots.mask + 1) * FULLEST) this.#grow();
    const key = keyOf(token);
    const at = seek(this.#slots, key);
    write(this.#slots, at, { key, opening: this.#use(opening), owner });
    this.#size += 1;
  }

  find(token: string): { readonly opening: Opening; readonly owner: Owner } | undefined {
    const at = seek(this.#slots, keyOf(token));
    const owner = this.#slots.owners[at];
    const opening = this.#openings[this.#slots.openings[at] ?? 0]?.opening;
    return owner === undefined || opening === undefined ? undefined : { owner, opening };
  }

  remove(token: string): void {
    const slots = this.#slots;
    let hole = seek(slots, keyOf(token));
    if (slots.owners[hole] === undefined) return;
    this.#release(slots.openings[hole] ?? 0);
    this.#size -= 1;
    // Whoever stands behind the hole and would have been put into it moves up.
    for (let at = (hole + 1) & slots.mask; slots.owners[at] !== undefined; at = (at + 1) & slots.mask) {
      const home = (slots.keys[at * KEY_WORDS] ?? 0) & slots.mask;
      if (((at - home) & slots.mask) < ((at - hole) & slots.mask)) continue;
      copy(slots, at, hole);
      hole = at;
    }
    slots.owners[hole] = undefined;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = emptySlots((old.mask + 1) * 2);
    for (let at = 0; at <= old.mask; at += 1) {
      const owner = old.owners[at];
      if (owner === undefined) continue;
      const key = old.keys.subarray(at * KEY_WORDS, (at + 1) * KEY_WORDS);
      write(this.#slots, seek(this.#slots, key), { key, opening: old.openings[at] ?? 0, owner });
    }
  }

  #use(opening: Opening): number {
    const text = JSON.stringify([opening.service, opening.actor, opening.worldToken]);
    const known = this.#numbers.get(text);
    const entry = known === undefined ? undefined : this.#openings[known];
    if (known !== undefined && entry) {
      entry.uses += 1;
      return known;
    }
    const { service, actor, worldToken } = opening;
    const kept = { service, actor, ...(worldToken !== undefined && { worldToken }) };
    const number = this.#free.pop() ?? this.#openings.length;
    this.#openings[number] = { text, opening: kept, uses: 1 };
    this.#numbers.set(text, number);
    return number;
  }

  #release(number: number): void {
    const entry = this.#openings[number];
    if (!entry) return;
    entry.uses -= 1;
    if (entry.uses > 0) return;
    this.#numbers.delete(entry.text);
    this.#openings[number] = undefined;
    this.#free.push(number);
  }
}

function emptySlots<Owner>(count: number): Slots<Owner> {
  return {
    mask: count - 1,
    keys: new Uint32Array(count * KEY_WORDS),
    openings: new Uint32Array(count),
    owners: new Array<Owner | undefined>(count).fill(undefined),
  };
}

function keyOf(token: string): Uint32Array {
  const digest = hash('sha256', token, 'buffer');
  return Uint32Array.from({ length: KEY_WORDS }, (_, word) => digest.readUInt32LE(word * 4));
}

/** The slot of a key, or the empty one where it would stand. */
function seek<Owner>({ mask, keys, owners }: Slots<Owner>, key: Uint32Array): number {
  let at = (key[0] ?? 0) & mask;
  while (owners[at] !== undefined) {
    const base = at * KEY_WORDS;
    const same = key.every((word, index) => word === keys[base + index]);
    if (same) return at;
    at = (at + 1) & mask;
  }
  return at;
}

function write<Owner>(
  slots: Slots<Owner>,
  at: number,
  { key, opening, owner }: { readonly key: Uint32Array; readonly opening: number; readonly owner: Owner },
): void {
  slots.keys.set(key, at * KEY_WORDS);
  slots.openings[at] = opening;
  slots.owners[at] = owner;
}

function copy<Owner>(slots: Slots<Owner>, from: number, to: number): void {
  slots.keys.copyWithin(to * KEY_WORDS, from * KEY_WORDS, (from + 1) * KEY_WORDS);
  slots.openings[to] = slots.openings[from] ?? 0;
  slots.owners[to] = slots.owners[from];
}
