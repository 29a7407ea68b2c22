import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { type ReplayEnvironment, type Session, sessionAt } from '../session/index.ts';
import type { Trajectory } from '../trajectory/index.ts';
import { assertStep } from './world-source.ts';

/** One call to make after a fork: `{"tool": …, "arguments": …}`. */
export interface ForkCall {
  readonly tool: string;
  readonly arguments?: Json;
}

/** A fork of a recorded episode: the same past, another future. */
export interface ForkedEpisode {
  readonly session: Session;
  /** Steps that it shares with the record. */
  readonly at: number;
}

/**
 * Forks a trajectory after its first `at` steps and makes the given calls there.
 * @throws UsageError when there is no such step or the episode ends before the calls are made.
 */
export function forkTrajectory(
  trajectory: Trajectory,
  environment: ReplayEnvironment,
  request: { readonly at: number; readonly calls: readonly ForkCall[] },
): ForkedEpisode {
  assertStep(request.at, trajectory.steps.length);
  const session = sessionAt(trajectory, environment, request.at);
  if (session.stepCount !== request.at) {
    throw new UsageError('diverged', 'the record does not replay up to that step here', {
      hint: 'see `groundhog replay` for the first divergence',
    });
  }
  for (const call of request.calls) {
    const delivery = session.call({ tool: call.tool, input: call.arguments ?? {} });
    if (delivery.ended) {
      throw new UsageError(
        'episode-over',
        `the episode ends (${delivery.ended}) before ${call.tool} is called`,
      );
    }
  }
  return { session, at: request.at };
}

/** Parses the text of a call. @throws UsageError when it is not of that form. */
export function parseForkCall(text: string): ForkCall {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const { tool } = (value ?? {}) as { readonly tool?: unknown };
  if (typeof tool === 'string') return value as ForkCall;
  throw new UsageError('bad-call', `not a call: ${text.slice(0, 120)}`, {
    hint: '--call \'{"tool": "lookup_order", "arguments": {"order_id": "88213"}}\'',
  });
}
