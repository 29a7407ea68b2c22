import { rateEstimate } from '../../stats/index.ts';
import type { Estimate } from '../../stats/types.ts';
import type { ComparedTrial, Passed } from './types.ts';

/** A scenario that is neither always nor never solved. */
export interface Flake extends Passed {
  readonly scenario: string;
  /** The success rate of this scenario alone, its trials as independent. */
  readonly rate: Estimate;
}

/** What a run says of the steadiness of its agent. */
export interface FlakeReport {
  readonly always: number;
  readonly never: number;
  /** Scenarios with a single trial that counts: one trial cannot show a flake. */
  readonly single: number;
  /** Nearest to a half first: those say least. */
  readonly flakes: readonly Flake[];
}

/** Sorts scenarios into always, never and sometimes solved. Void trials do not count. */
export function flakeReport(trials: readonly ComparedTrial[]): FlakeReport {
  const scenarios = Map.groupBy(
    trials.filter((trial) => !trial.void),
    ({ scenario }) => scenario,
  );
  const counts = [...scenarios].map(([scenario, own]) => ({
    scenario,
    passed: own.filter(({ value }) => value === 1).length,
    of: own.length,
  }));
  const mixed = counts.filter(({ passed, of }) => passed > 0 && passed < of);
  const away = ({ passed, of }: Passed): number => Math.abs(passed / of - 0.5);
  return {
    always: counts.filter(({ passed, of }) => of > 1 && passed === of).length,
    never: counts.filter(({ passed, of }) => of > 1 && passed === 0).length,
    single: counts.filter(({ of }) => of === 1).length,
    flakes: mixed
      .toSorted((left, right) => away(left) - away(right) || (left.scenario < right.scenario ? -1 : 1))
      .map(({ scenario, passed, of }) => ({ scenario, passed, of, rate: rateOfCount(passed, of) })),
  };
}

function rateOfCount(passed: number, of: number): Estimate {
  return rateEstimate(
    Array.from({ length: of }, (_, trial) => ({ value: trial < passed ? 1 : 0, cluster: String(trial) })),
  );
}
