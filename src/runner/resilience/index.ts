import { type Resilience, resilienceOf } from '../../scoring/index.ts';
import { type RunArm, readArm } from '../compare/index.ts';

/**
 * What faults did to the trials of a finished run.
 * @throws UsageError when the folder holds none, one that is not finished, or one that lost trials since
 */
export function runResilience(directory: string): Resilience {
  return armResilience(readArm(directory));
}

/** The same of a run that is read already. */
export function armResilience({ config, trials }: Pick<RunArm, 'config' | 'trials'>): Resilience {
  const scenarios = new Map(config.scenarios.map((one) => [one.id, one]));
  return resilienceOf(
    trials.map(({ scenario: name, score }) => {
      const { scenario = name, plan, cluster } = scenarios.get(name) ?? {};
      return { scenario, plan, cluster, score };
    }),
  );
}
