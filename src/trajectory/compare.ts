import { type Json, jsonEqual } from '../base/json.ts';
import type { StepRecord, Trajectory } from './types.ts';

/** The first place where two trajectories part. `step` is -1 for the header, the step count for the end. */
export interface TrajectoryDifference {
  readonly step: number;
  readonly field: string;
  readonly left: Json;
  readonly right: Json;
}

export interface TrajectoryComparison {
  readonly equal: boolean;
  /**
   * True when both started from the same world under the same behaviour, so that a difference is the agent's.
   */
  readonly sameStart: boolean;
  /** Steps that are equal before the first difference. */
  readonly commonSteps: number;
  readonly first: TrajectoryDifference | null;
  /** Step counts of both. */
  readonly steps: { readonly left: number; readonly right: number };
}

/** What an agent does is compared before what came of it: a different call explains a different answer. */
const FIELDS = [
  'tool',
  'actor',
  'input',
  'malformed',
  'waited',
  'batch',
  'fault',
  'outcome',
  'status',
  'response',
  'delivered',
  'events',
  'breaches',
  'diff',
  'clock',
  'after',
  'full',
] as const satisfies readonly (keyof StepRecord)[];

/**
 * Compares two trajectories step by step: agents' names, trials and seeds may differ, worlds and deeds may
 * not.
 */
export function compareTrajectories(left: Trajectory, right: Trajectory): TrajectoryComparison {
  const sameStart =
    left.header.world.content === right.header.world.content &&
    jsonEqual(left.header.behaviour as unknown as Json, right.header.behaviour as unknown as Json);
  const steps = { left: left.steps.length, right: right.steps.length };
  const outcome = (commonSteps: number, first: TrajectoryDifference | null): TrajectoryComparison => ({
    equal: first === null,
    sameStart,
    commonSteps,
    first,
    steps,
  });
  const start = differenceIn(-1, ['content', 'epochMs', 'overlay'], [left.header.world, right.header.world]);
  if (start) return outcome(0, { ...start, field: `world.${start.field}` });
  const shared = Math.min(steps.left, steps.right);
  for (let index = 0; index < shared; index += 1) {
    const difference = differenceIn(index, FIELDS, [left.steps[index], right.steps[index]]);
    if (difference) return outcome(index, difference);
  }
  if (steps.left !== steps.right) {
    return outcome(shared, {
      step: shared,
      field: 'tool',
      left: toolAt(left, shared),
      right: toolAt(right, shared),
    });
  }
  return outcome(shared, differenceIn(shared, ['reason', 'answer', 'content'], [left.end, right.end]));
}

function differenceIn(
  step: number,
  fields: readonly string[],
  [left, right]: readonly [object | null | undefined, object | null | undefined],
): TrajectoryDifference | null {
  const [one, other] = [left ?? {}, right ?? {}] as Readonly<Record<string, Json | undefined>>[];
  for (const field of fields) {
    const [a, b] = [one?.[field], other?.[field]];
    if (!jsonEqual(a, b)) return { step, field, left: a ?? null, right: b ?? null };
  }
  return null;
}

function toolAt(trajectory: Trajectory, index: number): string | null {
  return trajectory.steps[index]?.tool ?? null;
}
