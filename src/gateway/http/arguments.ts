import { isAscii, isUtf8 } from 'node:buffer';
import { Busboy } from '@fastify/busboy';
import qs from 'qs';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { inputProblem } from '../../session/index.ts';
import { setMember } from './members.ts';

/** What a body says: JSON as it came, texts of a form, or something that is neither. */
export type Arguments =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'texts'; readonly value: JsonObject }
  | { readonly kind: 'malformed'; readonly text: string };

/** Parameters of one query or form, and how deep brackets may nest. */
const PARAMETERS_MOST = 1_000;
const NESTING_MOST = 10;
/** How much of a body that could not be read is recorded, in characters. */
const MALFORMED_MOST = 100_000;
/** JSON shorter than this cannot be nested too deep: each level takes two characters. */
const SHALLOW_LENGTH = 200;
/** Values in one body, members and items: what becomes of more would hold everyone else up for seconds. */
const VALUES_MOST = 100_000;
/** Only a number with an exponent can be too large in a short text: JSON has no word for infinity. */
const EXPONENT = /\d[eE]/u;

/** A name, or a part of one in brackets. */
const PROTOTYPE = /(?:^|[[\]])__proto__(?:$|[[\]])/u;

const NONE: Arguments = { kind: 'none' };

/** Reads a query. */
export function queryArguments(query: string): Arguments {
  if (query === '') return NONE;
  const value = formMembers(query);
  return value ? { kind: 'texts', value } : malformed(query);
}

/** Reads a body by its content type; what is JSON is taken as JSON, whatever it is called. */
export function bodyArguments(body: Buffer, contentType: string | undefined): Promise<Arguments> | Arguments {
  if (body.length === 0) return NONE;
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') return multipartArguments(body, contentType ?? '');
  const text = decoded(body);
  if (text === null) return malformed(body.toString('utf8'));
  if (type === 'application/x-www-form-urlencoded' && !/^\s*[[{]/u.test(text)) return formArguments(text);
  const json = jsonArguments(text);
  if (json.kind === 'malformed' && type === 'application/x-www-form-urlencoded') return formArguments(text);
  return json;
}

/** The text of a body, without a byte order mark; null when it is no UTF-8. */
function decoded(body: Buffer): string | null {
  if (isAscii(body)) return body.toString('latin1');
  if (!isUtf8(body)) return null;
  const text = body.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function jsonArguments(text: string): Arguments {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // Nothing but white space says nothing.
    return text.trim() === '' ? NONE : malformed(text);
  }
  return isTakeable(value, text) ? { kind: 'json', value } : malformed(text);
}

function isTakeable(value: Json, text: string): boolean {
  if (text.length < SHALLOW_LENGTH && !EXPONENT.test(text)) return true;
  // A value takes two characters, the comma with it.
  if (text.length > 2 * VALUES_MOST && hasTooManyValues(value)) return false;
  return inputProblem(value) === null;
}

function hasTooManyValues(value: Json): boolean {
  const left: unknown[] = [value];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const members = Object.values(next);
    count += members.length;
    if (count > VALUES_MOST) return true;
    for (const member of members) left.push(member);
  }
  return false;
}

function formArguments(text: string): Arguments {
  const value = formMembers(text);
  return value ? { kind: 'texts', value } : malformed(text);
}

function malformed(text: string): Arguments {
  return { kind: 'malformed', text: text.slice(0, MALFORMED_MOST) };
}

/** The members of a query or form; null when it exceeds a bound or names a prototype. */
function formMembers(text: string): JsonObject | null {
  let refused = false;
  try {
    const members = qs.parse(text, {
      // Objects without a prototype: no name can mean more than itself.
      plainObjects: true,
      depth: NESTING_MOST,
      strictDepth: true,
      parameterLimit: PARAMETERS_MOST,
      arrayLimit: PARAMETERS_MOST,
      throwOnLimitExceeded: true,
      decoder: (...[part, decode, charset, kind]) => {
        const name: unknown = decode(part, decode, charset);
        // The library drops this name silently; a client should be told.
        if (kind === 'key' && PROTOTYPE.test(String(name))) refused = true;
        return name;
      },
    });
    return refused ? null : (members as unknown as JsonObject);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A form with files: a file becomes `{filename, contentType, content}`, its content in base64. */
function multipartArguments(body: Buffer, contentType: string): Promise<Arguments> {
  const refused = (): Arguments => malformed(body.toString('utf8'));
  return new Promise((resolve) => {
    const names: string[] = [];
    const values: Json[] = [];
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          parts: PARAMETERS_MOST,
          fieldNameSize: 1_000,
          fieldSize: body.length,
          fileSize: body.length,
        },
      });
    } catch {
      resolve(refused());
      return;
    }
    parser.on('field', (name, value) => {
      names.push(name);
      values.push(value);
    });
    parser.on('file', (...[name, stream, filename, , type]) => {
      const chunks: Buffer[] = [];
      const place = names.push(name) - 1;
      values.push(null);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        values[place] = { filename, contentType: type, content: Buffer.concat(chunks).toString('base64') };
      });
      stream.on('error', () => resolve(refused()));
    });
    parser.on('partsLimit', () => resolve(refused()));
    parser.on('error', () => resolve(refused()));
    parser.on('finish', () => {
      const value = named(names, values);
      resolve(value ? { kind: 'texts', value } : refused());
    });
    parser.end(body);
  });
}

/** Values under their names, brackets and repetitions understood as in any other form. */
function named(names: readonly string[], values: readonly Json[]): JsonObject | null {
  const places = names.map((name, index) => `${encodeURIComponent(name)}=${index}`).join('&');
  const members = formMembers(places);
  return members && (withValues(members, values) as JsonObject);
}

function withValues(place: Json, values: readonly Json[]): Json {
  if (typeof place === 'string') return values[Number(place)] ?? null;
  if (Array.isArray(place)) return place.map((item: Json) => withValues(item, values));
  if (!isJsonObject(place)) return place;
  const members: Record<string, Json> = {};
  for (const [name, member] of Object.entries(place)) {
    if (member !== undefined) setMember(members, name, withValues(member, values));
  }
  return members;
}
