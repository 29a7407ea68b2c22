import { z } from 'zod';

/**
 * The member names that a schema allows at a path of a given value, for hints; empty when it cannot be told.
 */
export function knownNames(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): string[] {
  let current: z.ZodType | undefined = unwrap(schema, value);
  let part = value;
  for (const name of path) {
    part =
      typeof part === 'object' && part !== null ? (part as Record<PropertyKey, unknown>)[name] : undefined;
    current = current && unwrapOptional(step(current, name), part);
  }
  return current instanceof z.ZodObject ? Object.keys(current.shape) : [];
}

function step(schema: z.ZodType, name: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(name)] as z.ZodType | undefined;
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType;
  return undefined;
}

function unwrapOptional(schema: z.ZodType | undefined, value: unknown): z.ZodType | undefined {
  return schema === undefined ? undefined : unwrap(schema, value);
}

/** Looks through optional and default, and picks the branch of a union that fits the value's members best. */
function unwrap(schema: z.ZodType, value: unknown): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap() as z.ZodType, value);
  }
  if (!(schema instanceof z.ZodUnion)) return schema;
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const score = (option: z.ZodType): number => fitOf(option, value, names);
  const options = schema.options.map((option) => unwrap(option as z.ZodType, value));
  return options.reduce((best, option) => (score(option) > score(best) ? option : best));
}

function fitOf(option: z.ZodType, value: unknown, names: readonly string[]): number {
  if (!(option instanceof z.ZodObject)) return -1;
  const { shape } = option;
  const literal = Object.entries(shape).some(
    ([key, member]) =>
      member instanceof z.ZodLiteral &&
      member.values.has((value as Record<string, never> | null)?.[key] as never),
  );
  return names.filter((name) => name in shape).length + (literal ? 100 : 0);
}
