/** The one door into a world: sessions, their recorder, replay. */
export { type BatchOrder, batchOrderMatters, type OrderDifference } from './batch-order.ts';
export type { FinishRequest } from './finish.ts';
export { INPUT_DEPTH_MOST, inputProblem } from './input.ts';
export { scopeOf } from './plan.ts';
export {
  changedBehaviour,
  type Divergence,
  type ReplayEnvironment,
  type ReplayResult,
  replayTrajectory,
  requestOf,
  sessionAt,
  sessionOptionsOf,
} from './replay.ts';
export { openSession, resumeSession, type Session } from './session.ts';
export { assertSameStart, type SessionSnapshot } from './snapshot.ts';
export { LONGEST_WAIT_MS } from './step.ts';
export { LOST_RESPONSE_TIMEOUT_MS } from './strike.ts';
export { type Callable, offersAll, type Toolbox, toolboxOf } from './toolbox.ts';
export type { Budgets, CallRequest, Delivery, SessionOptions, SessionPort, Watch } from './types.ts';
