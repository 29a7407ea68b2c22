import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';

/** How deep arguments may be nested; deeper ones cannot be written down safely. */
export const INPUT_DEPTH_MOST = 100;

/**
 * The arguments of a call as the trajectory will hold them, so that a replay reads back exactly what the
 * world was given: a copy of its own with members sorted, absent ones left out and `-0` as `0`.
 * @throws UsageError for what JSON cannot hold, and for arguments nested too deep.
 */
export function acceptedInput(input: Json): Json {
  return accept(input, 0);
}

/** Why arguments cannot be taken, in words; null when they can. */
export function inputProblem(input: unknown): string | null {
  try {
    accept(input, 0);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

function accept(value: unknown, depth: number): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refused(`the number ${value}, which JSON cannot hold`);
    return value === 0 ? 0 : value;
  }
  if (typeof value !== 'object') throw refused(`a ${typeof value}, which JSON cannot hold`);
  if (depth >= INPUT_DEPTH_MOST) throw refused(`more than ${INPUT_DEPTH_MOST} levels of nesting`);
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => accept(item, depth + 1));
  return acceptMembers(value as Record<string, unknown>, depth + 1);
}

function acceptMembers(source: Record<string, unknown>, depth: number): Json {
  const accepted: Record<string, Json> = {};
  const keys = Object.keys(source);
  if (keys.length > 1) keys.sort();
  for (const key of keys) {
    const member = source[key];
    if (member === undefined) continue;
    const value = accept(member, depth);
    // Plain assignment to this name would change the prototype instead.
    if (key === '__proto__') Object.defineProperty(accepted, key, { ...MEMBER, value });
    else accepted[key] = value;
  }
  return accepted;
}

const MEMBER = { enumerable: true, configurable: true, writable: true };

function refused(what: string): UsageError {
  return new UsageError('bad-arguments', `the arguments have ${what}`);
}
