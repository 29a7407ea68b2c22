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
  /** Steps with the same deeds before the first difference. */
  readonly commonSteps: number;
  readonly first: TrajectoryDifference | null;
  /** Where ids, times or rows differ before the first different deed; null where they do not. */
  readonly evidence: TrajectoryDifference | null;
  /** Step counts of both. */
  readonly steps: { readonly left: number; readonly right: number };
}

/**
 * What was done: it does not depend on clock or streams, so trials with different seeds can be compared by
 * it.
 */
const DEEDS = [
  'tool',
  'actor',
  'input',
  'malformed',
  'requestHeaders',
  'waited',
  'batch',
  'fault',
  'outcome',
  'status',
] as const satisfies readonly (keyof StepRecord)[];

/** What came of it: ids and times in here differ between trials that did the same. */
const EVIDENCE = [
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
 * Compares two trajectories. Agents' names, trials and seeds may differ, worlds and deeds may not: the first
 * different deed is what parts them, also where ids or times differed before it.
 */
export function compareTrajectories(left: Trajectory, right: Trajectory): TrajectoryComparison {
  const sameStart =
    left.header.world.content === right.header.world.content &&
    jsonEqual(left.header.behaviour as unknown as Json, right.header.behaviour as unknown as Json);
  const steps = { left: left.steps.length, right: right.steps.length };
  const start = differenceIn(-1, ['content', 'epochMs', 'overlay'], [left.header.world, right.header.world]);
  if (start) {
    const first = { ...start, field: `world.${start.field}` };
    return { equal: false, sameStart, commonSteps: 0, first, evidence: null, steps };
  }
  const deed = firstIn(DEEDS, left, right) ?? lengthDifference(left, right) ?? endDifference(left, right);
  const evidence =
    firstIn(EVIDENCE, left, right) ?? differenceIn(steps.left, ['content'], [left.end, right.end]);
  const commonSteps = deed === null ? Math.min(steps.left, steps.right) : Math.max(0, deed.step);
  return {
    equal: deed === null && evidence === null,
    sameStart,
    commonSteps,
    first: deed ?? evidence,
    evidence: evidence && (deed === null || evidence.step < deed.step) ? evidence : null,
    steps,
  };
}

function firstIn(
  fields: readonly (keyof StepRecord)[],
  left: Trajectory,
  right: Trajectory,
): TrajectoryDifference | null {
  const shared = Math.min(left.steps.length, right.steps.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = differenceIn(index, fields, [left.steps[index], right.steps[index]]);
    if (difference) return difference;
  }
  return null;
}

function lengthDifference(left: Trajectory, right: Trajectory): TrajectoryDifference | null {
  const shared = Math.min(left.steps.length, right.steps.length);
  if (left.steps.length === right.steps.length) return null;
  return { step: shared, field: 'tool', left: toolAt(left, shared), right: toolAt(right, shared) };
}

function endDifference(left: Trajectory, right: Trajectory): TrajectoryDifference | null {
  return differenceIn(left.steps.length, ['reason', 'answer'], [left.end, right.end]);
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
