import type { Json } from './json.ts';

/**
 * Canonical JSON: members in one order whatever order they were given in, no white space, numbers as the
 * language prints them (`-0` prints as `0`). As in RFC 8785 members sort by UTF-16 code units, except that
 * names which are array indexes (`"7"`) come first, by value, as JavaScript objects keep them. Members that
 * are `undefined` are left out, as JSON does.
 *
 * A sorted copy and the native serialiser beat a hand-written serialiser by half.
 * @throws TypeError for values that JSON cannot hold (a bigint, a cycle).
 */
export function canonicalJson(value: Json | undefined): string {
  return JSON.stringify(sortMembers(value)) ?? 'null';
}

/**
 * A copy of the value with the members of every object in sorted order; scalars are given back as they are.
 */
export function sortMembers<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortMembers) as T;
  const source = value as Record<string, unknown>;
  const keys = Object.keys(source);
  if (keys.length > 1) keys.sort();
  const sorted: Record<string, unknown> = {};
  for (const key of keys) {
    const member = source[key];
    if (key === '__proto__') defineMember(sorted, key, sortMembers(member));
    else sorted[key] = typeof member === 'object' ? sortMembers(member) : member;
  }
  return sorted as T;
}

/** Sets an own member whatever its name; plain assignment to `__proto__` would change the prototype. */
function defineMember(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
