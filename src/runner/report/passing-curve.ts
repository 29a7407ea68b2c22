import type { Estimate } from '../../scoring/index.ts';
import { passAtK, passHatK, rateEstimate } from '../../stats/index.ts';
import type { Lead } from '../attempts.ts';
import type { ReportRun } from './read-run.ts';

/** pass^k or pass@k of a run for one k. */
export interface PassingPoint {
  readonly k: number;
  readonly estimate: Estimate;
}

/**
 * pass^k, or pass@k, for k from 1 to the trials per scenario, over the stored trials that are not void. Where
 * the summary has the figure it is taken as it stands; the others follow the same rule.
 */
export function passingCurve(run: ReportRun, lead: Lead = 'passHat'): PassingPoint[] {
  const scenarios = countsByScenario(run);
  return Array.from({ length: run.summary.k }, (_, index) => {
    const k = index + 1;
    return { k, estimate: run.summary[lead][String(k)] ?? overScenarios(scenarios, k, lead) };
  });
}

interface ScenarioCount {
  readonly n: number;
  readonly c: number;
  readonly cluster: string | undefined;
}

function countsByScenario({ config, trials }: Pick<ReportRun, 'config' | 'trials'>): ScenarioCount[] {
  const byScenario = Map.groupBy(
    trials.filter(({ score }) => score.void === null),
    ({ scenario }) => scenario,
  );
  return config.scenarios.map(({ id, cluster }) => {
    const scored = byScenario.get(id) ?? [];
    return { n: scored.length, c: scored.filter(({ score }) => score.success).length, cluster };
  });
}

function overScenarios(scenarios: readonly ScenarioCount[], k: number, lead: Lead): Estimate {
  const estimator = lead === 'passAt' ? passAtK : passHatK;
  const defined = scenarios.flatMap((scenario, index) => {
    const value = estimator(scenario, k);
    return value === null ? [] : [{ value, cluster: scenario.cluster ?? `scenario ${index}` }];
  });
  const left = scenarios.length - defined.length;
  const which = `${left} of ${scenarios.length} scenarios`;
  const why = `undefined for ${which}: fewer than ${k} trials that are not void`;
  if (defined.length === 0) return { value: null, reason: why };
  const estimate = rateEstimate(defined, { note: left === 0 ? undefined : why });
  if (estimate.value === null || scenarios.every(({ cluster }) => cluster !== undefined)) return estimate;
  // Scenarios alone would look more independent than they may be.
  return { ...estimate, low: null, high: null, se: null, reason: 'the run does not say its clusters' };
}
