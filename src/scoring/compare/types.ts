import type { Estimate } from '../../stats/types.ts';

/** One trial of an arm, as a comparison takes it. */
export interface ComparedTrial {
  readonly scenario: string;
  /** A coarser cluster that the scenario belongs to. The scenario is always at least a cluster. */
  readonly cluster?: string | undefined;
  readonly trial: number;
  /** 1 for a success and 0 for a failure, or a share, such as the good steps of a step-wise trial. */
  readonly value: number;
  readonly void: boolean;
}

/** Two arms on the same scenarios: the first is the baseline. */
export interface ComparisonInput {
  readonly first: readonly ComparedTrial[];
  readonly second: readonly ComparedTrial[];
  /** True when trial i of both arms had the same seed: then trials are paired, else only scenarios. */
  readonly aligned: boolean;
  /** Confidence of the interval, 0.95 when left out. */
  readonly confidence?: number;
}

/** Sum of the values (successes, where they are 0 or 1) of the trials that count. */
export interface Passed {
  readonly passed: number;
  readonly of: number;
}

/** One scenario in both arms. */
export interface ScenarioPair {
  readonly scenario: string;
  readonly first: Passed;
  readonly second: Passed;
  /** Fisher's exact p of this scenario alone; 1 for shares, which have no such test. */
  readonly p: number;
  /** The same adjusted by Holm over all scenarios. */
  readonly adjusted: number;
}

export type TestName = 'McNemar exact' | 'McNemar mid-p' | 'paired t, CR2' | 'paired permutation, exact';

/** How much of an arm says nothing about its agent. */
export interface VoidShare {
  readonly count: number;
  readonly of: number;
}

export type ComparisonVerdict = 'better' | 'worse' | 'no-difference-shown' | 'inconclusive';

/** What two runs of the same scenarios say about their agents. Differences are second − first. */
export interface Comparison {
  /** Whether trials were paired, or scenarios only. */
  readonly paired: 'trials' | 'scenarios';
  /** Scenarios that have a trial that counts in both arms. */
  readonly n: number;
  readonly clusters: number;
  /** Success rates over these scenarios. */
  readonly first: Estimate;
  readonly second: Estimate;
  readonly delta: Estimate;
  /** The test that `p` is of and why this one; null with the reason why there is none. */
  readonly test: { readonly name: TestName | null; readonly reason: string };
  readonly p: number | null;
  /** The smallest difference that a run like this shows with 80 % power at the 5 % level. */
  readonly mde: number | null;
  readonly voids: { readonly first: VoidShare; readonly second: VoidShare };
  /** The difference with the voids of both arms counted against, and for, the second. */
  readonly deltaIfVoid: { readonly worst: number | null; readonly best: number | null };
  readonly scenarios: readonly ScenarioPair[];
  /** Scenarios without a trial that counts in one of the arms. */
  readonly unpaired: readonly string[];
  readonly verdict: ComparisonVerdict;
  readonly reason: string;
}
