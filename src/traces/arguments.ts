import type { Json } from '../base/json.ts';
import { isTooDeep } from './depth.ts';
import { parsePythonLiteral } from './python-literal.ts';
import type { TraceArguments } from './types.ts';

/** Arguments that a format writes as JSON text, as OpenAI does. Absent and null mean not captured. */
export function argumentsOfText(raw: Json | undefined): TraceArguments {
  if (raw === undefined || raw === null) return { kind: 'not-captured' };
  if (typeof raw !== 'string') return { kind: 'json', value: raw };
  const value = parsedJson(raw);
  return value === undefined ? { kind: 'malformed', text: raw } : { kind: 'json', value };
}

/** Arguments that a format writes as a value. A text is a value too; only what is absent is not captured. */
export function argumentsOfValue(raw: Json | undefined): TraceArguments {
  return raw === undefined ? { kind: 'not-captured' } : { kind: 'json', value: raw };
}

/** Arguments as instrumentations write them: a value, JSON text, or the `repr` of a Python dict. */
export function argumentsOfSpan(raw: Json | undefined): TraceArguments {
  const read = argumentsOfText(raw);
  if (read.kind !== 'malformed') return read;
  const value = parsePythonLiteral(read.text);
  return value === undefined ? read : { kind: 'json', value };
}

/** JSON of a text; undefined when it is none, or nested beyond anything that a tool takes. */
export function parsedJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** A result: JSON where the text is an object or a list, else the text as it is. */
export function resultValue(raw: Json | undefined): Json {
  if (typeof raw !== 'string') return raw ?? null;
  return /^\s*[[{]/u.test(raw) ? (parsedJson(raw) ?? raw) : raw;
}
