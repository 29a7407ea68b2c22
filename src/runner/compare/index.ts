/** Comparison of two finished runs: same world or refused, paired figures, evidence for what flipped. */
export { areAligned, armOf, comparedTrials, type RunArm, readArm } from './arms.ts';
export { type CompareOptions, compareReadArms, compareRuns, type RunComparison } from './compare-runs.ts';
export type { Divergence, FlippedScenario, WorldDifference } from './flips.ts';
export { rerun } from './rerun.ts';
export { type CommonGround, commonGround } from './same-world.ts';
export { detectableWords, pairedWords, testWords, verdictWords } from './words.ts';
