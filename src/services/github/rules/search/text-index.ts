import type { Derivation, DerivedChange } from '../../../../service/index.ts';
import { wordsOf } from './words.ts';

/** A word's rows, in the order of the table. */
type Postings<Id> = Map<string, Id[]>;

/**
 * Which rows have a word, by number. What was computed of all rows is shared by every world that comes from
 * them; what changed since stands beside it.
 */
export class TextIndex<Id = number> {
  readonly #base: Postings<Id>;
  /** Rows of the base that changed or went. */
  readonly #gone: ReadonlySet<Id>;
  readonly #fresh: Postings<Id>;

  constructor(base: Postings<Id>, gone: ReadonlySet<Id> = new Set(), fresh: Postings<Id> = new Map()) {
    this.#base = base;
    this.#gone = gone;
    this.#fresh = fresh;
  }

  /** The rows that have a word. */
  rows(word: string): Id[] {
    const old = this.#base.get(word) ?? [];
    const kept = this.#gone.size === 0 ? old : old.filter((id) => !this.#gone.has(id));
    const fresh = this.#fresh.get(word);
    return fresh ? [...kept, ...fresh] : kept;
  }

  /** The index after rows changed: `before` the base's, `after` anew. */
  with(changes: readonly { readonly before?: Id; readonly after?: readonly [Id, string] }[]): TextIndex<Id> {
    const gone = new Set(this.#gone);
    const fresh: Postings<Id> = new Map([...this.#fresh].map(([word, ids]) => [word, [...ids]]));
    for (const { before, after } of changes) {
      if (before !== undefined) gone.add(before);
      if (after) addTo(fresh, after[0], after[1]);
    }
    return new TextIndex(this.#base, gone, fresh);
  }
}

function addTo<Id>(postings: Postings<Id>, id: Id, text: string): void {
  for (const word of wordsOf(text)) {
    const ids = postings.get(word);
    if (!ids) postings.set(word, [id]);
    else if (ids.at(-1) !== id) ids.push(id);
  }
}

/**
 * The words of a table's rows: `textOf` gives what is searched, `idOf` the number that is found, which is the
 * row's own unless it is a part of another, as a comment is of an issue.
 */
export function textDerivation<R, Id = number>(
  idOf: (row: R) => Id,
  textOf: (row: R) => string,
): Derivation<R, TextIndex<Id>> {
  return {
    build(rows) {
      const postings: Postings<Id> = new Map();
      for (const row of rows) addTo(postings, idOf(row), textOf(row));
      return new TextIndex(postings);
    },
    patch(index, changes: readonly DerivedChange<R>[]) {
      return index.with(
        changes.map(({ before, after }) => ({
          ...(before !== undefined && { before: idOf(before) }),
          ...(after !== undefined && { after: [idOf(after), textOf(after)] as const }),
        })),
      );
    },
  };
}
