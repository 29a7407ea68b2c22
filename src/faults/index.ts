/** Fault plans: which call is struck, by what, under which label. The session carries the effects out. */
export { type FaultProgress, type FaultStrike, type FaultSubject, startFaults, strike } from './match.ts';
export type { FaultEffect, FaultMatch, FaultPlan, FaultRule } from './types.ts';
