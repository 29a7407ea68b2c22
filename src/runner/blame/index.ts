export { type AgentContinuations, blameByAgent } from './by-agent.ts';
export { blameByReference } from './by-reference.ts';
export type { Blame, BlamedStep, ContinuedPoint, Credit, DecisiveStep } from './types.ts';
