import { isJsonObject, type Json } from '../base/json.ts';

/** One part of a JSON pointer (RFC 6901) as it is written. */
export function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The parts of a pointer, unescaped. */
export function pointerParts(pointer: string): readonly string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a pointer; undefined where there is none. */
export function valueAt(value: Json | undefined, pointer: string): Json | undefined {
  let at = value;
  for (const part of pointerParts(pointer)) {
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(part)];
    else if (isJsonObject(at)) at = Object.hasOwn(at, part) ? at[part] : undefined;
    else return undefined;
  }
  return at;
}

/** A pointer with `*` in place of every index; names that are numbers of an object stay. */
export function collapsed(value: Json | undefined, pointer: string): string {
  let at = value;
  let text = '';
  for (const part of pointerParts(pointer)) {
    if (Array.isArray(at)) {
      text += '/*';
      at = (at as readonly Json[])[Number(part)];
    } else {
      text += `/${pointerPart(part)}`;
      at = isJsonObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
    }
  }
  return text;
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

/** What stands at one collapsed pointer. */
export interface Shape {
  /** How often it is there. */
  count: number;
  /** How many objects or lists there are that could have it. */
  parents: number;
  readonly types: Set<JsonType>;
}

/** All collapsed pointers of a body, the root as the empty one. */
export function shapesOf(body: Json): ReadonlyMap<string, Shape> {
  const shapes = new Map<string, Shape>();
  const parents = new Map<string, number>();
  const visit = (value: Json, pointer: string): void => {
    const known = shapes.get(pointer) ?? { count: 0, parents: 0, types: new Set<JsonType>() };
    known.count += 1;
    known.types.add(typeOf(value));
    shapes.set(pointer, known);
    if (Array.isArray(value)) {
      for (const item of value as readonly Json[]) visit(item, `${pointer}/*`);
    } else if (isJsonObject(value)) {
      parents.set(pointer, (parents.get(pointer) ?? 0) + 1);
      for (const [name, member] of Object.entries(value)) {
        if (member !== undefined) visit(member, `${pointer}/${pointerPart(name)}`);
      }
    }
  };
  visit(body, '');
  for (const [pointer, shape] of shapes) {
    shape.parents = parents.get(pointer.slice(0, pointer.lastIndexOf('/'))) ?? 0;
  }
  return shapes;
}
