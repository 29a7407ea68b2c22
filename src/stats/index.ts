/** Statistics as pure functions on arrays. `docs/scoring.md` says which figure uses which. */
export { type BootstrapOptions, clusterBootstrap, ratioOfSums, type Share } from './bootstrap.ts';
export {
  bernoulliStandardError,
  type ClusteredForm,
  cltStandardError,
  clusteredStandardError,
  clusteredVariance,
  clusterSizes,
  effectiveClusters,
  mean,
} from './clustered.ts';
export {
  betaQuantile,
  incompleteBeta,
  logGamma,
  normalCdf,
  normalQuantile,
  tCdf,
  tQuantile,
} from './distributions.ts';
export {
  clopperPearsonInterval,
  type EstimateOptions,
  type Interval,
  meanEstimate,
  rateEstimate,
  wilsonInterval,
} from './estimate.ts';
export { type Pair, pairedDifference, unpairedStandardError } from './paired.ts';
export { passAtK, passHatK, plugInPassHatK, type TaskCount } from './passing.ts';
export { nearestRank, observationsNeeded, quantileFigure } from './quantile.ts';
export { type RatioTerm, ratio, ratioEstimate } from './ratio.ts';
export { roundFigure, roundOrNull } from './round.ts';
export type { Estimate, Observation, Quantile, Ratio } from './types.ts';
