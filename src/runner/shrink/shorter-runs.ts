import type { WorldShape } from '../../scoring/index.ts';
import {
  type CallRequest,
  type FinishRequest,
  openSession,
  requestOf,
  type Session,
  sessionOptionsOf,
} from '../../session/index.ts';
import type { StepRecord, Trajectory } from '../../trajectory/index.ts';
import type { PreparedScenario } from '../prepare.ts';
import { type Renames, renamed, renamesAfter } from './renames.ts';

/** A list that was played: the session after it, and by how many steps, what was drawn otherwise. */
interface PlayedList {
  readonly session: Session;
  readonly renames: readonly Renames[];
}

/**
 * Plays lists of a recorded run's calls on its own world, with its messages where they stood. What a list has
 * in common with the beginning of the settled one is a fork of it and is not played again. A call that names
 * what an earlier one drew names what that one draws now.
 */
export class ShorterRuns {
  readonly #trajectory: Trajectory;
  readonly #shape: WorldShape;
  #steps: readonly StepRecord[] = [];
  #settled: PlayedList;

  constructor(prepared: PreparedScenario, trajectory: Trajectory) {
    this.#trajectory = trajectory;
    this.#shape = prepared.shape;
    const { header, end } = trajectory;
    const of = { agent: header.agent?.name ?? null, seal: end?.seal ?? null, steps: trajectory.steps.length };
    const session = openSession({
      ...sessionOptionsOf(header, prepared),
      // What the file holds is no run of the agent's.
      agent: { name: 'shrink', config: { of } },
    });
    this.#settled = { session, renames: [[]] };
    this.settle(trajectory.steps);
  }

  /** Takes a list as the one that others are played beside. */
  settle(steps: readonly StepRecord[]): void {
    this.#settled = this.#play(steps);
    this.#steps = steps;
  }

  /** Plays a list and ends as the recorded run did, with its answer. */
  finished(steps: readonly StepRecord[]): { readonly trajectory: Trajectory; readonly text: () => string } {
    const { session } = this.#play(steps);
    this.#say(session, Number.POSITIVE_INFINITY);
    return { trajectory: session.finish(this.#end()), text: () => session.text() };
  }

  #play(steps: readonly StepRecord[]): PlayedList {
    let shared = 0;
    while (shared < steps.length && steps[shared] === this.#steps[shared]) shared += 1;
    // A settled list that its budgets cut is shared as far as it got.
    shared = Math.min(shared, this.#settled.session.stepCount);
    const session = this.#settled.session.fork(shared);
    const renames = this.#settled.renames.slice(0, shared + 1);
    let known = renames.at(-1) ?? [];
    for (const step of steps.slice(shared)) {
      this.#say(session, step.index);
      if (session.ended || session.call(requestWith(step, known)).ended) break;
      known = this.#drawn(known, step, session);
      renames.push(known);
    }
    return { session, renames };
  }

  #drawn(known: Renames, recorded: StepRecord, session: Session): Renames {
    if (!recorded.diff.some(({ op }) => op === 'insert')) return known;
    const played = JSON.parse(session.lastStepLine() ?? 'null') as StepRecord;
    return renamesAfter(known, { recorded, played }, this.#shape);
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

function requestWith(step: StepRecord, renames: Renames): CallRequest {
  const request = requestOf(step);
  return request.input === undefined ? request : { ...request, input: renamed(request.input, renames) };
}
