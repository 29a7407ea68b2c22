import { basename } from 'node:path';
import type { RunSummary } from '../../scoring/index.ts';
import { type RunConfig, RunFolder, type StoredTrial } from '../../store/run-folder.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import { armOf, type RunArm } from '../compare/index.ts';
import { summaryOf } from '../run.ts';
import type { Blamer } from './blamer.ts';
import { type ReadBlame, readBlameBeside } from './read-blame.ts';
import { type ReadGate, readGateOf } from './read-gate.ts';

/** A run as a report shows it. */
export interface ReportRun {
  /** Position on the page, from 0. */
  readonly index: number;
  /** Heads the run's column; no two runs of a page share it. */
  readonly name: string;
  readonly directory: string;
  readonly config: RunConfig;
  readonly summary: RunSummary;
  readonly trials: readonly StoredTrial[];
  /** Reads what a trial did; null when it broke before it had a trajectory. */
  readonly trajectoryOf: (trial: StoredTrial) => Trajectory | null;
  /** What blame says of a trial that has a trajectory; null where nobody asked. */
  readonly blameOf: (trial: StoredTrial, trajectory: Trajectory) => ReadBlame;
  /** The same run as comparisons take it. */
  readonly arm: RunArm;
  /** The gate whose JSON lies in the folder, or why it is none; null where there is none. */
  readonly gate: ReadGate | { readonly unreadable: string } | null;
}

/**
 * Reads finished runs. A blame that lies beside a trajectory is taken before any that a blamer makes.
 * @throws UsageError when a folder holds none, the run is not finished, or trials of it are gone.
 */
export function readRuns(directories: readonly string[], blamers: readonly Blamer[] = []): ReportRun[] {
  const runs = directories.map((directory, index) => readRun(directory, blamers[index]));
  return runs.map((run, index) => ({ ...run, index, name: nameOf(run, runs) }));
}

function readRun(directory: string, blamer: Blamer | undefined): Omit<ReportRun, 'index' | 'name'> {
  const folder = RunFolder.read(directory);
  folder.assertWhole();
  const arm = armOf(folder);
  const { config, trials, trajectoryOf } = arm;
  return {
    directory,
    config,
    summary: summaryOf(folder),
    trials,
    trajectoryOf,
    blameOf: (trial, trajectory) =>
      readBlameBeside(folder.trajectoryPath(trial.scenario, trial.trial)) ??
      blamer?.(trial, trajectory) ??
      null,
    arm,
    gate: readGateOf(directory),
  };
}

/** The agent's name; with the seed, then the folder, where that is not enough to tell two runs apart. */
function nameOf(
  run: Pick<ReportRun, 'config' | 'directory'>,
  runs: readonly Pick<ReportRun, 'config' | 'directory'>[],
): string {
  const { agent, seed } = run.config;
  const alike = runs.filter(({ config }) => config.agent.name === agent.name);
  if (alike.length === 1) return agent.name;
  const sameSeed = alike.filter(({ config }) => config.seed === seed);
  return sameSeed.length === 1 ? `${agent.name}, seed ${seed}` : `${agent.name}, ${basename(run.directory)}`;
}
