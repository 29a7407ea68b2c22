import { canonicalJson } from '../base/canonical.ts';
import { isJsonObject, type Json, type JsonObject, jsonEqual } from '../base/json.ts';
import type { StepRecord } from '../trajectory/types.ts';
import { maximumMatching } from './matching.ts';
import type { ComparedCall, Witness } from './types.ts';

/**
 * How an argument is compared. `exact`: canonical JSON, so 1 and "1" differ and member order does not count
 * (the default). `free-text`: not at all, present or not. `folded-text`: text lower-cased with white space
 * folded. `unordered`: lists as multisets. `within`: numbers that far apart at most.
 */
export type ArgumentComparator =
  | 'exact'
  | 'free-text'
  | 'folded-text'
  | 'unordered'
  | { readonly within: number };

/** Comparators by tool and argument name; what is not named is compared exactly. */
export type ComparatorTable = Readonly<Record<string, Readonly<Record<string, ArgumentComparator>>>>;

/** Pairs of calls and what is left over, as positions in the two lists. */
export interface CallMatching {
  readonly matched: number;
  readonly pairs: readonly { readonly call: number; readonly reference: number }[];
  /** Why each call that has no partner has none, then each reference call that was never made. */
  readonly witnesses: readonly Witness[];
}

/** Names what free text the tools take as a comparator table. */
export function freeTextComparators(
  freeText: Readonly<Record<string, readonly string[]>> | undefined,
): ComparatorTable {
  return Object.fromEntries(
    Object.entries(freeText ?? {}).map(([tool, names]) => [
      tool,
      Object.fromEntries(names.map((name) => [name, 'free-text' as const])),
    ]),
  );
}

/** The call that a step made. */
export function callOf(step: StepRecord): ComparedCall {
  return {
    tool: step.tool,
    input: step.malformed === undefined ? step.input : { malformed: step.malformed },
  };
}

/**
 * A text that is equal for calls that compare equal (numbers with `within` left out of it). Never throws:
 * arguments that have no JSON form get a text of their own.
 */
export function callKey(call: ComparedCall, comparators: ComparatorTable = {}): string {
  const rules = Object.hasOwn(comparators, call.tool) ? comparators[call.tool] : undefined;
  return `${JSON.stringify(call.tool)} ${textOf(normalised(call.input, rules))}`;
}

/**
 * Pairs the calls of a run with those of a reference: a maximum matching, so no order of the lists costs a
 * pair, and a call made twice needs two partners. Never throws, whatever the arguments.
 *
 * @param options.witnessLimit how many witnesses to write at most, 20 when left out
 */
export function matchCalls(
  calls: readonly ComparedCall[],
  reference: readonly ComparedCall[],
  options: { comparators?: ComparatorTable; witnessLimit?: number } = {},
): CallMatching {
  const comparators = options.comparators ?? {};
  const groups = new Map<string, number[]>();
  reference.forEach((call, index) => {
    const key = callKey(call, comparators);
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  });
  const edges = calls.map((call) => {
    const group = groups.get(callKey(call, comparators)) ?? [];
    const rules = Object.hasOwn(comparators, call.tool) ? comparators[call.tool] : undefined;
    return hasTolerance(rules) ? group.filter((index) => near(call, reference[index], rules)) : group;
  });
  const matching = maximumMatching({ edges, rightCount: reference.length });
  const pairs = matching.left.flatMap((partner, call) =>
    partner === null ? [] : [{ call, reference: partner }],
  );
  const witnesses = leftOver({ calls, reference, comparators, ...matching }, options.witnessLimit ?? 20);
  return { matched: matching.size, pairs, witnesses };
}

type Rules = Readonly<Record<string, ArgumentComparator>> | undefined;

function ruleOf(rules: Rules, name: string): ArgumentComparator {
  return rules && Object.hasOwn(rules, name) ? (rules[name] ?? 'exact') : 'exact';
}

function normalised(input: ComparedCall['input'], rules: Rules): Json {
  if (!isJsonObject(input) || rules === undefined) return input as Json;
  const kept: [string, Json][] = [];
  for (const [name, value] of Object.entries(input as JsonObject)) {
    const rule = ruleOf(rules, name);
    if (rule === 'free-text' || value === undefined) continue;
    if (typeof rule === 'object' && typeof value === 'number') kept.push([name, { number: true }]);
    else kept.push([name, normalisedValue(value, rule)]);
  }
  return Object.fromEntries(kept);
}

