/** Gates: what a run must show before it may be merged or promoted, as pure functions of trials. */
export { comparedTrial, evaluateGate } from './evaluate.ts';
export { type GatePlan, type GatePlanOptions, planGate } from './plan.ts';
export { spendAlpha } from './spending.ts';
export type {
  Budgets,
  DifferenceRules,
  Floor,
  GateCheck,
  GateInput,
  GateProfile,
  GateResult,
  GateVerdict,
  InvariantChoice,
  JudgedRuns,
  JudgeRule,
} from './types.ts';
