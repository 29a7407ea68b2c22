import type { Json } from '../../base/json.ts';
import { failedChecks, type TrialScore } from '../../scoring/index.ts';

/** One thing that a failed check says. */
export interface Finding {
  /** `contract`, `answer`, `invariant ID`, `end REASON` and so on. */
  readonly check: string;
  /** Step indexes, the decisive one first; empty when the whole run is meant. */
  readonly steps: readonly number[];
  readonly message: string;
  readonly expected?: Json;
  readonly got?: Json;
}

/**
 * Everything that the failed checks of a trial say, the earliest step first, what means the whole run last.
 * The grader `invariants` only repeats what the invariants said, so it is left out; equal words about the
 * same step are kept once.
 */
export function findingsOf(score: TrialScore): Finding[] {
  const all: Finding[] = [
    ...score.invariants
      .filter(({ verdict }) => verdict === 'fail')
      .flatMap(({ id, witnesses }) => witnesses.map((witness) => ({ check: `invariant ${id}`, ...witness }))),
    ...score.graders
      .filter(({ kind, verdict }) => verdict === 'fail' && kind !== 'invariants')
      .flatMap(({ kind, required, witnesses }) =>
        witnesses.map((witness) => ({ check: required ? kind : `${kind} (not required)`, ...witness })),
      ),
    ...failedChecks(score)
      .filter(({ check }) => check.startsWith('end '))
      .map(({ check, witness }) => ({ check, ...witness })),
  ];
  const unique = new Map(all.map((finding) => [`${finding.steps[0] ?? ''} ${finding.message}`, finding]));
  return [...unique.values()].sort((one, other) => orderOf(one) - orderOf(other));
}

/** Findings by the step that they point at first; `null` for those that mean the whole run. */
export function findingsByStep(findings: readonly Finding[]): ReadonlyMap<number | null, readonly Finding[]> {
  return Map.groupBy(findings, ({ steps }) => steps[0] ?? null);
}

function orderOf({ steps }: Finding): number {
  return steps[0] ?? Number.MAX_SAFE_INTEGER;
}
