import { wordsOf } from './words.ts';

/** `label:bug`, or `-label:bug`. */
export interface Qualifier {
  readonly name: string;
  readonly value: string;
  readonly negated: boolean;
}

/** What is looked for: all words, all phrases, and what the qualifiers say. */
export interface Query {
  readonly words: readonly string[];
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
  readonly qualifiers: readonly Qualifier[];
}

const PART = /(-?)(?:([A-Za-z_-]+):)?("(?:[^"\\]|\\.)*"|[^\s"]+)/gu;

/** Reads a query. Operators `AND`, `OR` and `NOT` are what GitHub's plain search takes them for: nothing. */
export function parseQuery(text: string): Query {
  const words: string[] = [];
  const phrases: string[] = [];
  const excluded: string[] = [];
  const qualifiers: Qualifier[] = [];
  for (const [, minus = '', name, raw = ''] of text.matchAll(PART)) {
    const quoted = raw.startsWith('"');
    const value = quoted ? raw.slice(1, -1).replaceAll('\\"', '"') : raw;
    const negated = minus === '-';
    if (name !== undefined) qualifiers.push({ name: name.toLowerCase(), value, negated });
    else if (negated) excluded.push(...wordsOf(value));
    else if (quoted) phrases.push(value.toLowerCase());
    else if (!['AND', 'OR', 'NOT'].includes(value)) words.push(...wholeWords(value));
  }
  return { words, phrases, excluded, qualifiers };
}

/** A term means its whole words; punctuation parts them. */
function wholeWords(term: string): string[] {
  return [...term.toLowerCase().matchAll(/[\p{L}\p{N}_-]+/gu)].map(([word]) => word);
}

/** The values of a qualifier that must hold, in the order in which they were given. */
export function valuesOf(query: Query, ...names: readonly string[]): string[] {
  return query.qualifiers
    .filter(({ name, negated }) => names.includes(name) && !negated)
    .map(({ value }) => value);
}

/** Tells whether a text is in `>5`, `<=5`, `5..9`, `*..9` or `5`; texts compare by their characters. */
function rangeTest(range: string, end: (bound: string) => string): (value: string) => boolean {
  const between = /^(.*)\.\.(.*)$/u.exec(range);
  if (between) {
    const [, from = '*', to = '*'] = between;
    const last = end(to);
    return (value) => (from === '*' || value >= from) && (to === '*' || value <= last);
  }
  const [, sign = '', bound = ''] = /^(>=|<=|>|<)?(.*)$/u.exec(range) ?? [];
  const last = end(bound);
  switch (sign) {
    case '>':
      return (value) => value > last;
    case '>=':
      return (value) => value >= bound;
    case '<':
      return (value) => value < bound;
    case '<=':
      return (value) => value <= last;
    default:
      return (value) => value >= bound && value <= last;
  }
}

/** Tells whether a moment is in a range of days or moments: a day is the whole of it. */
export function momentTest(range: string): (moment: string | null) => boolean {
  const isIn = rangeTest(range, (bound) => (bound.length <= 10 ? `${bound}\uFFFF` : bound));
  return (moment) => moment !== null && isIn(moment);
}

/** Tells whether a count is in a range. */
export function countTest(range: string): (count: number) => boolean {
  const padded = (text: string): string => text.padStart(12, '0');
  const isIn = rangeTest(range.replaceAll(/\d+/gu, padded), (bound) => bound);
  const known = new Map<number, boolean>();
  return (count) => {
    const answer = known.get(count) ?? isIn(padded(String(count)));
    known.set(count, answer);
    return answer;
  };
}
