import type { Json } from '../../base/json.ts';
import { valueAt } from '../../base/predicate.ts';
import type { ReferenceCall } from '../../scenarios/index.ts';
import type { TrialScore } from '../../scoring/index.ts';
import { type Delivery, openSession, type Session } from '../../session/index.ts';
import type { EndReason, Trajectory } from '../../trajectory/index.ts';
import {
  fillResults,
  optionsFor,
  type PreparedScenario,
  type ReferenceRun,
  type ResultReference,
  runReference,
} from '../prepare.ts';
import { scoreAgainst } from '../score.ts';

/** Every proof of a scenario runs under this one stream seed. */
export const PROOF_SEED = 'certify';

/** A call of a sequence to play: a reference call (by its number, for `$result`) or one made up. */
export interface PlayedCall extends ReferenceCall {
  /** Its number in the reference; null for a call that the reference does not have. */
  readonly number: number | null;
}

/** The reference of a scenario, run once, with sessions to fork at every call. */
export class ReferencePlay {
  readonly prepared: PreparedScenario;
  readonly run: ReferenceRun;
  readonly #session: Session;

  constructor(prepared: PreparedScenario) {
    this.prepared = prepared;
    this.run = runReference(prepared, PROOF_SEED);
    // The faults and budgets of the scenario are part of what is proven, so the proof plays as an agent
    // would.
    this.#session = openSession(optionsFor(prepared, { streamSeed: PROOF_SEED, asAgent: true }));
    for (const call of this.calls) {
      if (this.#session.ended) break;
      this.#session.call({ tool: call.tool, input: this.inputOf(call, new Map()) });
    }
  }

  /** The budget that ended the episode before the reference was through, and after how many calls. */
  get cut(): { readonly reason: EndReason; readonly calls: number } | null {
    const { ended } = this.#session;
    return ended && { reason: ended, calls: this.#session.steps().length };
  }

  /** The reference's calls with their numbers. */
  get calls(): readonly PlayedCall[] {
    return this.prepared.scenario.reference.calls.map((call, number) => ({ ...call, number }));
  }

  /** The score of the reference itself, played as an agent. */
  score(): TrialScore {
    return this.scoreOf(this.#session.fork());
  }

  /** A session that stands before reference call `number`. */
  before(number: number): Session {
    return this.#session.fork(number);
  }

  /**
   * Plays calls from where a session stands; `$result` looks at what they were answered, else at the
   * reference.
   */
  continue(session: Session, calls: readonly PlayedCall[]): void {
    const answers = new Map<number, Delivery>();
    for (const call of calls) {
      if (session.ended) return;
      const delivery = session.call({ tool: call.tool, input: this.inputOf(call, answers) });
      if (call.number !== null) answers.set(call.number, delivery);
    }
  }

  /** Ends an episode with the reference's answer (or another) and scores it. */
  scoreOf(session: Session, answer: string = this.prepared.scenario.reference.answer): TrialScore {
    return this.scoreTrajectory(session.finish({ reason: 'answer', answer }));
  }

  scoreTrajectory(trajectory: Trajectory): TrialScore {
    return scoreAgainst(this.prepared, this.run, trajectory);
  }

  /**
   * The true input of a call. A result that the sequence did not produce is taken from the reference's own
   * run.
   */
  inputOf(call: ReferenceCall, answers: ReadonlyMap<number, Delivery>): Json {
    const resultOf = ({ index, path }: ResultReference): Json => {
      const recorded = this.run.deliveries[index]?.body;
      return valueAt(answers.get(index)?.body, path) ?? valueAt(recorded, path) ?? null;
    };
    return fillResults(call.arguments, resultOf) ?? {};
  }
}
