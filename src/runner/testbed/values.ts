import { isJsonObject, type Json } from '../../base/json.ts';

/** Where in an answer a value stands: member names and list positions. */
export type ValuePath = readonly (string | number)[];

/** A place in the answer to a planned call, or in what was asked of it. */
export interface Source {
  /** The planned call, from 0. */
  readonly step: number;
  readonly path: ValuePath;
  readonly of: 'answer' | 'input';
}

/** Values longer than this are texts that hold values, not values. */
const LONGEST_VALUE = 120;
const SOURCES_KEPT = 6;

/**
 * What an answer says: itself, or the JSON that it holds as a text, as some tools' do and the results of the
 * Model Context Protocol.
 */
export function saidBy(answer: Json): Json {
  if (typeof answer === 'string') return parsed(answer) ?? answer;
  const content = isJsonObject(answer) ? answer.content : undefined;
  if (!Array.isArray(content)) return answer;
  for (const part of content as readonly Json[]) {
    const inner = isJsonObject(part) && typeof part.text === 'string' ? parsed(part.text) : undefined;
    if (inner !== undefined) return inner;
  }
  return answer;
}

function parsed(text: string): Json | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Visits every text, number and boolean of a JSON value with its place. */
export function eachLeaf(value: Json | undefined, visit: (leaf: Json, path: ValuePath) => void): void {
  walk(value, [], visit);
}

function walk(
  value: Json | undefined,
  path: (string | number)[],
  visit: (leaf: Json, path: ValuePath) => void,
): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) walk(item, [...path, index], visit);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) walk(member, [...path, name], visit);
  } else visit(value, path);
}

/** The value at a place; undefined where there is nothing. */
export function valueIn(value: Json | undefined, path: ValuePath): Json | undefined {
  let current = value;
  for (const part of path) {
    if (Array.isArray(current)) current = (current as readonly Json[])[Number(part)];
    else if (isJsonObject(current)) current = current[part];
    else return undefined;
  }
  return current;
}

/** The last member name on the way to a value: what it is called. */
export function nameOf(path: ValuePath): string {
  const name = path.findLast((part) => typeof part === 'string');
  return typeof name === 'string' ? name : '';
}

/** One text for a number and the text that writes it. */
export function keyOf(value: Json): string {
  return String(value);
}

/** The values that answers have given so far, each with the places where it stood, the earliest first. */
export class ValueIndex {
  readonly #sources = new Map<string, Source[]>();
  readonly #texts = new Map<string, string[]>();
  readonly #done = new Map<string, Source>();

  /** Adds the values of the answer to planned call `step`. */
  add(step: number, answer: Json): void {
    eachLeaf(answer, (leaf, path) => {
      if (typeof leaf === 'boolean' || (typeof leaf === 'string' && leaf.length > LONGEST_VALUE)) return;
      const key = keyOf(leaf);
      const known = this.#sources.get(key);
      if (typeof leaf === 'string' && !known) {
        this.#texts.set(nameOf(path), [...(this.#texts.get(nameOf(path)) ?? []), leaf]);
      }
      if (!known) this.#sources.set(key, [{ step, path, of: 'answer' }]);
      else if (known.length < SOURCES_KEPT) known.push({ step, path, of: 'answer' });
    });
  }

  /** Adds what was asked of a write: what is said of it later is what was done, not what was read before. */
  addDone(step: number, input: Json): void {
    eachLeaf(input, (leaf, path) => {
      if (typeof leaf === 'boolean' || (typeof leaf === 'string' && leaf.length > LONGEST_VALUE)) return;
      this.#done.set(keyOf(leaf), { step, path, of: 'input' });
    });
  }

  of(key: string): readonly Source[] {
    return this.#sources.get(key) ?? [];
  }

  /** The same for what is told: a write that was asked for this value comes first. */
  told(key: string): readonly Source[] {
    const done = this.#done.get(key);
    return done ? [done, ...this.of(key)] : this.of(key);
  }

  /** Texts that stood elsewhere under the same name. */
  namedLike(path: ValuePath): readonly string[] {
    return this.#texts.get(nameOf(path)) ?? [];
  }

  /** Every value that was given. */
  keys(): readonly string[] {
    return [...this.#sources.keys()];
  }
}
