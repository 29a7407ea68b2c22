import type { Json } from '../base/json.ts';

const DEEPEST = 200;

/** True when lists and objects are nested so deep that walking them could exhaust the stack. */
export function isTooDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? (Object.values(item) as Json[]) : [],
    );
  }
  return false;
}
