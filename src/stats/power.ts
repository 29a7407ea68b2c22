import { normalQuantile } from './distributions.ts';
import { roundFigure } from './round.ts';

/**
 * What the spread of a paired comparison is made of (Miller 2024, §5). Variances are of scores, so at most ¼
 * each for 0 or 1.
 */
export interface PairedSpread {
  /** ω²: variance over scenarios of the difference of the arms' true rates. */
  readonly between: number;
  /** σ²: mean variance of a trial within its scenario, of each arm. */
  readonly within: readonly [first: number, second: number];
  /** K: trials per scenario, of each arm; 1 each when left out. */
  readonly trials?: readonly [first: number, second: number];
}

export interface PowerOptions {
  /** Two-sided α, .05 when left out. */
  readonly alpha?: number;
  /** 1 − β, .8 when left out. */
  readonly power?: number;
}

/**
 * How many scenarios it takes to see a difference of `delta`: (z_{α/2} + z_β)²(ω² + σ²_A/K_A + σ²_B/K_B)/δ²
 * (Miller 2024, equation 9). Not rounded up: a plan does that.
 * @throws RangeError unless delta > 0 and the variances are finite and not negative.
 */
export function scenariosNeeded(delta: number, spread: PairedSpread, options: PowerOptions = {}): number {
  if (!(delta > 0)) throw new RangeError(`needs a difference above 0, got ${delta}`);
  return roundFigure((multiplier(options) ** 2 * total(spread)) / (delta * delta));
}

/**
 * The smallest difference that n scenarios show with the power asked for: the inverse of `scenariosNeeded`.
 * @throws RangeError unless n > 0 and the variances are finite and not negative.
 */
export function minimumDetectableEffect(n: number, spread: PairedSpread, options: PowerOptions = {}): number {
  if (!(n > 0)) throw new RangeError(`needs n > 0, got ${n}`);
  return roundFigure(multiplier(options) * Math.sqrt(total(spread) / n));
}

/** The smallest difference that an estimate with this standard error shows: (z_{α/2} + z_β)·se. */
export function detectableWith(se: number, options: PowerOptions = {}): number {
  return roundFigure(multiplier(options) * se);
}

function multiplier({ alpha = 0.05, power = 0.8 }: PowerOptions): number {
  return normalQuantile(1 - alpha / 2) + normalQuantile(power);
}

function total({ between, within, trials = [1, 1] }: PairedSpread): number {
  const parts = [between, within[0] / trials[0], within[1] / trials[1]];
  for (const part of parts) {
    if (!(part >= 0 && Number.isFinite(part))) throw new RangeError(`not a variance: ${part}`);
  }
  return parts.reduce((sum, part) => sum + part, 0);
}

/** One scenario's trials in both arms of a pilot. */
export interface PilotScenario {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/**
 * The spread of a pilot. Within: the mean unbiased variance of trials (0 where no scenario has two trials of
 * an arm, which then counts as between). Between: the variance of the scenario differences less what trials
 * add to it, and at least 0. Null below two scenarios with trials in both arms.
 */
export function pilotSpread(pilot: readonly PilotScenario[]): PairedSpread | null {
  const used = pilot.filter(({ first, second }) => first.length > 0 && second.length > 0);
  if (used.length < 2) return null;
  const differences = used.map(({ first, second }) => meanOf(first) - meanOf(second));
  const within: readonly [number, number] = [
    meanVariance(used.map(({ first }) => first)),
    meanVariance(used.map(({ second }) => second)),
  ];
  const noise = meanOf(used.map(({ first, second }) => within[0] / first.length + within[1] / second.length));
  return { between: Math.max(0, varianceOf(differences) - noise), within };
}

function meanVariance(arms: readonly (readonly number[])[]): number {
  const variances = arms.filter((values) => values.length > 1).map(varianceOf);
  return variances.length === 0 ? 0 : meanOf(variances);
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function varianceOf(values: readonly number[]): number {
  const center = meanOf(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
}
