import type { Json } from '../../../base/json.ts';
import type { Finding } from '../types.ts';
import type { CallView, RunView } from '../view.ts';
import { isIdName, isVolatileName } from '../view.ts';
import { strengthOf } from './strength.ts';

/** What a member of the records at one place of an operation's answers has been. */
interface FieldShape {
  readonly present: number;
  readonly nulls: number;
  /** Tasks in which it was there and not null. */
  readonly tasks: number;
  readonly types: readonly string[];
  /** Its values, where they are few and come again; null where they are not. */
  readonly values: readonly string[] | null;
  /** Patterns of its texts (`A-9`), where they are few; null where they are not. */
  readonly patterns: readonly string[] | null;
}

interface RecordShape {
  readonly records: number;
  /** Tasks whose runs held such a record. */
  readonly tasks: number;
  readonly fields: Readonly<Record<string, FieldShape>>;
}

/** By operation, then by the place of the record in the answer. */
export type Shapes = Readonly<Record<string, Readonly<Record<string, RecordShape>>>>;

/** So often a thing must have been seen before what it never was says anything. */
const ENOUGH = 8;
const MIN_TASKS = 12;
/** A way of writing must be common to count as one of the only two. */
const MIN_PATTERN_TASKS = 6;
const MAX_VALUES = 8;

interface Tally {
  records: number;
  readonly tasks: Set<string>;
  readonly fields: Map<string, FieldTally>;
}

interface FieldTally {
  present: number;
  nulls: number;
  readonly types: Set<string>;
  /** By value, the tasks that it was seen in. */
  readonly values: Map<string, Set<string>>;
  readonly tasks: Set<string>;
  readonly patterns: Map<string, Set<string>>;
}

export function learnShapes(views: readonly RunView[]): Shapes {
  const tallies = new Map<string, Map<string, Tally>>();
  for (const { calls, run } of views) {
    for (const call of calls) if (call.ok) tally(call, run.cluster, tallies);
  }
  const shapes: Record<string, Record<string, RecordShape>> = {};
  for (const [operation, places] of tallies) {
    const own: Record<string, RecordShape> = {};
    for (const [path, { records, tasks, fields }] of places) {
      own[path] = {
        records,
        tasks: tasks.size,
        fields: Object.fromEntries([...fields].map(([name, one]) => [name, shapeOf(one)])),
      };
    }
    shapes[operation] = own;
  }
  return shapes;
}

function tally(call: CallView, task: string, tallies: Map<string, Map<string, Tally>>): void {
  const places = entry(tallies, call.operation, () => new Map<string, Tally>());
  if (call.records.length === 0) {
    const type = `(${typeOf(call.output ?? null)})`;
    const place = entry(places, type, newTally);
    place.records += 1;
    place.tasks.add(task);
  }
  for (const { path, object } of call.records) {
    const place = entry(places, path, newTally);
    place.records += 1;
    place.tasks.add(task);
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue;
      const field = entry(place.fields, name, newField);
      field.present += 1;
      if (value === null) field.nulls += 1;
      else {
        field.types.add(typeOf(value));
        field.tasks.add(task);
      }
      if (typeof value !== 'string') continue;
      if (field.values.size <= MAX_VALUES * 4) entry(field.values, value, () => new Set<string>()).add(task);
      if (field.patterns.size <= MAX_VALUES) {
        entry(field.patterns, patternOf(value), () => new Set<string>()).add(task);
      }
    }
  }
}

function newTally(): Tally {
  return { records: 0, tasks: new Set(), fields: new Map() };
}

function newField(): FieldTally {
  return { present: 0, nulls: 0, types: new Set(), values: new Map(), tasks: new Set(), patterns: new Map() };
}

