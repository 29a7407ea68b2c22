import type { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';

/** A column ready for use. */
export interface Column {
  readonly name: string;
  /** True when rows may lack it. */
  readonly optional: boolean;
  /** True when it may be null. */
  readonly nullable: boolean;
  /** True when the value fits. */
  readonly fits: (value: Json) => boolean;
  /** Why a value does not fit, in one sentence. */
  readonly explain: (value: Json) => string;
}

/** The parts of a zod schema's definition that are looked at here. */
interface Definition {
  readonly type: string;
  readonly coerce?: boolean;
  readonly check?: unknown;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly innerType?: z.ZodType;
  readonly getter?: () => z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
}

const TRANSFORMING = new Set(['default', 'prefault', 'catch', 'transform', 'pipe', 'success', 'nonoptional']);
const NOT_JSON = new Set([
  'bigint',
  'symbol',
  'date',
  'map',
  'set',
  'file',
  'promise',
  'function',
  'nan',
  'undefined',
  'void',
]);

/**
 * A column from its zod schema.
 * @throws UsageError when the schema would change a value (default, coerce, transform, trim …) or asks for
 * values that JSON has not.
 */
export function compileColumn(table: string, name: string, schema: z.ZodType): Column {
  const problem = findTransform(schema, new Set());
  if (problem !== undefined) {
    throw new UsageError('column-transforms', `table ${table}, column ${name}: ${problem}`, {
      hint: 'columns are checked, never changed: compute the value before writing it',
    });
  }
  const parsed = (value: unknown): boolean => schema.safeParse(value).success;
  return {
    name,
    optional: parsed(undefined),
    nullable: parsed(null),
    fits: quickCheck(schema) ?? parsed,
    explain: (value) => {
      const result = schema.safeParse(value);
      return result.success ? 'fits' : result.error.issues.map(describeIssue).join('; ');
    },
  };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}

function definitionOf(schema: z.ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

/** Says what in a schema would change a value; undefined when nothing does. */
function findTransform(schema: z.ZodType, seen: Set<z.ZodType>): string | undefined {
  if (seen.has(schema)) return undefined;
  seen.add(schema);
  const definition = definitionOf(schema);
  if (TRANSFORMING.has(definition.type)) return `a schema of kind "${definition.type}" changes values`;
  if (NOT_JSON.has(definition.type)) return `JSON has no values of kind "${definition.type}"`;
  if (definition.coerce) return 'coerce changes values';
  if (definition.checks?.some((check) => check._zod.def.check === 'overwrite')) {
    return 'a check such as trim or toLowerCase changes values';
  }
  for (const inner of innerSchemas(definition)) {
    const problem = findTransform(inner, seen);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * All schemas inside a definition, whatever its kind: in members, lists and records of members, and getters.
 */
function innerSchemas(definition: Definition): z.ZodType[] {
  const found: z.ZodType[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('_zod' in value) {
      const inner = value as z.ZodType;
      if ('run' in inner._zod) found.push(inner);
    } else if (Array.isArray(value)) {
      value.forEach(collect);
    } else if (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null) {
      Object.values(value).forEach(collect);
    }
  };
  const { checks: _checks, getter, values: _values, ...members } = definition;
  Object.values(members).forEach(collect);
  if (typeof getter === 'function') collect(getter());
  return found;
}

/**
 * The same test as the schema's, without the cost of a parse, for the plain kinds; undefined for all others.
 * Only schemas without checks and formats are taken, so that the two can't differ.
 */
function quickCheck(schema: z.ZodType): ((value: Json) => boolean) | undefined {
  const definition = definitionOf(schema);
  if ((definition.checks?.length ?? 0) > 0 || definition.check !== undefined) return quickInteger(definition);
  switch (definition.type) {
    case 'string':
      return (value) => typeof value === 'string';
    case 'number':
      return (value) => typeof value === 'number';
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'null':
      return (value) => value === null;
    case 'unknown':
    case 'any':
      return () => true;
    case 'enum':
      return oneOf(Object.values(definition.entries ?? {}));
    case 'literal':
      return oneOf(definition.values ?? []);
    case 'nullable':
      return wrapped(definition, (inner) => (value) => value === null || inner(value));
    case 'optional':
    case 'readonly':
      return wrapped(definition, (inner) => inner);
    case 'lazy':
      return takesAnyJson(definition) ? () => true : undefined;
    default:
      return undefined;
  }
}

const JSON_KINDS = ['string', 'number', 'boolean', 'null', 'array', 'record'];

/** Whether this is what `z.json()` gives: what a column is given is JSON already. */
function takesAnyJson({ getter }: Definition): boolean {
  const inner = getter && definitionOf(getter());
  if (inner?.type !== 'union') return false;
  const kinds = (inner.options ?? []).map((option): string | null => {
    const { type, checks = [], element, valueType } = definitionOf(option);
    if (checks.length > 0) return null;
    if (type !== 'array' && type !== 'record') return type;
    const item = element ?? valueType;
    return item && definitionOf(item).getter === getter ? type : null;
  });
  return JSON_KINDS.every((kind) => kinds.includes(kind));
}

function quickInteger(
  definition: Definition & { readonly format?: string },
): ((value: Json) => boolean) | undefined {
  const plain = definition.type === 'number' && definition.format === 'safeint';
  if (!plain || (definition.checks?.length ?? 0) > 0) return undefined;
  return (value) => Number.isSafeInteger(value);
}

function oneOf(values: readonly unknown[]): ((value: Json) => boolean) | undefined {
  if (!values.every((value) => typeof value === 'string')) return undefined;
  if (values.length === 1) return (value) => value === values[0];
  const known = new Set<unknown>(values);
  return (value) => known.has(value);
}

function wrapped(
  definition: Definition,
  wrap: (inner: (value: Json) => boolean) => (value: Json) => boolean,
): ((value: Json) => boolean) | undefined {
  const inner = definition.innerType === undefined ? undefined : quickCheck(definition.innerType);
  return inner === undefined ? undefined : wrap(inner);
}
