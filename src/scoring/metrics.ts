import { ratio } from '../stats/ratio.ts';
import type { Ratio } from '../stats/types.ts';
import type { StepRecord } from '../trajectory/types.ts';
import { callKey, callOf, freeTextComparators, matchCalls } from './calls.ts';
import { changedState, hasEffect, tableRules } from './rules.ts';
import type { ScoringInput, Witness } from './types.ts';

/** The counted figures of one run that need no verdict. */
export interface TrialMetrics {
  /** Calls without a partner: see `matchCalls`. */
  readonly witnesses: readonly Witness[];
  readonly precision: Ratio;
  readonly recall: Ratio;
  readonly redundant: Ratio;
  readonly redundantSinceWrite: Ratio;
  readonly metError: boolean;
  /** A step that repeats an effect, or null: see `duplicateEffect`. */
  readonly duplicate: number | null;
}

/** Counts a run's calls against the reference and against each other. */
export function trialMetrics(input: ScoringInput): TrialMetrics {
  const { steps } = input.trajectory;
  const { reference } = input;
  const matching = matchCalls(steps.map(callOf), reference ?? [], {
    comparators: freeTextComparators(input.freeText),
  });
  return {
    witnesses: reference === null ? [] : matching.witnesses,
    precision: ratio(matching.matched, reference === null ? 0 : steps.length),
    recall: ratio(matching.matched, reference?.length ?? 0),
    redundant: redundantSteps(steps),
    redundantSinceWrite: redundantSinceWrite(input),
    metError: steps.some(metError),
    duplicate: duplicateEffect(input),
  };
}

/** (calls − distinct (tool, canonical arguments)) ÷ calls. */
function redundantSteps(steps: readonly StepRecord[]): Ratio {
  const distinct = new Set(steps.map((step) => callKey(callOf(step))));
  return ratio(steps.length - distinct.size, steps.length);
}

/**
 * As `redundantSteps`, but a state-changing call forgets what was called before it, so reading again after a
 * write counts nothing. The call itself is remembered: the same write twice with only reads between is
 * redundant.
 */
function redundantSinceWrite({ trajectory, shape }: Pick<ScoringInput, 'trajectory' | 'shape'>): Ratio {
  const effects = new Map(trajectory.header.tools.map((tool) => [tool.name, tool.effect]));
  const seen = new Set<string>();
  let repeats = 0;
  for (const step of trajectory.steps) {
    const key = callKey(callOf(step));
    if (seen.has(key)) repeats += 1;
    if (changedState(step, shape, effects)) seen.clear();
    seen.add(key);
  }
  return ratio(repeats, trajectory.steps.length);
}

/**
 * True when the agent was given an error for this call, or nothing. A fault that hides an error is not met.
 */
function metError(step: StepRecord): boolean {
  if (step.delivered) return step.delivered.lost === true || step.delivered.status >= 400;
  return step.outcome !== 'ok';
}

/**
 * The first step that repeats an effect: a successful call with a counting effect (`hasEffect`) whose tool
 * and arguments (free text aside) had such an effect before, more often than the reference makes that call. A
 * retry that changes nothing, as of an idempotent operation, is no duplicate; a retry that books twice is,
 * even when the first answer was lost.
 */
export function duplicateEffect(input: ScoringInput): number | null {
  const comparators = freeTextComparators(input.freeText);
  const left = new Map<string, number>();
  for (const call of input.reference ?? []) {
    const key = callKey(call, comparators);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  const rulesOf = tableRules(input.shape, input.contract.mask);
  const seen = new Set<string>();
  for (const step of input.trajectory.steps) {
    if (step.outcome !== 'ok' || !hasEffect(step, input.contract.allow, rulesOf)) continue;
    const key = callKey(callOf(step), comparators);
    const allowance = (left.get(key) ?? 0) - 1;
    left.set(key, allowance);
    if (seen.has(key) && allowance < 0) return step.index;
    seen.add(key);
  }
  return null;
}
