import { type Comparison, compareArms, type FlakeReport, flakeReport } from '../../scoring/index.ts';
import { areAligned, comparedTrials, type RunArm, readArm } from './arms.ts';
import { type FlippedScenario, flippedScenarios } from './flips.ts';
import { assertCommon, assertSameWorld, type CommonGround, commonGround } from './same-world.ts';

export interface CompareOptions {
  /** Leave out what is not the same in both runs, in place of refusing. */
  readonly intersect?: boolean;
  /** Confidence of the interval, 0.95 when left out. */
  readonly confidence?: number;
  /** How many flipped scenarios are shown with their evidence; 20 when left out. */
  readonly evidence?: number;
}

/** Two runs set against each other; the first is the baseline. */
export interface RunComparison {
  readonly arms: readonly [RunArm, RunArm];
  readonly comparison: Comparison;
  readonly flipped: readonly FlippedScenario[];
  readonly leftOut: CommonGround['leftOut'];
  readonly flakes: readonly [FlakeReport, FlakeReport];
}

/**
 * Compares two finished runs scenario by scenario.
 * @throws UsageError where they are not of the same world and `intersect` is not set, or nothing is left.
 */
export function compareRuns(
  directories: readonly [string, string],
  options: CompareOptions = {},
): RunComparison {
  return compareReadArms([readArm(directories[0]), readArm(directories[1])], options);
}

/** The same of runs that were read already. */
export function compareReadArms(
  arms: readonly [RunArm, RunArm],
  options: CompareOptions = {},
): RunComparison {
  const [first, second] = arms;
  const ground = commonGround(first, second);
  if (!options.intersect) assertSameWorld(ground);
  assertCommon(ground);
  const { kept, leftOut } = ground;
  const [left, right] = arms.map((arm) => comparedTrials(arm, kept));
  const comparison = compareArms({
    first: left ?? [],
    second: right ?? [],
    aligned: areAligned(first, second),
    ...(options.confidence !== undefined && { confidence: options.confidence }),
  });
  return {
    arms,
    comparison,
    flipped: flippedScenarios(comparison.scenarios, arms, options.evidence ?? 20),
    leftOut,
    flakes: [flakeReport(left ?? []), flakeReport(right ?? [])],
  };
}
