import { mean } from './clustered.ts';
import { cr2DifferenceVariance } from './cr2.ts';
import { type EstimateOptions, intervalByT } from './estimate.ts';
import type { Estimate, Observation } from './types.ts';

/** The name of the interval of `clusteredDifference`. */
const DIFFERENCE_METHOD = 'difference of means, CR2, t on Satterthwaite degrees';

/**
 * mean(first) − mean(second) of two arms that were not paired item by item, with the CR2 error. @see
 * `pairedDifference` for arms measured on the same items: it is narrower.
 */
export function clusteredDifference(
  first: readonly Observation[],
  second: readonly Observation[],
  options: EstimateOptions = {},
): Estimate {
  const [left, right] = [first, second].map((arm) => mean(arm.map((observation) => observation.value)));
  if (left == null || right == null) {
    return { value: null, reason: `the ${left == null ? 'first' : 'second'} arm has no observations` };
  }
  const moments = cr2DifferenceVariance(first, second);
  const clusters = new Set([...first, ...second].map((observation) => observation.cluster)).size;
  const shared = {
    value: left - right,
    n: first.length + second.length,
    clusters,
    method: DIFFERENCE_METHOD,
  };
  return intervalByT(
    { ...shared, variance: moments?.variance ?? null, degrees: moments?.degrees ?? 1 },
    options,
  );
}
