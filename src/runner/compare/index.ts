/** Comparison of two finished runs: same world or refused, paired figures, evidence for what flipped. */
export { armOf, comparedTrials, type RunArm, readArm, summaryTrials } from './arms.ts';
export { compareReadArms, compareRuns, type RunComparison } from './compare-runs.ts';
export type { FlippedScenario } from './flips.ts';
export { rerun } from './rerun.ts';
export { detectableWords, pairedWords, testWords, verdictWords } from './words.ts';
