/** Matchers of other tools after their published definitions, in our own words, for comparison. */
export { type AdkMatch, adkTrajectoryScore, adkTurnScore } from './adk.ts';
export {
  type AgentevalsArguments,
  agentevalsStrict,
  agentevalsSubset,
  agentevalsSuperset,
  agentevalsUnordered,
} from './agentevals.ts';
export { deepevalExact, deepevalOrdering, deepevalToolCorrectness } from './deepeval.ts';
export { promptfooToolCallF1 } from './promptfoo.ts';
export { ragasToolCallAccuracy, ragasToolCallF1 } from './ragas.ts';
export type { PeerCall } from './types.ts';
