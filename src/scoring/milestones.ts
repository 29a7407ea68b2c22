import type { StepRecord } from '../trajectory/types.ts';
import { checkContract } from './contract.ts';
import { NetDiff } from './net-diff.ts';
import type { Milestone, Witness, WorldShape } from './types.ts';

/**
 * Milestones that the run did not reach; none means all were. A milestone is reached at the first step after
 * which its changes hold against the start (other changes don't matter) and which is no earlier than the
 * steps of the milestones named in `after`. Earliest steps are the best choice for every later one, so this
 * is exact.
 * @throws RangeError for milestones that wait for each other, or for an unknown one.
 */
export function checkMilestones(
  milestones: readonly Milestone[],
  steps: readonly StepRecord[],
  { shape, mask }: { shape: WorldShape; mask: readonly string[] },
): Witness[] {
  const ordered = inOrder(milestones);
  const reached = new Map<string, number>();
  const net = new NetDiff();
  for (const step of steps) {
    for (const change of step.diff) net.add(change, step.index);
    if (step.diff.length === 0) continue;
    const changes = net.changes();
    for (const milestone of ordered) {
      if (reached.has(milestone.id) || !(milestone.after ?? []).every((id) => reached.has(id))) continue;
      const contract = { expect: milestone.expect, allow: [], mask };
      const missing = checkContract(contract, changes, { shape, extras: 'ignore' });
      if (missing.length === 0) reached.set(milestone.id, step.index);
    }
  }
  return ordered
    .filter((milestone) => !reached.has(milestone.id))
    .map((milestone) => unreached(milestone, reached, { shape, mask, net }));
}

function unreached(
  milestone: Milestone,
  reached: ReadonlyMap<string, number>,
  { shape, mask, net }: { shape: WorldShape; mask: readonly string[]; net: NetDiff },
): Witness {
  const waiting = (milestone.after ?? []).filter((id) => !reached.has(id));
  if (waiting.length > 0) {
    return { steps: [], message: `milestone ${milestone.id} not reached: before it ${waiting.join(', ')}` };
  }
  const contract = { expect: milestone.expect, allow: [], mask };
  const missing = checkContract(contract, net.changes(), { shape, extras: 'ignore' });
  const first = missing[0];
  return {
    ...(first ?? { steps: [] }),
    message: `milestone ${milestone.id} not reached: ${first?.message ?? 'it held too early only'}`,
  };
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
