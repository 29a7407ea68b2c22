import type { SummaryTrial } from '../summary-types.ts';
import { voidScore } from '../trial.ts';
import type { InvariantResult, TrialScore } from '../types.ts';

/** A score of which only what gates look at is said. */
function score(parts: Partial<TrialScore>): TrialScore {
  return { ...voidScore('grader', ''), void: null, steps: 3, cost: 0.1, ...parts };
}

export interface Written {
  /** By scenario: `1` solved, `0` not, `v` void, `x` not solved and the invariant `rule` broken. */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly steps?: number;
  readonly cost?: number | null;
}

/** Trials from their outcomes; every scenario has the invariant `rule`. */
export function trialsOf({ outcomes, steps = 3, cost = 0.1 }: Written): SummaryTrial[] {
  return Object.entries(outcomes).flatMap(([scenario, marks]) =>
    [...marks].map((mark, trial): SummaryTrial => {
      const rule: InvariantResult = {
        id: 'rule',
        kind: 'cardinality',
        verdict: mark === 'x' ? 'fail' : 'pass',
        witnesses: [],
      };
      const lost = mark === 'v' ? { reason: 'infrastructure' as const, detail: 'lost' } : null;
      const parts = { success: mark === '1', void: lost, invariants: [rule], steps, cost };
      return { scenario, trial, score: score(parts), wallClockMs: 5 };
    }),
  );
}

/** So many scenarios with these marks each. */
export function many(count: number, marks: string, name = 's'): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, marks]));
}
