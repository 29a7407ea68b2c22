import { z } from 'zod';
import type { JsonObject } from '../../service/index.ts';

/**
 * An answer that is an object with at least these members; what they hold stands in `views/`, which makes
 * them.
 */
export function shown(...members: readonly string[]): z.ZodType<JsonObject> {
  return z.looseObject(Object.fromEntries(members.map((name) => [name, z.json()]))) as z.ZodType<JsonObject>;
}

/** A list of such objects. */
export function listOf(...members: readonly string[]): z.ZodType<JsonObject[]> {
  return z.array(shown(...members)) as z.ZodType<JsonObject[]>;
}

/** An answer without a body. */
export const nothing: z.ZodType<null> = z.null();
