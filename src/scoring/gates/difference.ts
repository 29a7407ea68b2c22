import type { Comparison } from '../compare/types.ts';
import type { DifferenceRules, GateCheck } from './types.ts';

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
  const open = openReason(comparison);
  if (open !== null || comparison === null) return { verdict: 'inconclusive', reason: open ?? '' };
  const bounds = boundsOf(comparison, confidence);
  if (bounds === null) return { verdict: 'inconclusive', reason: withoutInterval(comparison) };
  const { low, high, how } = bounds;
  const reason = `the difference is ${points(low)} to ${points(high)} points (${how})`;
  if (high < 0) return { verdict: 'fail', reason: `${reason}, below 0` };
  return { verdict: 'pass', reason: `${reason}: no evidence of harm` };
}

/** Demands evidence that not more than the margin is lost. */
function inferiorVerdict(
  comparison: Comparison | null,
  { margin, confidence }: { readonly margin: number; readonly confidence: number },
): Found {
  const open = openReason(comparison);
  if (open !== null || comparison === null) return { verdict: 'inconclusive', reason: open ?? '' };
  const bounds = boundsOf(comparison, confidence);
  if (bounds === null) return { verdict: 'inconclusive', reason: withoutInterval(comparison) };
  const { low, high, how } = bounds;
  const reason = `the difference is ${points(low)} to ${points(high)} points (${how})`;
  if (low > -margin) return { verdict: 'pass', reason: `${reason}, above −${points(margin)}` };
  if (high < -margin) return { verdict: 'fail', reason: `${reason}, below −${points(margin)}` };
  return { verdict: 'inconclusive', reason: `${reason}, with −${points(margin)} inside` };
}

/** Why nothing can be said, whatever the interval. */
function openReason(comparison: Comparison | null): string | null {
  if (comparison === null) return 'there is no baseline to compare with';
  const { first, second } = comparison.voids;
  if (first.count * second.of !== second.count * first.of) {
    return `void shares differ: ${first.count} of ${first.of} against ${second.count} of ${second.of} trials`;
  }
  return comparison.delta.value === null ? comparison.delta.reason : null;
}

/** `95`; what an early look is held at is nearly 100, and never called that. */
const percentOf = (confidence: number): string =>
  confidence > 0.9999 ? 'over 99.99' : `${Number((100 * confidence).toFixed(2))}`;

function withoutInterval({ delta }: Comparison): string {
  const why = 'reason' in delta && delta.reason !== undefined ? `: ${delta.reason}` : '';
  return `the difference has no interval${why}`;
}

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