function normalisedValue(value: Json, rule: ArgumentComparator): Json {
  if (rule === 'folded-text' && typeof value === 'string') {
    return value.toLowerCase().replace(/\s+/gu, ' ').trim();
  }
  if (rule === 'unordered' && Array.isArray(value)) {
    const keyed = (value as readonly Json[]).map((item) => ({ item, key: textOf(item) }));
    return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item);
  }
  return value;
}

function textOf(value: Json): string {
  try {
    return canonicalJson(value);
  } catch {
    return 'arguments without a JSON form';
  }
}

function hasTolerance(rules: Rules): boolean {
  return rules !== undefined && Object.values(rules).some((rule) => typeof rule === 'object');
}

function near(call: ComparedCall, other: ComparedCall | undefined, rules: Rules): boolean {
  if (!other || !isJsonObject(call.input) || !isJsonObject(other.input)) return true;
  const [left, right] = [call.input as JsonObject, other.input as JsonObject];
  return Object.keys(left).every((name) => sameArgument(left[name], right[name], ruleOf(rules, name)));
}

function sameArgument(left: Json | undefined, right: Json | undefined, rule: ArgumentComparator): boolean {
  if (rule === 'free-text') return true;
  if (typeof rule === 'object' && typeof left === 'number' && typeof right === 'number') {
    return Math.abs(left - right) <= rule.within;
  }
  if (left === undefined || right === undefined) return left === right;
  return textOf(normalisedValue(left, rule)) === textOf(normalisedValue(right, rule));
}

interface LeftOver {
  readonly calls: readonly ComparedCall[];
  readonly reference: readonly ComparedCall[];
  readonly comparators: ComparatorTable;
  readonly left: readonly (number | null)[];
  readonly right: readonly (number | null)[];
}

function leftOver(state: LeftOver, limit: number): Witness[] {
  const witnesses: Witness[] = [];
  for (let index = 0; index < state.calls.length && witnesses.length < limit; index += 1) {
    if (state.left[index] === null) witnesses.push(surplusWitness(state, index));
  }
  for (let index = 0; index < state.reference.length && witnesses.length < limit; index += 1) {
    const call = state.reference[index];
    if (call === undefined || state.right[index] !== null) continue;
    const message = `reference call ${index} (${call.tool}) was never made`;
    witnesses.push({ steps: [], message, expected: asJson(call) });
  }
  return witnesses;
}

function surplusWitness(state: LeftOver, index: number): Witness {
  const call = state.calls[index] as ComparedCall;
  const nearest = nearestReference(state, call);
  if (nearest === undefined) {
    const known = state.reference.some((other) => other.tool === call.tool);
    const why = known ? 'every reference call like it has a partner' : 'no reference call uses this tool';
    return {
      steps: [index],
      message: `call ${index} (${call.tool}) has no partner: ${why}`,
      got: asJson(call),
    };
  }
  const { key, expected, got } = nearest.difference;
  return {
    steps: [index],
    message: `call ${index} (${call.tool}) differs from reference call ${nearest.reference} in ${key}`,
    ...(expected === undefined ? {} : { expected }),
    ...(got === undefined ? {} : { got }),
  };
}

interface Difference {
  readonly key: string;
  readonly expected: Json | undefined;
  readonly got: Json | undefined;
}

function nearestReference(
  state: LeftOver,
  call: ComparedCall,
): { reference: number; difference: Difference } | undefined {
  let best: { reference: number; difference: Difference; count: number } | undefined;
  state.reference.forEach((other, reference) => {
    if (other.tool !== call.tool || state.right[reference] !== null) return;
    const found = differences(call, other, state.comparators[call.tool]);
    const first = found[0];
    if (first !== undefined && (best === undefined || found.length < best.count)) {
      best = { reference, difference: first, count: found.length };
    }
  });
  return best;
}

function differences(call: ComparedCall, other: ComparedCall, rules: Rules): Difference[] {
  if (!isJsonObject(call.input) || !isJsonObject(other.input)) {
    const same = jsonEqual(call.input as Json, other.input as Json);
    return same ? [] : [{ key: 'its arguments', expected: other.input as Json, got: call.input as Json }];
  }
  const [got, expected] = [call.input as JsonObject, other.input as JsonObject];
  const names = [...new Set([...Object.keys(expected), ...Object.keys(got)])];
  return names
    .filter((name) => !sameArgument(got[name], expected[name], ruleOf(rules, name)))
    .map((name) => ({ key: name, expected: expected[name], got: got[name] }));
}

function asJson(call: ComparedCall): Json {
  return { tool: call.tool, arguments: call.input as Json };
}
