import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { isUnitSlip } from '../difference.ts';
import type { Finding } from '../types.ts';
import { type CallView, isIdName, isVolatileName, type RunView, sameAmount } from '../view.ts';
import { strengthOf } from './strength.ts';

/** A field that always equals others put together: `total = sum lines.line_total + shipping`. */
export interface Equation {
  readonly operation: string;
  readonly path: string;
  readonly target: string;
  readonly form: 'same' | 'sum' | 'difference' | 'product' | 'less-both';
  readonly terms: readonly string[];
  readonly support: number;
}

const MIN_RECORDS = 8;
const MIN_TASKS = 5;
const MIN_VALUES = 4;
const MAX_FEATURES = 12;

type Features = Readonly<Record<string, number>>;

/** Numbers of a record: its own, and counts and sums of its lists. */
function featuresOf(object: JsonObject): Features {
  const found: Record<string, number> = {};
  let count = 0;
  const add = (name: string, value: number): void => {
    if (count >= MAX_FEATURES) return;
    found[name] = value;
    count += 1;
  };
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === 'number' && !isIdName(name) && !isVolatileName(name)) add(name, value);
    else if (Array.isArray(value)) {
      const items = value as readonly Json[];
      add(`count ${name}`, items.length);
      for (const [inner, sum] of sumsOf(items)) add(`sum ${name}.${inner}`, sum);
    }
  }
  return found;
}

function sumsOf(items: readonly Json[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    for (const [name, value] of Object.entries(item)) {
      if (typeof value === 'number' && !isIdName(name)) sums.set(name, (sums.get(name) ?? 0) + value);
    }
  }
  return sums;
}

export function learnArithmetic(views: readonly RunView[]): Equation[] {
  const byPlace = new Map<
    string,
    { operation: string; path: string; tasks: Set<string>; records: Map<string, Features> }
  >();
  for (const { calls, run } of views) {
    for (const call of calls) {
      if (!call.ok) continue;
      for (const { path, object, identity } of call.records) {
        const key = `${call.operation} ${path}`;
        let place = byPlace.get(key);
        if (place === undefined) {
          place = { operation: call.operation, path, tasks: new Set(), records: new Map() };
          byPlace.set(key, place);
        }
        const features = featuresOf(object);
        place.tasks.add(run.cluster);
        // The same record seen a hundred times is one piece of evidence.
        if (Object.keys(features).length > 1 && place.records.size < 2_000) {
          place.records.set(`${identity} ${JSON.stringify(features)}`, features);
        }
      }
    }
  }
  return [...byPlace.values()]
    .filter(({ tasks }) => tasks.size >= MIN_TASKS)
    .flatMap(({ operation, path, records }) =>
      mined([...records.values()]).map((equation) => ({ operation, path, ...equation })),
    );
}

type Mined = Omit<Equation, 'operation' | 'path'>;

function mined(records: readonly Features[]): Mined[] {
  const [first] = records;
  if (first === undefined || records.length < MIN_RECORDS) return [];
  const names = Object.keys(first).filter((name) =>
    records.every((one) => (one[name] ?? emptySum(one, name)) !== undefined),
  );
  // A field of few values fits anything; a term that is nearly always 0 says nothing.
  const lively = new Set(names.filter((name) => records.filter((one) => (one[name] ?? 0) !== 0).length >= 3));
  const found: Mined[] = [];
  for (const target of names) {
    if (target.startsWith('sum ') || target.startsWith('count ')) continue;
    if (new Set(records.map((one) => one[target])).size < MIN_VALUES) continue;
    const others = names.filter((name) => name !== target && lively.has(name));
    for (const one of formsOf(others)) {
      if (records.every((record) => holdsFor(record, target, one))) {
        found.push({ target, ...one, support: records.length });
      }
    }
  }
  return found;
}

type Form = Pick<Equation, 'form' | 'terms'>;

function* formsOf(names: readonly string[]): Generator<Form> {
  for (const [index, left] of names.entries()) {
    yield { form: 'same', terms: [left] };
    for (const [at, right] of names.entries()) {
      if (at === index) continue;
      yield { form: 'difference', terms: [left, right] };
      if (at > index) {
        yield { form: 'sum', terms: [left, right] };
        yield { form: 'product', terms: [left, right] };
        for (const base of names) {
          if (base !== left && base !== right) yield { form: 'less-both', terms: [base, left, right] };
        }
      }
    }
  }
}

function holdsFor(record: Features, target: string, form: Form): boolean {
  const wanted = resultOf(record, form);
  const value = record[target];
  return wanted !== null && value !== undefined && sameAmount(value, wanted);
}

/** The sum over a list without items is 0, whatever its items would hold. */
function emptySum(record: Features, name: string): number | undefined {
  const list = /^sum (.*)\.[^.]+$/.exec(name)?.[1];
  return list !== undefined && record[`count ${list}`] === 0 ? 0 : undefined;
}

function resultOf(record: Features, { form, terms }: Form): number | null {
  const [first, second, third] = terms.map((name) => record[name] ?? emptySum(record, name));
  if (first === undefined) return null;
  if (form === 'same') return first;
  if (second === undefined) return null;
  if (form === 'sum') return first + second;
  if (form === 'difference') return first - second;
  if (form === 'product') return first * second;
  return third === undefined ? null : first - second - third;
}

/** Records in which a field no longer equals what it always did. */
export function againstArithmetic(
  view: RunView,
  equations: ReadonlyMap<string, readonly Equation[]>,
): Finding[] {
  return view.calls.flatMap((call) => {
    if (!call.ok) return [];
    for (const { path, object } of call.records) {
      const own = equations.get(`${call.operation} ${path}`);
      if (own === undefined) continue;
      const features = featuresOf(object);
      const broken = own.find((one) => {
        const known = features[one.target] !== undefined && resultOf(features, one) !== null;
        return known && !holdsFor(features, one.target, one);
      });
      if (broken !== undefined) return [equationFinding(call, broken, features)];
    }
    return [];
  });
}

/** Equations by operation and place. */
export function equationsByPlace(equations: readonly Equation[]): Map<string, Equation[]> {
  const found = new Map<string, Equation[]>();
  for (const equation of equations) {
    const key = `${equation.operation} ${equation.path}`;
    const own = found.get(key);
    if (own === undefined) found.set(key, [equation]);
    else own.push(equation);
  }
  return found;
}

const SIGNS = { same: '', sum: ' + ', difference: ' - ', product: ' × ', 'less-both': ' - ' } as const;

function equationFinding(call: CallView, equation: Equation, features: Features): Finding {
  const { target, form, terms, support } = equation;
  const [value, wanted] = [features[target] ?? 0, resultOf(features, equation) ?? 0];
  const counts = terms.some((term) => term.startsWith('count ') || term.startsWith('sum '));
  const kind = isUnitSlip(value, wanted)
    ? 'unit_error'
    : counts && wanted < value
      ? 'truncated_list'
      : 'inconsistent_total';
  return {
    step: call.index,
    kind,
    rule: 'arithmetic.equation',
    subject: `${call.operation} ${target}`,
    strength: strengthOf(support),
    evidence:
      `${target} is ${value}; in all ${support} records it was ` +
      `${terms.join(SIGNS[form])}, here ${wanted}`,
  };
}
