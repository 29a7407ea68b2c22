import { canonicalJson } from '../base/canonical.ts';
import type { Json } from '../base/json.ts';
import { holdsAll, valueAt } from '../base/predicate.ts';
import type { StepRecord, Trajectory } from '../trajectory/types.ts';
import { checkGrounding } from './grounding.ts';
import type { CallPattern, Invariant, InvariantResult, Verdict, Witness } from './types.ts';

type Kind<K extends Invariant['kind']> = Extract<Invariant, { kind: K }>;

/** A verdict and why; `skipped` when nothing in the run could have broken or met the rule. */
export interface Finding {
  readonly verdict: Verdict;
  readonly witnesses: readonly Witness[];
}

/** The result of every invariant on a run. One that throws gets the verdict `error` and says why. */
export function checkInvariants(invariants: readonly Invariant[], trajectory: Trajectory): InvariantResult[] {
  return invariants.map((rule) => {
    try {
      return { id: rule.id, kind: rule.kind, ...findingOf(rule, trajectory) };
    } catch (error) {
      const message = `invariant ${rule.id} could not be checked: ${(error as Error).message}`;
      return { id: rule.id, kind: rule.kind, verdict: 'error', witnesses: [{ steps: [], message }] };
    }
  });
}

function findingOf(rule: Invariant, trajectory: Trajectory): Finding {
  switch (rule.kind) {
    case 'ordering':
      return checkOrdering(rule, trajectory.steps);
    case 'arguments':
      return checkArguments(rule, trajectory.steps);
    case 'prohibition':
      return checkProhibition(rule, trajectory.steps);
    case 'cardinality':
      return checkCardinality(rule, trajectory.steps);
    case 'termination':
      return checkTermination(trajectory);
    case 'grounding':
      return checkGrounding(rule, trajectory);
    case 'state':
      return checkState(rule, trajectory.steps);
    default:
      throw new RangeError(`unknown kind ${(rule as { kind: string }).kind}`);
  }
}

/** A run that breaks a rule at every step says nothing more by its fifty-first witness. */
const WITNESS_LIMIT = 50;

/**
 * A failure for any witness, a pass for none. The earliest fifty are kept; those without a step come last.
 */
export function finding(witnesses: readonly Witness[]): Finding {
  const stepOf = (witness: Witness): number => witness.steps[0] ?? Number.MAX_SAFE_INTEGER;
  const sorted = [...witnesses].sort((one, other) => stepOf(one) - stepOf(other));
  return { verdict: witnesses.length === 0 ? 'pass' : 'fail', witnesses: sorted.slice(0, WITNESS_LIMIT) };
}

const SKIPPED: Finding = { verdict: 'skipped', witnesses: [] };

/** True when a step is a call that the pattern means; failed calls only with `attempts: all`. */
export function isCall(step: StepRecord, pattern: CallPattern, attempts: 'all' | undefined): boolean {
  if (step.tool !== pattern.tool || (attempts !== 'all' && step.outcome !== 'ok')) return false;
  return pattern.where === undefined || holdsAll(pattern.where, step.input);
}

/**
 * What binds a rule in one call: the canonical text of the argument, one text for all calls without `each`.
 */
function boundTo(step: StepRecord, each: string | undefined): string {
  return each === undefined ? '' : canonicalJson(valueAt(step.input, each));
}

const forValue = (each: string | undefined, value: string): string =>
  each === undefined ? '' : ` for ${each} ${value}`;

function checkOrdering(rule: Kind<'ordering'>, steps: readonly StepRecord[]): Finding {
  const seen = new Set<string>();
  const witnesses: Witness[] = [];
  let applies = false;
  for (const turn of turnsOf(steps)) {
    for (const step of turn) {
      if (!isCall(step, rule.then, rule.attempts)) continue;
      applies = true;
      const value = boundTo(step, rule.each);
      if (seen.has(value)) continue;
      const together = turn.find(
        (other) => other.index < step.index && isFirst(rule, other) && boundTo(other, rule.each) === value,
      );
      const message =
        `${rule.then.tool} at step ${step.index} has no ${rule.first.tool} before it` +
        `${forValue(rule.each, value)}${together ? `: step ${together.index} is of the same turn` : ''}`;
      witnesses.push({ steps: [step.index], message, got: step.input });
    }
    // Only now: calls of one turn were decided together, and a call does not precede itself.
    for (const step of turn) if (isFirst(rule, step)) seen.add(boundTo(step, rule.each));
  }
  return applies ? finding(witnesses) : SKIPPED;
}

