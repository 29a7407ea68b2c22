import { InvariantError, UsageError } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { valueAt } from '../base/predicate.ts';
import type { FaultPlan, NamedPlan } from '../faults/index.ts';
import type { Scenario } from '../scenarios/index.ts';
import type { ComparedCall, Contract, WorldShape } from '../scoring/index.ts';
import type { Service } from '../service/types.ts';
import {
  type Delivery,
  openSession,
  type Session,
  type SessionOptions,
  toolboxOf,
  type Watch,
} from '../session/index.ts';
import type { BehaviourRecord, ChangeRecord } from '../trajectory/index.ts';
import type { WorldValue } from '../world/types.ts';

/** A scenario with everything that running it needs. Built once, used for every trial. */
export interface PreparedScenario {
  readonly scenario: Scenario;
  readonly services: readonly Service[];
  /** The seeded world, before the overlay. */
  readonly world: WorldValue;
  readonly behaviour: BehaviourRecord;
  readonly shape: WorldShape;
  readonly watches: readonly Watch[];
  readonly policy: string;
  /**
   * Arguments by tool that comparisons pass over: the scenario's free text, and what clients make up at
   * random.
   */
  readonly freeText: Readonly<Record<string, readonly string[]>>;
  /** Faults that trials meet besides the scenario's own. */
  readonly plan?: NamedPlan;
}

/** What trials of this are called: the scenario's id, with the plan's behind an `@` where there is one. */
export function trialName({ scenario, plan }: Pick<PreparedScenario, 'scenario' | 'plan'>): string {
  return plan ? `${scenario.id}@${plan.id}` : scenario.id;
}

/** The scenario's own faults, then those of the plan, under the plan's name. */
export function faultsOf({
  scenario,
  plan,
}: Pick<PreparedScenario, 'scenario' | 'plan'>): FaultPlan | undefined {
  if (!plan) return scenario.faults;
  return { id: plan.id, rules: [...(scenario.faults?.rules ?? []), ...plan.rules] };
}

/** What a run of the reference came to. */
export interface ReferenceRun {
  readonly session: Session;
  readonly calls: readonly ComparedCall[];
  readonly deliveries: readonly Delivery[];
  readonly contract: Contract;
}

/** Puts a resolved scenario together with its services and world. */
export function prepareScenario(
  scenario: Scenario,
  setting: {
    readonly services: readonly Service[];
    readonly world: WorldValue;
    readonly behaviour: BehaviourRecord;
  },
): PreparedScenario {
  return {
    ...setting,
    scenario,
    shape: shapeOf(setting.world, setting.services),
    watches: watchesOf(scenario),
    freeText: uncomparedArguments(scenario, setting.services),
    policy: setting.services
      .map((service) => service.policy)
      .filter((policy) => policy !== undefined)
      .join('\n\n'),
  };
}

/** Session options of one trial of a scenario. */
export function optionsFor(
  prepared: PreparedScenario,
  trial: {
    readonly streamSeed: string;
    readonly trial?: number;
    readonly agent?: { readonly name: string; readonly config: Json };
    /** False for runs of the reference: the scenario's own faults strike it too, budgets do not end it. */
    readonly asAgent: boolean;
    /** For runs of the reference: what others do to the world in a trial under a plan. */
    readonly others?: FaultPlan['rules'];
  },
): SessionOptions {
  const { scenario } = prepared;
  const { asAgent, others = [] } = trial;
  const faults = asAgent
    ? faultsOf(prepared)
    : others.length === 0
      ? scenario.faults
      : { rules: [...(scenario.faults?.rules ?? []), ...others] };
  return {
    services: prepared.services,
    world: prepared.world,
    seeds: Object.fromEntries(scenario.world.services.map(({ name, seed }) => [name, seed])),
    overlay: scenario.world.overlay,
    streamSeed: trial.streamSeed,
    epochMs: scenario.world.epochMs,
    behaviour: prepared.behaviour,
    watches: prepared.watches,
    scenario: {
      id: scenario.id,
      hash: scenario.hash,
      ...(scenario.variant !== undefined && { variant: scenario.variant }),
    },
    task: scenario.task,
    ...(scenario.tools && { tools: scenario.tools }),
    ...(trial.trial !== undefined && { trial: trial.trial }),
    ...(trial.agent && { agent: trial.agent }),
    ...(faults && { faults }),
    ...(asAgent && { budgets: scenario.budgets }),
  };
}

/**
 * Runs the reference under a stream seed and derives the contract from it. References are run per trial, so
 * that ids drawn from the streams are the trial's own.
 * @param session where to run it: one of that seed, as an agent's would be; one without budgets when left out
 */
export function runReference(
  prepared: PreparedScenario,
  streamSeed: string,
  session: Session = openSession(optionsFor(prepared, { streamSeed, asAgent: false })),
): ReferenceRun {
  const start = session.world;
  const calls: ComparedCall[] = [];
  const deliveries: Delivery[] = [];
  for (const [number, call] of prepared.scenario.reference.calls.entries()) {
    const at: PartPath = ['reference', 'calls', number, 'arguments'];
    const input = fillResults(call.arguments, (result) => resultOf(deliveries, result), at) ?? {};
    deliveries.push(session.call({ tool: call.tool, input }));
    calls.push({ tool: call.tool, input });
  }
  return { session, calls, deliveries, contract: contractOf(prepared, start, session.world) };
}

