import type { StoredTrial } from '../../store/run-folder.ts';
import { RunFolder } from '../../store/run-folder.ts';
import { loadTrajectory } from '../recorded.ts';
import type { LabelItem } from './machine.ts';
import { type ShownTrial, shownTrial } from './screen.ts';

/** A failed trial of a run; its trajectory is read where it is asked for. */
export interface FailedTrial {
  readonly item: LabelItem;
  readonly show: () => ShownTrial;
}

/** The trials of a run that failed, in its order; void ones say nothing of the agent and are left out. */
export function failedTrials(directory: string): FailedTrial[] {
  const folder = RunFolder.read(directory, { trajectories: 'trusted' });
  return folder
    .trials()
    .filter(({ score }) => score.void === null && !score.success)
    .map((trial) => failedTrial(folder, trial));
}

function failedTrial(folder: RunFolder, { scenario, trial, trajectory, score }: StoredTrial): FailedTrial {
  const read = () => (trajectory === null ? null : loadTrajectory(folder.trajectoryPath(scenario, trial)));
  return {
    item: {
      scenario,
      trial,
      steps: score.steps,
      // Only asked for where a message is named: a run may have thousands of failures.
      get messages() {
        return read()?.messages.length ?? 0;
      },
    },
    show: () => shownTrial(read(), score),
  };
}
