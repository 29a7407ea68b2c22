import { type ComparedTrial, comparedTrial, type SummaryTrial } from '../../scoring/index.ts';
import { type RunConfig, RunFolder, type StoredTrial } from '../../store/run-folder.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import { loadTrajectory } from '../recorded.ts';

/** A finished run as a comparison reads it. A trajectory is read, and verified, only when it is asked for. */
export interface RunArm {
  readonly directory: string;
  readonly config: RunConfig;
  readonly trials: readonly StoredTrial[];
  /** What a trial did; null when it broke before it had a trajectory. */
  readonly trajectoryOf: (trial: StoredTrial) => Trajectory | null;
  /** Real milliseconds from first call to final answer; undefined when it was not measured. */
  readonly wallClockMs: (trial: StoredTrial) => number | undefined;
}

/**
 * Reads a finished run. @throws UsageError when the folder holds none, one that is not finished, or one that
 * lost trials since.
 */
export function readArm(directory: string): RunArm {
  const folder = RunFolder.read(directory, { trajectories: 'trusted' });
  folder.assertWhole();
  return armOf(folder);
}

/** A run as a comparison reads it, finished or not. */
export function armOf(folder: RunFolder): RunArm {
  return {
    directory: folder.directory,
    config: folder.config,
    trials: folder.trials(),
    trajectoryOf: ({ scenario, trial, trajectory }) =>
      trajectory === null ? null : loadTrajectory(folder.trajectoryPath(scenario, trial)),
    wallClockMs: ({ scenario, trial }) => folder.wallClockMs(scenario, trial),
  };
}

/** The trials of these scenarios, of all when left out, as figures take them. */
export function summaryTrials(arm: RunArm, kept?: ReadonlySet<string>): SummaryTrial[] {
  const clusters = new Map(arm.config.scenarios.map(({ id, cluster }) => [id, cluster]));
  return arm.trials
    .filter(({ scenario }) => kept === undefined || kept.has(scenario))
    .map((one) => ({
      scenario: one.scenario,
      cluster: clusters.get(one.scenario),
      trial: one.trial,
      score: one.score,
      wallClockMs: arm.wallClockMs(one),
    }));
}

/** The same as comparisons take them. */
export function comparedTrials(arm: RunArm, kept?: ReadonlySet<string>): ComparedTrial[] {
  return summaryTrials(arm, kept).map(comparedTrial);
}

/** Trial i of both runs started from the same streams: they have the same seed and as many trials. */
export function areAligned(first: RunArm, second: RunArm): boolean {
  return first.config.seed === second.config.seed && first.config.k === second.config.k;
}
