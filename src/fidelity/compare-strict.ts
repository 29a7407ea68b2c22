import { isJsonObject, type Json, type JsonObject, jsonEqual } from '../base/json.ts';
import type { Compared } from './compare.ts';
import { pointerPart } from './pointers.ts';
import type { Tally } from './tally.ts';
import { comparableLeaf, isAddress, type LeafOptions } from './volatile.ts';

/** Rule 8: every leaf of the recorded body that is not volatile, redacted or cut has an equal value here. */
export function compareStrictly(tally: Tally, { record, body, context }: Compared): void {
  const { response, era } = record;
  const texts = new Map(response.cuts.flatMap(({ at, why }) => (why === 'array' ? [] : [[at, why]])));
  const sizesDiffer = response.cuts.some(({ why }) => why === 'content');
  const visit = (theirs: Json, ours: Json | undefined, place: Place): void => {
    if (Array.isArray(theirs)) {
      const items = Array.isArray(ours) ? (ours as readonly Json[]) : [];
      for (const [index, item] of (theirs as readonly Json[]).entries()) {
        visit(item, items[index], {
          ...place,
          pointer: `${place.pointer}/${index}`,
          pattern: `${place.pattern}/*`,
        });
      }
    } else if (isJsonObject(theirs)) {
      const countsOwn = isOwn(theirs, context.created);
      for (const [name, member] of Object.entries(theirs)) {
        const part = pointerPart(name);
        const own = isJsonObject(ours) && Object.hasOwn(ours, name) ? ours[name] : undefined;
        if (member === undefined) continue;
        visit(member, own, {
          name,
          countsOwn,
          pointer: `${place.pointer}/${part}`,
          pattern: `${place.pattern}/${part}`,
        });
      }
    } else {
      leaf(theirs, ours, place);
    }
  };
  const leaf = (theirs: Json, ours: Json | undefined, place: Place): void => {
    const cut = texts.get(place.pointer);
    const options: LeafOptions = {
      countsOwn: place.countsOwn,
      sizesDiffer,
      exactDocumentation: era === 'current',
    };
    const expected = comparableLeaf(place.name, theirs, options);
    if (expected === undefined || (cut !== undefined && cut !== 'text')) return;
    if (ours === undefined && tally.has('presence', place.pattern)) {
      tally.lose();
      return;
    }
    const holds =
      cut === 'text' ? startsAlike(theirs, ours) : equalLeaf(expected, ours, { name: place.name, options });
    tally.check({ kind: 'strict', at: place.pattern, expected: theirs, got: ours }, holds);
  };
  visit(response.body, body, { name: '', countsOwn: false, pointer: '', pattern: '' });
}

/** Whether an object was made in the scenario, or counts a list whose items all were. */
function isOwn(value: JsonObject, created: ReadonlySet<Json>): boolean {
  const isMade = (item: Json): boolean =>
    isJsonObject(item) && [item.id, item.node_id, item.sha].some((id) => id !== undefined && created.has(id));
  if (isMade(value)) return true;
  const lists = Object.values(value).filter((member) =>
    Array.isArray(member),
  ) as readonly (readonly Json[])[];
  return lists.length === 1 && lists.every((items) => items.length > 0 && items.every(isMade));
}

interface Place {
  readonly name: string;
  readonly countsOwn: boolean;
  readonly pointer: string;
  readonly pattern: string;
}

function equalLeaf(
  expected: Json,
  ours: Json | undefined,
  { name, options }: { readonly name: string; readonly options: LeafOptions },
): boolean {
  if (ours === undefined) return false;
  return jsonEqual(expected, comparableLeaf(name, ours, options));
}

function startsAlike(theirs: Json, ours: Json | undefined): boolean {
  return (
    typeof theirs === 'string' && typeof ours === 'string' && (ours.startsWith(theirs) || isAddress(theirs))
  );
}
