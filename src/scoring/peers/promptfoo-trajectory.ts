import { isJsonObject, type Json, type JsonObject, jsonEqual } from '../../base/json.ts';
import { promptfooToolCallF1 } from './promptfoo.ts';
import {
  fitsGlob,
  type PromptfooCall,
  type PromptfooStep,
  promptfooMatcher,
  promptfooMatches,
  promptfooSteps,
} from './promptfoo-steps.ts';

/** An assertion as promptfoo's configuration writes it. */
export interface PromptfooAssertion {
  readonly type: string;
  readonly value?: Json | undefined;
  readonly threshold?: number | undefined;
}

/** Passed or not, with the score from 0 to 1; or why there is neither. */
export type PromptfooOutcome =
  | { readonly pass: boolean; readonly score: number; readonly reason: string }
  | { readonly pass: null; readonly score: null; readonly reason: string };

/** The assertions that are read, each also with `not-` before it. */
export const PROMPTFOO_ASSERTIONS = [
  'trajectory:tool-used',
  'trajectory:tool-sequence',
  'trajectory:tool-args-match',
  'trajectory:step-count',
  'tool-call-f1',
] as const;
type Kind = (typeof PROMPTFOO_ASSERTIONS)[number];

interface Found {
  readonly pass: boolean;
  readonly score?: number;
  readonly reason: string;
}

/**
 * Holds a run's calls against an assertion of promptfoo, as its version of August 2026 does. What it calls
 * an error in the assertion (`promptfooFault`) must be ruled out before.
 */
export function promptfooAssert(
  assertion: PromptfooAssertion,
  calls: readonly PromptfooCall[],
): PromptfooOutcome {
  const { kind, inverse } = kindOf(assertion.type);
  const value = assertion.value ?? null;
  const steps = promptfooSteps(calls);
  const tools = steps.filter(({ type }) => type === 'tool');
  if (kind === 'trajectory:step-count') {
    const { types } = promptfooMatcher(value as JsonObject, null);
    if (types === null || types.some((type) => type !== 'tool' && type !== 'command')) {
      const reason = 'spans of every kind are counted there, and a trace has calls only: give type: tool';
      return { pass: null, score: null, reason };
    }
  }
  if (kind === 'tool-call-f1') return callF1({ assertion, calls, inverse });
  const found =
    kind === 'trajectory:tool-used' ? toolUsed(value, tools, inverse) : checked(kind, value, steps);
  const pass = kind !== 'trajectory:tool-used' && inverse ? !found.pass : found.pass;
  return { pass, score: pass ? 1 : 0, reason: found.reason };
}

function kindOf(type: string): { readonly kind: Kind | null; readonly inverse: boolean } {
  const inverse = type.startsWith('not-');
  const bare = inverse ? type.slice('not-'.length) : type;
  return { kind: PROMPTFOO_ASSERTIONS.find((known) => known === bare) ?? null, inverse };
}

const labels = (steps: readonly PromptfooStep[]): string =>
  steps.length === 0 ? '(none)' : steps.map(({ type, name }) => `${type}:${name}`).join(', ');

/** A list turned round means that none of them was used, which is not the opposite of all. */
function toolUsed(value: Json, steps: readonly PromptfooStep[], inverse: boolean): Found {
  if (isJsonObject(value)) {
    const count = steps.filter((step) => promptfooMatches(step, promptfooMatcher(value, 'tool'))).length;
    const min = typeof value.min === 'number' ? value.min : 1;
    const max = typeof value.max === 'number' ? value.max : Number.POSITIVE_INFINITY;
    const holds = count >= min && count <= max;
    return { pass: holds !== inverse, reason: `used ${count} times, from ${min} to ${max} expected` };
  }
  const wanted = (Array.isArray(value) ? value : [value]).map(String);
  const used = wanted.filter((name) =>
    steps.some((step) => promptfooMatches(step, promptfooMatcher(name, 'tool'))),
  );
  const missing = wanted.filter((name) => !used.includes(name));
  const reason = inverse ? `used: ${used.join(', ') || 'none'}` : `not used: ${missing.join(', ') || 'none'}`;
  return { pass: inverse ? used.length === 0 : missing.length === 0, reason };
}

function checked(kind: Kind | null, value: Json, steps: readonly PromptfooStep[]): Found {
  const tools = steps.filter(({ type }) => type === 'tool');
  if (kind === 'trajectory:tool-sequence') return toolSequence(value, tools);
  return kind === 'trajectory:tool-args-match'
    ? argumentsMatch(value as JsonObject, tools)
    : stepCount(value as JsonObject, steps);
}

function toolSequence(value: Json, steps: readonly PromptfooStep[]): Found {
  const listed = isJsonObject(value) ? value.steps : value;
  const isExact = isJsonObject(value) && value.mode === 'exact';
  const wanted = (listed as readonly (string | JsonObject)[]).map((step) => promptfooMatcher(step, 'tool'));
  const fits = (step: PromptfooStep | undefined, place: number): boolean => {
    const matcher = wanted[place];
    return step !== undefined && matcher !== undefined && promptfooMatches(step, matcher);
  };
  const reason = `tools were ${labels(steps)}`;
  if (isExact) {
    return {
      pass: steps.length === wanted.length && wanted.every((_, place) => fits(steps[place], place)),
      reason,
    };
  }
  let next = 0;
  for (const step of steps) if (fits(step, next)) next += 1;
  return { pass: next === wanted.length, reason };
}

