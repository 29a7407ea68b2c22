import type { TrialScore } from '../../scoring/index.ts';
import { type Estimate, pairedDifference, roundFigure } from '../../stats/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import type { Blame, BlamedStep, ContinuedPoint, Credit, DecisiveStep } from './types.ts';

/**
 * Puts the success of continuing from every point of a run together: what each step dropped, and which one
 * was decisive. That is the largest drop that no later step made good again, the earliest of equal ones.
 */
export function decide(
  trajectory: Trajectory,
  outcome: TrialScore,
  points: readonly ContinuedPoint[],
): Blame {
  const steps = trajectory.steps.map(({ index, tool }): BlamedStep => {
    const before = points[index]?.value ?? null;
    const after = points[index + 1]?.value ?? null;
    return { step: index, tool, before, after, drop: difference(before, after) };
  });
  const found = whyNone(outcome, points) ?? decisiveOf(steps, points) ?? stoppedShort(outcome);
  const reason = typeof found === 'string' ? found : null;
  return {
    scenario: trajectory.header.scenario?.id ?? '',
    succeeded: outcome.success,
    steps,
    points,
    decisive: typeof found === 'string' ? null : found,
    reason,
    credit: creditOf(outcome, points),
  };
}

function difference(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : roundFigure(one - other);
}

/** Reasons to look for no decisive step. */
function whyNone(outcome: TrialScore, points: readonly ContinuedPoint[]): string | null {
  if (outcome.void) return `the run is void (${outcome.void.reason}): ${outcome.void.detail}`;
  if (outcome.success) return 'the run succeeded';
  const [start] = points;
  if (start?.value === null) return `nothing can be said from the start on: ${start.failure}`;
  if (start?.value === 0) return `no continuation succeeds from the start either: ${start.failure}`;
  return null;
}

function decisiveOf(steps: readonly BlamedStep[], points: readonly ContinuedPoint[]): DecisiveStep | null {
  let best: BlamedStep | null = null;
  let most = 0;
  /** The best that continuing after the step at hand ever came to. */
  let later = points.at(-1)?.value ?? 0;
  for (const one of [...steps].reverse()) {
    later = Math.max(later, one.after ?? 0);
    const drop = one.drop ?? 0;
    const lasts = (one.before ?? 0) > later;
    if (!lasts || drop <= 0 || drop < most) continue;
    best = one;
    most = drop;
  }
  if (best === null) return null;
  const { step, tool } = best;
  const [before, after] = [points[step], points[step + 1]];
  const estimate = before && after ? dropEstimate(before, after) : null;
  return { step, tool, drop: most, estimate, reason: reasonOf(after, estimate) };
}

/** The drop over continuations that started from the same seed; null where there is one alone. */
function dropEstimate(before: ContinuedPoint, after: ContinuedPoint): Estimate | null {
  if (before.success === null) return null;
  const pairs = before.passes.flatMap((first, index) => {
    const second = after.passes[index] ?? null;
    return first === null || second === null ? [] : [{ first, second, cluster: String(index) }];
  });
  return pairedDifference(pairs, { range: { low: -1, high: 1 } });
}

function reasonOf(after: ContinuedPoint | undefined, estimate: Estimate | null): string {
  const failure = after?.failure ?? 'continuing fails';
  if (estimate === null) return failure;
  const clear = estimate.value !== null && estimate.low !== null && estimate.low > 0;
  const flat = estimate.value === 1 && estimate.n > 1;
  return clear || flat ? failure : `${failure} (but so few continuations do not tell the drop from chance)`;
}

function stoppedShort({ firstFailure }: TrialScore): string {
  const failure = firstFailure ? `: ${firstFailure.check}: ${firstFailure.message}` : '';
  return `no step is to blame: after the last one success was still within reach${failure}`;
}

function creditOf(outcome: TrialScore, points: readonly ContinuedPoint[]): Credit {
  const result = outcome.void ? null : outcome.success ? 1 : 0;
  const valueAt = (index: number): number | null => points.at(index)?.value ?? null;
  return {
    steps: points.slice(1).map(({ value }, index) => difference(value, valueAt(index))),
    end: difference(result, valueAt(-1)),
    total: difference(result, valueAt(0)),
  };
}
