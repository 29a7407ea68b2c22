import fc, { type Arbitrary } from 'fast-check';
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { RequestHeaders, Service } from '../service/types.ts';
import type { WorldValue } from '../world/types.ts';
import { filled, Pick, type Pools, poolsOf } from './pools.ts';

/** A call whose picks are not filled in yet. */
export interface OpenCall {
  readonly tool: string;
  readonly input: unknown;
  readonly tokenOf?: number;
  readonly actor?: string;
  readonly headers?: RequestHeaders;
}

/**
 * Inputs for a schema: mostly valid, with ids and other values that occur in the world where a member has the
 * name of one. Works on the JSON Schema of the schema, so what an agent is told is what is tried. Half of
 * them keep most of an example, where there is one: values that only fit together are found by nobody.
 */
export function arbitraryInput(schema: z.ZodType, world: WorldValue, example?: JsonObject): Arbitrary<Json> {
  const pools = poolsOf(world);
  return mixedInput(schema, pools, example).map((input) => filled(input, pools));
}

/** Calls of a service's tools and operations, now and then with an input that fits nothing. */
export function arbitraryCall(service: Service, world: WorldValue): Arbitrary<OpenCall> {
  const pools = poolsOf(world);
  const callables = new Map<string, { readonly input: z.ZodType; readonly example?: JsonObject }>();
  for (const operation of service.operations) callables.set(operation.id, operation);
  for (const tool of service.tools) {
    const example = tool.compose ? undefined : callables.get(tool.operations[0] ?? '')?.example;
    callables.set(tool.name, { input: tool.input, ...(example && { example }) });
  }
  const fitting = [...callables].map(([tool, { input: schema, example }]) =>
    mixedInput(schema, pools, example).map((input): OpenCall => ({ tool, input })),
  );
  const unfitting = fc.record({
    tool: fc.constantFrom(...callables.keys(), 'no.such.tool'),
    input: fc.jsonValue({ maxDepth: 2 }) as Arbitrary<unknown>,
  });
  return fc.oneof({ arbitrary: fc.oneof(...fitting), weight: 12 }, { arbitrary: unfitting, weight: 1 });
}

function mixedInput(schema: z.ZodType, pools: Pools, example: JsonObject | undefined): Arbitrary<unknown> {
  const drawn = openInput(schema, pools);
  if (example === undefined) return drawn;
  const names = Object.keys(example);
  const kept = fc.array(fc.nat(KEPT_OUT_OF), { minLength: names.length, maxLength: names.length });
  const nearby = fc.tuple(drawn, kept).map(([input, dice]): unknown => {
    if (!isJsonObject(input as Json)) return input;
    const shown = names.filter((_, index) => dice[index] !== 0);
    return { ...(input as JsonObject), ...Object.fromEntries(shown.map((name) => [name, example[name]])) };
  });
  return fc.oneof(drawn, nearby);
}

/** Of so many members and one, one of the example's is another. */
const KEPT_OUT_OF = 5;

function openInput(schema: z.ZodType, pools: Pools): Arbitrary<unknown> {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  return new SchemaReader(described, pools).value(described, '', 0);
}

const DEEPEST = 4;

/** Turns a JSON Schema into an arbitrary. */
class SchemaReader {
  readonly #root: JsonObject;
  readonly #pools: Pools;

  constructor(root: JsonObject, pools: Pools) {
    this.#root = root;
    this.#pools = pools;
  }

