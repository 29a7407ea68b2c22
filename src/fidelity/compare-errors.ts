import { compareText, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Tally } from './tally.ts';
import type { Answered } from './types.ts';
import { plainMessage } from './volatile.ts';

/**
 * Rule 2: an error says the same, and lists the same. What identifies an error is told by the form of the
 * recorded one: `message` and `errors`, an `error` that is a text or an object, `errorCode` with its causes,
 * or a `name` with details.
 */
export function compareErrors(tally: Tally, recorded: Answered, answer: Answered): void {
  const theirs = recorded.body;
  if (!isJsonObject(theirs) || (recorded.status < 400 && theirs.ok !== false)) return;
  const ours = isJsonObject(answer.body) ? answer.body : {};
  if (typeof theirs.error === 'string') compareWord(tally, theirs, ours);
  else if (isJsonObject(theirs.error)) compareObject(tally, theirs.error, ours.error);
  else if (typeof theirs.errorCode === 'string') compareCoded(tally, theirs, ours);
  else if (typeof theirs.name === 'string') compareNamed(tally, theirs, ours);
  else compareMessage(tally, theirs, ours);
}

/** `{message, errors: [{resource, code, field, message}]}`. */
function compareMessage(tally: Tally, theirs: JsonObject, ours: JsonObject): void {
  const { message } = theirs;
  check(tally, '/message', { expected: message, got: ours.message });
  const parts = ['resource', 'code', 'field', 'message'];
  compareItems(tally, { at: '/errors', parts, isOptional: false }, [theirs.errors, ours.errors]);
}

/** `{ok: false, error, needed, provided, response_metadata: {messages}}`. */
function compareWord(tally: Tally, theirs: JsonObject, ours: JsonObject): void {
  check(tally, '/error', { expected: theirs.error, got: ours.error });
  for (const name of ['needed', 'provided']) {
    const expected = theirs[name];
    if (expected === undefined) continue;
    tally.check({ kind: 'error', at: `/${name}`, expected, got: ours[name] }, ours[name] !== undefined);
  }
  const messagesOf = ({ response_metadata: metadata }: JsonObject): Json | undefined =>
    isJsonObject(metadata) ? metadata.messages : undefined;
  const about = { at: '/response_metadata/messages', parts: [], isOptional: true };
  compareItems(tally, about, [messagesOf(theirs), messagesOf(ours)]);
}

/** `{error: {type, code, decline_code, param, status_code, message}}`; words count where there is a type. */
function compareObject(tally: Tally, theirs: JsonObject, given: Json | undefined): void {
  const ours = isJsonObject(given) ? given : {};
  const identifying = ['type', 'code', 'decline_code', 'param', 'status_code'];
  const names = theirs.type === undefined ? identifying : [...identifying, 'message'];
  for (const name of names) {
    const expected = theirs[name];
    const got = ours[name];
    if (expected !== undefined || got !== undefined) check(tally, `/error/${name}`, { expected, got });
  }
}

/** `{errorCode, errorSummary, errorCauses: [{errorSummary}]}`. */
function compareCoded(tally: Tally, theirs: JsonObject, ours: JsonObject): void {
  for (const name of ['errorCode', 'errorSummary']) {
    check(tally, `/${name}`, { expected: theirs[name], got: ours[name] });
  }
  const about = { at: '/errorCauses', parts: ['errorSummary'], isOptional: true };
  compareItems(tally, about, [theirs.errorCauses, ours.errorCauses]);
}

/** `{name, details: [{issue, field}]}`. */
function compareNamed(tally: Tally, theirs: JsonObject, ours: JsonObject): void {
  check(tally, '/name', { expected: theirs.name, got: ours.name });
  const about = { at: '/details', parts: ['issue', 'field'], isOptional: true };
  compareItems(tally, about, [theirs.details, ours.details]);
}

function check(
  tally: Tally,
  at: string,
  sides: { readonly expected: Json | undefined; readonly got: Json | undefined },
): void {
  const { expected, got } = sides;
  const holds =
    typeof expected === 'string' && typeof got === 'string'
      ? plain(expected) === plain(got)
      : expected === got;
  tally.check({ kind: 'error', at, expected, got }, holds);
}

/** Lists of an error: both or neither, as long, and the same items in any order. */
function compareItems(
  tally: Tally,
  {
    at,
    parts,
    isOptional,
  }: { readonly at: string; readonly parts: readonly string[]; readonly isOptional: boolean },
  [theirs, ours]: readonly [Json | undefined, Json | undefined],
): void {
  if (isOptional && theirs === undefined) return;
  const listed = Array.isArray(theirs) ? (theirs as readonly Json[]) : undefined;
  const own = Array.isArray(ours) ? (ours as readonly Json[]) : undefined;
  const isAlike = (theirs === undefined) === (ours === undefined) && listed?.length === own?.length;
  tally.check({ kind: 'error', at, expected: theirs, got: ours }, isAlike);
  if (!listed || listed.length !== own?.length) return;
  const expected = listed.map((item) => identity(item, parts)).toSorted(compareText);
  const got = own.map((item) => identity(item, parts)).toSorted(compareText);
  for (const [index, item] of expected.entries()) {
    tally.check({ kind: 'error', at: `${at}/*`, expected: item, got: got[index] }, item === got[index]);
  }
}

/** What an item of a list says, as one text. */
function identity(item: Json, parts: readonly string[]): string {
  if (!isJsonObject(item) || parts.length === 0) return plain(JSON.stringify(item));
  return parts.map((part) => `${part}: ${plain(JSON.stringify(item[part] ?? null))}`).join(', ');
}

/** A message without ids and hashes, those with a prefix such as `cus_` too. */
function plain(text: string): string {
  return plainMessage(text).replaceAll(/\b[a-z]{2,6}_[A-Za-z0-9]{8,}\b/gu, '·');
}
