/** Fault plans: which call is struck, by what, under which label. The session carries the effects out. */
export { brokenBody, type EditedAnswer, editAnswer } from './answers/index.ts';
export { type PlanProblem, type PlanScope, planProblems, type ToolScope } from './check.ts';
export {
  EFFECTS,
  type Effect,
  type EffectFacts,
  type EffectGroup,
  type EffectKind,
  type FaultEffect,
  isSilentEffect,
} from './effects.ts';
export {
  afterSuccess,
  type DueRule,
  dueRules,
  type FaultProgress,
  type FaultSubject,
  type RuleProgress,
  startFaults,
  struckBy,
} from './match.ts';
export {
  applied,
  asItWas,
  businessChanges,
  neighbouringInputs,
  partly,
  undoing,
  writtenByOther,
} from './rows.ts';
export { type SwarmOptions, type SwarmTable, swarm } from './swarm.ts';
export { changesToolList, deprecatedOf, servicesUnder, twinNameOf, withTwins } from './tools.ts';
export {
  type FaultMatch,
  type FaultPlan,
  type FaultRule,
  faultPlanFile,
  faultRule,
  type NamedPlan,
} from './types.ts';
