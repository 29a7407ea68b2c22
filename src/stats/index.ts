/** Statistics as pure functions on arrays. `docs/statistics.md` says which figure uses which. */
export {
  type Agreement,
  cohensKappa,
  type IntraclassCorrelation,
  intraclassCorrelation,
} from './agreement.ts';
export { type BcaInput, type BcaLevels, bcaLevels } from './bca.ts';
export {
  type BootstrapOptions,
  bootstrapRatio,
  clusterBootstrap,
  ratioOfSums,
  type Share,
} from './bootstrap.ts';
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
export { cr2DifferenceVariance, cr2Variance, type SmallSampleVariance } from './cr2.ts';
export { clusteredDifference } from './difference.ts';
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
  independentMean,
  meanEstimate,
  rateEstimate,
  wilsonInterval,
} from './estimate.ts';
export { fisherExact } from './fisher.ts';
export { correctedRate, type JudgedRate } from './judge-error.ts';
export { type McNemar, mcNemar } from './mcnemar.ts';
export { benjaminiHochberg, holm } from './multiplicity.ts';
export { type Pair, pairedDifference, unpairedStandardError } from './paired.ts';
export { passAtK, passHatK, plugInPassHatK, type TaskCount } from './passing.ts';
export { type PermutationOptions, type PermutationTest, pairedPermutation } from './permutation.ts';
export {
  detectableWith,
  minimumDetectableEffect,
  type PairedSpread,
  type PilotScenario,
  type PowerOptions,
  pilotSpread,
  scenariosNeeded,
} from './power.ts';
export { nearestRank, observationsNeeded, quantileFigure } from './quantile.ts';
export { type RatioTerm, ratio, ratioEstimate } from './ratio.ts';
export { roundFigure, roundOrNull } from './round.ts';
export type { Estimate, Observation, Quantile, Ratio } from './types.ts';
