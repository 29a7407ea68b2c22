import { isJsonObject, type Json, jsonEqual } from './json.ts';

/**
 * A test of one value, written as data: `{gt: 0, lte: 500}`, `{in: [a, b]}`, or a plain value for equality.
 * All given parts must hold. Comparisons hold only between two numbers or two strings; an absent or null
 * value fails every test but `exists: false` and `eq: null`.
 */
export interface Predicate {
  readonly eq?: Json;
  readonly ne?: Json;
  readonly gt?: number | string;
  readonly gte?: number | string;
  readonly lt?: number | string;
  readonly lte?: number | string;
  readonly in?: readonly Json[];
  /** A regular expression (`u` flag) that the text must match somewhere. */
  readonly matches?: string;
  readonly exists?: boolean;
}

/**
 * Names a predicate may have; a `where` object with any other member is an equality test of the whole object.
 */
export const PREDICATE_NAMES = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'matches', 'exists'] as const;

/** True when the value passes the test. Never throws: a malformed pattern passes nothing. */
export function holds(test: Predicate | Json, value: Json | undefined): boolean {
  if (!isPredicate(test)) return jsonEqual(test, value ?? null);
  return PREDICATE_NAMES.every((name) => !(name in test) || part(name, test, value));
}

/** True when every named member passes its test. Names may be dotted paths into objects and lists. */
export function holdsAll(
  tests: Readonly<Record<string, Predicate | Json>>,
  value: Json | undefined,
): boolean {
  return Object.entries(tests).every(([path, test]) => holds(test, valueAt(value, path)));
}

/** The value at a dotted path; list items by number; undefined where there is nothing. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let current = value;
  for (const name of path === '' ? [] : path.split('.')) {
    if (Array.isArray(current)) current = current[Number(name)] as Json | undefined;
    else if (isJsonObject(current) && Object.hasOwn(current, name)) current = current[name];
    else return undefined;
  }
  return current;
}

function isPredicate(test: unknown): test is Predicate {
  if (!isJsonObject(test)) return false;
  const names = Object.keys(test);
  return names.length > 0 && names.every((name) => (PREDICATE_NAMES as readonly string[]).includes(name));
}

function part(name: (typeof PREDICATE_NAMES)[number], test: Predicate, value: Json | undefined): boolean {
  switch (name) {
    case 'exists':
      return test.exists === (value !== undefined && value !== null);
    case 'eq':
      return jsonEqual(test.eq, value ?? null);
    case 'ne':
      return value !== undefined && !jsonEqual(test.ne, value);
    case 'in':
      return value !== undefined && (test.in ?? []).some((item) => jsonEqual(item, value));
    case 'matches':
      return typeof value === 'string' && matchesPattern(test.matches ?? '', value);
    default:
      return compares(name, test[name], value);
  }
}

function compares(name: 'gt' | 'gte' | 'lt' | 'lte', bound: unknown, value: Json | undefined): boolean {
  const numbers = typeof value === 'number' && typeof bound === 'number';
  const texts = typeof value === 'string' && typeof bound === 'string';
  if (!numbers && !texts) return false;
  const left = value as string;
  const right = bound as string;
  if (name === 'gt') return left > right;
  if (name === 'gte') return left >= right;
  if (name === 'lt') return left < right;
  return left <= right;
}

function matchesPattern(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}
