import type { SourcePlace } from '../base/errors.ts';
import type { NamedPlan } from '../faults/index.ts';
import type { Scenario } from '../scenarios/index.ts';
import type { TrialScore } from '../scoring/index.ts';
import type { AgentOptions } from './agents/index.ts';
import type { AgentAction } from './types.ts';
import type { WorldRecipe } from './worlds.ts';

/**
 * What a worker thread is started with. Worlds come as packed pages in shared memory: no thread builds one.
 */
export interface WorkerStart {
  readonly agent: string;
  readonly agentOptions: AgentOptions;
  readonly seed: string;
  readonly scenarios: readonly { readonly scenario: Scenario; readonly plan?: NamedPlan }[];
  readonly worlds: readonly { readonly recipe: WorldRecipe; readonly packed: SharedArrayBuffer }[];
  /**
   * Shared with the main thread: counted up when the agent is asked and when it is done, so that a script
   * that never gives the thread back is seen from outside. Then its actions are told, too. With several
   * trials in flight it is counted up as long as the thread's event loop turns, and no actions are told.
   */
  readonly turns: Int32Array | null;
  /** How many trials the thread is handed at a time. */
  readonly width: number;
}

/** One trial to run; `scenario` is its name, the fault plan included. */
export interface TrialOrder {
  readonly scenario: string;
  readonly trial: number;
}

/** One trial as it comes back. */
export interface TrialReport extends TrialOrder {
  readonly text: string | null;
  readonly score: TrialScore;
  readonly wallClockMs: number | null;
}

/** What a worker says. A usage error ends the run; everything else is inside a report. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'action'; readonly action: AgentAction }
  | { readonly type: 'report'; readonly report: TrialReport }
  | {
      readonly type: 'usage-error';
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      readonly place?: SourcePlace;
    };
