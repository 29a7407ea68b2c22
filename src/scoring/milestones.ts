import type { StepRecord } from '../trajectory/types.ts';
import { checkContract } from './contract.ts';
import { NetDiff } from './net-diff.ts';
import type { Contract, Milestone, Witness, WorldShape } from './types.ts';

/**
 * What the run owes its milestones; no witnesses means that each held after some step, in their order. A
 * milestone holds when its changes hold against the start; other changes don't matter. Changes add up, so one
 * that came too early mostly still holds when its predecessor arrives: what counts is the first step after
 * which each holds, and a milestone's must be no earlier than those of the milestones in its `after`. One
 * step may be the first of several.
 * @throws RangeError for milestones that wait for each other, or for an unknown one.
 */
export function checkMilestones(
  milestones: readonly Milestone[],
  steps: readonly StepRecord[],
  { shape, mask }: { shape: WorldShape; mask: readonly string[] },
): Witness[] {
  const ordered = inOrder(milestones);
  const missingOf = ({ expect }: Milestone, net: NetDiff): Witness[] => {
    const contract: Contract = { expect, allow: [], mask };
    return checkContract(contract, net.changes(), { shape, extras: 'ignore' });
  };
  const first = new Map<string, number>();
  const net = new NetDiff();
  for (const step of steps) {
    if (step.diff.length === 0) continue;
    for (const change of step.diff) net.add(change, step.index);
    for (const milestone of ordered) {
      if (first.has(milestone.id) || missingOf(milestone, net).length > 0) continue;
      first.set(milestone.id, step.index);
    }
  }
  return ordered.flatMap((milestone) =>
    first.has(milestone.id)
      ? tooEarly(milestone, first)
      : [neverHeld(milestone, missingOf(milestone, net)[0])],
  );
}

function neverHeld({ id }: Milestone, missing: Witness | undefined): Witness {
  return {
    ...(missing ?? { steps: [] }),
    message: `milestone ${id} not reached: ${missing?.message ?? 'nothing changed'}`,
  };
}

/** A witness for each milestone that should have come no later than this one and did not. */
function tooEarly({ id, after = [] }: Milestone, first: ReadonlyMap<string, number>): Witness[] {
  const at = first.get(id) ?? 0;
  return after.flatMap((before): Witness[] => {
    const then = first.get(before);
    if (then === undefined) {
      const message = `milestone ${id} held after step ${at}, and ${before}, which comes before it, never did`;
      return [{ steps: [at], message, expected: { after: before }, got: { [id]: at, [before]: null } }];
    }
    if (then <= at) return [];
    const message = `milestone ${id} held after step ${at} already, ${before} only after step ${then}`;
    return [{ steps: [at, then], message, expected: { after: before }, got: { [id]: at, [before]: then } }];
  });
}

/** Every milestone after those that it names. */
function inOrder(milestones: readonly Milestone[]): Milestone[] {
  const known = new Set(milestones.map((milestone) => milestone.id));
  const ordered: Milestone[] = [];
  const placed = new Set<string>();
  let waiting = [...milestones];
  while (waiting.length > 0) {
    const ready = waiting.filter((milestone) =>
      (milestone.after ?? []).every((id) => {
        if (!known.has(id)) throw new RangeError(`milestone ${milestone.id} comes after unknown ${id}`);
        return placed.has(id);
      }),
    );
    if (ready.length === 0) throw new RangeError('milestones wait for each other');
    for (const milestone of ready) placed.add(milestone.id);
    ordered.push(...ready);
    waiting = waiting.filter((milestone) => !placed.has(milestone.id));
  }
  return ordered;
}
