import type { Derivation, DerivedChange } from '../../../../service/index.ts';
import { wordsOf } from './words.ts';

/** How rows of a table are listed: each under some terms, as the thing that a search for them finds. */
interface Listing<R, Term, Found> {
  /** Terms of a row, each once. */
  readonly termsOf: (row: R) => Iterable<Term>;
  /** What is found: the row itself, or what it is a part of, as a comment is of an issue. */
  readonly foundOf: (row: R) => Found;
  /** True where two versions of a row have the same terms for sure. */
  readonly isSame?: (before: R, after: R) => boolean;
}

/** What was computed of all rows, for every world that comes from them. */
class Base<Term, Found> {
  /** In the order of the table; twice where two rows lead to the same. */
  readonly lists = new Map<Term, Found[]>();
  /** The same with how often each is there, made of the terms that somebody asked about. */
  readonly #counted = new Map<Term, ReadonlyMap<Found, number>>();

  counted(term: Term): ReadonlyMap<Found, number> {
    const known = this.#counted.get(term);
    if (known) return known;
    const counts = new Map<Found, number>();
    for (const found of this.lists.get(term) ?? []) counts.set(found, (counts.get(found) ?? 0) + 1);
    this.#counted.set(term, counts);
    return counts;
  }
}

type Differences<Term, Found> = ReadonlyMap<Term, ReadonlyMap<Found, number>>;

/** What is listed under each term. What changed since the base was made stands beside it. */
export class Postings<Term, Found> {
  readonly #base: Base<Term, Found>;
  readonly #later: Differences<Term, Found>;

  constructor(base: Base<Term, Found>, later: Differences<Term, Found> = new Map()) {
    this.#base = base;
    this.#later = later;
  }

  has(term: Term, found: Found): boolean {
    return this.count(term, found) > 0;
  }

  /** How many rows list this under the term. */
  count(term: Term, found: Found): number {
    return (this.#base.counted(term).get(found) ?? 0) + (this.#later.get(term)?.get(found) ?? 0);
  }

  /** At most so many are listed under the term. */
  most(term: Term): number {
    return (this.#base.lists.get(term)?.length ?? 0) + (this.#later.get(term)?.size ?? 0);
  }

  /** What is listed under the term, in no order; some of it perhaps twice. */
  under(term: Term): readonly Found[] {
    const list = this.#base.lists.get(term) ?? [];
    const later = this.#later.get(term);
    if (!later) return list;
    const counted = this.#base.counted(term);
    const kept = list.filter((found) => (counted.get(found) ?? 0) + (later.get(found) ?? 0) > 0);
    return [...kept, ...[...later.keys()].filter((found) => !counted.has(found))];
  }

  /** The postings after rows changed. */
  with<R>(changes: readonly DerivedChange<R>[], listing: Listing<R, Term, Found>): Postings<Term, Found> {
    const later = new Map([...this.#later].map(([term, counts]) => [term, new Map(counts)]));
    const add = (row: R, difference: 1 | -1): void => {
      const found = listing.foundOf(row);
      for (const term of listing.termsOf(row)) addTo(later, { term, found, difference });
    };
    for (const { before, after } of changes) {
      if (before && after && isSame(before, after, listing)) continue;
      if (before) add(before, -1);
      if (after) add(after, 1);
    }
    return new Postings(this.#base, later);
  }
}

function isSame<R, Term, Found>(before: R, after: R, listing: Listing<R, Term, Found>): boolean {
  return listing.foundOf(before) === listing.foundOf(after) && listing.isSame?.(before, after) === true;
}

function addTo<Term, Found>(
  differences: Map<Term, Map<Found, number>>,
  { term, found, difference }: { readonly term: Term; readonly found: Found; readonly difference: 1 | -1 },
): void {
  const counts = differences.get(term) ?? new Map<Found, number>();
  const count = (counts.get(found) ?? 0) + difference;
  if (count === 0) counts.delete(found);
  else counts.set(found, count);
  if (counts.size === 0) differences.delete(term);
  else differences.set(term, counts);
}

/** The postings of a table's rows. */
export function postings<R, Term, Found>(
  listing: Listing<R, Term, Found>,
): Derivation<R, Postings<Term, Found>> {
  return {
    build(rows) {
      const base = new Base<Term, Found>();
      for (const row of rows) {
        const found = listing.foundOf(row);
        for (const term of listing.termsOf(row)) {
          const list = base.lists.get(term);
          if (list) list.push(found);
          else base.lists.set(term, [found]);
        }
      }
      return new Postings(base);
    },
    patch: (value, changes) => value.with(changes, listing),
  };
}

/** The words of a text of a table's rows, and what has them. */
export function wordPostings<R, Found = number>(
  foundOf: (row: R) => Found,
  textOf: (row: R) => string,
): Derivation<R, Postings<string, Found>> {
  return postings({
    foundOf,
    termsOf: (row) => wordsOf(textOf(row)),
    isSame: (before, after) => textOf(before) === textOf(after),
  });
}

/** What stands under a word in one of several places. */
export class Places<Found> {
  readonly #places: readonly Postings<string, Found>[];

  constructor(places: readonly Postings<string, Found>[]) {
    this.#places = places;
  }

  has(word: string, found: Found): boolean {
    return this.#places.some((place) => place.has(word, found));
  }

  /** What has the word; some of it perhaps twice. */
  under(word: string): Found[] {
    return this.#places.flatMap((place) => place.under(word));
  }

  /** What has each of these words, whichever place has which; the rarest word leads to it. */
  withAll(words: readonly string[]): Set<Found> {
    const most = (word: string): number => this.#places.reduce((sum, place) => sum + place.most(word), 0);
    const [rarest, ...others] = words
      .map((word) => ({ word, most: most(word) }))
      .sort((one, other) => one.most - other.most);
    const all = new Set<Found>();
    if (!rarest) return all;
    for (const found of this.under(rarest.word)) {
      if (others.every(({ word }) => this.has(word, found))) all.add(found);
    }
    return all;
  }
}
