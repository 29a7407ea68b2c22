import type { ComparedTrial, Comparison } from '../compare/types.ts';
import type { JudgeLabel, JudgeVerdict } from '../judge/validate.ts';
import type { SummaryTrial } from '../summary-types.ts';

/** Invariants by id, or all that the scenarios have. */
export type InvariantChoice = 'all' | readonly string[];

/** Bounds on the paired difference candidate − baseline. */
export interface DifferenceRules {
  /** Fails where the interval of this confidence lies below 0: evidence of harm blocks, noise does not. */
  readonly harm?: { readonly confidence: number };
  /** Passes only where the interval lies above −margin (a share): what is not shown is not promoted. */
  readonly noninferiority?: { readonly margin: number; readonly confidence: number };
}

/** The smallest success rate of a scenario. */
export interface Floor {
  /** A scenario's id, or `*` for every one without a floor of its own. */
  readonly scenario: string;
  readonly rate: number;
  readonly confidence: number;
}

export interface Budgets {
  readonly steps?: { readonly p50?: number; readonly p99?: number };
  readonly costPerSuccess?: number;
  readonly wallClockMs?: { readonly p50?: number; readonly p99?: number };
  /** Of all trials. */
  readonly voidShare?: number;
}

/** The largest share of faulty runs that a judge may find, of an interval of this confidence. */
export interface JudgeRule {
  readonly most: number;
  readonly confidence: number;
  /** The files with labels of known runs, and with verdicts on them. */
  readonly labels: string;
  readonly verdicts: string;
}

/** What a judge said, of runs whose faults are known and of the candidate's. */
export interface JudgedRuns {
  readonly labels: readonly JudgeLabel[];
  /** On the labelled runs: they say whether a judge may decide. */
  readonly verdicts: readonly JudgeVerdict[];
  /** The candidate's trials that count, as its verdicts name them. */
  readonly trials: readonly { readonly id: string; readonly cluster: string }[];
  /** On the candidate's trials. */
  readonly said: readonly JudgeVerdict[];
}

/** One profile of a `gates.yaml`. */
export interface GateProfile extends DifferenceRules {
  /** The share of comparisons of an agent with itself that may fail. `gate plan` holds the profile to it. */
  readonly falseAlarms: number;
  /** The same rules for step-wise runs; theirs is the primary figure where both are given. */
  readonly stepwise?: DifferenceRules;
  /** Fails where a scenario got worse, by Holm over all scenarios. */
  readonly scenarios?: { readonly alpha: number };
  readonly floors?: readonly Floor[];
  readonly invariants?: {
    /** Broken now, and in no trial of the baseline. */
    readonly newlyBroken?: InvariantChoice;
    /** Broken in any trial. */
    readonly never?: InvariantChoice;
  };
  readonly budgets?: Budgets;
  readonly judge?: JudgeRule;
}

/** The trials of two runs; the same scenarios in both. */
export interface GateInput {
  readonly candidate: readonly SummaryTrial[];
  /** Null where only floors, invariants and budgets are asked about. */
  readonly baseline: readonly SummaryTrial[] | null;
  readonly aligned: boolean;
  /** Shares of good steps, where step-wise runs were given too. */
  readonly stepwise?: {
    readonly candidate: readonly ComparedTrial[];
    readonly baseline: readonly ComparedTrial[];
    readonly aligned: boolean;
  };
  /** Where the profile asks a judge. */
  readonly judged?: JudgedRuns;
}

export type GateVerdict = 'pass' | 'fail' | 'inconclusive';

export interface GateCheck {
  /** Such as `noninferiority`, `floor refund-88213`, `budget steps.p99`. */
  readonly check: string;
  readonly verdict: GateVerdict;
  /** One sentence with the figures. */
  readonly reason: string;
  readonly scenario?: string;
}

export interface GateResult {
  /** `fail` where a check failed, else `inconclusive` where one is, else `pass`. */
  readonly verdict: GateVerdict;
  readonly checks: readonly GateCheck[];
  /** What is told and decides nothing, each a sentence; left out when there is none. */
  readonly shown?: readonly string[];
  readonly comparison: Comparison | null;
}
