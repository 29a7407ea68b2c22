import { type Json, type JsonObject, jsonEqual } from '../../base/json.ts';
import type { FaultRule } from '../../faults/index.ts';
import type { Delivery, Session } from '../../session/index.ts';
import type { EndReason, StepRecord } from '../../trajectory/index.ts';
import { type Filling, fillArguments, fillReply, ValueGone } from './fill.ts';
import type { Plan, PlannedCall } from './plan.ts';
import type { Edit } from './types.ts';
import { nameOf, type Source, saidBy, valueIn } from './values.ts';

/** How the rest of a run came to its end. */
export interface PlayedEnd {
  readonly reason: EndReason;
  readonly answer: string | null;
}

/** What a call that failed for a passing reason is answered with. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const WAIT_WITHOUT_ADVICE_MS = 1_000;

/**
 * Plays an edited run from the session, which stands before the edited call, to its end: the edit, then the
 * plan with its values taken from what is really delivered. The agent is fixed and plain:
 *
 * - A call that fails for a passing reason (408, 429, 5xx, a lost answer, one that cannot be read) is made
 *   once more, after the time that the answer asks for. It is not looked up first whether it took effect.
 * - A read that fails otherwise is gone on without. A write that does, ends the run with a reply that says
 *   so.
 * - A value whose answer no longer has it is taken from another answer that gave it, else the read that gave
 *   it is made once more. A read that still lacks one is left out; a write that does, ends the run with a
 *   reply that says so. In texts `(unknown)` stands for it.
 *
 * Null as soon as the edit turns out to be none: its rule does not strike, or shows nowhere in time; or a
 * call that must succeed does not.
 */
export function playEdited(session: Session, played: Played): PlayedEnd | null {
  return new EditedRun(session, played).play();
}

/** What is played. */
interface Played {
  readonly plan: Plan;
  readonly edit: Edit;
  readonly isRead: (tool: string) => boolean;
}

class EditedRun implements Filling {
  readonly #session: Session;
  readonly #plan: Plan;
  readonly #edit: Edit;
  readonly #isRead: Played['isRead'];
  readonly #answers = new Map<number, Json | undefined>();
  readonly #inputs = new Map<number, JsonObject>();
  readonly #readAgain = new Set<number>();
  #end: PlayedEnd | null = null;
  #isNone = false;
  #shows = false;

  constructor(session: Session, { plan, edit, isRead }: Played) {
    this.#session = session;
    this.#plan = plan;
    this.#edit = edit;
    this.#isRead = isRead;
  }

