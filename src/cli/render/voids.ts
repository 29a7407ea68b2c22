import type { RunFolder } from '../../store/run-folder.ts';
import { commandLine, typeable } from '../command-line.ts';
import { counted } from './counted.ts';

/** Void trials, each with its reason and the command that shows it again. */
export function voidLines(folder: RunFolder, limit: number): string[] {
  const voids = folder.trials().filter(({ score }) => score.void !== null);
  const lines = voids.slice(0, limit).flatMap(({ scenario, trial, trajectory, score }) => {
    const path = folder.trajectoryPath(scenario, trial);
    const detail = typeable(score.void?.detail.replace('TRAJECTORY', path) ?? '');
    const head = `${scenario} trial ${trial}, ${score.void?.reason}: ${detail}`;
    return trajectory === null ? [head] : [head, `  ${commandLine(`replay ${path}`)}`];
  });
  return voids.length > limit
    ? [...lines, `… and ${counted(voids.length - limit, 'more void trial')}`]
    : lines;
}