  value(schema: JsonObject, member: string, depth: number): Arbitrary<unknown> {
    if (schema.const !== undefined) return fc.constant(schema.const);
    const choices = listOf(schema.enum);
    if (choices.length > 0) return fc.constantFrom(...choices);
    const alternatives = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].filter(isJsonObject);
    if (alternatives.length > 0) {
      return fc.oneof(...alternatives.map((one) => this.value(one, member, depth)));
    }
    const parts = listOf(schema.allOf).filter(isJsonObject);
    if (parts.length > 0) return this.#merged(parts, member, depth);
    if (typeof schema.$ref === 'string') return this.#referred(schema.$ref, member, depth);
    return this.#typed(schema, member, depth);
  }

  #typed(schema: JsonObject, member: string, depth: number): Arbitrary<unknown> {
    const { type } = schema;
    if (Array.isArray(type)) {
      return fc.oneof(...type.map((one) => this.#typed({ ...schema, type: one as Json }, member, depth)));
    }
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return this.#number(schema, member, wholeNumber(schema));
      case 'number':
        return this.#number(schema, member, anyNumber(schema));
      case 'string':
        return this.#text(schema, member);
      case 'array':
        return this.#list(schema, member, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return fc.jsonValue({ maxDepth: 1 });
    }
  }

  #merged(parts: readonly JsonObject[], member: string, depth: number): Arbitrary<unknown> {
    return fc
      .tuple(...parts.map((part) => this.value(part, member, depth)))
      .map((values) => (values.every(isJsonObject) ? Object.assign({}, ...values) : values[0]));
  }

  #referred(pointer: string, member: string, depth: number): Arbitrary<unknown> {
    let target: Json | undefined = this.#root;
    for (const name of pointer.replace(/^#\/?/u, '').split('/').filter(Boolean)) {
      target = isJsonObject(target) ? target[name] : undefined;
    }
    if (!isJsonObject(target) || depth >= DEEPEST) return fc.constant(null);
    return this.value(target, member, depth + 1);
  }

  #number(schema: JsonObject, member: string, plain: Arbitrary<number>): Arbitrary<unknown> {
    const seen = (this.#pools.get(member) ?? []).some((value) => typeof value === 'number');
    return seen && schema.const === undefined ? fc.oneof(plain, this.#pick(member)) : plain;
  }

  #text(schema: JsonObject, member: string): Arbitrary<unknown> {
    const plain = plainText(schema);
    const own = this.#pools.has(member);
    const keys = /id$|^after$|key$/iu.test(member) && this.#pools.has('');
    if (!own && !keys) return plain;
    return fc.oneof({ arbitrary: this.#pick(own ? member : ''), weight: 6 }, { arbitrary: plain, weight: 1 });
  }

  #pick(member: string): Arbitrary<Pick> {
    return fc.nat(997).map((index) => new Pick(member, index));
  }

  #list(schema: JsonObject, member: string, depth: number): Arbitrary<unknown> {
    const items = isJsonObject(schema.items) ? schema.items : {};
    const minLength = numberOf(schema.minItems) ?? 0;
    const maxLength = Math.max(minLength, Math.min(numberOf(schema.maxItems) ?? 3, minLength + 3));
    if (depth >= DEEPEST) return fc.constant([]);
    const item = this.value(items, member.replace(/s$/u, ''), depth + 1);
    return fc.array(item, { minLength, maxLength });
  }

  #object(schema: JsonObject, depth: number): Arbitrary<unknown> {
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    const members = Object.entries(properties).filter(([, inner]) => isJsonObject(inner));
    const required = listOf(schema.required).map(String);
    const extra = schema.additionalProperties;
    if (members.length === 0) {
      if (!isJsonObject(extra) || depth >= DEEPEST) return fc.constant({});
      return fc.dictionary(fc.constantFrom('a', 'b'), this.value(extra, '', depth + 1));
    }
    const model = Object.fromEntries(
      members.map(([name, inner]) => [name, this.value(inner as JsonObject, name, depth + 1)]),
    );
    return fc.record(model, {
      requiredKeys: required.filter((name) => Object.hasOwn(model, name)),
      noNullPrototype: true,
    });
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function bounds(schema: JsonObject): { low: number | undefined; high: number | undefined } {
  const above = numberOf(schema.exclusiveMinimum);
  const below = numberOf(schema.exclusiveMaximum);
  return {
    low: numberOf(schema.minimum) ?? (above === undefined ? undefined : above + 1),
    high: numberOf(schema.maximum) ?? (below === undefined ? undefined : below - 1),
  };
}

/** Small numbers near the lower bound, seldom the extremes. */
function wholeNumber(schema: JsonObject): Arbitrary<number> {
  const { low, high } = bounds(schema);
  const min = Math.ceil(low ?? Math.min(-2, high ?? -2));
  const max = Math.floor(high ?? Math.max(min + 40, 40));
  if (min > max) return fc.constant(min);
  const near = fc.integer({ min, max: Math.min(max, min + 40) });
  return fc.oneof({ arbitrary: near, weight: 5 }, { arbitrary: fc.integer({ min, max }), weight: 1 });
}

/** Amounts with two places, as they occur, and seldom something finer. */
function anyNumber(schema: JsonObject): Arbitrary<number> {
  const { low, high } = bounds(schema);
  const min = low ?? Math.min(-10, high ?? -10);
  const max = high ?? Math.max(min + 1000, 1000);
  const cents = fc.integer({
    min: Math.ceil(min * 100),
    max: Math.max(Math.ceil(min * 100), Math.floor(max * 100)),
  });
  return fc.oneof(
    { arbitrary: cents.map((amount) => amount / 100), weight: 5 },
    {
      arbitrary: fc.double({ min, max: Math.max(min, max), noNaN: true, noDefaultInfinity: true }),
      weight: 1,
    },
  );
}

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-05-15T15:00:00Z', '2025-12-31T23:59:59.999Z'],
  date: ['2024-02-29', '2025-01-31'],
  time: ['00:00:00', '23:59:59'],
  email: ['ada@example.com', 'ben.okoro@example.org'],
  uri: ['https://example.com/', 'https://example.com/a?b=c#d'],
  uuid: ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
};

function plainText(schema: JsonObject): Arbitrary<string> {
  const { format, pattern } = schema;
  const known = typeof format === 'string' ? FORMATS[format] : undefined;
  if (known) return fc.constantFrom(...known);
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'xsmall' });
  const minLength = numberOf(schema.minLength) ?? 0;
  const maxLength = Math.max(minLength, Math.min(numberOf(schema.maxLength) ?? 12, minLength + 12));
  // Graphemes may take several code units, and it is those that a schema counts.
  const fits = (text: string): boolean => text.length <= maxLength;
  return fc.string({ minLength, maxLength, unit: 'grapheme' }).filter(fits);
}
