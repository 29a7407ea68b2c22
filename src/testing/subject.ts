import fc from 'fast-check';
import { InvariantError, ProviderError, UsageError } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import type { FaultPlan } from '../faults/index.ts';
import { seedWorld } from '../service/seed.ts';
import type { Operation, Service } from '../service/types.ts';
import { openSession, replayTrajectory, type Session } from '../session/index.ts';
import type { Delivery, SessionPort } from '../session/types.ts';
import type { BehaviourRecord, StepRecord } from '../trajectory/types.ts';
import type { WorldValue } from '../world/types.ts';
import { arbitraryCall, type OpenCall } from './arbitrary.ts';
import { filled, poolsOf } from './pools.ts';
import type { ConformanceOptions, Script, ScriptCall } from './types.ts';

const STREAM_SEED = 'conformance';

/** One call as it was made and everything that came of it. */
export interface Outcome {
  readonly script: string;
  readonly call: ScriptCall;
  readonly delivery: Delivery;
  readonly step: StepRecord;
  /** True when the error that ended it keeps its writes. */
  readonly committed: boolean;
}

type Made = Pick<Outcome, 'call' | 'delivery' | 'committed'>;

/** A script as it went; `crash` is the InvariantError that ended it. */
export interface ScriptRun {
  readonly outcomes: readonly Outcome[];
  readonly crash: InvariantError | null;
  /** The steps of the session as text, with their hash chain. */
  readonly trajectory: string;
}

/** A service under test with its small world and everything that was run on it. */
export class Subject {
  readonly service: Service;
  readonly options: ConformanceOptions;
  readonly world: WorldValue;
  /** The service with its operations watched for errors that commit. */
  readonly #watched: Service;
  readonly #services: readonly Service[];
  readonly #behaviour: BehaviourRecord;
  #committed = false;
  #runs: readonly ScriptRun[] | null = null;

  constructor(service: Service, options: ConformanceOptions) {
    this.service = service;
    this.options = options;
    this.world = seedWorld([{ service, seed: 'small' }]);
    this.#watched = { ...service, operations: service.operations.map((operation) => this.#watch(operation)) };
    this.#services = [this.#watched];
    this.#behaviour = { engine: 'test', services: { [service.name]: service.version } };
  }

  /** A session on a world of this service; the small seed when left out. */
  open(
    start: { readonly world?: WorldValue; readonly streamSeed?: string; readonly faults?: FaultPlan } = {},
  ): Session {
    return openSession({
      services: this.#services,
      world: start.world ?? this.world,
      seeds: { [this.service.name]: 'small' },
      streamSeed: start.streamSeed ?? STREAM_SEED,
      epochMs: this.service.epochMs,
      ...(this.options.actors && { actors: this.options.actors }),
      ...(start.faults && { faults: start.faults }),
      behaviour: this.#behaviour,
    });
  }

