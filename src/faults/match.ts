import type { Json } from '../base/json.ts';
import { holdsAll } from '../base/predicate.ts';
import type { WorldValue } from '../world/types.ts';
import { EFFECTS } from './effects.ts';
import { twinNameOf } from './tools.ts';
import type { FaultPlan, FaultRule, FaultState } from './types.ts';

/** How often a rule was met and has struck, and what goes on after it struck; plain data. */
export interface RuleProgress {
  readonly met: number;
  readonly hits: number;
  /** Virtual milliseconds before which the rule goes on striking. */
  readonly untilMs?: number;
  /** Of a lagging write: the step that wrote, and the last step that does not see it. */
  readonly lag?: { readonly step: number; readonly lastStep: number };
  /** Of an expired credential: the one that was refused. */
  readonly refused?: { readonly credential: string | null };
  /** True when it will not strike again, whatever its count says. */
  readonly over?: true;
}

/** The progress of every rule of a plan, so that a session can fork it. */
export type FaultProgress = readonly RuleProgress[];

/** What a plan looks at: where the call stands and what it asks for. */
export interface FaultSubject {
  /** Step index, from 0. */
  readonly step: number;
  readonly tool: string;
  /** The ids of the operations that the tool runs. */
  readonly operations: readonly string[];
  readonly input: Json;
  /** The token that the caller showed; null where it is the session's own. */
  readonly credential: string | null;
  /** The world in which the call arrives. */
  readonly world: WorldValue;
}

/** A rule that is due at this call, and the how-manieth hit this would be. */
export interface DueRule {
  /** Its place in the plan. */
  readonly index: number;
  readonly rule: FaultRule;
  readonly progress: RuleProgress;
  /** From 1. */
  readonly hit: number;
}

const UNMET: RuleProgress = { met: 0, hits: 0 };
const NOTHING_DUE: readonly DueRule[] = [];

/** The progress of a plan that has met nothing yet. */
export function startFaults(plan: FaultPlan | undefined): FaultProgress {
  return (plan?.rules ?? []).map(() => UNMET);
}

/**
 * The rules that are due at a call, in the plan's order: those that match and are not spent. The first of
 * them whose effect can change this call strikes it. Every matching rule counts the call as met, also behind
 * one that strikes, so that "the second refund" means the same with and without other rules in the plan.
 */
export function dueRules(
  plan: FaultPlan | undefined,
  progress: FaultProgress,
  subject: FaultSubject,
): { readonly progress: FaultProgress; readonly due: readonly DueRule[] } {
  if (!plan || plan.rules.length === 0) return { progress, due: NOTHING_DUE };
  let next: RuleProgress[] | null = null;
  let due: DueRule[] | null = null;
  for (let index = 0; index < plan.rules.length; index += 1) {
    const rule = plan.rules[index];
    if (!rule) continue;
    const before = progress[index] ?? UNMET;
    const lags = before.lag !== undefined && subject.step <= before.lag.lastStep;
    if (!lags && !concerns(rule, subject)) continue;
    const after = lags ? before : { ...before, met: before.met + 1 };
    next ??= plan.rules.map((_, at) => progress[at] ?? UNMET);
    next[index] = after;
    if (lags || isDue(rule, after, subject)) {
      due ??= [];
      due.push({ index, rule, progress: after, hit: after.hits + 1 });
    }
  }
  return { progress: next ?? progress, due: due ?? NOTHING_DUE };
}

/** The progress of a plan once this rule has struck. */
export function struckBy(
  progress: FaultProgress,
  { index, rule, progress: before, hit }: DueRule,
  subject: FaultSubject,
): FaultProgress {
  const after = { ...before, hits: hit, ...consequenceOf(rule, before, subject) };
  return progress.map((one, at) => (at === index ? after : one));
}

/** What goes on after this strike, besides the count. */
function consequenceOf(
  { effect }: FaultRule,
  before: RuleProgress,
  { step, world, credential }: FaultSubject,
): Partial<RuleProgress> {
  switch (effect.kind) {
    case 'reject': {
      const held = before.untilMs !== undefined && world.clockMs < before.untilMs;
      if (effect.holds !== true || held) return {};
      return { untilMs: world.clockMs + (effect.retryAfterSeconds ?? 0) * 1000 };
    }
    case 'write-lagging':
      return before.lag ? {} : { lag: { step, lastStep: step + effect.calls } };
    case 'auth-expired':
      return before.refused ? {} : { refused: { credential } };
    default:
      return {};
  }
}

/** What a call that succeeded means for the rules of a plan: a credential was renewed. */
export function afterSuccess(
  plan: FaultPlan | undefined,
  progress: FaultProgress,
  tool: string,
): FaultProgress {
  if (!plan) return progress;
  const ends = ({ effect }: FaultRule, at: number): boolean =>
    effect.kind === 'auth-expired' && effect.until === tool && progress[at]?.refused !== undefined;
  if (!plan.rules.some(ends)) return progress;
  return plan.rules.map((rule, at) => ({
    ...(progress[at] ?? UNMET),
    ...(ends(rule, at) && { over: true as const }),
  }));
}

function isDue(rule: FaultRule, progress: RuleProgress, subject: FaultSubject): boolean {
  if (progress.over) return false;
  const { effect } = rule;
  if (progress.untilMs !== undefined && subject.world.clockMs < progress.untilMs) return true;
  if (effect.kind === 'write-lagging' && progress.lag) return false;
  if (effect.kind === 'auth-expired') {
    if (progress.refused && progress.refused.credential !== subject.credential) return false;
    if (effect.until !== undefined && rule.hits === undefined) {
      return progress.met >= (rule.match.occurrence ?? 1);
    }
  }
  return progress.met >= (rule.match.occurrence ?? 1) && progress.hits < hitsMost(rule);
}

function hitsMost({ hits, effect }: FaultRule): number {
  if (typeof hits === 'number') return hits;
  if (hits === 'all') return Number.POSITIVE_INFINITY;
  return EFFECTS[effect.kind].facts.standing ? Number.POSITIVE_INFINITY : 1;
}

/** True when the rule speaks of this call, whatever its count. The cheapest tests come first. */
function concerns({ match, effect }: FaultRule, subject: FaultSubject): boolean {
  const { step, tool, operation, input, state, clockMs } = match;
  if (step !== undefined && step !== subject.step) return false;
  if (tool !== undefined && tool !== subject.tool) return false;
  if (operation !== undefined && !subject.operations.includes(operation)) return false;
  if (effect.kind === 'auth-expired' && effect.until === subject.tool) return false;
  if ('tool' in effect && effect.tool !== subject.tool) {
    if (effect.kind !== 'tool-twin' || twinNameOf(effect) !== subject.tool) return false;
  }
  if (clockMs) {
    const now = subject.world.clockMs;
    if (now < (clockMs.from ?? 0) || now >= (clockMs.to ?? Number.POSITIVE_INFINITY)) return false;
  }
  if (input && !holdsAll(input, subject.input)) return false;
  return !state || stateHolds(state, subject.world);
}

function stateHolds({ table, where, absent = false }: FaultState, world: WorldValue): boolean {
  for (const row of world.table(table).scan()) {
    if (holdsAll(where, row as Json)) return !absent;
  }
  return absent;
}
