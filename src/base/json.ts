/** Plain JSON, the only kind of value that crosses a boundary in Groundhog. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. A member that is absent and a member that is `null` are two different things. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** True for a JSON object: neither `null`, nor a list, nor a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares two strings by UTF-16 code units: the only string order used below the adapters. */
export function compareText(left: string, right: string): -1 | 0 | 1 {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Freezes a JSON value with everything in it and gives it back. A frozen subtree is not walked again. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

/** Structural equality of two JSON values; the order of members does not matter, that of lists does. */
export function jsonEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return Object.is(left, right);
  }
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => jsonEqual(item, right[index]));
  }
  return objectsEqual(left as JsonObject, right as JsonObject);
}

function objectsEqual(left: JsonObject, right: JsonObject): boolean {
  const keys = Object.keys(left).filter((key) => left[key] !== undefined);
  const count = Object.keys(right).filter((key) => right[key] !== undefined).length;
  if (keys.length !== count) return false;
  return keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]));
}

let lastValue: object | null = null;
let lastText = '';

/**
 * The JSON text of a value that nobody changes any more. The newest one is remembered: an answer is written
 * into a step, hashed for its entity tag and sent, and is turned into text once. What `keepText` named, be it
 * the answer or an item of it, is turned into text once for all answers.
 */
export function jsonText(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value === lastValue) return lastText;
  lastText = textByParts(value, (part) => keptTexts.get(part) || madeText(part)) ?? JSON.stringify(value);
  lastValue = value;
  return lastText;
}

/** By value that `keepText` named; empty until it is asked for. */
const keptTexts = new WeakMap<object, string>();

/** Lets the text of a frozen value be kept as long as the value: of one that stands in many answers. */
export function keepText<T extends JsonObject>(value: T): T {
  keptTexts.set(value, '');
  return value;
}

function madeText(part: JsonObject): string {
  const text = JSON.stringify(part);
  keptTexts.set(part, text);
  return text;
}

/**
 * The text of a value that `keepText` named, or of a list of such values, put together of what `text` gives
 * for each; null for any other value.
 */
export function textByParts(value: Json, text: (part: JsonObject) => string): string | null {
  if (!Array.isArray(value)) return isKept(value) ? text(value) : null;
  const items: readonly Json[] = value;
  return items.length > 0 && items.every(isKept) ? `[${items.map(text).join()}]` : null;
}

function isKept(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && keptTexts.has(value);
}
