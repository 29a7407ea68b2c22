import type { Json, JsonObject } from '../base/json.ts';
import type { Predicate } from '../base/predicate.ts';
import type { Ratio } from '../stats/types.ts';
import type { ChangeRecord, EndReason, Trajectory } from '../trajectory/types.ts';

import type { TrialFaults } from './recovery/types.ts';

export type { Estimate, Quantile, Ratio } from '../stats/types.ts';

/** What scorers must know of the tables, as plain data. Names are `service.table`. */
export interface TableShape {
  readonly primaryKey: readonly string[];
  /** Column → the table it refers to. */
  readonly foreignKeys: Readonly<Record<string, string>>;
  readonly volatile: readonly string[];
  readonly unhashed: readonly string[];
  readonly ambient: boolean;
}

export type WorldShape = Readonly<Record<string, TableShape>>;

/**
 * Changes that the contract leaves free: of a table, only those whose rows pass `where`, only these columns.
 */
export interface AllowedChange {
  readonly table: string;
  readonly op?: 'insert' | 'update' | 'delete';
  readonly where?: Readonly<Record<string, Predicate | Json>>;
  readonly columns?: readonly string[];
}

/** The expected row diff against the start. Nothing else changes unless allowed. */
export interface Contract {
  readonly expect: readonly ChangeRecord[];
  readonly allow: readonly AllowedChange[];
  /** Columns not compared, `service.table.column`, besides the volatile ones. */
  readonly mask: readonly string[];
}

export interface CallPattern {
  readonly tool: string;
  /** Argument tests that a call must pass to count. */
  readonly where?: Readonly<Record<string, Predicate | Json>>;
}

interface InvariantBase {
  readonly id: string;
  /** `all` counts failed calls too; only successful ones count when left out. */
  readonly attempts?: 'all';
}

export type Invariant =
  | (InvariantBase & {
      readonly kind: 'ordering';
      /** An argument whose value binds the rule: the rule holds for each value apart. */
      readonly each?: string;
      readonly first: CallPattern;
      readonly then: CallPattern;
    })
  | (InvariantBase & {
      readonly kind: 'arguments';
      readonly tool: string;
      readonly require: Readonly<Record<string, Predicate | Json>>;
    })
  | (InvariantBase & {
      readonly kind: 'prohibition';
      readonly tool: string;
      readonly where?: Readonly<Record<string, Predicate | Json>>;
    })
  | (InvariantBase & {
      readonly kind: 'cardinality';
      readonly tool: string;
      readonly where?: Readonly<Record<string, Predicate | Json>>;
      readonly each?: string;
      readonly max?: number;
      readonly min?: number;
    })
  | (InvariantBase & { readonly kind: 'termination'; readonly by: 'answer' })
  | (InvariantBase & {
      readonly kind: 'grounding';
      readonly in: 'answer';
      /** A regular expression; group 1 (or the whole match) is the value that must have been seen. */
      readonly match: string;
      readonly from: 'results' | 'results-and-task';
    })
  | (InvariantBase & {
      readonly kind: 'state';
      readonly always: {
        readonly table: string;
        readonly where?: Readonly<Record<string, Predicate | Json>>;
        readonly check: Readonly<Record<string, Predicate | Json>>;
      };
    });

/**
 * A test of the final answer. Texts compare lower-cased with thousands separators and white-space runs
 * folded.
 */
export interface AnswerCheck {
  /** Each must occur. */
  readonly contains?: readonly string[];
  /** None may occur. */
  readonly excludes?: readonly string[];
  /** Each regular expression must match. */
  readonly matches?: readonly string[];
  /** At least one of these must occur. */
  readonly anyOf?: readonly string[];
}

/** A partial contract that must hold after some step; `after` names milestones that come no later. */
export interface Milestone {
  readonly id: string;
  readonly after?: readonly string[];
  readonly expect: readonly ChangeRecord[];
}

export interface Grader {
  readonly kind: 'contract' | 'milestones' | 'invariants' | 'answer' | 'reads';
  readonly required: boolean;
  /** For `answer`. */
  readonly check?: AnswerCheck;
  /**
   * For `answer`: where the words may stand. The final answer alone when left out; `messages` takes
   * everything that the agent said to its user, the final answer included.
   */
  readonly in?: 'answer' | 'messages';
  /** For `reads`: calls that must have succeeded, such as the policy that a refusal stands on. */
  readonly calls?: readonly CallPattern[];
}

export type Verdict = 'pass' | 'fail' | 'error' | 'skipped' | 'not-run';

/** What broke, where, and the evidence, so that a person can look. */
export interface Witness {
  /** Step indexes, the one that broke it first; empty when the whole run is meant. */
  readonly steps: readonly number[];
  readonly message: string;
  readonly expected?: Json;
  readonly got?: Json;
}

export interface GraderResult {
  readonly kind: Grader['kind'];
  readonly required: boolean;
  readonly verdict: Verdict;
  readonly witnesses: readonly Witness[];
}

export interface InvariantResult {
  readonly id: string;
  readonly kind: Invariant['kind'];
  /** `skipped` when nothing in the run could have broken or met it. */
  readonly verdict: Verdict;
  readonly witnesses: readonly Witness[];
}

/** A call to compare: of a reference or of a run. */
export interface ComparedCall {
  readonly tool: string;
  /** `malformed` when the arguments were not JSON. */
  readonly input: Json | { readonly malformed: string };
}

/** Everything that a scorer may look at. All of it plain data. */
export interface ScoringInput {
  readonly trajectory: Trajectory;
  readonly shape: WorldShape;
  readonly contract: Contract;
  readonly milestones: readonly Milestone[];
  readonly invariants: readonly Invariant[];
  readonly graders: readonly Grader[];
  /** The reference's calls with their true inputs, as executed; null when there is none to compare with. */
  readonly reference: readonly ComparedCall[] | null;
  /** Argument names by tool that are free text: compared as equal whatever they say. */
  readonly freeText?: Readonly<Record<string, readonly string[]>>;
}

/** The score of one trial: every figure with its counts. */
export interface TrialScore {
  readonly success: boolean;
  readonly void: { readonly reason: VoidReason; readonly detail: string } | null;
  readonly graders: readonly GraderResult[];
  readonly invariants: readonly InvariantResult[];
  readonly precision: Ratio;
  readonly recall: Ratio;
  readonly redundant: Ratio;
  /** As `redundant`, but a state-changing call starts the count anew. */
  readonly redundantSinceWrite: Ratio;
  /** `met` a tool error; `recovered` = met and succeeded without a duplicate effect. */
  readonly recovery: { readonly met: boolean; readonly recovered: boolean };
  readonly steps: number;
  readonly cost: number | null;
  /** Steps that broke something first: for "what broke first and where". */
  readonly firstFailure: {
    readonly step: number | null;
    readonly check: string;
    readonly message: string;
  } | null;
  /** How the episode ended; null when the trajectory was cut short or never existed. */
  readonly end?: { readonly reason: EndReason; readonly detail?: string } | null;
  /**
   * Calls that no reference call pairs with and reference calls never made; at most 20. No verdict hangs on
   * them.
   */
  readonly calls?: readonly Witness[];
  /** What faults did; left out where the trial was under no plan and nothing struck. */
  readonly faults?: TrialFaults;
}

export type VoidReason = 'unmodelled' | 'grader' | 'infrastructure' | 'sandbox' | 'user-simulator';

export type { JsonObject };
