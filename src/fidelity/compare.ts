import { isJsonObject, type Json, jsonEqual } from '../base/json.ts';
import { compareErrors } from './compare-errors.ts';
import { compareHeaders } from './compare-headers.ts';
import { compareLists } from './compare-lists.ts';
import { compareStrictly } from './compare-strict.ts';
import type { IdentifierMap } from './identifiers.ts';
import { collapsed, pointerParts, type Shape, shapesOf, valueAt } from './pointers.ts';
import type { PublishedMembers } from './published.ts';
import { Tally } from './tally.ts';
import type { Answered, Comparison, CorpusRecord } from './types.ts';
import { isAddress, plainAddress } from './volatile.ts';

/** What is known of a scenario when one of its answers is compared. */
export interface CompareContext {
  readonly identifiers: IdentifierMap;
  /** Recorded ids of what the scenario made, this exchange with it. */
  readonly created: ReadonlySet<Json>;
  /** `name=value` of all that the requests so far said, this one with them. */
  readonly said: ReadonlySet<string>;
  /** What the vendor publishes of the operation's answers; inventions are not looked for without it. */
  readonly published?: PublishedMembers | undefined;
  /** False for stand-ins that are bodies alone. */
  readonly headers: boolean;
  /** False where the numbers of list items are not compared; true when left out. */
  readonly counts?: boolean;
}

/**
 * Compares an answer with the recorded one, by the rules 1 to 8 of the corpus: status, error, presence,
 * types, inventions, headers, determined values, and every leaf.
 */
export function compareExchange(record: CorpusRecord, answer: Answered, context: CompareContext): Comparison {
  const tally = new Tally();
  const { response, era } = record;
  tally.check(
    { kind: 'status', at: '', expected: statusText(response), got: statusText(answer) },
    response.status === answer.status,
  );
  compareErrors(tally, response, answer);
  const lists = compareLists(tally, { record, body: answer.body, context }, answer);
  const seen = { record, body: lists, context };
  compareShapes(tally, seen);
  if (era === 'current' && context.published) inventions(tally, seen, context.published);
  if (context.headers) compareHeaders(tally, record, answer.headers);
  compareDetermined(tally, seen);
  compareStrictly(tally, seen);
  return tally.result();
}

/** A status, and what an error says. */
function statusText({ status, body }: Answered): string {
  const { message } = isJsonObject(body) ? body : {};
  return status >= 400 && typeof message === 'string' ? `${status} ${message}` : String(status);
}

/** An answer's body, its lists cut as the recorded ones are, and what it is compared with. */
export interface Compared {
  readonly record: CorpusRecord;
  readonly body: Json;
  readonly context: CompareContext;
}

/** Rules 3 and 4: every recorded member is there, on as large a share of the items, with the same type. */
function compareShapes(tally: Tally, { record, body, context }: Compared): void {
  const theirs = shapesOf(record.response.body);
  const ours = shapesOf(body);
  const fixed = new Set(record.determined.map((pointer) => collapsed(record.response.body, pointer)));
  for (const [pointer, shape] of theirs) {
    const own = ours.get(pointer);
    const isMember = pointer !== '' && !pointer.endsWith('/*');
    if (isMember) {
      const share = shape.parents === 0 ? 0 : shape.count / shape.parents;
      const holds = own !== undefined && own.parents > 0 && own.count / own.parents >= share;
      tally.check(
        {
          kind: 'presence',
          at: pointer,
          expected: [...shape.types],
          got: own ? 'on fewer items' : undefined,
        },
        holds,
      );
    }
    if (!own) continue;
    const nullMatters = () => fixed.has(pointer) || isSaid(record, pointer, context);
    tally.check(
      {
        kind: 'type',
        at: pointer,
        expected: [...shape.types].join(' or '),
        got: [...own.types].join(' or '),
      },
      typesAgree(shape, own, nullMatters),
    );
  }
}

function typesAgree(theirs: Shape, ours: Shape, nullMatters: () => boolean): boolean {
  for (const type of ours.types) {
    if (theirs.types.has(type)) continue;
    const onlyNull = type === 'null' || (theirs.types.size === 1 && theirs.types.has('null'));
    if (!onlyNull || nullMatters()) return false;
  }
  return true;
}

/** Whether a request of the scenario said what stands at a pointer of the recorded body. */
function isSaid(record: CorpusRecord, pointer: string, { said }: CompareContext): boolean {
  const name = pointerParts(pointer).at(-1) ?? '';
  if (name === '*' || pointer.includes('*')) return false;
  const value = valueAt(record.response.body, pointer);
  return value !== undefined && value !== null && said.has(saidKey(name, value));
}

/** How a member of a request is remembered. */
export function saidKey(name: string, value: Json): string {
  return `${name}=${JSON.stringify(value)}`;
}

/** Rule 5: a member that the recording has not is one that the vendor publishes. */
function inventions(tally: Tally, { record, body }: Compared, published: PublishedMembers): void {
  const known = shapesOf(record.response.body);
  const status = record.response.status;
  for (const pointer of shapesOf(body).keys()) {
    if (pointer === '' || pointer.endsWith('/*') || known.has(pointer)) continue;
    // Told once, where it begins.
    if (tally.has('invention', pointer.slice(0, pointer.lastIndexOf('/')))) continue;
    if (record.operation === null) continue;
    const isPublished = published.has(record.operation, status, pointer);
    tally.check({ kind: 'invention', at: pointer, got: 'a member that is not published' }, isPublished);
  }
}

/** Rule 7: what the request fixed has the recorded value. */
function compareDetermined(tally: Tally, { record, body, context }: Compared): void {
  for (const pointer of record.determined) {
    const expected = valueAt(record.response.body, pointer);
    if (expected === undefined) continue;
    const got = valueAt(body, pointer);
    const name = pointerParts(pointer).at(-1) ?? '';
    const isCut = record.response.cuts.some(({ at, why }) => at === pointer && why !== 'array');
    const holds = isCut ? isPrefix(expected, got) : isFixed(expected, got, { name, context });
    tally.check({ kind: 'determined', at: collapsed(record.response.body, pointer), expected, got }, holds);
  }
}

function isFixed(
  expected: Json,
  got: Json | undefined,
  { name, context }: { readonly name: string; readonly context: CompareContext },
): boolean {
  if (got === undefined) return false;
  if (jsonEqual(expected, got)) return true;
  if (isJsonObject(expected) || Array.isArray(expected)) return false;
  if (jsonEqual(context.identifiers.valueFor(expected, name), got)) return true;
  if (typeof expected !== 'string' || typeof got !== 'string' || !isAddress(expected)) return false;
  return isAddress(got) && plainAddress(expected) === plainAddress(got);
}

function isPrefix(expected: Json, got: Json | undefined): boolean {
  return typeof expected === 'string' && typeof got === 'string' && got.startsWith(expected);
}
