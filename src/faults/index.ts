/** Fault plans: which call is struck, by what, under which label. The session carries the effects out. */
export { type FaultProgress, type FaultStrike, startFaults, strike } from './match.ts';
export type { FaultPlan, FaultRule } from './types.ts';
