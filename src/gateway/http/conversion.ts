import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { setMember } from './members.ts';

/** What a schema takes at one place, as far as texts from a URL or a form have to know. */
interface Shape {
  readonly text: boolean;
  readonly integer: boolean;
  readonly number: boolean;
  readonly boolean: boolean;
  readonly nothing: boolean;
  readonly items: Shape | null;
  /** Null where the schema takes no object. */
  readonly members: ReadonlyMap<string, Shape> | null;
}

/** Turns the texts of a path, a query or a form into the types that an operation's input wants. */
export type Conversion = (input: JsonObject) => JsonObject;

/** References are followed so far: a schema may contain itself. */
const DEPTH_MOST = 8;

/**
 * The conversion for an input schema. What does not convert stays the text that it was, so that the vendor's
 * own validation answers.
 */
export function conversionFor(schema: z.ZodType): Conversion {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  const shape = shapeOf(described, described, 0);
  return (input) => convertMembers(input, shape.members ?? NO_MEMBERS);
}

const NO_MEMBERS: ReadonlyMap<string, Shape> = new Map();

function shapeOf(schema: Json | undefined, root: JsonObject, depth: number): Shape {
  if (!isJsonObject(schema) || depth > DEPTH_MOST) return ANYTHING;
  const { $ref: reference } = schema;
  if (typeof reference === 'string') return shapeOf(referenced(root, reference), root, depth + 1);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (Array.isArray(choices)) {
    return choices.map((choice: Json) => shapeOf(choice, root, depth + 1)).reduce(either);
  }
  const listed = schema.enum ?? ('const' in schema ? [schema.const ?? null] : undefined);
  if (Array.isArray(listed))
    return listed.map((value: Json) => scalarShape(kindOf(value))).reduce(either, NONE);
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
  if (types.length === 0) return ANYTHING;
  return types.map((type: Json) => typedShape(type, schema, { root, depth })).reduce(either);
}

function typedShape(type: Json, schema: JsonObject, at: { root: JsonObject; depth: number }): Shape {
  if (type === 'array') return { ...NONE, items: shapeOf(schema.items, at.root, at.depth + 1) };
  if (type !== 'object') return scalarShape(type);
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const members = Object.entries(properties).map(([name, member]): [string, Shape] => [
    name,
    shapeOf(member, at.root, at.depth + 1),
  ]);
  return { ...NONE, members: new Map(members) };
}

const NONE: Shape = {
  text: false,
  integer: false,
  number: false,
  boolean: false,
  nothing: false,
  items: null,
  members: null,
};
/** Anything goes: then a text is a text. */
const ANYTHING: Shape = { ...NONE, text: true };

function scalarShape(type: Json): Shape {
  return {
    ...NONE,
    text: type === 'string',
    integer: type === 'integer',
    number: type === 'number',
    boolean: type === 'boolean',
    nothing: type === 'null',
  };
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return typeof value;
}

function either(one: Shape, other: Shape): Shape {
  return {
    text: one.text || other.text,
    integer: one.integer || other.integer,
    number: one.number || other.number,
    boolean: one.boolean || other.boolean,
    nothing: one.nothing || other.nothing,
    items: one.items && other.items ? either(one.items, other.items) : (one.items ?? other.items),
    members:
      one.members && other.members
        ? new Map([...one.members, ...other.members])
        : (one.members ?? other.members),
  };
}

/** What a local `$ref` of a JSON Schema stands for; undefined where it leads nowhere. */
export function referenced(root: JsonObject, reference: string): Json | undefined {
  let place: Json | undefined = root;
  for (const part of reference.split('/').slice(1)) {
    place = isJsonObject(place) && Object.hasOwn(place, part) ? place[part] : undefined;
  }
  return place;
}

function convertMembers(input: JsonObject, members: ReadonlyMap<string, Shape>): JsonObject {
  const converted: Record<string, Json> = {};
  for (const name of Object.keys(input)) {
    const value = input[name];
    const shape = members.get(name);
    if (value !== undefined) setMember(converted, name, shape ? convertValue(value, shape) : value);
  }
  return converted;
}

function convertValue(value: Json, shape: Shape): Json {
  if (typeof value === 'string') {
    if (shape.text) return value;
    const scalar = scalarOf(value, shape);
    return scalar === value && shape.items ? [convertValue(value, shape.items)] : scalar;
  }
  const { items, members } = shape;
  if (Array.isArray(value)) return items ? value.map((item: Json) => convertValue(item, items)) : value;
  return isJsonObject(value) && members ? convertMembers(value, members) : value;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

/** The value that a text stands for; the text itself when it stands for none that is wanted. */
function scalarOf(text: string, shape: Shape): Json {
  if ((shape.number || shape.integer) && NUMBER.test(text)) {
    const number = Number(text);
    if (Number.isFinite(number) && (shape.number || Number.isInteger(number))) return number;
  }
  if (shape.boolean && (text === 'true' || text === 'false')) return text === 'true';
  if (shape.nothing && (text === '' || text === 'null')) return null;
  return text;
}
