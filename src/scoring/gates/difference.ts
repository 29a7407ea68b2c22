import { voidsDiffer } from '../compare/compare.ts';
import type { Comparison } from '../compare/types.ts';
import type { DifferenceRules, GateCheck } from './types.ts';

/** Why a rule that compares is open, where nothing is given to compare with. */
export const NO_BASELINE = 'there is no baseline to compare with';

/**
 * The checks on the paired difference of one figure; `figure` heads their names. Each is asked of an interval
 * of its own confidence.
 */
export function differenceChecks(
  figure: string,
  { harm, noninferiority }: DifferenceRules,
  compare: (confidence: number) => Comparison | null,
): GateCheck[] {
  const checks: GateCheck[] = [];
  if (harm !== undefined) {
    const { confidence } = harm;
    checks.push({ check: `${figure}harm`, ...harmVerdict(compare(confidence), confidence) });
  }
  if (noninferiority !== undefined) {
    const found = inferiorVerdict(compare(noninferiority.confidence), noninferiority);
    checks.push({ check: `${figure}noninferiority`, ...found });
  }
  return checks;
}

type Found = Pick<GateCheck, 'verdict' | 'reason'>;

const points = (share: number): string => `${Number((100 * share).toFixed(1))}`;

/** Blocks on evidence of harm alone. */
function harmVerdict(comparison: Comparison | null, confidence: number): Found {
  const found = statedBounds(comparison, confidence);
  if (typeof found === 'string') return { verdict: 'inconclusive', reason: found };
  const { high, stated } = found;
  if (high < 0) return { verdict: 'fail', reason: `${stated}, below 0` };
  return { verdict: 'pass', reason: `${stated}: no evidence of harm` };
}

/** Demands evidence that not more than the margin is lost. */
function inferiorVerdict(
  comparison: Comparison | null,
  { margin, confidence }: { readonly margin: number; readonly confidence: number },
): Found {
  const found = statedBounds(comparison, confidence);
  if (typeof found === 'string') return { verdict: 'inconclusive', reason: found };
  const { low, high, stated } = found;
  if (low > -margin) return { verdict: 'pass', reason: `${stated}, above −${points(margin)}` };
  if (high < -margin) return { verdict: 'fail', reason: `${stated}, below −${points(margin)}` };
  return { verdict: 'inconclusive', reason: `${stated}, with −${points(margin)} inside` };
}

/** The interval with its sentence, or why nothing can be said. */
function statedBounds(
  comparison: Comparison | null,
  confidence: number,
): (Bounds & { readonly stated: string }) | string {
  if (comparison === null) return NO_BASELINE;
  const { delta, voids } = comparison;
  const differ = voidsDiffer(voids);
  if (differ !== null) return differ;
  if (delta.value === null) return delta.reason;
  const bounds = boundsOf(comparison, confidence);
  if (bounds === null) {
    return `the difference has no interval${delta.reason === undefined ? '' : `: ${delta.reason}`}`;
  }
  const { low, high, how } = bounds;
  return { ...bounds, stated: `the difference is ${points(low)} to ${points(high)} points (${how})` };
}

/** `95`; what an early look is held at is nearly 100, and never called that. */
const percentOf = (confidence: number): string =>
  confidence > 0.9999 ? 'over 99.99' : `${Number((100 * confidence).toFixed(2))}`;

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly how: string;
}

/**
 * The interval of the difference. Where no scenario came out otherwise there is no spread to take one from:
 * the share of scenarios that would is then bounded by the rule of three, 1 − α^(1/n), and nothing lies
 * outside that bound. Where all moved alike the exchange test bounds it away from 0.
 */
function boundsOf({ delta, n, p }: Comparison, confidence: number): Bounds | null {
  if (delta.value === null) return null;
  const percent = `${percentOf(confidence)} % interval`;
  if (delta.low !== null && delta.high !== null) return { low: delta.low, high: delta.high, how: percent };
  const alpha = (1 - confidence) / 2;
  const unseen = 1 - alpha ** (1 / n);
  if (delta.value === 0 && n > 0) {
    return { low: -unseen, high: unseen, how: `${percent}, no scenario of ${n} came out otherwise` };
  }
  if (p === null || p > 2 * alpha) return null;
  const [low, high] = [delta.value - unseen, delta.value + unseen].map((end) =>
    Math.min(1, Math.max(-1, end)),
  );
  return { low: low ?? -1, high: high ?? 1, how: `${percent}, every cluster moved alike` };
}
