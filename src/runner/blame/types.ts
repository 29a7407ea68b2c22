import type { Estimate } from '../../stats/index.ts';

/** What becomes of a run that is continued after so many of its steps. */
export interface ContinuedPoint {
  /** Steps of the run that it shares. */
  readonly step: number;
  /** Share of the continuations that succeed; null when all of them are void. */
  readonly value: number | null;
  /** The share with its interval; null where one continuation is all there is. */
  readonly success: Estimate | null;
  /** Each continuation: 1 succeeds, 0 does not, null is void. */
  readonly passes: readonly (0 | 1 | null)[];
  /** What the first continuation that fails breaks, in words; null when none does. */
  readonly failure: string | null;
}

/** What one step of a run did to the success of whatever follows. */
export interface BlamedStep {
  readonly step: number;
  readonly tool: string;
  /** Success of continuing from before the step, and from after it; null when that is void. */
  readonly before: number | null;
  readonly after: number | null;
  /** `before` − `after`; below 0 where the step made something good again. */
  readonly drop: number | null;
}

/** The step that cost the run its success. */
export interface DecisiveStep {
  readonly step: number;
  readonly tool: string;
  readonly drop: number;
  /** The drop with its interval, over continuations with the same seed; null by the reference. */
  readonly estimate: Estimate | null;
  /** What breaks from then on, in words. */
  readonly reason: string;
}

/** Success that each part of a run gained (above 0) or lost; the parts add up to `total`. */
export interface Credit {
  /** By step: `after` − `before`. */
  readonly steps: readonly (number | null)[];
  /** Of how the run ended: its own outcome − the success of continuing after its last step. */
  readonly end: number | null;
  /** The run's outcome − the success of continuing from the start. */
  readonly total: number | null;
}

export interface Blame {
  readonly scenario: string;
  /** How the run itself came out. */
  readonly succeeded: boolean;
  readonly steps: readonly BlamedStep[];
  readonly points: readonly ContinuedPoint[];
  readonly decisive: DecisiveStep | null;
  /** Why no step is decisive; null when one is. */
  readonly reason: string | null;
  readonly credit: Credit;
}
