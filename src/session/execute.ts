import { InvariantError, ProviderError, UsageError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { parseInput, runOperation } from '../service/run.ts';
import type { Actor, Operation, Protocol, Service, ServiceEvent, Tool } from '../service/types.ts';
import type { StepOutcome } from '../trajectory/types.ts';
import type { Row, RowChange, TableReader, WorldValue } from '../world/types.ts';
import type { Callable, Toolbox } from './toolbox.ts';

/** What truly happened to one call, before any fault touched the answer. */
export interface Executed {
  readonly world: WorldValue;
  readonly changes: readonly RowChange[];
  readonly events: readonly ServiceEvent[];
  readonly operations: readonly { readonly id: string; readonly status: number }[];
  readonly outcome: StepOutcome;
  readonly status: number;
  readonly response: Json;
  readonly error?: ProviderError;
}

/** A call ready to run. */
export interface Execution {
  readonly toolbox: Toolbox;
  readonly world: WorldValue;
  readonly name: string;
  /** True when every tool of the services is on offer. */
  readonly offersAll: boolean;
  readonly callable: Callable | undefined;
  readonly input: Json;
  readonly malformed: string | undefined;
  readonly actor: Actor;
  readonly credential: string | undefined;
  readonly epochMs: number;
  /** The service that the caller named, if any. */
  readonly named: string | undefined;
  /** The service that answers for unknown names. */
  readonly fallback: Service;
}

const NOTHING: Pick<Executed, 'changes' | 'events' | 'operations'> = {
  changes: [],
  events: [],
  operations: [],
};

/** Runs a call in the true world: unknown name, bad arguments, one operation, or a composition of several. */
export function execute(execution: Execution): Executed {
  const { callable } = execution;
  if (!callable) return unknownName(execution);
  const { service, operation } = callable;
  if (execution.malformed !== undefined) {
    const refusal = operation && refusalOf(execution, { service, operation, world: execution.world });
    if (refusal) return refused(execution, service, { outcome: 'error', error: refusal });
    const error = service.protocol.invalidInput([{ path: '', message: 'the arguments are not valid JSON' }]);
    return refused(execution, service, { outcome: 'invalid-input', error });
  }
  if (callable.tool?.compose) return executeComposed(execution, callable.tool, service);
  if (!operation) throw new InvariantError(`${callable.name} has neither operation nor composition`);
  const single = runChecked(execution, { service, operation, world: execution.world });
  return { ...single, operations: [{ id: operation.id, status: single.status }] };
}

/** The answer to a call that a fault refuses before anything happens. */
export function refuseBeforehand(execution: Execution, protocol: Protocol, error: ProviderError): Executed {
  return { ...NOTHING, world: execution.world, ...answerOf(protocol, error), outcome: 'error' };
}

function unknownName(execution: Execution): Executed {
  // An agent that was offered a choice of tools made the name up: its own mistake, which must not void the
  // trial.
  const owners = execution.offersAll ? (execution.toolbox.unmodelled.get(execution.name) ?? []) : [];
  const { named } = execution;
  const owner = owners.find((service) => named === undefined || service.name === named);
  const service = owner ?? execution.fallback;
  const error = service.protocol.unknownOperation(execution.name);
  return refused(execution, service, { outcome: owner ? 'unmodelled' : 'unknown-tool', error });
}

function refused(
  execution: Execution,
  service: Service,
  { outcome, error }: { outcome: StepOutcome; error: ProviderError },
): Executed {
  return { ...NOTHING, world: execution.world, ...answerOf(service.protocol, error), outcome };
}

function answerOf(protocol: Protocol, error: ProviderError): Pick<Executed, 'status' | 'response' | 'error'> {
  return { status: error.status, response: protocol.errorBody(error), error };
}

function runChecked(
  execution: Execution,
  target: { service: Service; operation: Operation; world: WorldValue; input?: Json },
): Omit<Executed, 'operations'> {
  const { service, operation, world } = target;
  const actor = allowedActor(execution, target);
  if (actor instanceof ProviderError) {
    return { ...NOTHING, world, ...answerOf(service.protocol, actor), outcome: 'error' };
  }
  const parsed = parseInput(operation.input, target.input ?? execution.input);
  if ('issues' in parsed) {
    const error = service.protocol.invalidInput(parsed.issues);
    return { ...NOTHING, world, ...answerOf(service.protocol, error), outcome: 'invalid-input' };
  }
  const { epochMs } = execution;
  const run = runOperation({ service, operation, world, input: parsed.value, actor, epochMs });
  return { ...run, outcome: run.error ? 'error' : 'ok' };
}

/** The actor that a call runs as, by the rules of the service; or its refusal. */
function allowedActor(
  { actor, credential, epochMs }: Execution,
  { service, operation, world }: { service: Service; operation: Operation; world: WorldValue },
): Actor | ProviderError {
  const { authorise } = service.protocol;
  if (!authorise) return actor;
  const nowMs = epochMs + world.clockMs;
  const table = (name: string): TableReader<Row> => world.table(`${service.name}.${name}`);
  return authorise({ actor, credential, operation, nowMs, table });
}

function refusalOf(execution: Execution, target: Parameters<typeof allowedActor>[1]): ProviderError | null {
  const allowed = allowedActor(execution, target);
  return allowed instanceof ProviderError ? allowed : null;
}

/** Ends a composition at the sub-step that failed; its answer becomes the tool's. */
class SubStepFailed extends Error {
  readonly run: Omit<Executed, 'operations'>;
  constructor(run: Omit<Executed, 'operations'>) {
    super('a sub-step failed');
    this.run = run;
  }
}

function executeComposed(execution: Execution, tool: Tool, service: Service): Executed {
  const parsed = parseInput(tool.input, execution.input);
  if ('issues' in parsed) {
    const error = service.protocol.invalidInput(parsed.issues);
    return refused(execution, service, { outcome: 'invalid-input', error });
  }
  const operations: { id: string; status: number }[] = [];
  const changes: RowChange[] = [];
  const events: ServiceEvent[] = [];
  let { world } = execution;
  const invoke = (operationId: string, input: JsonObject): Json => {
    const operation = service.operations.find((candidate) => candidate.id === operationId);
    if (!operation || !tool.operations.includes(operationId)) {
      throw new InvariantError(`${tool.name} invokes ${operationId}, which it does not declare`);
    }
    const run = runChecked(execution, { service, operation, world, input });
    world = run.world;
    changes.push(...run.changes);
    events.push(...run.events);
    operations.push({ id: operationId, status: run.status });
    if (run.error) throw new SubStepFailed(run);
    return run.response;
  };
  try {
    const response = tool.compose?.(invoke, parsed.value as never) ?? null;
    const net = operations.length > 1 ? execution.world.diff(world) : changes;
    return { world, changes: net, events, operations, outcome: 'ok', status: 200, response };
  } catch (failure) {
    if (!(failure instanceof SubStepFailed)) throw compositionBroke(tool, failure);
    return { ...failure.run, changes: execution.world.diff(world), events, operations };
  }
}

/** Anything but a sub-step's error that a composition throws is a gap in the service, as in an operation. */
function compositionBroke(tool: Tool, failure: unknown): unknown {
  if (failure instanceof InvariantError || failure instanceof UsageError) return failure;
  const reason = failure instanceof Error ? failure.message : String(failure);
  return new InvariantError(`the composition ${tool.name} broke: ${reason}`, { cause: failure });
}
