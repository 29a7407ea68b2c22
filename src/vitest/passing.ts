import { UsageError } from '../base/errors.ts';
import { type Estimate, rateEstimate } from '../stats/index.ts';
import { type ReceivedTrial, receivedTrials } from './trials.ts';
import type { Matched } from './types.ts';

/** A share of the trials, or k of at least n. */
export type Threshold = number | { readonly k: number; readonly n: number };

export interface PassingOptions {
  /**
   * What has to reach the threshold: the lower end of the interval (default: the agent is that good, as far
   * as so many trials can tell), or the share that was seen (luck included).
   */
  readonly by?: 'lower-bound' | 'share';
  /** Confidence of the interval, 0.95 when left out. */
  readonly confidence?: number;
}

const MOST_FAILURES = 5;

/**
 * Whether a run's success reaches a threshold. Void trials count as failed: none may carry a run over it. The
 * interval is clustered by scenario; over trials of one scenario alone it is that of independent trials.
 * @throws UsageError for what holds no trials, and for a threshold that is none
 */
export function passesAtLeast(
  received: unknown,
  threshold: Threshold,
  options: PassingOptions = {},
): Matched {
  const rate = rateOf(threshold);
  const { by, confidence } = settled(options);
  const trials = receivedTrials(received);
  const enough = typeof threshold === 'number' ? 1 : threshold.n;
  const estimate = successOf(trials, confidence);
  if (estimate.value === null) throw new UsageError('no-trials', `no rate can be given: ${estimate.reason}`);
  const reached = by === 'share' ? estimate.value : estimate.low;
  const pass = trials.length >= enough && reached !== null && reached >= rate;
  return {
    pass,
    message: () => {
      const wanted = `${by === 'share' ? 'a share' : 'a lower bound'} of at least ${percent(rate)}`;
      const few = trials.length < enough ? `, and ${enough} trials` : '';
      const lines = [`expected ${pass ? 'not ' : ''}${wanted}${few}: ${figure(estimate, trials)}`];
      return [...lines, ...(pass ? [] : failureLines(trials))].join('\n');
    },
  };
}

function settled({ by = 'lower-bound', confidence = 0.95 }: PassingOptions): Required<PassingOptions> {
  if (by !== 'lower-bound' && by !== 'share') {
    throw new UsageError('bad-option', `by is lower-bound or share, not ${JSON.stringify(by)}`);
  }
  if (confidence > 0 && confidence < 1) return { by, confidence };
  throw new UsageError('bad-option', `confidence lies between 0 and 1, and is not ${String(confidence)}`);
}

function rateOf(threshold: Threshold): number {
  const rate = typeof threshold === 'number' ? threshold : shareOf(threshold);
  if (rate >= 0 && rate <= 1) return rate;
  throw new UsageError('bad-threshold', `${JSON.stringify(threshold)} is no share between 0 and 1`, {
    hint: 'toPassAtLeast(0.9), toPassAtLeast({ k: 9, n: 10 })',
  });
}

/** NaN for what is no count of trials. */
function shareOf(threshold: Exclude<Threshold, number>): number {
  const { k, n } = threshold ?? {};
  return Number.isSafeInteger(k) && Number.isSafeInteger(n) ? k / n : Number.NaN;
}

function successOf(trials: readonly ReceivedTrial[], confidence: number): Estimate {
  const alone = new Set(trials.map(({ scenario }) => scenario)).size === 1;
  const observations = trials.map(({ score, cluster }, index) => ({
    value: score.void === null && score.success ? 1 : 0,
    cluster: alone ? String(index) : cluster,
  }));
  const note = alone ? 'trials of one scenario: this says nothing of others' : undefined;
  return rateEstimate(observations, { confidence, ...(note !== undefined && { note }) });
}

function figure(estimate: Extract<Estimate, { value: number }>, trials: readonly ReceivedTrial[]): string {
  const { value, low, high, reason } = estimate;
  const interval =
    low === null || high === null ? `no interval (${reason})` : `[${percent(low)}, ${percent(high)}]`;
  const voids = trials.filter(({ score }) => score.void !== null).length;
  const counted = voids === 0 ? '' : `; ${voids} void, counted as failed`;
  return `${percent(value)} ${interval} of ${trials.length} trials${counted}`;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}

function failureLines(trials: readonly ReceivedTrial[]): readonly string[] {
  const failed = trials.filter(({ score }) => score.void !== null || !score.success);
  const lines = failed.slice(0, MOST_FAILURES).map(({ scenario, trial, score }) => {
    const { void: voided, firstFailure } = score;
    if (voided) return `  ${scenario} trial ${trial}: void (${voided.reason}): ${voided.detail}`;
    const step = firstFailure?.step ?? null;
    const place = step === null ? '' : `step ${step}: `;
    return `  ${scenario} trial ${trial}: ${place}${firstFailure?.message ?? 'no required grader passed'}`;
  });
  const more = failed.length - lines.length;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}
