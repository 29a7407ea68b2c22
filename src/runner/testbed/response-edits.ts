import type { Json } from '../../base/json.ts';
import type { SeededRandom } from '../../base/random.ts';
import type { FaultEffect } from '../../faults/index.ts';
import type { ChangeRecord } from '../../trajectory/index.ts';
import type { Candidates } from './call-edits.ts';
import type { CleanRun } from './clean.ts';
import { inventedLike } from './invented.ts';
import type { Edit } from './types.ts';
import { eachLeaf, nameOf, type ValuePath } from './values.ts';

/** A call to strike, and what it was answered in the clean run. */
interface Struck {
  readonly clean: CleanRun;
  readonly at: number;
  readonly answer: Json;
  readonly random: SeededRandom;
  /** Whether to look first at what something later is made of, so that the fault flows on. */
  readonly flowing: boolean;
}

/** Which calls an effect is tried on. */
type On = 'read' | 'write' | 'any';

/** Ways in which an effect could strike a call; none where it cannot. */
type EffectsOf = (struck: Struck) => readonly FaultEffect[];

const always =
  (effect: FaultEffect): EffectsOf =>
  () => [effect];

/** One line for each kind of fault: what strikes the answer to a call. */
const EFFECTS_BY_KIND: Readonly<Record<string, readonly [On, EffectsOf]>> = {
  'reject-429': ['any', always({ kind: 'reject', status: 429, retryAfterSeconds: 2 })],
  'reject-500': ['any', always({ kind: 'reject', status: 500 })],
  'reject-503': ['any', always({ kind: 'reject', status: 503, retryAfterSeconds: 5 })],
  'request-lost': ['any', always({ kind: 'request-lost' })],
  'response-lost': ['any', always({ kind: 'response-lost' })],
  'connection-reset': ['any', ({ random }) => [{ kind: 'connection-reset', committed: random.chance(0.5) }]],
  'body-malformed': ['any', always({ kind: 'body-malformed' })],
  'body-truncated': ['any', always({ kind: 'body-truncated' })],
  'body-empty': ['any', always({ kind: 'body-empty' })],
  'write-dropped': ['write', always({ kind: 'write-dropped' })],
  'write-duplicated': ['write', always({ kind: 'write-duplicated' })],
  'write-partial': ['write', always({ kind: 'write-partial' })],
  'write-lagging': ['write', laggingWrites],
  'side-effect-lost': ['write', sideEffects],
  'concurrent-write': ['any', concurrentWrites],
  'read-stale': ['read', staleReads],
  'row-wrong': ['read', always({ kind: 'row-wrong' })],
  'ids-swapped': ['read', always({ kind: 'ids-swapped' })],
  'list-truncated': ['read', always({ kind: 'list-truncated' })],
  'page-missing': ['read', always({ kind: 'page-missing' })],
  'total-wrong': ['read', (struck) => onPaths(struck, isWhole, (path) => ({ kind: 'total-wrong', path }))],
  'unit-wrong': ['any', (struck) => onPaths(struck, isAmount, (path) => ({ kind: 'unit-wrong', path }))],
  'flag-flipped': ['any', always({ kind: 'flag-flipped' })],
  'field-nulled': [
    'any',
    (struck) => onPaths(struck, isAnything, (path) => ({ kind: 'field-nulled', path })),
  ],
  'text-altered': ['any', alteredTexts],
};

/** The edits of answers, by kind: a fault rule that strikes one step. */
export const RESPONSE_EDITS: Readonly<Record<string, Candidates>> = Object.fromEntries(
  Object.entries(EFFECTS_BY_KIND).map(([kind, [on, effectsOf]]): [string, Candidates] => [
    kind,
    (clean, random) => struckCalls(kind, { on, effectsOf }, { clean, random }),
  ]),
);

function* struckCalls(
  kind: string,
  { on, effectsOf }: { readonly on: On; readonly effectsOf: EffectsOf },
  { clean, random }: { readonly clean: CleanRun; readonly random: SeededRandom },
): Generator<Edit> {
  const drawn = random.shuffle([...clean.plan.calls.entries()]);
  const flowing = random.chance(0.5);
  // Half of the time first where something later is made of the answer; else anywhere: faults do not choose.
  if (flowing) drawn.sort(([one], [other]) => flowsFrom(clean, other) - flowsFrom(clean, one));
  for (const [at, planned] of drawn) {
    const effect = clean.tools.get(planned.tool)?.effect;
    if (!planned.ok || (on !== 'any' && on !== effect)) continue;
    for (const effectOfIt of effectsOf({ clean, at, answer: planned.answer, random, flowing })) {
      const rule = { id: 'testbed', match: { step: at }, effect: effectOfIt, label: kind };
      const shows = effectOfIt.kind === 'write-lagging' ? { showsWithin: effectOfIt.calls } : {};
      yield { kind, side: 'response', at, step: at, rule, ...shows };
    }
  }
}

function flowsFrom({ plan }: CleanRun, at: number): number {
  return plan.flows.has(at) ? 1 : 0;
}

const TRIED_MOST = 3;

type Fits = (leaf: Json, name: string) => boolean;

const isAnything: Fits = (leaf) => leaf !== '';
const isAmount: Fits = (leaf, name) =>
  typeof leaf === 'number' &&
  leaf !== 0 &&
  (!Number.isInteger(leaf) || /amount|price|total|cost|balance|paid|remaining|fee/iu.test(name));
