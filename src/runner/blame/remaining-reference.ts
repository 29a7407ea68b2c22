import type { Json } from '../../base/json.ts';
import { valueAt } from '../../base/predicate.ts';
import type { ReferenceCall } from '../../scenarios/index.ts';
import { type ComparatorTable, callKey, callOf, freeTextComparators } from '../../scoring/index.ts';
import type { Session } from '../../session/index.ts';
import type { StepRecord } from '../../trajectory/index.ts';
import { fillResults, type PreparedScenario, type ReferenceRun, type ResultReference } from '../prepare.ts';

/** How often a call is made that faults strike before anything happened. */
const TRIES = 4;

/** How far a run is through the reference. */
export interface Progress {
  /** Numbers of the reference calls that are left, in the reference's order. */
  readonly left: readonly number[];
  /** What the run was answered where it made a reference call, by the call's number. */
  readonly answers: ReadonlyMap<number, Json>;
}

/**
 * What is left of a scenario's reference while a run goes on. Each call of the run takes the first reference
 * call that is left and equal to it, free text aside; equal means the same text, so this is a maximum
 * matching. What the reference takes from answers it takes from those that the run was given, where it has
 * them: ids that the run drew are its own.
 */
export class RemainingReference {
  readonly #run: ReferenceRun;
  readonly #calls: readonly ReferenceCall[];
  readonly #comparators: ComparatorTable;
  readonly #steps: readonly (StepRecord | undefined)[];
  /** Texts to compare by, of the calls that take nothing from answers. */
  readonly #keys: readonly (string | null)[];

  constructor(prepared: PreparedScenario, run: ReferenceRun) {
    this.#run = run;
    this.#calls = prepared.scenario.reference.calls;
    this.#comparators = freeTextComparators(prepared.freeText);
    const steps = run.session.steps();
    this.#steps = run.deliveries.map(({ step }) => steps[step]);
    this.#keys = this.#calls.map(({ tool, arguments: input }) =>
      JSON.stringify(input ?? null).includes('"$result"')
        ? null
        : callKey({ tool, input: input ?? {} }, this.#comparators),
    );
  }

  start(): Progress {
    return { left: [...this.#calls.keys()], answers: new Map() };
  }

  /** The progress once the run made this call. */
  after(progress: Progress, step: StepRecord): Progress {
    const key = callKey(callOf(step), this.#comparators);
    const made = progress.left.find((number) => {
      const cameOff = this.#steps[number]?.outcome === 'ok';
      return cameOff === (step.outcome === 'ok') && this.#keyOf(number, progress) === key;
    });
    return made === undefined ? progress : this.standIn(progress, made, step);
  }

  /** The progress when a call of the run stands in for a reference call. */
  standIn({ left, answers }: Progress, number: number, step: StepRecord): Progress {
    return {
      left: left.filter((one) => one !== number),
      answers: new Map(answers).set(number, step.delivered?.body ?? step.response),
    };
  }

  /**
   * Writes of the reference that a call of this tool may stand in for: those of the same tool first, then the
   * others, in the reference's order.
   */
  replaceable({ left }: Progress, tool: string): readonly number[] {
    const writes = left.filter((number) => {
      const step = this.#steps[number];
      return step !== undefined && step.before !== step.after;
    });
    const isSame = (number: number): boolean => this.#calls[number]?.tool === tool;
    return [...writes.filter(isSame), ...writes.filter((number) => !isSame(number))];
  }

  /** Plays what is left, from where a session stands, as far as its budgets reach. */
  play(session: Session, progress: Progress): void {
    const answers = new Map(progress.answers);
    const left = new Set(progress.left);
    for (const number of left) {
      const step = this.#make(session, number, answers);
      if (step === null) return;
      answers.set(number, step.delivered?.body ?? step.response);
      if (step.outcome !== 'ok' || this.#steps[number]?.outcome === 'ok') continue;
      // A fault struck the reference here, and it made the call again: nothing struck this time.
      const key = this.#keyOf(number, progress);
      const again = progress.left.find((other) => other > number && this.#keyOf(other, progress) === key);
      if (again !== undefined) left.delete(again);
    }
  }

  /**
   * Makes a reference call, again where a fault struck it before anything happened. Null when the episode is
   * over.
   */
  #make(session: Session, number: number, answers: ReadonlyMap<number, Json>): StepRecord | null {
    const input = this.#inputOf(number, answers);
    const tool = this.#calls[number]?.tool ?? '';
    let step: StepRecord | null = null;
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (session.ended || session.call({ tool, input }).ended) return null;
      step = JSON.parse(session.lastStepLine() ?? 'null') as StepRecord;
      const struck = step.fault !== undefined && step.outcome !== 'ok' && step.before === step.after;
      if (!struck || this.#steps[number]?.outcome !== 'ok') return step;
    }
    return step;
  }

  #keyOf(number: number, { answers }: Progress): string {
    const known = this.#keys[number];
    if (known !== null && known !== undefined) return known;
    const tool = this.#calls[number]?.tool ?? '';
    return callKey({ tool, input: this.#inputOf(number, answers) }, this.#comparators);
  }

  /** The true input of a reference call; what the run was not answered is taken from the reference's run. */
  #inputOf(number: number, answers: ReadonlyMap<number, Json>): Json {
    const resultOf = ({ index, path }: ResultReference): Json => {
      const recorded = this.#run.deliveries[index]?.body;
      return valueAt(answers.get(index), path) ?? valueAt(recorded, path) ?? null;
    };
    return fillResults(this.#calls[number]?.arguments, resultOf) ?? {};
  }
}
