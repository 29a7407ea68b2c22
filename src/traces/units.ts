import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { TraceFile } from './documents.ts';

/** What one run is read from: a list of messages or items, or an object that holds one. */
export interface Unit {
  readonly name: string;
  readonly parts: readonly JsonObject[] | null;
  readonly whole: JsonObject | null;
}

/** How a format tells its parts (a message) and its wholes (a conversation, a response body) from others. */
export interface UnitForm {
  readonly isPart: (value: JsonObject) => boolean;
  readonly isWhole: (value: JsonObject) => boolean;
}

/**
 * The runs of a file: a list of messages, a conversation, lists of either, or JSON lines of either. Null
 * when any part of the file is of another form.
 */
export function unitsOf(trace: TraceFile, form: UnitForm): readonly Unit[] | null {
  const values = trace.documents.map(({ value }) => value);
  if (trace.form === 'jsonl' && isPartList(values, form)) {
    return [{ name: '1', parts: values, whole: null }];
  }
  const units: Unit[] = [];
  for (const { value, line } of trace.documents) {
    const found = unitsOfValue(value, trace.form === 'jsonl' ? `line ${line}` : '1', form);
    if (found === null) return null;
    units.push(...found);
  }
  return units.length === 0 ? null : units;
}

function unitsOfValue(value: Json, name: string, form: UnitForm): readonly Unit[] | null {
  if (isObjectOf(form.isWhole)(value)) return [{ name, parts: null, whole: value }];
  if (!Array.isArray(value) || value.length === 0) return null;
  const items = value as readonly Json[];
  if (isPartList(items, form)) return [{ name, parts: items, whole: null }];
  const inner = items.map((item, index) =>
    oneUnit(item, name === '1' ? `[${index}]` : `${name}[${index}]`, form),
  );
  return inner.every((unit) => unit !== null) ? inner : null;
}

/** An item of a list of runs: an object that is one, or a list of parts. */
function oneUnit(item: Json, name: string, form: UnitForm): Unit | null {
  const units = isJsonObject(item) || Array.isArray(item) ? unitsOfValue(item, name, form) : null;
  return units?.length === 1 ? (units[0] ?? null) : null;
}

/** True for a list of parts of one run; what could be runs of their own each is no such list. */
function isPartList(items: readonly Json[], form: UnitForm): items is readonly JsonObject[] {
  const { isPart, isWhole } = form;
  return items.length > 0 && items.every(isObjectOf(isPart)) && !items.every(isObjectOf(isWhole));
}

function isObjectOf(test: (value: JsonObject) => boolean): (value: Json) => value is JsonObject {
  return (value): value is JsonObject => isJsonObject(value) && test(value);
}

/** The objects of a member that should be a list of them; what is none is counted by `other`. */
export function objectsOf(value: Json | undefined, other: (value: Json) => void): JsonObject[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    other(value);
    return [];
  }
  return (value as readonly Json[]).flatMap((item) => {
    if (isJsonObject(item)) return [item];
    other(item);
    return [];
  });
}
