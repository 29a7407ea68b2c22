import {
  minimumDetectableEffect,
  type PairedSpread,
  pilotSpread,
  scenariosNeeded,
} from '../../stats/index.ts';
import type { ComparedTrial } from './types.ts';

/** How large a comparison must be to see a difference, from what a pilot varied. */
export interface PowerPlan {
  /** What the pilot's figures are made of; null with a reason where it is too small. */
  readonly spread: PairedSpread | null;
  readonly reason?: string;
  /** Scenarios of the pilot. */
  readonly pilot: number;
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
  if (spread === null)
    return { spread, reason: 'a pilot needs two scenarios', pilot: scenarios.length, rows: [] };
  if (spread.between + spread.within[0] + spread.within[1] === 0) {
    const reason = 'nothing varied in the pilot: it has no spread to plan with';
    return { spread, reason, pilot: scenarios.length, rows: [] };
  }
  const rows = options.ks.map((k) => {
    const planned = { ...spread, trials: [k, k] as const };
    return {
      k,
      scenarios: Math.ceil(scenariosNeeded(options.delta, planned, options)),
      mde: minimumDetectableEffect(scenarios.length, planned, options),
    };
  });
  return { spread, pilot: scenarios.length, rows };
}

function valuesOf(trials: readonly ComparedTrial[]): ReadonlyMap<string, readonly number[]> {
  const counted = trials.filter((trial) => !trial.void);
  const grouped = Map.groupBy(counted, ({ scenario }) => scenario);
  return new Map([...grouped].map(([scenario, own]) => [scenario, own.map(({ value }) => value)]));
}