function isFirst(rule: Kind<'ordering'>, step: StepRecord): boolean {
  return isCall(step, rule.first, rule.attempts);
}

/** The steps by model turn: neighbours of one batch together, every other call alone. */
function turnsOf(steps: readonly StepRecord[]): StepRecord[][] {
  const turns: StepRecord[][] = [];
  for (const step of steps) {
    const last = turns.at(-1);
    if (step.batch !== undefined && last?.[0]?.batch === step.batch) last.push(step);
    else turns.push([step]);
  }
  return turns;
}

function checkArguments(rule: Kind<'arguments'>, steps: readonly StepRecord[]): Finding {
  const calls = steps.filter((step) => isCall(step, rule, rule.attempts));
  if (calls.length === 0) return SKIPPED;
  const witnesses = calls.flatMap((step) =>
    Object.entries(rule.require)
      .filter(([path, test]) => !holdsAll({ [path]: test }, step.input))
      .map(([path, test]): Witness => {
        const got = valueAt(step.input, path);
        const shown = got === undefined ? 'absent' : canonicalJson(got);
        const required = canonicalJson(test as Json);
        return {
          steps: [step.index],
          message: `${step.tool} at step ${step.index}: ${path} is ${shown}, required ${required}`,
          expected: test as Json,
          ...(got === undefined ? {} : { got }),
        };
      }),
  );
  return finding(witnesses);
}

function checkProhibition(rule: Kind<'prohibition'>, steps: readonly StepRecord[]): Finding {
  const calls = steps.filter((step) => isCall(step, rule, rule.attempts));
  return finding(
    calls.map((step) => ({
      steps: [step.index],
      message: `${step.tool} at step ${step.index} is prohibited`,
      got: step.input,
    })),
  );
}

function checkCardinality(rule: Kind<'cardinality'>, steps: readonly StepRecord[]): Finding {
  const calls = steps.filter((step) => isCall(step, rule, rule.attempts));
  const counted = new Map<string, number[]>();
  if (rule.each === undefined) counted.set('', []);
  for (const step of calls) {
    const value = boundTo(step, rule.each);
    counted.set(value, [...(counted.get(value) ?? []), step.index]);
  }
  const { max = Number.POSITIVE_INFINITY, min = 0 } = rule;
  if (calls.length === 0 && (rule.each !== undefined || min === 0)) return SKIPPED;
  const witnesses: Witness[] = [];
  for (const [value, indexes] of counted) {
    const count = indexes.length;
    const times = `${rule.tool} was called ${count} times${forValue(rule.each, value)}`;
    if (count > max) {
      // The first call beyond the limit is the one that broke the rule.
      const steps = [...indexes.slice(max), ...indexes.slice(0, max)];
      witnesses.push({ steps, message: `${times}, at most ${max} allowed`, expected: max, got: count });
    }
    if (count < min) {
      witnesses.push({
        steps: indexes,
        message: `${times}, at least ${min} required`,
        expected: min,
        got: count,
      });
    }
  }
  return finding(witnesses);
}

function checkTermination({ end }: Trajectory): Finding {
  if (end === null) return { verdict: 'not-run', witnesses: [] };
  if (end.reason === 'answer') return finding([]);
  const detail = end.detail === undefined ? '' : `: ${end.detail}`;
  const message = `the run ended by ${end.reason}, not by an answer${detail}`;
  const steps = end.steps > 0 ? [end.steps - 1] : [];
  return finding([{ steps, message, expected: 'answer', got: end.reason }]);
}

/** Reads what the recorder saw; a trace of another tool has null for `breaches`, and nobody looked. */
function checkState(rule: Kind<'state'>, steps: readonly StepRecord[]): Finding {
  if (steps.length === 0) return SKIPPED;
  const witnesses: Witness[] = [];
  let broken = new Set<string>();
  for (const step of steps) {
    const breaches: StepRecord['breaches'] | null = step.breaches;
    if (breaches === null) return { verdict: 'not-run', witnesses: [] };
    const now = breaches.filter((breach) => breach.id === rule.id);
    for (const { table, key } of now) {
      // A row that stays broken is named once, at the step that broke it.
      if (broken.has(`${table} ${canonicalJson(key)}`)) continue;
      const message = `${table} ${JSON.stringify(key)} breaks ${rule.id} after step ${step.index}`;
      witnesses.push({ steps: [step.index], message, expected: rule.always.check as Json, got: key });
    }
    broken = new Set(now.map(({ table, key }) => `${table} ${canonicalJson(key)}`));
  }
  return finding(witnesses);
}
