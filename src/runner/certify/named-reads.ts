import { jsonEqual } from '../../base/json.ts';
import { holdsAll } from '../../base/predicate.ts';
import type { CallPattern, Invariant } from '../../scoring/index.ts';
import type { PreparedScenario } from '../prepare.ts';
import type { PlayedCall } from './play.ts';

/** What the rules of a scenario demand of one read of its reference. */
export interface ReadDemand {
  /** True when leaving the call out leaves a rule unmet: no other call of the reference meets it. */
  readonly needed: boolean;
  /** Arguments whose value a rule looks at. */
  readonly arguments: ReadonlySet<string>;
}

const NOTHING: ReadDemand = { needed: false, arguments: new Set() };

/**
 * What the rules demand of the read at `at`. A read changes nothing, so only a rule that names it can notice
 * a mistake in it: a `reads` grader whose pattern it alone meets, or an ordering rule whose `then` follows it
 * with the same bound value and no other `first` before.
 */
export function demandOnRead(
  prepared: PreparedScenario,
  calls: readonly PlayedCall[],
  at: number,
): ReadDemand {
  const call = calls[at];
  if (!call) return NOTHING;
  const demands = [
    ...prepared.scenario.graders
      .flatMap((grader) => (grader.required ? (grader.calls ?? []) : []))
      .map((pattern) => demandOfPattern(pattern, calls, call)),
    ...prepared.scenario.invariants.map((rule) => demandOfOrdering(rule, calls, at)),
  ].filter((demand) => demand.needed);
  if (demands.length === 0) return NOTHING;
  return { needed: true, arguments: new Set(demands.flatMap((demand) => [...demand.arguments])) };
}

/**
 * True when swapping this read with the call behind it puts the `then` of an ordering rule before its
 * `first`.
 */
export function mustPrecede(rule: Invariant, first: PlayedCall, second: PlayedCall): boolean {
  if (rule.kind !== 'ordering') return false;
  return meets(rule.first, first) && meets(rule.then, second) && sameBound(rule.each, first, second);
}

function demandOfPattern(pattern: CallPattern, calls: readonly PlayedCall[], call: PlayedCall): ReadDemand {
  if (!meets(pattern, call) || calls.filter((other) => meets(pattern, other)).length !== 1) return NOTHING;
  return { needed: true, arguments: new Set(Object.keys(pattern.where ?? {})) };
}

function demandOfOrdering(rule: Invariant, calls: readonly PlayedCall[], at: number): ReadDemand {
  const call = calls[at];
  if (rule.kind !== 'ordering' || !call || !meets(rule.first, call)) return NOTHING;
  const then = calls.findIndex((other) => meets(rule.then, other) && sameBound(rule.each, call, other));
  const firsts = calls
    .slice(0, Math.max(then, 0))
    .filter((other) => meets(rule.first, other) && sameBound(rule.each, call, other));
  if (then < at || firsts.length !== 1) return NOTHING;
  return {
    needed: true,
    arguments: new Set([...Object.keys(rule.first.where ?? {}), ...(rule.each ? [rule.each] : [])]),
  };
}

function meets(pattern: CallPattern, call: PlayedCall): boolean {
  return call.tool === pattern.tool && (!pattern.where || holdsAll(pattern.where, call.arguments));
}

function sameBound(each: string | undefined, one: PlayedCall, other: PlayedCall): boolean {
  return each === undefined || jsonEqual(one.arguments[each], other.arguments[each]);
}
