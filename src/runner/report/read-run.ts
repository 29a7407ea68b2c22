import { basename } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { RunSummary } from '../../scoring/index.ts';
import { type RunConfig, RunFolder, type StoredTrial } from '../../store/run-folder.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import { loadTrajectory } from '../recorded.ts';
import { summaryOf } from '../run.ts';

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
}

/** Reads finished runs. @throws UsageError when a folder holds none, or the run is not finished. */
export function readRuns(directories: readonly string[]): ReportRun[] {
  const runs = directories.map(readRun);
  return runs.map((run, index) => ({ ...run, index, name: nameOf(run, runs) }));
}

function readRun(directory: string): Omit<ReportRun, 'index' | 'name'> {
  const folder = RunFolder.read(directory);
  if (!folder.finished) {
    throw new UsageError('not-finished', `the run in ${directory} is not finished`, {
      hint: 'give the same `run` command again: it goes on where it stopped',
    });
  }
  return {
    directory,
    config: folder.config,
    summary: summaryOf(folder),
    trials: folder.trials(),
    trajectoryOf: ({ scenario, trial, trajectory }) => {
      if (trajectory === null) return null;
      return loadTrajectory(folder.trajectoryPath(scenario, trial));
    },
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
