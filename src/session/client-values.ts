import { invariant } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { parseInput } from '../service/run.ts';
import type { Callable } from './toolbox.ts';

/**
 * Values of the client's own making that no digest may depend on, such as random idempotency keys: an
 * immutable list, newest first, that forks share. Below the door each goes by a name that counts first
 * appearances. So the names are the same whatever the values are, equal values stay equal, and a replay, in
 * which the names are the values, gives the same names again.
 */
export interface ClientValues {
  readonly value: string;
  /** `unhashed-1`, `unhashed-2`, … */
  readonly name: string;
  /** Position from 1. */
  readonly position: number;
  readonly older: ClientValues | null;
}

/** Arguments with names in place of the client's own values, and all values known by now. */
export interface NamedInput {
  readonly input: Json;
  readonly values: ClientValues | null;
}

/**
 * Puts names in place of the values that the callable leaves out of digests. One that its schema refuses
 * stays: it is the reason for the answer.
 */
export function nameClientValues(
  callable: Callable | undefined,
  input: Json,
  known: ClientValues | null,
): NamedInput {
  const unnamed = { input, values: known };
  if (!callable || callable.unhashed.length === 0 || !isJsonObject(input)) return unnamed;
  const present = callable.unhashed.filter((member) => typeof input[member] === 'string');
  if (present.length === 0) return unnamed;
  const refused = refusedMembers(callable, input);
  let values = known;
  const named: Record<string, Json | undefined> = { ...input };
  for (const member of present) {
    if (refused.has(member)) continue;
    const value = String(input[member]);
    const entry = findValue(values, value) ?? newest(values, value);
    if (entry.older === values) values = entry;
    named[member] = entry.name;
  }
  const unfit = [...refusedMembers(callable, named)].find((member) => !refused.has(member));
  invariant(
    unfit === undefined,
    `${callable.name}: the schema of an unhashed input must take any short text`,
    {
      member: unfit ?? null,
    },
  );
  return { input: named, values };
}

/** An answer for the client, with its own values where the answer repeats them. */
export function withClientValues(body: Json, values: ClientValues | null): Json {
  if (values === null || body === null) return body;
  if (typeof body === 'string') return findName(values, body)?.value ?? body;
  if (Array.isArray(body)) return body.map((item: Json) => withClientValues(item, values));
  if (!isJsonObject(body)) return body;
  const members = Object.entries(body).map(([key, member]): [string, Json | undefined] => [
    key,
    member === undefined ? undefined : withClientValues(member, values),
  ]);
  return Object.fromEntries(members);
}

function refusedMembers(callable: Callable, input: Json): ReadonlySet<string> {
  const parsed = parseInput(callable.input, input);
  return new Set('issues' in parsed ? parsed.issues.map(({ path }) => path) : []);
}

function newest(known: ClientValues | null, value: string): ClientValues {
  const position = (known?.position ?? 0) + 1;
  return { value, name: `${NAMED}${position}`, position, older: known };
}

const NAMED = 'unhashed-';

function findValue(known: ClientValues | null, value: string): ClientValues | null {
  let entry = known;
  while (entry && entry.value !== value) entry = entry.older;
  return entry;
}

function findName(known: ClientValues | null, name: string): ClientValues | null {
  let entry = name.startsWith(NAMED) ? known : null;
  while (entry && entry.name !== name) entry = entry.older;
  return entry;
}
