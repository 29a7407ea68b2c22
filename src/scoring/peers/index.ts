/** Matchers of other tools after their published definitions, in our own words, for comparison. */
export { type AdkMatch, adkTrajectoryScore, adkTurnScore } from './adk.ts';
export {
  type AgentevalsArguments,
  agentevalsStrict,
  agentevalsSubset,
  agentevalsSuperset,
  agentevalsUnordered,
} from './agentevals.ts';
export { type BfclError, type BfclVerdict, bfclMultiTurn } from './bfcl.ts';
export { deepevalExact, deepevalOrdering, deepevalToolCorrectness } from './deepeval.ts';
export { PEER_MATCHERS, type PeerMatcher } from './matchers.ts';
export { promptfooToolCallF1 } from './promptfoo.ts';
export type { PromptfooCall } from './promptfoo-steps.ts';
export {
  PROMPTFOO_ASSERTIONS,
  type PromptfooAssertion,
  type PromptfooOutcome,
  promptfooAssert,
  promptfooFault,
} from './promptfoo-trajectory.ts';
export { ragasToolCallAccuracy, ragasToolCallF1 } from './ragas.ts';
export type { RunPair } from './states.ts';
export { type TauReward, tauReward } from './tau.ts';
export type { PeerCall } from './types.ts';
