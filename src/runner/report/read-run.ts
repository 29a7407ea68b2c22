import { existsSync, readFileSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import type { RunSummary } from '../../scoring/index.ts';
import { type RunConfig, RunFolder, type StoredTrial } from '../../store/run-folder.ts';
import { readTrajectory, type Trajectory } from '../../trajectory/index.ts';

/** A run as a report shows it. */
export interface ReportRun {
  readonly name: string;
  readonly directory: string;
  readonly config: RunConfig;
  readonly summary: RunSummary;
  readonly trials: readonly StoredTrial[];
  /** Trajectories of trials that did not succeed, by `scenario#trial`; at most `EPISODES_PER_RUN`. */
  readonly episodes: ReadonlyMap<string, Trajectory>;
  readonly episodesLeftOut: number;
}

/** A report stays a file that opens at once: so many failed trials are shown step by step. */
export const EPISODES_PER_RUN = 24;

/** Reads a finished run. @throws UsageError when the folder holds none, or the run is not finished. */
export function readRun(directory: string): ReportRun {
  const folder = RunFolder.read(directory);
  const path = `${directory}/summary.json`;
  if (!existsSync(path)) {
    throw new UsageError('not-finished', `the run in ${directory} is not finished`, {
      hint: 'give the same `run` command again: it goes on where it stopped',
    });
  }
  const failed = folder.trials().filter((trial) => !trial.score.success && trial.trajectory !== null);
  const shown = oneOfEachFirst(failed).slice(0, EPISODES_PER_RUN);
  const episodes = new Map(
    shown.map(({ scenario, trial }) => {
      const file = folder.trajectoryPath(scenario, trial);
      return [`${scenario}#${trial}`, readTrajectory(readFileSync(file, 'utf8'), { file })];
    }),
  );
  return {
    name: folder.config.agent.name,
    directory,
    config: folder.config,
    summary: JSON.parse(readFileSync(path, 'utf8')) as RunSummary,
    trials: folder.trials(),
    episodes,
    episodesLeftOut: failed.length - shown.length,
  };
}

/** The first failed trial of every scenario before any second one. */
function oneOfEachFirst(trials: readonly StoredTrial[]): StoredTrial[] {
  const seen = new Map<string, number>();
  const ranked = trials.map((trial) => {
    const rank = seen.get(trial.scenario) ?? 0;
    seen.set(trial.scenario, rank + 1);
    return { trial, rank };
  });
  return ranked.sort((left, right) => left.rank - right.rank).map(({ trial }) => trial);
}