function argumentsMatch(value: JsonObject, steps: readonly PromptfooStep[]): Found {
  const matcher = promptfooMatcher(value, 'tool');
  const expected = Object.hasOwn(value, 'args') ? value.args : value.arguments;
  const ignore = [value.ignore ?? []].flat().map(String);
  const defaults = isJsonObject(value.defaults) ? value.defaults : {};
  const wanted = withoutIgnored(expected ?? null, ignore);
  const named = steps.filter((step) => promptfooMatches(step, matcher));
  const captured = named.filter((step) => step.arguments !== undefined);
  const pass = captured.some((step) => {
    const given = withoutDefaults(withoutIgnored(step.arguments ?? null, ignore), defaults);
    return value.mode === 'exact' ? jsonEqual(given, wanted) : includes(given, wanted);
  });
  const seen = `${named.length} calls of it, ${captured.length} with arguments`;
  return { pass, reason: pass ? `a call matches (${seen})` : `no call matches (${seen})` };
}

/** Top members only; `ignore` takes from both sides, and globs count where they have `*` or `?`. */
function withoutIgnored(value: Json, ignore: readonly string[]): Json {
  const isIgnored = (key: string): boolean =>
    ignore.some((entry) => entry === key || (/[*?]/u.test(entry) && fitsGlob(key, entry)));
  return filtered(value, (key) => !isIgnored(key));
}

/** `defaults` takes from what was called alone, and only a value that equals its default. */
function withoutDefaults(value: Json, defaults: JsonObject): Json {
  return filtered(
    value,
    (key, member) => !(Object.hasOwn(defaults, key) && jsonEqual(member, defaults[key])),
  );
}

function filtered(value: Json, keeps: (key: string, member: Json | undefined) => boolean): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key, member]) => keeps(key, member)));
}

/** Objects may have more members, at any depth; lists must be of one length. */
function includes(given: Json | undefined, wanted: Json | undefined): boolean {
  if (Array.isArray(wanted)) {
    const items = wanted as readonly Json[];
    return (
      Array.isArray(given) &&
      given.length === items.length &&
      items.every((item, place) => includes((given as readonly Json[])[place], item))
    );
  }
  if (!isJsonObject(wanted)) return jsonEqual(given, wanted);
  if (!isJsonObject(given)) return false;
  return Object.entries(wanted).every(
    ([key, member]) => Object.hasOwn(given, key) && includes(given[key], member),
  );
}

function stepCount(value: JsonObject, steps: readonly PromptfooStep[]): Found {
  const matcher = promptfooMatcher(value, null);
  const count = steps.filter((step) => promptfooMatches(step, matcher)).length;
  const { min, max } = value;
  const pass = (typeof min !== 'number' || count >= min) && (typeof max !== 'number' || count <= max);
  return { pass, reason: `${count} steps` };
}

function callF1(input: {
  readonly assertion: PromptfooAssertion;
  readonly calls: readonly PromptfooCall[];
  readonly inverse: boolean;
}): PromptfooOutcome {
  const wanted = namesOf(input.assertion.value).map((tool) => ({ tool, arguments: {} }));
  const score = promptfooToolCallF1(
    input.calls.map(({ tool }) => ({ tool, arguments: {} })),
    wanted,
  );
  const threshold = input.assertion.threshold ?? 1;
  return { pass: score >= threshold !== input.inverse, score, reason: `F1 ${score}, threshold ${threshold}` };
}

function namesOf(value: Json | undefined): string[] {
  const listed = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : [];
  return listed.map((name) => name.trim()).filter((name) => name !== '');
}

/** What is wrong with an assertion, as promptfoo would throw it; null when nothing is. */
export function promptfooFault({ type, value = null }: PromptfooAssertion): string | null {
  const { kind } = kindOf(type);
  if (kind === null)
    return `the type must be one of ${PROMPTFOO_ASSERTIONS.join(', ')}, or not- and one of them`;
  if (kind === 'tool-call-f1')
    return namesOf(value).length > 0 ? null : 'the value must name at least one tool';
  if (kind === 'trajectory:tool-used') return usedFault(value);
  if (kind === 'trajectory:tool-sequence') return sequenceFault(value);
  if (!isJsonObject(value)) return 'the value must be an object';
  return kind === 'trajectory:tool-args-match' ? argumentsFault(value) : countFault(value);
}

const isNamed = (value: Json | undefined): boolean =>
  (typeof value === 'string' || isJsonObject(value)) && promptfooMatcher(value, null).pattern !== null;

function usedFault(value: Json): string | null {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'the list must name at least one tool';
    return value.every((item) => typeof item === 'string') ? null : 'the list must hold names';
  }
  return isNamed(value)
    ? null
    : 'the value must be a name, a list of names, or an object with name or pattern';
}

function sequenceFault(value: Json): string | null {
  const steps = isJsonObject(value) ? value.steps : value;
  if (!Array.isArray(steps) || steps.length === 0) return 'there must be at least one step';
  const place = (steps as readonly Json[]).findIndex((step) => !isNamed(step));
  return place === -1 ? null : `step ${place + 1} must be a name, or an object with name or pattern`;
}

function argumentsFault(value: JsonObject): string | null {
  if (!isNamed(value)) return 'the value must have a name or pattern';
  if (!Object.hasOwn(value, 'args') && value.arguments === undefined)
    return 'the value must have args or arguments';
  if (value.mode !== undefined && value.mode !== 'partial' && value.mode !== 'exact')
    return 'mode must be partial or exact';
  if (value.defaults !== undefined && !isJsonObject(value.defaults)) return 'defaults must be an object';
  const ignore = [value.ignore ?? []].flat();
  const isText = ignore.every((entry) => typeof entry === 'string' && entry.trim() !== '');
  return isText ? null : 'ignore must be a text or a list of texts, none empty';
}

function countFault({ min, max }: JsonObject): string | null {
  return typeof min === 'number' || typeof max === 'number' ? null : 'the value must have min or max';
}
