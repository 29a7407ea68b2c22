import { z } from 'zod';
import type { Json } from '../base/json.ts';
import type { Predicate } from '../base/predicate.ts';
import { type FaultEffect, faultEffect } from './effects.ts';

/** When a rule strikes. Every given part must hold. */
export interface FaultMatch {
  /** The step index, from 0. */
  readonly step?: number | undefined;
  /** The tool's name. */
  readonly tool?: string | undefined;
  /** The id of an operation, among those that the tool runs. */
  readonly operation?: string | undefined;
  /**
   * The n-th call (from 1) among those that the other parts match; every matching call from it on, up to
   * `hits`.
   */
  readonly occurrence?: number | undefined;
  /** Tests of arguments by dotted path. */
  readonly input?: Readonly<Record<string, Predicate | Json>> | undefined;
  /** Some row of the table passes the tests (or none does, with `absent`) when the call arrives. */
  readonly state?: FaultState | undefined;
  /** Virtual milliseconds at which the call arrives: from `from` on, before `to`. */
  readonly clockMs?: { readonly from?: number | undefined; readonly to?: number | undefined } | undefined;
}

/** A test of the world's rows; `table` is `service.table`. */
export interface FaultState {
  readonly table: string;
  readonly where: Readonly<Record<string, Predicate | Json>>;
  readonly absent?: boolean | undefined;
}

export interface FaultRule {
  readonly id: string;
  readonly match: FaultMatch;
  readonly effect: FaultEffect;
  /**
   * How many calls it strikes before it is spent: 1 when left out, `all` for effects that stand. A call that
   * the effect cannot change is no hit.
   */
  readonly hits?: number | 'all' | undefined;
  /** What a person calls this fault, such as `lost response on refund`. */
  readonly label: string;
}

/** A fault plan: data. The same plan on the same calls strikes the same steps. */
export interface FaultPlan {
  /** What a plan is called that stands beside others. */
  readonly id?: string | undefined;
  readonly rules: readonly FaultRule[];
}

/** A plan that has a name: trials under it are named by it. */
export interface NamedPlan extends FaultPlan {
  readonly id: string;
}

const name = z
  .string()
  .min(1)
  .regex(/^[a-z0-9][a-z0-9-]*$/u, 'expected lower-case letters, digits and dashes');
const tests = z.record(z.string().min(1), z.json());
const momentMs = z.int().nonnegative();

/** A rule as files and the control plane write it. */
export const faultRule = z.strictObject({
  id: name,
  match: z.strictObject({
    step: z.int().nonnegative().optional(),
    tool: z.string().min(1).optional(),
    operation: z.string().min(1).optional(),
    occurrence: z.int().positive().optional(),
    input: tests.optional(),
    state: z
      .strictObject({ table: z.string().min(1), where: tests, absent: z.boolean().optional() })
      .optional(),
    clockMs: z.strictObject({ from: momentMs.optional(), to: momentMs.optional() }).optional(),
  }),
  effect: faultEffect,
  hits: z.union([z.int().positive(), z.literal('all')]).optional(),
  label: z.string().min(1),
});

const rules = z.array(faultRule).min(1);

/** A file of fault plans: several, each with its name, or a single one. */
export const faultPlanFile = z.union([
  z.strictObject({ plans: z.array(z.strictObject({ id: name, rules })).min(1) }),
  z.strictObject({ id: name.optional(), rules }),
]);
