import type { Json, JsonObject } from '../../base/json.ts';

/** Sets a member whatever its name is: `__proto__` from a client is data, never a prototype. */
export function setMember(target: Record<string, Json>, name: string, value: Json): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Adds all members of `source`, in place of those of the same name. */
export function addMembers(target: Record<string, Json>, source: JsonObject): void {
  for (const name of Object.keys(source)) {
    const value = source[name];
    if (value !== undefined) setMember(target, name, value);
  }
}
