import { readFileSync } from 'node:fs';
import { UsageError } from '../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { pointerParts } from './pointers.ts';

/** Which members a vendor publishes of its operations' answers. */
export interface PublishedMembers {
  /**
   * Whether the member at a collapsed pointer is in a response schema of the operation: of that class of
   * statuses, or of any where that class has none. True where nothing is published of its answers.
   */
  has(operation: string, status: number, pointer: string): boolean;
}

/** Reads an OpenAPI description in JSON. @throws UsageError for a file that is none. */
export function readDescription(file: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new UsageError('bad-description', `the API description ${file} ${reason}`);
  }
  if (isJsonObject(value) && isJsonObject(value.paths)) return value;
  throw new UsageError('bad-description', `${file} is no OpenAPI description: it has no paths`);
}

/** The members that an OpenAPI description publishes. */
export function publishedMembers(description: JsonObject): PublishedMembers {
  return new Description(description);
}

/** The same from a file, with what a reader knows it by; undefined for no file. */
export function publishedOf(
  description: { readonly file: string; readonly name: string } | undefined,
): { readonly members: PublishedMembers; readonly from: string } | undefined {
  if (!description) return undefined;
  return { members: publishedMembers(readDescription(description.file)), from: description.name };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

class Description implements PublishedMembers {
  readonly #root: JsonObject;
  readonly #responses = new Map<string, JsonObject>();
  readonly #known = new Map<string, boolean>();

  constructor(root: JsonObject) {
    this.#root = root;
    for (const item of Object.values(isJsonObject(root.paths) ? root.paths : {})) {
      if (!isJsonObject(item)) continue;
      for (const method of METHODS) {
        const operation = item[method];
        if (!isJsonObject(operation) || typeof operation.operationId !== 'string') continue;
        if (isJsonObject(operation.responses)) {
          this.#responses.set(operation.operationId, operation.responses);
        }
      }
    }
  }

  has(operation: string, status: number, pointer: string): boolean {
    const key = `${operation} ${Math.floor(status / 100)} ${pointer}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const schemas = this.#schemasOf(operation, status);
    const found =
      schemas.length === 0 || schemas.some((schema) => this.#holds(schema, pointerParts(pointer), 0));
    this.#known.set(key, found);
    return found;
  }

  #schemasOf(operation: string, status: number): readonly Json[] {
    const responses = this.#responses.get(operation);
    if (!responses) return [];
    const all = Object.entries(responses).map(([code, response]) => ({
      code,
      schemas: this.#contentOf(this.#resolved(response)),
    }));
    const own = all.filter(({ code }) => code.startsWith(String(Math.floor(status / 100))));
    const chosen = own.some(({ schemas }) => schemas.length > 0) ? own : all;
    return chosen.flatMap(({ schemas }) => schemas);
  }

  #contentOf(response: JsonObject | undefined): readonly Json[] {
    const { content } = response ?? {};
    if (!isJsonObject(content)) return [];
    return Object.values(content).flatMap((media) =>
      isJsonObject(media) && media.schema !== undefined ? [media.schema] : [],
    );
  }

  #resolved(value: Json | undefined): JsonObject | undefined {
    let at = value;
    for (let hops = 0; hops < 20; hops += 1) {
      if (!isJsonObject(at)) return undefined;
      if (typeof at.$ref !== 'string') return at;
      at = this.#at(at.$ref);
    }
    return undefined;
  }

  #at(reference: string): Json | undefined {
    let at: Json | undefined = this.#root;
    for (const part of pointerParts(reference.replace(/^#/u, '')))
      at = isJsonObject(at) ? at[part] : undefined;
    return at;
  }

  #holds(given: Json | undefined, parts: readonly string[], depth: number): boolean {
    const schema = this.#resolved(given);
    const [part, ...rest] = parts;
    if (part === undefined) return true;
    if (!schema || depth > 40) return given === true;
    const alternatives = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema[name]));
    if (alternatives.some((one) => this.#holds(one, parts, depth + 1))) return true;
    if (part === '*') {
      if (schema.items !== undefined) return this.#holds(schema.items, rest, depth + 1);
      return schema.type === 'array';
    }
    const { properties, additionalProperties } = schema;
    if (isJsonObject(properties) && Object.hasOwn(properties, part)) {
      return this.#holds(properties[part], rest, depth + 1);
    }
    if (isJsonObject(additionalProperties) || additionalProperties === true) {
      return additionalProperties === true || this.#holds(additionalProperties, rest, depth + 1);
    }
    // An object of which nothing is said may hold anything.
    const isOpen = properties === undefined && alternatives.length === 0 && additionalProperties !== false;
    return isOpen && (schema.type === 'object' || schema.type === undefined);
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
