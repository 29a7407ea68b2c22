/** How an agent got over faults. `docs/resilience.md` defines every figure. */
export { honestyOf } from './honesty.ts';
export { countFaults, resilienceOf } from './resilience.ts';
export { scoreRecovery } from './score.ts';
export type {
  Alternative,
  FaultCost,
  FaultCounts,
  FaultGroup,
  FaultHit,
  Honesty,
  RecoveryInput,
  RecoveryWay,
  Resilience,
  ResilienceRow,
  TrialFaults,
} from './types.ts';
