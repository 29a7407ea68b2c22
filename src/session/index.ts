/** The one door into a world: sessions, their recorder, replay. */
export type { FinishRequest } from './finish.ts';
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
export { openSession, type Session } from './session.ts';
export { LOST_RESPONSE_TIMEOUT_MS } from './step.ts';
export { type Callable, type Toolbox, toolboxOf } from './toolbox.ts';
export type { Budgets, CallRequest, Delivery, SessionOptions, SessionPort, Watch } from './types.ts';
