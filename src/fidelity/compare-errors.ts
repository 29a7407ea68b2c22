import { compareText, isJsonObject, type Json } from '../base/json.ts';
import type { Tally } from './tally.ts';
import type { Answered } from './types.ts';
import { plainMessage } from './volatile.ts';

const PARTS = ['resource', 'code', 'field', 'message'] as const;

/** Rule 2: an error says the same, and lists the same. */
export function compareErrors(tally: Tally, recorded: Answered, answer: Answered): void {
  if (recorded.status < 400) return;
  const theirs = recorded.body;
  const ours = answer.body;
  if (!isJsonObject(theirs)) return;
  const own = isJsonObject(ours) ? ours : {};
  tally.check(
    { kind: 'error', at: '/message', expected: theirs.message, got: own.message },
    same(theirs.message, own.message),
  );
  const listed = Array.isArray(theirs.errors) ? (theirs.errors as readonly Json[]) : undefined;
  const ownListed = Array.isArray(own.errors) ? (own.errors as readonly Json[]) : undefined;
  tally.check(
    { kind: 'error', at: '/errors', expected: theirs.errors, got: own.errors },
    (theirs.errors === undefined) === (own.errors === undefined) && listed?.length === ownListed?.length,
  );
  if (!listed || listed.length !== ownListed?.length) return;
  const expected = listed.map(identity).toSorted(compareText);
  const got = ownListed.map(identity).toSorted(compareText);
  for (const [index, item] of expected.entries()) {
    tally.check({ kind: 'error', at: '/errors/*', expected: item, got: got[index] }, item === got[index]);
  }
}

function same(theirs: Json | undefined, ours: Json | undefined): boolean {
  if (typeof theirs !== 'string' || typeof ours !== 'string') return theirs === ours;
  return plainMessage(theirs) === plainMessage(ours);
}

/** What an item of `errors` says, as one text. */
function identity(item: Json): string {
  if (!isJsonObject(item)) return plainMessage(JSON.stringify(item));
  return PARTS.map((part) => `${part}: ${plainMessage(JSON.stringify(item[part] ?? null))}`).join(', ');
}
