import type { FaultEffect, FaultPlan, FaultRule } from './types.ts';

/**
 * How often each rule of a plan has been met and has struck, and until when it holds; plain data, so that a
 * session can fork it.
 */
export type FaultProgress = readonly {
  readonly met: number;
  readonly hits: number;
  /** Virtual milliseconds before which the rule goes on striking. */
  readonly untilMs?: number;
}[];

/** What a plan looks at: where the call stands and what it asks for. */
export interface FaultSubject {
  /** Step index, from 0. */
  readonly step: number;
  readonly tool: string;
  /** Virtual milliseconds at which the call arrives. */
  readonly clockMs: number;
}

/** A rule that strikes this call, and the how-manieth time it does so. */
export interface FaultStrike {
  readonly rule: FaultRule;
  readonly effect: FaultEffect;
  /** From 1. */
  readonly hit: number;
}

/** The progress of a plan that has met nothing yet. */
export function startFaults(plan: FaultPlan | undefined): FaultProgress {
  return (plan?.rules ?? []).map(() => ({ met: 0, hits: 0 }));
}

/**
 * Decides whether a call is struck: by the first rule, in order, that matches and is not spent. Every
 * matching rule counts the call as met, also behind one that strikes, so that "the second refund" means the
 * same with and without other rules in the plan.
 */
export function strike(
  plan: FaultPlan | undefined,
  progress: FaultProgress,
  subject: FaultSubject,
): { readonly progress: FaultProgress; readonly strike: FaultStrike | null } {
  if (!plan || plan.rules.length === 0) return { progress, strike: null };
  let found: FaultStrike | null = null;
  const next = plan.rules.map((rule, index) => {
    const before = progress[index] ?? { met: 0, hits: 0 };
    if (!concerns(rule, subject)) return before;
    const met = before.met + 1;
    const holds = before.untilMs !== undefined && subject.clockMs < before.untilMs;
    const due = holds || (met >= (rule.match.occurrence ?? 1) && before.hits < (rule.hits ?? 1));
    if (!due || found) return { ...before, met };
    found = { rule, effect: rule.effect, hit: before.hits + 1 };
    const untilMs = holds ? before.untilMs : heldUntil(rule.effect, subject.clockMs);
    return { met, hits: before.hits + 1, ...(untilMs !== undefined && { untilMs }) };
  });
  return { progress: next, strike: found };
}

/** Until when a rule that strikes now goes on striking; undefined for those that do not hold. */
function heldUntil(effect: FaultEffect, clockMs: number): number | undefined {
  if (effect.kind !== 'reject' || effect.holds !== true) return undefined;
  return clockMs + effect.retryAfterSeconds * 1000;
}

/** True when the rule speaks of this call, whatever its count. */
function concerns(rule: FaultRule, subject: FaultSubject): boolean {
  const { step, tool } = rule.match;
  return (step === undefined || step === subject.step) && (tool === undefined || tool === subject.tool);
}
