import type { ComparedTrial } from '../../scoring/index.ts';
import { type RunConfig, RunFolder } from '../../store/run-folder.ts';
import { StepwiseLog } from '../../store/stepwise-log.ts';

/** A finished step-wise run: of every trial the share of steps that were exact or equivalent. */
export interface StepwiseArm {
  readonly config: RunConfig;
  readonly trials: readonly ComparedTrial[];
}

/** @throws UsageError when the folder holds no finished step-wise run. */
export function readStepwiseArm(directory: string): StepwiseArm {
  const folder = RunFolder.readStepwise(directory);
  const clusters = new Map(folder.config.scenarios.map(({ id, cluster }) => [id, cluster]));
  const steps = Map.groupBy(
    StepwiseLog.read(folder).steps(),
    ({ scenario, trial }) => `${scenario}#${trial}`,
  );
  const trials = [...steps.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const good = own.filter(({ verdict }) => verdict === 'exact' || verdict === 'equivalent');
    const { scenario, trial } = first;
    return [
      { scenario, cluster: clusters.get(scenario), trial, value: good.length / own.length, void: false },
    ];
  });
  return { config: folder.config, trials };
}
