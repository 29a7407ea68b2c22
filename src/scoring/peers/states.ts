import type { StepRecord, Trajectory } from '../../trajectory/types.ts';
import { checkContract } from '../contract.ts';
import { netDiff } from '../net-diff.ts';
import type { Witness, WorldShape } from '../types.ts';

/** Two runs of one scenario, of which the second is the gold one. */
export interface RunPair {
  readonly model: Trajectory;
  readonly gold: Trajectory;
  /** What is drawn, unhashed or ambient is not compared; {} compares everything. */
  readonly shape: WorldShape;
}

/** Why the states of two runs cannot be compared; null when they can. */
export function whyNotComparable({ model, gold }: Pick<RunPair, 'model' | 'gold'>): string | null {
  if (hasNoStates(model)) return 'the trace has no states';
  if (hasNoStates(gold)) return 'the gold run has no states';
  const [one, other] = [model.header.world.merkle, gold.header.world.merkle];
  return one === other ? null : 'the gold run starts in another world';
}

/** A trace of another tool: nobody watched its states. Without steps the header's digest tells. */
function hasNoStates({ header, steps }: Trajectory): boolean {
  if (steps.length === 0) return /^0+$/u.test(header.world.merkle);
  return steps.some((step) => (step.breaches as StepRecord['breaches'] | null) === null);
}

/** Where the states differ after the first so many steps of each. */
export function stateDifferences(
  pair: RunPair,
  after: { readonly model: number; readonly gold: number },
): Witness[] {
  const expect = netDiff(pair.gold.steps.slice(0, after.gold)).map(({ change }) => change);
  const net = netDiff(pair.model.steps.slice(0, after.model));
  return checkContract({ expect, allow: [], mask: [] }, net, { shape: pair.shape });
}
