import { normalQuantile } from './distributions.ts';
import { roundFigure } from './round.ts';
import type { Estimate } from './types.ts';

/** What a judge said of n items, and how it did on items whose truth is known. */
export interface JudgedRate {
  /** Share of the n items that the judge called positive. */
  readonly p: number;
  readonly n: number;
  /** Of the truly positive labelled items: how many there are, and the share called positive. */
  readonly positives: { readonly n: number; readonly rate: number };
  /** Of the truly negative labelled items: how many there are, and the share called negative. */
  readonly negatives: { readonly n: number; readonly rate: number };
}

/** The name of the interval of `correctedRate`. */
const CORRECTED_METHOD = 'Rogan–Gladen, delta method, normal';

/**
 * The true rate behind a judge's, by Rogan and Gladen (1978): (p + TNR − 1)/(TPR + TNR − 1), with an error
 * that counts the judged items and both sets of labels. Refused (null with a reason) where the judge is not
 * shown to be better than chance: TPR + TNR − 1 is not above 0 by its own error at the confidence asked for.
 * Cut to [0, 1] with a note where the plain value lies outside.
 * @throws RangeError for a rate outside [0, 1] or a count below 1.
 */
export function correctedRate(judged: JudgedRate, options: { confidence?: number } = {}): Estimate {
  const { p, n, positives, negatives } = judged;
  for (const rate of [p, positives.rate, negatives.rate]) {
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`a rate lies in [0, 1], got ${rate}`);
  }
  for (const count of [n, positives.n, negatives.n]) {
    if (!(Number.isInteger(count) && count >= 1)) throw new RangeError(`a count is at least 1, got ${count}`);
  }
  const z = normalQuantile(1 - (1 - (options.confidence ?? 0.95)) / 2);
  const information = positives.rate + negatives.rate - 1;
  const noise = Math.sqrt(spread(positives) + spread(negatives));
  if (information <= z * noise || information <= 0) {
    const shown = `TPR + TNR − 1 is ${roundFigure(information).toFixed(4)}`;
    return { value: null, reason: `not identified: ${shown}, no better than chance within its error` };
  }
  const plain = (p + negatives.rate - 1) / information;
  const variance =
    (spread({ rate: p, n }) + plain ** 2 * spread(positives) + (1 - plain) ** 2 * spread(negatives)) /
    information ** 2;
  const se = Math.sqrt(variance);
  const cut = (rate: number): number => roundFigure(Math.min(1, Math.max(0, rate)));
  const outside = plain < 0 || plain > 1;
  return {
    value: cut(plain),
    low: cut(plain - z * se),
    high: cut(plain + z * se),
    se: roundFigure(se),
    n,
    clusters: n,
    method: CORRECTED_METHOD,
    ...(outside ? { note: `the plain value ${roundFigure(plain)} was cut to [0, 1]` } : {}),
  };
}

const spread = ({ rate, n }: { readonly rate: number; readonly n: number }): number =>
  (rate * (1 - rate)) / n;