  /** Whether a session's record replays to the byte; null when it does. */
  replayProblem(session: Session): string | null {
    const trajectory = session.fork().finish({ reason: 'answer', answer: '' });
    const environment = { services: this.#services, world: this.world, behaviour: this.#behaviour };
    const { firstDivergence } = replayTrajectory(trajectory, environment);
    return firstDivergence && `the record does not replay: ${JSON.stringify(firstDivergence)}`;
  }

  /** Makes calls one after the other; picks are filled from the world as it is at each call. */
  play(title: string, calls: readonly OpenCall[], session: SessionPort = this.open()): ScriptRun {
    const made: Made[] = [];
    const before = session.stepCount;
    let crash: InvariantError | null = null;
    for (const open of calls) {
      const input = this.#withTokens(filled(open.input, poolsOf(session.world)), made);
      const call: ScriptCall = { ...open, input };
      this.#committed = false;
      try {
        const { tokenOf } = call;
        const credential = tokenOf !== undefined && { credential: this.#issuedToken(made[tokenOf]) };
        const delivery = session.call({ ...call, ...credential });
        made.push({ call, delivery, committed: this.#committed });
      } catch (error) {
        if (!(error instanceof InvariantError)) throw error;
        crash = new InvariantError(`${error.message} (by ${JSON.stringify(call)})`, { cause: error });
        break;
      }
    }
    const steps = session.steps().slice(before);
    const outcomes = made.map((one, index): Outcome => {
      const step = steps[index];
      if (!step) throw new InvariantError(`call ${index} of ${title} was not recorded`);
      return { script: title, ...one, step };
    });
    return { outcomes, crash, trajectory: JSON.stringify(steps) };
  }

  /** The scripts that every law looks at: examples, probes, given ones, misuse, and random sequences. */
  scripts(): readonly { readonly title: string; readonly calls: readonly OpenCall[] }[] {
    return [...this.exampleScripts(), ...this.probeScripts(), ...this.givenScripts(), ...this.#random()];
  }

  exampleScripts(): readonly Script[] {
    return this.service.operations.map(({ id, example }) => ({
      title: `example of ${id}`,
      calls: [{ tool: id, input: example }],
    }));
  }

  probeScripts(): readonly Script[] {
    return this.options.probes.map((probe) => ({
      title: `probe ${probe.operation}: ${probe.title}`,
      calls: [...(probe.after ?? []), probe].map(({ operation, input, tokenOf, actor, headers }) => ({
        tool: operation,
        input,
        ...(tokenOf !== undefined && { tokenOf }),
        ...(actor !== undefined && { actor }),
        ...(headers && { headers }),
      })),
    }));
  }

  /** The author's own scripts, and calls that no service can take. */
  givenScripts(): readonly Script[] {
    const names = [
      ...this.service.operations.map(({ id }) => id),
      ...this.service.tools.map(({ name }) => name),
    ];
    const unfitting: readonly Json[] = [{ 'no such member': true }, [], 'text', null];
    const misuse = names.flatMap((tool) => unfitting.map((input) => ({ tool, input })));
    return [
      ...(this.options.scripts ?? []),
      { title: 'misuse', calls: [{ tool: 'no.such.tool', input: {} }, ...misuse] },
    ];
  }

  /** All scripts, each run once on a fresh session. */
  runs(): readonly ScriptRun[] {
    this.#runs ??= this.scripts().map(({ title, calls }) => this.play(title, calls));
    return this.#runs;
  }

  outcomes(): readonly Outcome[] {
    return this.runs().flatMap((run) => run.outcomes);
  }

  operation(id: string): Operation | undefined {
    return this.service.operations.find((operation) => operation.id === id);
  }

  /** The token that a call of this service was given. */
  #issuedToken(made: Made | undefined): string {
    const [member = ''] = (made && this.operation(made.call.tool)?.issuedTokens) ?? [];
    const token = isJsonObject(made?.delivery.body) ? made.delivery.body[member] : undefined;
    if (typeof token === 'string') return token;
    throw new UsageError(
      'no-token',
      `${made?.call.tool ?? 'no call'} gave no token that a later call could show`,
    );
  }

  /** Arguments with the tokens that earlier calls were given in place of `{$token: index}`. */
  #withTokens(input: Json, made: readonly Made[]): Json {
    if (Array.isArray(input)) return input.map((item: Json) => this.#withTokens(item, made));
    if (!isJsonObject(input)) return input;
    if (typeof input.$token === 'number') return this.#issuedToken(made[input.$token]);
    const members = Object.entries(input).map(([name, member]) => [
      name,
      member === undefined ? member : this.#withTokens(member, made),
    ]);
    return Object.fromEntries(members) as Json;
  }

  #random(): { title: string; calls: readonly OpenCall[] }[] {
    const { length = 12, seed = 20_250 } = this.options.random ?? {};
    const sequences = fc.array(arbitraryCall(this.service, this.world), {
      minLength: length,
      maxLength: length,
    });
    return fc
      .sample(sequences, { numRuns: 10, seed })
      .map((calls, index) => ({ title: `random sequence ${index}`, calls }));
  }

  #watch(operation: Operation): Operation {
    const run: Operation['run'] = (ctx, input) => {
      try {
        return operation.run(ctx, input);
      } catch (error) {
        if (error instanceof ProviderError && error.commit) this.#committed = true;
        throw error;
      }
    };
    return { ...operation, run };
  }
}
