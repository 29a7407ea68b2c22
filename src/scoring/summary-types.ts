import type { Json } from '../base/json.ts';
import type { Estimate, Quantile, Ratio } from '../stats/types.ts';
import type { FaultCounts } from './recovery/types.ts';
import type { Invariant, TrialScore } from './types.ts';

/** One trial of a run, as a summary takes it. */
export interface SummaryTrial {
  readonly scenario: string;
  /** A coarser cluster that the scenario belongs to. The scenario is always at least a cluster. */
  readonly cluster?: string | undefined;
  readonly trial: number;
  readonly score: TrialScore;
  /** First call to final answer in real milliseconds, where it was measured. */
  readonly wallClockMs?: number | undefined;
}

/** The mean over trials with its interval; beside it the pooled counts over all trials. */
export type RatioFigure = Estimate & { readonly pooled: Ratio };

export interface QuantilePair {
  readonly p50: Quantile;
  readonly p99: Quantile;
}

/** The figures of a run: see `docs/scoring.md` for what each counts. */
export interface RunMetrics {
  readonly success: Estimate;
  readonly precision: RatioFigure;
  readonly recall: RatioFigure;
  readonly redundant: RatioFigure;
  readonly redundantSinceWrite: RatioFigure;
  /** Recovered trials ÷ trials that met a tool error. */
  readonly recovery: RatioFigure;
  /** Tool calls per successful trial. */
  readonly steps: QuantilePair;
  /** Total cost of all trials ÷ successful trials, in the currency of the costs. */
  readonly costPerSuccess: Estimate;
  /** Real milliseconds per successful trial. */
  readonly wallClockMs: QuantilePair;
}

export interface InvariantSummary {
  readonly id: string;
  readonly kind: Invariant['kind'];
  /** Trials that broke it, of the trials that were held to it and are not void. */
  readonly broken: number;
  readonly of: number;
  /** How many of these had nothing that could have broken or met it. */
  readonly skipped: number;
  readonly first: { readonly scenario: string; readonly trial: number; readonly step: number | null } | null;
}

export interface FailureSummary {
  readonly scenario: string;
  readonly trial: number;
  readonly step: number | null;
  readonly check: string;
  readonly expected: Json;
  readonly got: Json;
  readonly message: string;
}

/** A rate with every void trial counted as a failure, and as a success. */
export interface IfVoid {
  readonly fail: Estimate;
  readonly pass: Estimate;
}

/** What the `run` command prints of scores (design §11). */
export interface RunSummary {
  readonly trials: number;
  readonly k: number;
  readonly void: { readonly count: number; readonly byReason: Readonly<Record<string, number>> };
  /** Over the trials that are not void. */
  readonly success: Estimate;
  readonly successIfVoid: IfVoid;
  /** By k as text: "1" and the k asked for. */
  readonly passAt: Readonly<Record<string, Estimate>>;
  readonly passHat: Readonly<Record<string, Estimate>>;
  readonly passAtIfVoid: Readonly<Record<string, IfVoid>>;
  readonly passHatIfVoid: Readonly<Record<string, IfVoid>>;
  readonly metrics: RunMetrics;
  readonly invariants: readonly InvariantSummary[];
  /** Every failed check of every trial that is not void, by scenario, trial and step. */
  readonly failures: readonly FailureSummary[];
  /** Trials under fault plans, and how many were hit; left out where none was under one. */
  readonly faults?: FaultCounts;
}
