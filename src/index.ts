/**
 * Groundhog: the same world, every run. The parts by themselves are `groundhog/session`, `groundhog/scoring`,
 * `groundhog/stats` and so on; this is what most programs need.
 */
export { InvariantError, ProviderError, UsageError } from './base/errors.ts';
export type { Json, JsonObject } from './base/json.ts';
export { BANKS, BEHAVIOUR, SERVICES, serviceNamed } from './catalog/index.ts';
export { type FaultPlan, type FaultRule, type NamedPlan, type SwarmOptions, swarm } from './faults/index.ts';
export { agentNamed } from './runner/agents/index.ts';
export { scriptAgent } from './runner/agents/script.ts';
export { type LoadedBank, loadBank } from './runner/bank.ts';
export * from './runner/blame/index.ts';
export { runTrial, type TrialResult } from './runner/execute.ts';
export { expand, readPlans, type SwarmRequest, swarmFor } from './runner/faults/index.ts';
export { offeredTools } from './runner/offered-tools.ts';
export type { PreparedScenario } from './runner/prepare.ts';
export { type FinishedRun, type RunOptions, runBank } from './runner/run.ts';
export { type KeptCall, type ShrunkRun, shrinkRun } from './runner/shrink/index.ts';
export { runStepwiseTrial, type StepwiseTrial, whyNotStepwise } from './runner/stepwise.ts';
export { summariseStepwise } from './runner/stepwise-summary.ts';
export type * from './runner/types.ts';
export { WorldCache } from './runner/worlds.ts';
export { type RunSummary, scoreTrial, summarise, type TrialScore } from './scoring/index.ts';
export { seedWorld } from './service/seed.ts';
export {
  type CallRequest,
  type Delivery,
  openSession,
  replayTrajectory,
  type Session,
  type SessionOptions,
} from './session/index.ts';
export { readTrajectory, type Trajectory } from './trajectory/index.ts';