function shapeOf({ present, nulls, types, values, tasks, patterns }: FieldTally): FieldShape {
  // Good and Turing: where values came in one task alone, another such is to be expected.
  const settled = [...values.values()].every((one) => one.size > 1);
  const few = values.size > 0 && values.size <= MAX_VALUES && settled && tasks.size >= MIN_TASKS;
  const written =
    patterns.size > 0 &&
    patterns.size <= 2 &&
    [...patterns.values()].every((one) => one.size >= MIN_PATTERN_TASKS);
  return {
    present,
    nulls,
    types: [...types].sort(),
    tasks: tasks.size,
    values: few ? [...values.keys()].sort() : null,
    patterns: written ? [...patterns.keys()].sort() : null,
  };
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** Runs of letters and digits as one sign each: `ORD-8821` is `A-9`. */
function patternOf(text: string): string {
  if (text.length > 40) return '…';
  return text
    .replace(/\p{L}+/gu, 'A')
    .replace(/\d+/g, '9')
    .slice(0, 20);
}

/** Answers that lack, null, retype or newly fill what clean runs always had. */
export function againstShapes(view: RunView, shapes: Shapes): Finding[] {
  return view.calls.flatMap((call) => {
    const places = shapes[call.operation];
    if (!call.ok || places === undefined || !Object.hasOwn(shapes, call.operation)) return [];
    if (call.records.length === 0) return ofBareBody(call, places);
    const found: Finding[] = [];
    for (const { path, object } of call.records) {
      const place = Object.hasOwn(places, path) ? places[path] : undefined;
      if (place === undefined || place.records < ENOUGH || place.tasks < MIN_TASKS) continue;
      for (const [name, shape] of Object.entries(place.fields)) {
        const finding = ofField(call, { path, name, shape, place, value: object[name] });
        if (finding !== null) found.push(finding);
      }
      for (const name of Object.keys(object)) {
        if (Object.hasOwn(place.fields, name)) continue;
        found.push(
          said(call, 'shapes.new', {
            kind: 'missing_field',
            evidence: `${name} was never there before`,
            tasks: place.tasks,
          }),
        );
      }
      if (found.length > 0) break;
    }
    return found.slice(0, 2);
  });
}

function ofBareBody(call: CallView, places: Shapes[string]): Finding[] {
  const tasks = Math.max(0, ...Object.values(places).map((place) => place.tasks));
  const type = `(${typeOf(call.output ?? null)})`;
  if (tasks < MIN_TASKS || Object.hasOwn(places, type)) return [];
  const evidence = `${call.call.tool} answered with ${type.slice(1, -1)}, which it never did before`;
  return [said(call, 'shapes.body', { kind: 'malformed_body', evidence, tasks })];
}

interface FieldPlace {
  readonly path: string;
  readonly name: string;
  readonly shape: FieldShape;
  readonly place: RecordShape;
  readonly value: Json | undefined;
}

function ofField(call: CallView, { path, name, shape, place, value }: FieldPlace): Finding | null {
  const where = path === '' ? name : `${path}.${name}`;
  if (value === undefined) {
    if (shape.present < place.records) return null;
    const evidence = `${where} is missing; it was there in all ${place.records} answers before`;
    return said(call, 'shapes.missing', { kind: 'missing_field', evidence, tasks: place.tasks });
  }
  if (value === null) {
    if (shape.nulls > 0 || shape.tasks < MIN_TASKS) return null;
    const evidence = `${where} is null; it never was in ${shape.present} answers`;
    return said(call, 'shapes.null', { kind: 'null_field', evidence, tasks: shape.tasks });
  }
  if (shape.tasks < MIN_TASKS) return null;
  if (!shape.types.includes(typeOf(value))) {
    const evidence = `${where} is a ${typeOf(value)}; it was a ${shape.types.join(' or ')}`;
    return said(call, 'shapes.type', { kind: 'retyped_field', evidence, tasks: shape.tasks });
  }
  if (typeof value !== 'string') return null;
  if (shape.values !== null && !isIdName(name) && !isVolatileName(name) && !shape.values.includes(value)) {
    const evidence = `${where} is ${value.slice(0, 40)}; it was one of ${shape.values.length} other values`;
    return said(call, 'shapes.value', { kind: 'unknown_value', evidence, tasks: shape.tasks });
  }
  const named = isIdName(name) && !/mail|login/i.test(name);
  if (named && shape.patterns !== null && !shape.patterns.includes(patternOf(value))) {
    const evidence = `${where} is written otherwise than ever before: ${value.slice(0, 40)}`;
    return said(call, 'shapes.pattern', { kind: 'altered_value', evidence, tasks: shape.tasks });
  }
  return null;
}

interface Said extends Pick<Finding, 'kind' | 'evidence'> {
  /** Tasks that bear the rule out. */
  readonly tasks: number;
}

function said(call: CallView, rule: string, { kind, evidence, tasks }: Said): Finding {
  return { step: call.index, kind, rule, subject: call.operation, evidence, strength: strengthOf(tasks) };
}