/** The first reference call that did not end as the scenario says, in words; null when all did. */
export function failedReferenceCall(
  { scenario }: PreparedScenario,
  run: ReferenceRun,
): { readonly call: number; readonly message: string } | null {
  const steps = run.session.steps();
  for (const [call, { tool, fails }] of scenario.reference.calls.entries()) {
    const delivery = run.deliveries[call];
    const step = steps[delivery?.step ?? -1];
    const code = step?.error?.code;
    // What the scenario's own faults do to a call is no mistake of the reference.
    if (step?.fault) continue;
    if (fails === undefined ? delivery?.ok : code === fails) continue;
    const ended = delivery?.ok
      ? 'succeeded'
      : `failed with status ${delivery?.status} (${code ?? 'no code'})`;
    const wanted = fails === undefined ? '' : `, and should fail with ${fails}`;
    const body = JSON.stringify(delivery?.body);
    return { call, message: `reference call ${call} (${tool}) ${ended}${wanted}: ${body}` };
  }
  return null;
}

function contractOf(prepared: PreparedScenario, start: WorldValue, end: WorldValue): Contract {
  const { contract } = prepared.scenario;
  const { allow, mask } = contract;
  if (contract.expect) return { expect: contract.expect, allow, mask };
  const changes = start.diff(end).filter(({ table }) => prepared.shape[table]?.ambient !== true);
  return { expect: changes as readonly ChangeRecord[], allow, mask };
}

type PartPath = readonly PropertyKey[];

/** A `{$result: index, path}`, and where in the scenario it stands. */
export interface ResultReference {
  readonly index: number;
  readonly path: string;
  readonly at: PartPath;
}

/** Replaces every `{$result: n, path}` by what `resultOf` gives for it. */
export function fillResults(
  value: Json | undefined,
  resultOf: (result: ResultReference) => Json,
  at: PartPath = [],
): Json | undefined {
  if (Array.isArray(value)) {
    return value.map((item: Json, index) => fillResults(item, resultOf, [...at, index]) ?? null);
  }
  if (!isJsonObject(value)) return value;
  const { $result: index, path } = value;
  if (typeof index === 'number') return resultOf({ index, path: String(path ?? ''), at });
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, fillResults(member, resultOf, [...at, key])]),
  );
}

/** A reference asks for a value that the answer to an earlier call does not have. */
export class ReferenceResultError extends UsageError {
  /** Where in the scenario the `$result` stands. */
  readonly at: PartPath;

  constructor({ index, path, at }: ResultReference, body: Json) {
    super('reference-result', `the reference asks for ${path} of call ${index}, which has none`, {
      hint: `its answer is ${JSON.stringify(body).slice(0, 200)}`,
    });
    this.at = at;
  }
}

/** A value in the answer to a call of the reference. @throws ReferenceResultError when it has none there. */
function resultOf(deliveries: readonly Delivery[], result: ResultReference): Json {
  const body = deliveries[result.index]?.body ?? null;
  const found = valueAt(body, result.path);
  if (found !== undefined) return found;
  throw new ReferenceResultError(result, body);
}

function uncomparedArguments(
  scenario: Scenario,
  services: readonly Service[],
): Readonly<Record<string, readonly string[]>> {
  const uncompared: Record<string, readonly string[]> = { ...scenario.freeText };
  for (const { tool, callable } of toolboxOf(services).tools) {
    const unhashed = callable.operation?.unhashedInputs ?? [];
    if (unhashed.length > 0) uncompared[tool.name] = [...(uncompared[tool.name] ?? []), ...unhashed];
  }
  return uncompared;
}

function watchesOf(scenario: Scenario): Watch[] {
  return scenario.invariants.flatMap((rule) =>
    rule.kind === 'state' ? [{ id: rule.id, ...rule.always }] : [],
  );
}

/** What scorers must know of the tables. */
export function shapeOf(world: WorldValue, services: readonly Service[]): WorldShape {
  return Object.fromEntries(
    world.tableNames.map((name) => {
      const spec = world.spec(name);
      const service = services.find((candidate) => name.startsWith(`${candidate.name}.`));
      if (!service) throw new InvariantError(`the table ${name} belongs to no service of the world`);
      const foreignKeys = Object.entries(spec.foreignKeys ?? {}).map(([column, key]) => [
        column,
        `${service.name}.${key.table}`,
      ]);
      return [
        name,
        {
          primaryKey: typeof spec.primaryKey === 'string' ? [spec.primaryKey] : spec.primaryKey,
          foreignKeys: Object.fromEntries(foreignKeys) as Readonly<Record<string, string>>,
          volatile: spec.volatile ?? [],
          unhashed: spec.unhashed ?? [],
          ambient: spec.ambient ?? false,
        },
      ];
    }),
  );
}
