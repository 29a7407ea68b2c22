/** An entity that a text names: something that is either known from somewhere or made up. */
export interface NamedEntity {
  readonly kind: 'id' | 'email' | 'amount' | 'date' | 'number' | 'weekday';
  readonly text: string;
  /** For amounts and numbers. */
  readonly value: number | null;
}

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const DATE = /\b\d{4}-\d{2}-\d{2}\b/g;
const MONEY_BEFORE = /(?:[$€£¥]|\b(?:EUR|USD|GBP|CHF)\b)\s?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)/g;
const MONEY_AFTER = new RegExp(
  '(?<![\\p{L}\\p{N}.,-])(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)\\s?' +
    '(?:€|(?:EUR|USD|GBP|CHF|dollars|euros)\\b)',
  'gu',
);
const DECIMAL = /(?<![\p{L}\p{N}.,/-])(\d{1,3}(?:,\d{3})+\.\d{2}|\d+\.\d{2})(?![\p{L}\p{N}%/-]|\.\d)/gu;
/** Words joined by hyphens or underscores, with a digit and a letter somewhere in them. */
const ID = new RegExp(
  '(?<![\\p{L}\\p{N}_@./-])(?=[\\p{L}\\p{N}_-]*\\d)(?=[\\p{L}\\p{N}_-]*\\p{L})' +
    '[\\p{L}\\p{N}]+(?:[-_][\\p{L}\\p{N}]+)+(?![\\p{L}\\p{N}_@])',
  'gu',
);
const NUMBER = /(?<![\p{L}\p{N}_.,:/@+-])(\d{3,12})(?![\p{L}\p{N}_:/@-]|[.,]\d)/gu;
const WEEKDAY = /\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/g;
/** `1-2`, `24-hour`, `2nd`: counts, no names. */
const COUNTED = /^\d+-(?:[a-z]+|\d+)$/i;

/** Ids, e-mail addresses, amounts, dates, long numbers and weekdays that a text names, each once. */
export function entitiesOf(text: string): NamedEntity[] {
  const found = new Map<string, NamedEntity>();
  let rest = text;
  const take = (pattern: RegExp, kind: NamedEntity['kind']): void => {
    rest = rest.replace(pattern, (all: string, ...groups: unknown[]) => {
      const inner = typeof groups[0] === 'string' ? groups[0] : all;
      const numeric = kind === 'amount' || kind === 'number';
      if (kind === 'id' && COUNTED.test(all)) return all;
      const value = numeric ? Number(inner.replaceAll(',', '')) : null;
      const word = numeric ? inner : all;
      if (!found.has(`${kind} ${word}`)) found.set(`${kind} ${word}`, { kind, text: word, value });
      return ' '.repeat(all.length);
    });
  };
  take(EMAIL, 'email');
  take(DATE, 'date');
  take(ID, 'id');
  take(MONEY_BEFORE, 'amount');
  take(MONEY_AFTER, 'amount');
  take(DECIMAL, 'amount');
  take(NUMBER, 'number');
  take(WEEKDAY, 'weekday');
  return [...found.values()];
}

/** Weekday of an ISO date, 0 for Sunday (Sakamoto); null for anything else. */
export function weekdayOf(date: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(date);
  if (match === null) return null;
  const month = Number(match[2]);
  const year = Number(match[1]) - (month < 3 ? 1 : 0);
  const shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1];
  if (shift === undefined) return null;
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return (year + leaps + shift + Number(match[3])) % 7;
}
