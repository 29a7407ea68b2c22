import type { Json, JsonObject } from '../base/json.ts';
import type { Predicate } from '../base/predicate.ts';
import type { FaultPlan } from '../faults/types.ts';
import type { Alternative } from '../scoring/recovery/types.ts';
import type { AllowedChange, Grader, Invariant, Milestone } from '../scoring/types.ts';
import type { SeedSize } from '../service/types.ts';
import type { Budgets } from '../session/types.ts';
import type { ChangeRecord } from '../trajectory/types.ts';
import type { UserScript } from '../users/types.ts';

/**
 * A row change over the seed, as a person writes it: `set` changes an existing row, `insert` adds, `delete`
 * removes.
 */
export type OverlayEntry =
  | { readonly table: string; readonly insert: JsonObject }
  | { readonly table: string; readonly key: Json; readonly set: JsonObject }
  | { readonly table: string; readonly key: Json; readonly delete: true };

/** Picks one row of the seeded world by a seeded query; texts then refer to `{{name.column}}`. */
export interface Binding {
  readonly from: string;
  readonly where?: Readonly<Record<string, Predicate | Json>>;
  /** `random` draws from the variant seed; `first` takes the first by key. */
  readonly pick: 'random' | 'first';
  /**
   * Joins: columns of this row that must equal a column of an earlier binding, `{customer_id:
   * order.customer_id}`.
   */
  readonly match?: Readonly<Record<string, string>>;
  /** Names of other bindings whose row must be another one. */
  readonly distinctFrom?: readonly string[];
}

/**
 * A reference call. Anywhere in the arguments `{$result: 2, path: "ticket.id"}` stands for a value in the
 * answer to the reference's call number 2 (from 0).
 */
export interface ReferenceCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The code of the error that the call meets; without it the call succeeds. */
  readonly fails?: string | undefined;
}

/** A scenario as it runs: bindings resolved, texts filled in, overlay turned into row changes. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly cluster: string;
  /** How many attempts the user gets; one when left out. No score hangs on it, so the hash has it not. */
  readonly attempts?: 'one' | 'many';
  readonly tags: readonly string[];
  /** SHA-256 of the canonical form of everything below that can change a score. */
  readonly hash: string;
  readonly variant?: number;
  readonly world: {
    readonly services: readonly { readonly name: string; readonly seed: SeedSize | 'loaded' }[];
    readonly overlay: readonly ChangeRecord[];
    readonly epochMs: number;
  };
  readonly task: { readonly text: string; readonly intent?: JsonObject };
  readonly user?: UserScript;
  readonly tools?: readonly string[];
  readonly reference: { readonly calls: readonly ReferenceCall[]; readonly answer: string };
  readonly contract: {
    /** Written by hand; left out, it is computed by running the reference. */
    readonly expect?: readonly ChangeRecord[];
    readonly allow: readonly AllowedChange[];
    readonly mask: readonly string[];
  };
  readonly milestones: readonly Milestone[];
  readonly invariants: readonly Invariant[];
  readonly graders: readonly Grader[];
  readonly budgets: Budgets;
  readonly faults?: FaultPlan;
  /** Other calls that do as well as one that a fault struck. */
  readonly alternatives?: readonly Alternative[];
  readonly freeText?: Readonly<Record<string, readonly string[]>>;
}
