import { UsageError } from '../base/errors.ts';
import type { PreparedScenario } from '../runner/prepare.ts';
import { environmentOf, loadTrajectory } from '../runner/recorded.ts';
import { WorldCache } from '../runner/worlds.ts';
import { type ReplayEnvironment, sessionAt } from '../session/index.ts';
import { Session } from '../session/session.ts';
import { readTrajectory, type Trajectory } from '../trajectory/index.ts';
import type { WorldValue } from '../world/types.ts';

/** What a matcher needs to know beside the run, where the run does not say it. */
export interface MatcherOptions {
  /**
   * Services, seeded world and behaviour that the run was recorded on. Left out, they are those that ship
   * under the names in the trajectory; a service of your own has to be handed in.
   */
  readonly environment?: ReplayEnvironment;
}

/** One run, whatever it was handed over as. */
export interface ReceivedRun {
  readonly trajectory: Trajectory;
  /** The world that the run left. */
  readonly world: () => WorldValue;
  readonly environment: () => ReplayEnvironment;
}

/** A run: a session (open or finished), its trajectory, whatever carries one, or the path of a file. */
export type RunLike = Session | Trajectory | string | { readonly trajectory: Trajectory | null };

/** Worlds are values: every test of a process shares them. */
const worlds = new WorldCache();

/** Reads one run. @throws UsageError for what is none. */
export function receivedRun(received: unknown, options: MatcherOptions): ReceivedRun {
  const session = received instanceof Session ? received : null;
  const trajectory = session ? trajectoryOf(session) : recorded(received);
  const environment = (): ReplayEnvironment => options.environment ?? environmentOf(trajectory, worlds);
  let world = session?.world;
  const left = (): WorldValue => {
    world ??= sessionAt(trajectory, environment(), trajectory.steps.length).world;
    return world;
  };
  return { trajectory, environment, world: left };
}

/** What a session has recorded; without an end while it goes on. */
function trajectoryOf(session: Session): Trajectory {
  const text = finishedText(session);
  if (text !== null) return readTrajectory(text, { file: 'the session' });
  return { ...session.fork().finish({ reason: 'agent-stopped' }), end: null };
}

function finishedText(session: Session): string | null {
  if (session.ended === null) return null;
  try {
    return session.text();
  } catch (error) {
    // A budget ended it, and nobody has finished it yet.
    if (error instanceof UsageError) return null;
    throw error;
  }
}

function recorded(received: unknown): Trajectory {
  if (typeof received === 'string') return loadTrajectory(received);
  if (isTrajectory(received)) return received;
  const { trajectory } = (received ?? {}) as { readonly trajectory?: unknown };
  if (isTrajectory(trajectory)) return trajectory;
  throw new UsageError('no-run', 'expected a session, a trajectory, a trial that has one, or its file', {
    hint: 'expect(session).toReachState(…), expect("runs/mine/trajectories/a.0.traj.jsonl").toKeepInvariants(…)',
  });
}

function isTrajectory(value: unknown): value is Trajectory {
  const { header, steps } = (value ?? {}) as { readonly header?: unknown; readonly steps?: unknown };
  return typeof header === 'object' && header !== null && Array.isArray(steps);
}

export function isPrepared(value: unknown): value is PreparedScenario {
  if (typeof value !== 'object' || value === null) return false;
  return 'scenario' in value && 'services' in value && 'shape' in value;
}
