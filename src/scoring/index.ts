/** Scores as pure functions of recorded data. `docs/scoring.md` defines every figure. */
export type { Estimate, Quantile, Ratio } from '../stats/types.ts';
export { checkAnswer, containsFolded, foldAnswer } from './answer.ts';
export {
  type ArgumentComparator,
  type CallMatching,
  type ComparatorTable,
  callKey,
  callOf,
  freeTextComparators,
  matchCalls,
} from './calls.ts';
export * from './compare/index.ts';
export {
  type ContractBreach,
  type ContractOptions,
  checkContract,
  contractBreaches,
} from './contract.ts';
export * from './detect/index.ts';
export {
  type Discrimination,
  discriminationByClass,
  type JudgedPair,
  PAIR_CLASSES,
  type PairClass,
} from './discrimination.ts';
export * from './gates/index.ts';
export { checkInvariants } from './invariants.ts';
export * from './judge/index.ts';
export { duplicateEffect, type TrialMetrics, trialMetrics } from './metrics.ts';
export { checkMilestones } from './milestones.ts';
export { type NetChange, NetDiff, netDiff } from './net-diff.ts';
export * from './recovery/index.ts';
export * from './risks/index.ts';
export { summarise } from './summary.ts';
export type {
  FailureSummary,
  IfVoid,
  InvariantSummary,
  QuantilePair,
  RatioFigure,
  RunMetrics,
  RunSummary,
  SummaryTrial,
} from './summary-types.ts';
export { type FailedCheck, failedChecks, scoreTrial, voidScore } from './trial.ts';
export type * from './types.ts';
export { type GradedParts, isVacuousList, type VacuousFinding, vacuousGraders } from './vacuous.ts';
