import {
  type FinishRequest,
  openSession,
  requestOf,
  type Session,
  sessionOptionsOf,
} from '../../session/index.ts';
import type { StepRecord, Trajectory } from '../../trajectory/index.ts';
import type { PreparedScenario } from '../prepare.ts';

/**
 * Plays lists of a recorded run's calls on its own world, with its messages where they stood. What a list has
 * in common with the beginning of the settled one is a fork of it and is not played again.
 */
export class ShorterRuns {
  readonly #trajectory: Trajectory;
  #steps: readonly StepRecord[] = [];
  #session: Session;

  constructor(prepared: PreparedScenario, trajectory: Trajectory) {
    this.#trajectory = trajectory;
    const { header, end } = trajectory;
    const of = { agent: header.agent?.name ?? null, seal: end?.seal ?? null, steps: trajectory.steps.length };
    this.#session = openSession({
      ...sessionOptionsOf(header, prepared),
      // What the file holds is no run of the agent's.
      agent: { name: 'shrink', config: { of } },
    });
    this.settle(trajectory.steps);
  }

  /** Takes a list as the one that others are played beside. */
  settle(steps: readonly StepRecord[]): void {
    this.#session = this.#play(steps);
    this.#steps = steps;
  }

  /** Plays a list and ends as the recorded run did, with its answer. */
  finished(steps: readonly StepRecord[]): { readonly trajectory: Trajectory; readonly text: () => string } {
    const session = this.#play(steps);
    this.#say(session, Number.POSITIVE_INFINITY);
    return { trajectory: session.finish(this.#end()), text: () => session.text() };
  }

  #play(steps: readonly StepRecord[]): Session {
    let shared = 0;
    while (shared < steps.length && steps[shared] === this.#steps[shared]) shared += 1;
    const session = this.#session.fork(shared);
    for (const step of steps.slice(shared)) {
      this.#say(session, step.index);
      if (session.ended || session.call(requestOf(step)).ended) break;
    }
    return session;
  }

  /** Says what was said before this step of the record and is not said yet. */
  #say(session: Session, before: number): void {
    for (const message of this.#trajectory.messages.slice(session.messageCount)) {
      if (message.afterStep > before || session.ended) return;
      session.say(message);
    }
  }

  #end(): FinishRequest {
    const { reason = 'agent-stopped', answer = null, usage = {} } = this.#trajectory.end ?? {};
    // A shorter run reaches no budget: there the agent stops.
    if (reason.startsWith('budget-')) return { reason: 'agent-stopped', detail: `shrunk from ${reason}` };
    return { reason, answer, usage };
  }
}
