import { clusteredInterval, type EstimateOptions, type Interval } from './estimate.ts';
import { roundFigure } from './round.ts';
import type { Estimate, Ratio } from './types.ts';

/** Numerator ÷ denominator with both counts; null, never 0 or 1, when the denominator is 0. */
export function ratio(numerator: number, denominator: number): Ratio {
  return {
    value: denominator === 0 ? null : roundFigure(numerator / denominator),
    numerator: roundFigure(numerator),
    denominator: roundFigure(denominator),
  };
}

/** One trial's share of a ratio of sums. */
export interface RatioTerm {
  readonly numerator: number;
  readonly denominator: number;
  readonly cluster: string;
}

/** The name of the interval of `ratioEstimate`. */
const RATIO_METHOD = 'ratio of sums, linearised, CR2, t on Satterthwaite degrees';

/**
 * Σy/Σx over clustered trials. The error is that of the mean of the residuals (y − R·x)/x̄ (linearisation),
 * clustered by CR2. Undefined when Σx is 0.
 */
export function ratioEstimate(
  terms: readonly RatioTerm[],
  options: EstimateOptions & { range?: Interval } = {},
): Estimate {
  const numerator = terms.reduce((sum, term) => sum + term.numerator, 0);
  const denominator = terms.reduce((sum, term) => sum + term.denominator, 0);
  if (denominator === 0) return { value: null, reason: 'the denominator is 0' };
  const value = numerator / denominator;
  const center = denominator / terms.length;
  const residuals = terms.map((term) => ({
    value: (term.numerator - value * term.denominator) / center,
    cluster: term.cluster,
  }));
  return clusteredInterval({ value, terms: residuals, method: RATIO_METHOD }, options);
}
