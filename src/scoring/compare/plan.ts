import { cr2Variance } from '../../stats/cr2.ts';
import {
  minimumDetectableEffect,
  type PairedSpread,
  pilotSpread,
  roundFigure,
  scenariosNeeded,
} from '../../stats/index.ts';
import type { Observation } from '../../stats/types.ts';
import { clusterLabels } from '../clusters.ts';
import type { ComparedTrial } from './types.ts';

/** How large a comparison must be to see a difference, from what a pilot varied. */
export interface PowerPlan {
  /** What the pilot's figures are made of; null with a reason where it is too small. */
  readonly spread: PairedSpread | null;
  readonly reason?: string;
  /** Scenarios of the pilot. */
  readonly pilot: number;
  /** What scenarios of one cluster have in common adds to the variance between scenarios. */
  readonly shared: number;
  /**
   * By trials per scenario: scenarios needed for the difference, and what the pilot's scenarios would show.
   */
  readonly rows: readonly {
    readonly k: number;
    readonly scenarios: number;
    readonly mde: number;
  }[];
}

export interface PlanOptions {
  /** The difference of success rates that is to be seen, as a share. */
  readonly delta: number;
  /** Trials per scenario to plan for. */
  readonly ks: readonly number[];
  readonly alpha?: number;
  readonly power?: number;
}

/**
 * Plans a paired comparison. Of two runs the spread of their differences is measured; of one, two agents like
 * it are assumed that differ in trials alone, so the plan is the least that it can take.
 */
export function planComparison(
  first: readonly ComparedTrial[],
  second: readonly ComparedTrial[] | null,
  options: PlanOptions,
): PowerPlan {
  const [left, right] = [valuesOf(first), valuesOf(second ?? first)];
  const scenarios = [...left.keys()].filter((scenario) => right.has(scenario));
  const spread = pilotSpread(
    scenarios.map((scenario) => ({
      first: left.get(scenario) ?? [],
      second: right.get(scenario) ?? [],
    })),
  );
  const none = { spread, pilot: scenarios.length, shared: 0, rows: [] };
  if (spread === null) return { ...none, reason: 'a pilot needs two scenarios' };
  if (spread.between + spread.within[0] + spread.within[1] === 0) {
    return { ...none, reason: 'nothing varied in the pilot: it has no spread to plan with' };
  }
  const labels = clusterLabels([...first, ...(second ?? [])]);
  const clusters = new Map(
    [...first, ...(second ?? [])].map(({ scenario }, at) => [scenario, labels[at] ?? '']),
  );
  const shared = sharedVariance(
    scenarios.map((scenario) => ({
      value: mean(left.get(scenario)) - mean(right.get(scenario)),
      cluster: clusters.get(scenario) ?? scenario,
    })),
  );
  const rows = options.ks.map((k) => {
    const planned = { ...spread, between: spread.between + shared, trials: [k, k] as const };
    return {
      k,
      // One scenario has no spread, whatever it would show.
      scenarios: Math.max(2, Math.ceil(scenariosNeeded(options.delta, planned, options))),
      mde: minimumDetectableEffect(scenarios.length, planned, options),
    };
  });
  return { ...none, shared: roundFigure(shared), rows };
}

function valuesOf(trials: readonly ComparedTrial[]): ReadonlyMap<string, readonly number[]> {
  const counted = trials.filter((trial) => !trial.void);
  const grouped = Map.groupBy(counted, ({ scenario }) => scenario);
  return new Map([...grouped].map(([scenario, own]) => [scenario, own.map(({ value }) => value)]));
}

const mean = (values: readonly number[] = []): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** n·V of the mean difference with clusters, less the same with every scenario by itself; at least 0. */
function sharedVariance(differences: readonly Observation[]): number {
  const clustered = cr2Variance(differences);
  const apart = cr2Variance(differences.map(({ value }, index) => ({ value, cluster: String(index) })));
  if (clustered === null || apart === null) return 0;
  return Math.max(0, differences.length * (clustered.variance - apart.variance));
}
