import { normalCdf, normalQuantile } from './distributions.ts';

/** What the ranks of a bias-corrected and accelerated interval are taken from. */
export interface BcaInput {
  /** The statistic of every resample, in any order. */
  readonly values: readonly number[];
  /** The statistic of the data. */
  readonly value: number;
  /** The statistic of the data without each item (or cluster) in turn. */
  readonly jackknife: readonly number[];
  readonly confidence?: number;
}

/** The ranks, as shares of the resamples, between which the interval lies. */
export interface BcaLevels {
  readonly low: number;
  readonly high: number;
  /** z₀: how far the median of the resamples lies from the value, in standard deviations; ties count half. */
  readonly bias: number;
  /** a: how fast the error changes with the value, from the skewness of the jackknife. */
  readonly acceleration: number;
}

/**
 * The levels of Efron's BCa interval (Efron and Tibshirani 1993, §14.3). Null where all resamples lie on one
 * side of the value: the bias is then infinite.
 */
export function bcaLevels({ values, value, jackknife, confidence = 0.95 }: BcaInput): BcaLevels | null {
  let below = 0;
  for (const one of values) below += one < value ? 1 : one === value ? 0.5 : 0;
  const share = below / values.length;
  if (!(share > 0 && share < 1)) return null;
  const bias = normalQuantile(share);
  const acceleration = skewness(jackknife);
  const level = (p: number): number => {
    const z = bias + normalQuantile(p);
    return normalCdf(bias + z / (1 - acceleration * z));
  };
  const tail = (1 - confidence) / 2;
  return { low: level(tail), high: level(1 - tail), bias, acceleration };
}

/** Σ(θ̄ − θ_i)³ / (6·(Σ(θ̄ − θ_i)²)^1.5); 0 where nothing varies. */
function skewness(jackknife: readonly number[]): number {
  const center = jackknife.reduce((sum, value) => sum + value, 0) / jackknife.length;
  let squares = 0;
  let cubes = 0;
  for (const value of jackknife) {
    const away = center - value;
    squares += away * away;
    cubes += away * away * away;
  }
  return squares < 1e-30 ? 0 : cubes / (6 * squares ** 1.5);
}
