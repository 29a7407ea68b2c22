import { UsageError } from '../base/errors.ts';
import { armOf, type RunArm, readArm } from '../runner/compare/arms.ts';
import { clusterLabels } from '../scoring/clusters.ts';
import type { TrialScore } from '../scoring/index.ts';
import { RunFolder } from '../store/run-folder.ts';
import type { Trajectory } from '../trajectory/index.ts';

/** A trial of a run: `runTrial` gives such, and so does a run folder. */
export interface ScoredTrial {
  readonly scenario: string;
  readonly trial: number;
  readonly score: TrialScore;
}

/** Many trials: a run's folder (its path, or as `runBank` gave it back), or a list of trials. */
export type TrialsLike = string | { readonly folder: RunFolder } | RunArm | readonly ScoredTrial[];

export interface ReceivedTrial extends ScoredTrial {
  /** Trials of one cluster say less than as many of several. */
  readonly cluster: string;
  readonly trajectory: () => Trajectory | null;
}

/** True for what holds many trials, and is no single run. */
export function isTrials(received: unknown): received is TrialsLike {
  if (typeof received === 'string') return !received.endsWith('.traj.jsonl');
  if (Array.isArray(received)) return true;
  const { folder, trials } = (received ?? {}) as { readonly folder?: unknown; readonly trials?: unknown };
  return folder instanceof RunFolder || Array.isArray(trials);
}

/** Reads many trials. @throws UsageError for what holds none, or a run that is not finished. */
export function receivedTrials(received: unknown): readonly ReceivedTrial[] {
  if (!isTrials(received)) {
    throw noTrials();
  }
  if (Array.isArray(received)) {
    if (!received.every(isScored)) throw noTrials();
    const trials = received as readonly (ScoredTrial & { readonly trajectory?: Trajectory | null })[];
    return clustered(
      trials,
      () => undefined,
      ({ trajectory }) => trajectory ?? null,
    );
  }
  const arm = armOfRun(received as Exclude<TrialsLike, readonly ScoredTrial[]>);
  const known = new Map(arm.config.scenarios.map(({ id, cluster }) => [id, cluster]));
  return clustered(arm.trials, (scenario) => known.get(scenario), arm.trajectoryOf);
}

function noTrials(): UsageError {
  return new UsageError('no-trials', 'expected a run folder or a list of trials', {
    hint: "expect('runs/mine').toPassAtLeast(0.9), or the results of runTrial in a list",
  });
}

function isScored(trial: unknown): boolean {
  const { scenario, score } = (trial ?? {}) as { readonly scenario?: unknown; readonly score?: unknown };
  return typeof scenario === 'string' && typeof score === 'object' && score !== null;
}

function armOfRun(received: Exclude<TrialsLike, readonly ScoredTrial[]>): RunArm {
  if (typeof received === 'string') return readArm(received);
  return 'folder' in received ? armOf(received.folder) : received;
}

function clustered<T extends ScoredTrial>(
  trials: readonly T[],
  clusterOf: (scenario: string) => string | undefined,
  trajectoryOf: (trial: T) => Trajectory | null,
): readonly ReceivedTrial[] {
  const labels = clusterLabels(trials.map(({ scenario }) => ({ scenario, cluster: clusterOf(scenario) })));
  return trials.map((trial, index) => ({
    scenario: trial.scenario,
    trial: trial.trial,
    score: trial.score,
    cluster: labels[index] ?? trial.scenario,
    trajectory: () => trajectoryOf(trial),
  }));
}
