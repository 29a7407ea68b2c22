import { isJsonObject, type Json } from '../../base/json.ts';
import { differenceKind } from './difference.ts';
import type { Finding } from './types.ts';
import {
  type CallView,
  isIdName,
  isVolatileName,
  type RecordView,
  type RunView,
  type Scalar,
} from './view.ts';
import { plainName } from './words.ts';

interface Sighting {
  readonly call: CallView;
  readonly record: RecordView;
}

/** Members that hang on the asking, not on the thing: ranks, what is left of a quota, the state of a page. */
const RELATIVE = /score|rank|position|page|count|remaining_calls|permissions|node_id|url$/i;

/** One thing seen twice must be the same, unless something changed it in between. */
export function sightings(view: RunView): Finding[] {
  const last = new Map<string, Sighting>();
  const findings: Finding[] = [];
  for (const call of view.calls) {
    if (!call.ok) continue;
    const here = new Map<string, Sighting>();
    for (const record of call.records) {
      if (record.identity === '') continue;
      const key = `${record.identity} ${shapeOf(call, record)}`;
      if (here.has(key)) continue;
      here.set(key, { call, record });
      const earlier = last.get(key);
      if (earlier !== undefined && !call.write) findings.push(...changed(view, earlier, { call, record }));
    }
    for (const [key, sighting] of here) last.set(key, sighting);
    findings.push(...shrunk(view, call));
  }
  return findings;
}

/** Only answers of one kind say the same of a thing: of one operation, in one place. */
function shapeOf(call: CallView, record: RecordView): string {
  return call.write ? `write ${record.path}` : `${call.operation} ${record.path}`;
}

function changed(view: RunView, earlier: Sighting, later: Sighting): Finding[] {
  const names = Object.keys(earlier.record.object);
  const touched = isTouched(view, earlier, later);
  if (touched === 'itself') return [];
  const found: Finding[] = [];
  for (const name of names) {
    if (isVolatileName(name) || RELATIVE.test(name)) continue;
    const [before, after] = [earlier.record.object[name], later.record.object[name]];
    const difference = differs(before, after);
    if (difference === null) continue;
    found.push({
      step: later.call.index,
      kind: difference,
      rule: touched === 'nothing' ? 'sightings.unchanged' : 'sightings.elsewhere',
      subject: later.call.operation,
      evidence:
        `${name} of ${earlier.record.identity} was ${short(before)} at step ${earlier.call.index} ` +
        `and is ${short(after)}, with no write to it between`,
    });
    break;
  }
  return found;
}

function differs(before: Json | undefined, after: Json | undefined): Finding['kind'] | null {
  if (before === undefined) return null;
  if (after === undefined) return 'missing_field';
  if (Array.isArray(before) && Array.isArray(after)) {
    return after.length < before.length
      ? 'truncated_list'
      : after.length > before.length
        ? 'altered_value'
        : null;
  }
  if (typeof before === 'object' && before !== null) {
    return after === null ? 'null_field' : typeof after === 'object' ? null : 'retyped_field';
  }
  if (Object.is(before, after)) return null;
  if (typeof after === 'object' && after !== null) return before === null ? null : 'retyped_field';
  return differenceKind(before as Scalar, after as Scalar);
}

/** Whether a write came between two sightings: to the thing itself, to others only, or none. */
function isTouched(view: RunView, earlier: Sighting, later: Sighting): 'itself' | 'others' | 'nothing' {
  const ids = new Set(idsOf(earlier.record));
  let touched: 'itself' | 'others' | 'nothing' = 'nothing';
  for (const call of view.calls.slice(earlier.call.index, later.call.index)) {
    if (!call.write || (!call.ok && call.call.result !== null)) continue;
    const spoken = [...call.inputLeaves, ...call.outputLeaves].some(({ value }) => ids.has(String(value)));
    if (spoken) return 'itself';
    touched = 'others';
  }
  return touched;
}

function idsOf({ object }: RecordView): string[] {
  const found: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    if ((typeof value === 'string' || typeof value === 'number') && isIdName(name)) found.push(String(value));
    if (!isJsonObject(value)) continue;
    for (const [inner, member] of Object.entries(value)) {
      if (isIdName(inner) && (typeof member === 'string' || typeof member === 'number'))
        found.push(String(member));
    }
  }
  return found;
}

/** The same question again, with nothing written since, gives no fewer items. */
function shrunk(view: RunView, call: CallView): Finding[] {
  if (call.write || !Array.isArray(listOf(call.output))) return [];
  const earlier = view.calls.findLast(
    (one) => one.index < call.index && one.key === call.key && one.ok && Array.isArray(listOf(one.output)),
  );
  if (earlier === undefined) return [];
  if (view.calls.slice(earlier.index, call.index).some(({ write }) => write)) return [];
  const [before, after] = [listOf(earlier.output)?.length ?? 0, listOf(call.output)?.length ?? 0];
  if (before === after) return [];
  const step = after < before ? call.index : earlier.index;
  const evidence = `the same call gave ${before} items at step ${earlier.index}, here ${after}`;
  return [{ step, kind: 'truncated_list', rule: 'sightings.list', subject: call.operation, evidence }];
}

/** A bare list, or the only list among the members. */
function listOf(value: Json | undefined): readonly Json[] | null {
  if (Array.isArray(value)) return value as readonly Json[];
  if (!isJsonObject(value)) return null;
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  return lists.length === 1 ? (lists[0] as readonly Json[]) : null;
}

/** What a write set must be read afterwards, until something else sets it. */
export function readsAfterWrites(view: RunView): Finding[] {
  const findings: Finding[] = [];
  for (const write of view.calls) {
    if (!write.write || !write.ok || write.input === null) continue;
    const ids = write.inputLeaves.filter(({ name, value }) => isIdName(name) && value !== null);
    const values = write.inputLeaves.filter(
      ({ name, path, value }) =>
        path === name && !isIdName(name) && isSettable(value) && !isVolatileName(name),
    );
    if (ids.length === 0 || values.length === 0) continue;
    const found = readBack(view, write, { ids, values });
    if (found !== null) findings.push(found);
  }
  return findings;
}

function isSettable(value: Scalar): boolean {
  return value !== null && String(value).length <= 200;
}

interface Written {
  readonly ids: CallView['inputLeaves'];
  readonly values: CallView['inputLeaves'];
}

function readBack(view: RunView, write: CallView, { ids, values }: Written): Finding | null {
  for (const read of view.calls.slice(write.index + 1)) {
    if (read.write && read.ok) {
      if (ids.some(({ value }) => read.inputLeaves.some((leaf) => leaf.value === value))) return null;
      continue;
    }
    if (read.write || !read.ok) continue;
    for (const { object } of read.records) {
      const holds = ids.every(({ name, value }) => hasMember(object, name, value));
      if (!holds) continue;
      const wrong = values.find(({ name, value }) => {
        const member = object[name];
        return member !== undefined && typeof member !== 'object' && String(member) !== String(value);
      });
      if (wrong === undefined) continue;
      return {
        step: read.index,
        kind: 'stale_read',
        rule: 'writes.read-back',
        subject: read.operation,
        evidence:
          `${wrong.name} was set to ${short(wrong.value)} at step ${write.index} ` +
          `and reads ${short(object[wrong.name])}`,
      };
    }
  }
  return null;
}

function hasMember(object: RecordView['object'], name: string, value: Scalar): boolean {
  const wanted = plainName(name);
  return Object.entries(object).some(
    ([member, held]) => plainName(member) === wanted && String(held) === String(value),
  );
}

function short(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= 40 ? text : `${text.slice(0, 37)}…`;
}
