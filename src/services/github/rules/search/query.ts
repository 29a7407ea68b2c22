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

/** Whether a number or moment is in `>5`, `<=5`, `5..9`, `*..9` or `5`. Moments compare as texts do. */
export function inRange(
  value: string,
  range: string,
  end: (bound: string) => string = (bound) => bound,
): boolean {
  const between = /^(.*)\.\.(.*)$/u.exec(range);
  if (between) {
    const [, from = '*', to = '*'] = between;
    return (from === '*' || value >= from) && (to === '*' || value <= end(to));
  }
  const [, sign = '', bound = ''] = /^(>=|<=|>|<)?(.*)$/u.exec(range) ?? [];
  switch (sign) {
    case '>':
      return value > end(bound);
    case '>=':
      return value >= bound;
    case '<':
      return value < bound;
    case '<=':
      return value <= end(bound);
    default:
      return value >= bound && value <= end(bound);
  }
}

/** Whether a moment is in a range of days or moments: a day is the whole of it. */
export function momentInRange(moment: string | null, range: string): boolean {
  if (moment === null) return false;
  return inRange(moment, range, (bound) => (bound.length <= 10 ? `${bound}\uFFFF` : bound));
}

/** Whether a count is in a range. */
export function countInRange(count: number, range: string): boolean {
  const padded = (text: string): string => (text === '*' ? text : text.padStart(12, '0'));
  const spelt = range.replaceAll(/\d+/gu, (digits) => padded(digits));
  return inRange(padded(String(count)), spelt);
}
