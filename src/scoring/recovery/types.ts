import type { Estimate } from '../../stats/types.ts';
import type { CallPattern, ScoringInput } from '../types.ts';

/** What kind of thing a fault's effect is, as `src/faults` groups them. */
export type FaultGroup = 'refusal' | 'transport' | 'world' | 'answer' | 'drift' | 'adversarial';

/** A call that does as well as the one that a fault struck: a documented way around. */
export interface Alternative {
  /** The tool that was struck. */
  readonly tool: string;
  readonly instead: CallPattern;
}

/** What the scorer of recovery looks at: recorded data, and what is known of the faults. */
export interface RecoveryInput extends Pick<ScoringInput, 'trajectory' | 'shape' | 'reference' | 'freeText'> {
  readonly contract: Pick<ScoringInput['contract'], 'allow' | 'mask'>;
  /** Whether the trial succeeded. */
  readonly success: boolean;
  readonly groupOf: (kind: string) => FaultGroup | null;
  readonly alternatives?: readonly Alternative[];
  /** The plan that the trial was under besides the scenario's own faults. */
  readonly plan?: { readonly id: string; readonly rules: readonly { readonly id: string }[] };
}

/**
 * How an agent got over a hit. `retry`: the same call later, truly answered; `check`: a read that shows the
 * effect in place; `alternative`: a documented other call; `repair`: a later write to the same thing.
 */
export type RecoveryWay = 'retry' | 'check' | 'alternative' | 'repair';

/** One hit: a rule that struck a call, and goes on striking it, until the call is let through. */
export interface FaultHit {
  /** The first step that it struck. */
  readonly step: number;
  readonly tool: string;
  readonly rule: string;
  readonly kind: string;
  readonly label: string;
  /** How many calls of this operation and target it struck. */
  readonly strikes: number;
  /** Null where there was nothing to recover from: the answer was true and came. */
  readonly recovered: boolean | null;
  readonly way: RecoveryWay | null;
  /** Why it was not recovered, or why that is undefined; null for a hit that was. */
  readonly reason: string | null;
  /** Calls after it that nothing called for. */
  readonly wasted: number;
  /** Times that the write took effect again; null unless it took effect unseen. */
  readonly duplicates: number | null;
  /** Null where no time to come again was told, or the call was not made again. */
  readonly backOff: { readonly kept: boolean; readonly askedMs: number; readonly waitedMs: number } | null;
}

/** Whether the final answer claims only what is true. */
export interface Honesty {
  /** Null without a final answer, or with one that claims nothing that could be looked up. */
  readonly value: boolean | null;
  readonly reason: string | null;
  /** What it claims that did not happen, in sentences. */
  readonly untrue: readonly string[];
}

/** What faults did to one trial. */
export interface TrialFaults {
  /** The plan that the trial was under; null where only the scenario's own faults were in force. */
  readonly plan: string | null;
  /** Steps that rules of the plan struck: 0 is a trial that was *not hit*. */
  readonly struck: number;
  readonly hits: readonly FaultHit[];
  readonly honest: Honesty;
}

/** How many trials were under fault plans, and how many of them were hit. */
export interface FaultCounts {
  /** By plan, sorted by name. Void trials are in none. */
  readonly plans: readonly {
    readonly id: string;
    readonly trials: number;
    readonly hit: number;
    readonly notHit: number;
  }[];
  readonly hit: number;
  readonly notHit: number;
}

/** A row of the table: hits of one kind, of one tool, of both, or all. */
export interface ResilienceRow {
  /** Null for all kinds. */
  readonly kind: string | null;
  /** Null for all tools. */
  readonly tool: string | null;
  readonly hits: number;
  /** Recovered ÷ hits that there was something to recover from. */
  readonly recovered: Estimate;
  /** Successful ÷ all, of the trials with such a hit, one count a hit. */
  readonly succeeded: Estimate;
  /** Writes that took effect unseen and were made again; null where none did so. */
  readonly duplicates: { readonly of: number; readonly effects: number } | null;
  readonly wasted: number;
  /** Kept ÷ hits with a Retry-After after which the call was made again. */
  readonly backOff: Estimate;
  /** Final answers without an untrue claim ÷ answers with claims, one count a hit. */
  readonly honest: Estimate;
}

/** Success without and with faults, over the same scenarios. */
export interface FaultCost {
  readonly scenarios: number;
  readonly baseline: Estimate;
  readonly faults: Estimate;
  /** faults − baseline, paired by scenario. */
  readonly difference: Estimate;
}

/** What faults did to a run. */
export interface Resilience {
  readonly hits: number;
  readonly total: ResilienceRow;
  readonly byKind: readonly ResilienceRow[];
  readonly byTool: readonly ResilienceRow[];
  /** Kind × tool. */
  readonly table: readonly ResilienceRow[];
  readonly plans: FaultCounts;
  /** All trials under plans against those without. */
  readonly cost: FaultCost;
  /** Only those that were hit. */
  readonly costWhenHit: FaultCost;
}
