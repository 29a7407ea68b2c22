import type { FailureSummary } from '../scoring/index.ts';

/** Trials whose first failure was of the same check. */
export interface FirstFailures {
  readonly check: string;
  /** One per trial, in scenario order. */
  readonly failures: readonly FailureSummary[];
}

/** What broke first in each failed trial, grouped by check, the most frequent check first. */
export function firstFailuresByCheck(failures: readonly FailureSummary[]): FirstFailures[] {
  const firsts = new Map<string, FailureSummary>();
  for (const failure of failures) {
    const key = `${failure.scenario}#${failure.trial}`;
    const known = firsts.get(key);
    if (!known || stepOf(failure) < stepOf(known)) firsts.set(key, failure);
  }
  return [...Map.groupBy(firsts.values(), ({ check }) => check)]
    .map(([check, list]) => ({ check, failures: list }))
    .sort((left, right) => right.failures.length - left.failures.length);
}

/** One line for a group: how often, which check, and the first place where it can be seen. */
export function describeFirstFailures({ check, failures }: FirstFailures): string {
  const [first] = failures;
  if (!first) return check;
  const step = first.step === null ? 'at the end' : `step ${first.step}`;
  return `${failures.length}× ${check}: ${first.scenario} trial ${first.trial}, ${step}: ${first.message}`;
}

/** A failure of the end counts after every step. */
function stepOf({ step }: FailureSummary): number {
  return step ?? Number.MAX_SAFE_INTEGER;
}
