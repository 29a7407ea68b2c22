import { UsageError } from '../base/errors.ts';
import { type Session, sessionAt } from '../session/index.ts';
import type { Trajectory } from '../trajectory/index.ts';
import type { PreparedScenario } from './prepare.ts';

/**
 * The session of a recorded trial, standing after its last step: every earlier step is a fork away.
 * @throws UsageError when the record does not come out here as it was.
 */
export function recordedEpisode(prepared: PreparedScenario, trajectory: Trajectory): Session {
  const session = sessionAt(trajectory, prepared, trajectory.steps.length);
  const last = trajectory.steps.at(-1);
  // Each step names the digest of the one before: the last line equal, all are.
  if ((last ? JSON.stringify(last) : null) === session.lastStepLine()) return session;
  throw new UsageError('diverged', 'the record does not replay here as it was', {
    hint: 'see `groundhog replay` for the first divergence',
  });
}