  play(): PlayedEnd | null {
    const { at, cut } = this.#edit;
    if (cut === 'silence') return { reason: 'agent-stopped', answer: null };
    if (cut !== 'answer') this.#playCalls(at);
    if (this.#isNone) return null;
    return this.#end ?? { reason: 'answer', answer: this.#reply() };
  }

  answerOf(step: number): Json | undefined {
    if (this.#answers.has(step)) return this.#answers.get(step);
    const call = this.#plan.calls[step];
    return this.#isAsPlanned(step) && call?.ok ? call.answer : undefined;
  }

  inputOf(step: number): Json | undefined {
    return this.#inputs.get(step) ?? (this.#isAsPlanned(step) ? this.#plan.calls[step]?.input : undefined);
  }

  /** Before the edit everything was as in the clean run; behind a cut the agent talks as if it had been. */
  #isAsPlanned(step: number): boolean {
    return step < this.#edit.at || this.#edit.cut !== undefined;
  }

  /** Who skips a look-up takes a number from what else was seen: one of the same name, else the nearest. */
  instead(sources: readonly Source[], clean: string | number): Json | undefined {
    if (this.#edit.skipped === undefined || typeof clean !== 'number') return undefined;
    const name = nameOf(sources[0]?.path ?? []);
    const seen = this.#plan.values
      .keys()
      .flatMap((key) => this.#plan.values.of(key))
      .filter(({ step }) => step !== this.#edit.skipped)
      .map((source) => ({ source, value: valueIn(this.answerOf(source.step), source.path) }))
      .filter((one): one is { source: Source; value: number } => typeof one.value === 'number');
    const near = seen
      .filter(({ value }) => value !== clean && isNear(value, clean))
      .sort((one, other) => ratioOf(one.value, clean) - ratioOf(other.value, clean));
    return (near.find(({ source }) => nameOf(source.path) === name) ?? near[0])?.value;
  }

  #playCalls(at: number): void {
    const { calls = [], replaced = 0, mustSucceed = false } = this.#edit;
    for (const { call, stands } of calls) {
      const input = (call.arguments ?? {}) as JsonObject;
      const planned = stands === null ? undefined : this.#plan.calls[stands];
      const delivery = this.#call(call.tool, input);
      if (!delivery) return;
      if (mustSucceed && !delivery.ok) {
        this.#isNone = true;
        return;
      }
      if (planned && stands !== null && !this.#settle(stands, planned, { delivery, input })) return;
    }
    for (let step = at + replaced; step < this.#plan.calls.length; step += 1) {
      const planned = this.#plan.calls[step];
      if (!planned || !this.#make(step, planned)) return;
    }
  }

  /** Makes a planned call; false when the run is over. */
  #make(step: number, planned: PlannedCall): boolean {
    const { at, rule } = this.#edit;
    const input = this.#fill(planned);
    if (this.#end) return false;
    if (input === null) return true;
    const delivery = this.#call(planned.tool, input, step === at ? { rule } : {});
    if (rule && step === at && !isStruck(this.#session)) {
      this.#isNone = true;
      return false;
    }
    if (!delivery || !this.#showsInTime(step, planned, delivery)) return false;
    return this.#settle(step, planned, { delivery, input });
  }

  /** False, and the edit none, when the last answer that it could show in is as in the clean run. */
  #showsInTime(step: number, planned: PlannedCall, { body }: Delivery): boolean {
    const { at, showsWithin } = this.#edit;
    if (showsWithin === undefined || step <= at) return true;
    this.#shows ||= !jsonEqual(saidBy(body), planned.answer);
    const isLast = step === Math.min(at + showsWithin, this.#plan.calls.length - 1);
    this.#isNone = isLast && !this.#shows;
    return !this.#isNone;
  }

  /** The arguments of a planned call; null for a read that is left out. */
  #fill(planned: PlannedCall): JsonObject | null {
    for (;;) {
      try {
        return fillArguments(planned.template, this);
      } catch (error) {
        if (!(error instanceof ValueGone)) throw error;
        if (this.#lookedUpAgain(error.sources)) continue;
        if (this.#end || this.#isRead(planned.tool)) return null;
        return this.#stop(
          `I could not go on: ${planned.tool} needs ${error.argument}, which no answer gave.`,
        );
      }
    }
  }

  /** Makes the read that gave a value once more; false when that was done before, or cannot be. */
  #lookedUpAgain(sources: readonly Source[]): boolean {
    for (const { step } of sources) {
      const planned = this.#plan.calls[step];
      const barred = this.#edit.skipped === step || this.#readAgain.has(step);
      if (!planned || barred || !this.#isRead(planned.tool)) continue;
      this.#readAgain.add(step);
      const delivery = this.#call(planned.tool, planned.input);
      if (!delivery) return false;
      if (delivery.ok && !isUnreadable(delivery, planned)) {
        this.#answers.set(step, saidBy(delivery.body));
        return true;
      }
    }
    return false;
  }

  /** Takes in a planned call's answer, asked for again where that may help; false when the run is over. */
  #settle(step: number, planned: PlannedCall, made: Made): boolean {
    let { delivery } = made;
    this.#inputs.set(step, made.input);
    if (this.#failedForNow(delivery, planned)) {
      const again = this.#call(planned.tool, made.input, { waitedMs: waitOf(delivery) });
      if (!again) return false;
      delivery = again;
    }
    const failed = (planned.ok && !delivery.ok) || isUnreadable(delivery, planned);
    this.#answers.set(
      step,
      delivery.ok && !isUnreadable(delivery, planned) ? saidBy(delivery.body) : undefined,
    );
    if (!failed || this.#isRead(planned.tool)) return true;
    const how = delivery.lost || delivery.ok ? 'gave no answer' : `failed with status ${delivery.status}`;
    this.#stop(`I could not finish: ${planned.tool} ${how}.`);
    return false;
  }

  #failedForNow(delivery: Delivery, planned: PlannedCall): boolean {
    if (!planned.ok) return false;
    return delivery.lost === true || PASSING.has(delivery.status) || isUnreadable(delivery, planned);
  }

  /** Makes one call; null when a budget ended the run before it. */
  #call(
    tool: string,
    input: JsonObject,
    { rule, waitedMs }: { readonly rule?: FaultRule | undefined; readonly waitedMs?: number } = {},
  ): Delivery | null {
    const delivery = this.#session.call({
      tool,
      input,
      transport: 'inprocess',
      ...(waitedMs !== undefined && { waitedMs }),
      ...(rule && { injected: [rule] }),
    });
    if (!delivery.ended) return delivery;
    this.#end = { reason: delivery.ended, answer: null };
    return null;
  }

  #stop(reply: string): null {
    this.#end = { reason: 'answer', answer: reply };
    return null;
  }

  #reply(): string {
    const reply = fillReply(this.#plan.reply, this);
    const { claim } = this.#edit;
    return claim === undefined ? reply : `${reply} ${claim}`;
  }
}

interface Made {
  readonly delivery: Delivery;
  readonly input: JsonObject;
}

function isStruck(session: Session): boolean {
  const line = session.lastStepLine();
  return line !== null && (JSON.parse(line) as StepRecord).fault !== undefined;
}

/** True for an answer of another form than the clean one: text where there was an object, or nothing. */
function isUnreadable({ ok, body, lost, broken }: Delivery, { answer }: PlannedCall): boolean {
  if (lost || broken) return true;
  if (!ok) return false;
  const said = saidBy(body);
  return typeof answer === 'object' && answer !== null && (typeof said !== 'object' || said === null);
}

function waitOf({ headers }: Delivery): number {
  const seconds = Number(headers?.['retry-after'] ?? headers?.['Retry-After']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds * 1_000) : WAIT_WITHOUT_ADVICE_MS;
}

const NEAR_RATIO = 5;

function isNear(value: number, clean: number): boolean {
  return value > 0 && clean > 0 && ratioOf(value, clean) <= NEAR_RATIO;
}

/** How many times the larger is the smaller. */
function ratioOf(value: number, clean: number): number {
  return Math.max(value / clean, clean / value);
}
