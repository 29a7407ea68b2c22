import type { StepRecord, Trajectory } from '../../trajectory/types.ts';
import { sameOperation, targetOf } from './calls.ts';

/** What a trajectory says of a rule: in its header, or at the step that added it. */
export interface RuleFacts {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  /** The tool or operation that it speaks of; neither where it speaks of any call. */
  readonly tool: string | undefined;
  readonly operation: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/** A rule that struck calls of one operation and target, one after the other. */
export interface Incident {
  readonly rule: RuleFacts;
  /** In order; the first is where it began. */
  readonly strikes: readonly StepRecord[];
}

interface RecordedRule {
  readonly id: string;
  readonly label: string;
  readonly match: { readonly tool?: string; readonly operation?: string };
  readonly effect: { readonly kind: string; readonly retryAfterSeconds?: number };
}

/** The rules that were in force at some step, by id. */
function rulesOf({ header, steps }: Trajectory): ReadonlyMap<string, RuleFacts> {
  const { rules = [] } = (header.faults ?? {}) as { readonly rules?: readonly RecordedRule[] };
  const injected = steps.flatMap((step) => (step.injected ?? []) as unknown as readonly RecordedRule[]);
  return new Map(
    [...rules, ...injected].map(({ id, label, match, effect }) => {
      const { kind, retryAfterSeconds } = effect;
      return [id, { id, kind, label, tool: match.tool, operation: match.operation, retryAfterSeconds }];
    }),
  );
}

/**
 * The hits of a trajectory in the order of their first strikes. A rule that strikes calls of one operation
 * and target again and again is one hit: whoever calls more often is not hit more often.
 */
export function incidentsOf(
  trajectory: Trajectory,
  freeText: Readonly<Record<string, readonly string[]>> | undefined,
): readonly Incident[] {
  const rules = rulesOf(trajectory);
  const found: { rule: RuleFacts; strikes: StepRecord[] }[] = [];
  for (const step of trajectory.steps) {
    const { fault } = step;
    if (!fault) continue;
    for (const id of [fault.rule, ...(fault.also ?? [])]) {
      const rule = rules.get(id);
      if (!rule) continue;
      const known = found.find(({ rule: other, strikes: [first] }) => {
        if (other.id !== id || !first || !sameOperation(first, step)) return false;
        return targetOf(first, freeText) === targetOf(step, freeText);
      });
      if (known) known.strikes.push(step);
      else found.push({ rule, strikes: [step] });
    }
  }
  return found;
}

/** How many steps these rules struck. */
export function stepsStruckBy({ steps }: Trajectory, rules: ReadonlySet<string>): number {
  return steps.filter(
    ({ fault }) => fault && (rules.has(fault.rule) || (fault.also ?? []).some((id) => rules.has(id))),
  ).length;
}
