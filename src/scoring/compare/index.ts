/** Comparison of two runs of the same scenarios, as pure functions of their trials. */
export { compareArms } from './compare.ts';
export { type Flake, type FlakeReport, flakeReport } from './flakes.ts';
export { type PlanOptions, type PowerPlan, planComparison } from './plan.ts';
export type {
  ComparedTrial,
  Comparison,
  ComparisonInput,
  ComparisonVerdict,
  Passed,
  ScenarioPair,
  TestName,
  VoidShare,
} from './types.ts';
