import type { Json } from '../base/json.ts';
import type { Predicate } from '../base/predicate.ts';

/** When a line of a scripted user is said. All given parts must hold. */
export interface UserTrigger {
  /** A regular expression (case-insensitive) that the agent's last message must match. */
  readonly agentSays?: string;
  /** A row of the world must exist that passes these tests; `table` is `service.table`. */
  readonly state?: {
    readonly table: string;
    readonly where: Readonly<Record<string, Predicate | Json>>;
    /** True: no row may pass. */
    readonly absent?: boolean;
  };
}

/** One thing the user may say. The first transition whose trigger holds is taken. */
export interface UserTransition {
  readonly when?: UserTrigger;
  readonly say: string;
  /** The state to go to; the same when left out. `end` ends the conversation after this line. */
  readonly goTo?: string;
  /** What this line is, for reports: `change of mind`. */
  readonly label?: string;
}

/**
 * A scripted user: states with transitions, tried in order whenever the agent speaks. Deterministic: the same
 * agent texts and worlds give the same lines.
 */
export interface UserScript {
  /** What the user says first. */
  readonly opening: string;
  readonly start: string;
  readonly states: Readonly<Record<string, readonly UserTransition[]>>;
  /** Said when no transition fits. */
  readonly fallback: string;
  /** After so many fallback lines in a row the user says this and leaves; without it, the user never does. */
  readonly patience?: { readonly turns: number; readonly say: string };
}