const isWhole: Fits = (leaf, name) =>
  typeof leaf === 'number' && Number.isInteger(leaf) && /count|total|size|remaining|number_of/iu.test(name);

/** An effect at places of the answer that fit. */
function onPaths(struck: Struck, fits: Fits, effectAt: (path: string) => FaultEffect): FaultEffect[] {
  return placesOf(struck, fits).map(({ path }) => effectAt(path.join('.')));
}

function placesOf(
  { clean, at, answer, random, flowing: flowingFirst }: Struck,
  fits: Fits,
): readonly { readonly path: ValuePath; readonly leaf: Json }[] {
  const found: { path: ValuePath; leaf: Json }[] = [];
  eachLeaf(answer, (leaf, path) => {
    const isPlain = path.every((part) => typeof part === 'number' || !part.includes('.'));
    if (isPlain && path.length > 0 && fits(leaf, nameOf(path))) found.push({ path, leaf });
  });
  const flowing = new Set(clean.plan.flows.get(at) ?? []);
  const drawn = random.shuffle(found);
  if (!flowingFirst) return drawn.slice(0, TRIED_MOST);
  const isFlowing = ({ path }: { readonly path: ValuePath }): boolean => flowing.has(path.join('.'));
  return [...drawn.filter(isFlowing), ...drawn.filter((one) => !isFlowing(one))].slice(0, TRIED_MOST);
}

const LAG_CALLS = 3;

/** A write that is followed by a read soon enough to miss it. */
function laggingWrites({ clean, at }: Struck): readonly FaultEffect[] {
  const soon = clean.plan.calls.slice(at + 1, at + 1 + LAG_CALLS);
  const isFollowed = soon.some(({ tool }) => clean.tools.get(tool)?.effect === 'read');
  return isFollowed ? [{ kind: 'write-lagging', calls: LAG_CALLS }] : [];
}

/** A write that sets something off: an event, or rows of another table than the one that it changes. */
function sideEffects({ clean, at, random }: Struck): readonly FaultEffect[] {
  const { events = [], diff = [] } = clean.trajectory.steps[at] ?? {};
  if (events.length > 0) return [{ kind: 'side-effect-lost' }];
  const changes = diff.filter(({ table }) => clean.prepared.shape[table]?.ambient !== true);
  const changed = new Set(changes.filter(isUpdate).map(({ table }) => table));
  const added = new Set(changes.filter(({ op }) => op === 'insert').map(({ table }) => table));
  const besides = [...added].filter((table) => !changed.has(table));
  if (besides.length === 0 || added.size + changed.size < 2) return [];
  return [{ kind: 'side-effect-lost', tables: [random.pick(besides)] }];
}

/** A read as it was before one of the writes before it. */
function staleReads({ clean, at, random }: Struck): readonly FaultEffect[] {
  const writes = clean.trajectory.steps.slice(0, at).filter(({ diff }) => diff.length > 0);
  if (writes.length === 0) return [];
  return [{ kind: 'read-stale', ofStep: random.pick(writes).index }];
}

/** A text with words exchanged; one of a single word, such as a status, becomes another that answers had. */
function alteredTexts(struck: Struck): readonly FaultEffect[] {
  const isText: Fits = (leaf) => typeof leaf === 'string' && /\p{L}{3}/u.test(leaf) && !leaf.includes('://');
  return placesOf(struck, isText).map(({ path, leaf }): FaultEffect => {
    const at = path.join('.');
    if (/\p{L}\s+\p{L}/u.test(String(leaf))) return { kind: 'text-altered', path: at };
    const others = struck.clean.plan.values.namedLike(path).filter((other) => other !== leaf);
    const to = others.length > 0 ? struck.random.pick(others) : inventedText(String(leaf), struck);
    return { kind: 'text-altered', path: at, to };
  });
}

function inventedText(leaf: string, { clean, random }: Struck): string {
  const isKnown = (text: string): boolean => clean.plan.values.of(text).length > 0;
  return String(inventedLike(leaf, random, isKnown) ?? `${leaf}x`);
}

/** Somebody else changes a number or a text of a row that the run itself changes from here on. */
function concurrentWrites({ clean, at, random }: Struck): readonly FaultEffect[] {
  const { steps } = clean.trajectory;
  const updates = steps.slice(at).flatMap(({ diff }) => diff.filter(isUpdate));
  return random
    .shuffle(updates)
    .slice(0, TRIED_MOST)
    .flatMap((change): FaultEffect[] => {
      const { primaryKey } = clean.prepared.shape[change.table] ?? {};
      const cells = Object.entries(change.cells).filter(([, { from }]) => typeof from === 'number');
      const [cell] = random.shuffle(cells);
      if (!primaryKey || !cell) return [];
      const [column, { from }] = cell;
      const keys = Array.isArray(change.key) ? (change.key as readonly Json[]) : [change.key];
      const where = Object.fromEntries(primaryKey.map((name, index) => [name, keys[index] ?? null]));
      return [{ kind: 'concurrent-write', table: change.table, where, set: { [column]: Number(from) + 1 } }];
    });
}

function isUpdate(change: ChangeRecord): change is Extract<ChangeRecord, { readonly op: 'update' }> {
  return change.op === 'update';
}
