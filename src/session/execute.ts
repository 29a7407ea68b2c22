import { InvariantError, ProviderError, UsageError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { OperationFailed, ToolFailed } from '../service/compose.ts';
import { type OperationRun, parseInput, runOperation } from '../service/run.ts';
import type {
  Actor,
  BodyForm,
  InputIssue,
  Invoke,
  Operation,
  Refusal,
  Reply,
  RequestHeaders,
  Service,
  ServiceEvent,
  Tool,
} from '../service/types.ts';
import type { StepOutcome } from '../trajectory/types.ts';
import type { Row, RowChange, TableReader, WorldValue } from '../world/types.ts';
import { assertSendable, completed, inCallersOrder, type Made } from './complete.ts';
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
  /** For a network door: the answer's headers, and how its body is sent. Never recorded. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: BodyForm;
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
  /** The arguments as the caller wrote them. */
  readonly came: Json | undefined;
  readonly headers: RequestHeaders;
  readonly malformed: string | undefined;
  readonly actor: Actor;
  readonly credential: string | undefined;
  readonly epochMs: number;
  /** The service that the caller named, if any. */
  readonly named: string | undefined;
  /** The service that answers for unknown names. */
  readonly fallback: Service;
  /** Set where a fault has the service refuse whatever it is asked. */
  readonly refusal?: FaultRefusal;
}

/** How a fault has a service refuse a call: as under stress, or because the credential has expired. */
type FaultRefusal = Refusal | { readonly status: 401 };

const NOTHING: Pick<Executed, 'changes' | 'events'> = { changes: [], events: [] };

/** One operation, or what stands for it, in the world as it was before. */
interface Target {
  readonly service: Service;
  readonly operation: Operation | undefined;
  readonly world: WorldValue;
  /** Of a sub-step; the call's own when left out. */
  readonly input?: Json;
}

type Run = Made & Pick<Executed, 'events' | 'outcome'>;

/** Runs a call in the true world: unknown name, bad arguments, one operation, or a composition of several. */
export function execute(execution: Execution): Executed {
  const { callable, world } = execution;
  if (!callable) return unknownName(execution);
  const { service, operation, tool } = callable;
  if (tool?.compose) return executeComposed(execution, tool, service);
  if (!operation) throw new InvariantError(`${callable.name} has neither operation nor composition`);
  const single = runChecked(execution, { service, operation, world });
  const ran = execution.malformed === undefined;
  return { ...single, operations: ran ? [{ id: operation.id, status: single.status }] : [] };
}

/**
 * The answer to a call that a fault refuses before anything happens. A composed tool meets the refusal in its
 * first operation and says so in its own words; null where it comes to none.
 */
export function refuseBeforehand(execution: Execution, refusal: FaultRefusal): Executed | null {
  const { callable, fallback } = execution;
  if (callable?.tool?.compose) {
    const met = executeComposed({ ...execution, refusal }, callable.tool, callable.service);
    return met.operations.length > 0 ? met : null;
  }
  const error = refusalBy(callable?.service ?? fallback, execution, { refusal, world: execution.world });
  return refusedWhole(execution, error, 'error');
}

function refusalBy(
  { name, protocol }: Service,
  { actor, epochMs }: Execution,
  { refusal, world }: { readonly refusal: FaultRefusal; readonly world: WorldValue },
): ProviderError {
  if (refusal.status === 401) return protocol.unauthenticated('expired');
  const table = (short: string): TableReader<Row> => world.table(`${name}.${short}`);
  return protocol.refusal(refusal, { actor, nowMs: epochMs + world.clockMs, table });
}

/** The answer to arguments that a fault refuses, in the vendor's words. */
export function refuseInput(execution: Execution, issues: readonly InputIssue[]): Executed {
  const { callable, fallback } = execution;
  if (callable?.tool?.compose) return refusedByTool(execution, callable.tool, issues);
  const { protocol } = callable?.service ?? fallback;
  return refusedWhole(execution, protocol.invalidInput(issues, callable?.operation?.id), 'invalid-input');
}

function refusedWhole(execution: Execution, error: ProviderError, outcome: StepOutcome): Executed {
  const { callable, fallback, world } = execution;
  const service = callable?.service ?? fallback;
  const target = { service, operation: callable?.operation ?? undefined, world };
  return { ...refused(execution, target, { outcome, error }), operations: [] };
}

function unknownName(execution: Execution): Executed {
  // An agent that was offered a choice of tools made the name up: its own mistake, which must not void the
  // trial.
  const owners = execution.offersAll ? (execution.toolbox.unmodelled.get(execution.name) ?? []) : [];
  const { named, world } = execution;
  const owner = owners.find((service) => named === undefined || service.name === named);
  const service = owner ?? execution.fallback;
  const error = service.protocol.unknownOperation(execution.name);
  const target = { service, operation: undefined, world };
  const outcome = owner ? 'unmodelled' : 'unknown-tool';
  return { ...refused(execution, target, { outcome, error }), operations: [] };
}

/** Refuses a call that did nothing, in the service's words, as its protocol completes them. */
function refused(
  execution: Execution,
  target: Target,
  { outcome, error, actor }: { outcome: StepOutcome; error: ProviderError; actor?: Actor },
): Run {
  return finished(execution, { ...target, actor }, { ...refusedBy(target, error), outcome });
}

function refusedBy({ service, operation, world }: Target, error: ProviderError): Omit<Run, 'outcome'> {
  const response = service.protocol.errorBody(error, operation?.id);
  return { ...NOTHING, world, ...errorAnswer(error), response };
}

function errorAnswer(error: ProviderError): Pick<Made, 'status' | 'error' | 'headers'> {
  return { status: error.status, error, ...(error.headers && { headers: error.headers }) };
}

/** What a call came to, once the service's protocol has completed it. */
function finished(
  execution: Execution,
  target: Target & { readonly actor: Actor | undefined },
  run: Run,
): Run {
  const { service, operation, world: before, actor = execution.actor } = target;
  if (!service.protocol.complete) return run;
  const { credential, headers, epochMs, malformed } = execution;
  const given = target.input ?? inCallersOrder(execution.input, execution.came);
  const input = malformed === undefined ? given : null;
  const done = completed(run, { service, operation, actor, credential, headers, input, epochMs, before });
  const isSubStep = target.input !== undefined;
  return isSubStep && !run.error ? { ...run, world: done.world, changes: done.changes } : done;
}

function runChecked(execution: Execution, target: Target & { readonly operation: Operation }): Run {
  const { service, operation, world } = target;
  const { refusal } = execution;
  if (refusal) {
    const error = refusalBy(service, execution, { refusal, world });
    return refused(execution, target, { outcome: 'error', error });
  }
  const actor = allowedActor(execution, target);
  if (actor instanceof ProviderError) return refused(execution, target, { outcome: 'error', error: actor });
  const parsed =
    execution.malformed === undefined
      ? parseInput(operation.input, target.input ?? execution.input)
      : { issues: NOT_JSON };
  if ('issues' in parsed) {
    const error = service.protocol.invalidInput(parsed.issues, operation.id);
    return refused(execution, target, { outcome: 'invalid-input', error, actor });
  }
  const { epochMs, headers } = execution;
  const run = runOperation({ service, operation, world, input: parsed.value, actor, headers, epochMs });
  if (run.reply)
    assertSendable(service, { form: 'json', ...run.reply, status: run.status, body: run.response });
  return finished(execution, { ...target, actor }, madeBy(run));
}

const NOT_JSON = [{ path: '', message: 'the arguments are not valid JSON' }];

/** An error's answer is the error's own; what the operation said of another one no longer holds. */
function madeBy({ reply, ...run }: OperationRun): Run {
  const facts = reply?.facts && { facts: reply.facts };
  if (run.error) return { ...run, ...errorAnswer(run.error), ...facts, outcome: 'error' };
  const { headers, form } = reply ?? NO_REPLY;
  return { ...run, ...(headers && { headers }), ...(form && { form }), ...facts, outcome: 'ok' };
}

const NO_REPLY: Reply = {};

/** The actor that a call runs as, by the rules of the service; or its refusal. */
function allowedActor(
  { actor, credential, epochMs, headers }: Execution,
  { service, operation, world }: { service: Service; operation: Operation; world: WorldValue },
): Actor | ProviderError {
  const { protocol } = service;
  if (!protocol.authorise) return actor;
  const nowMs = epochMs + world.clockMs;
  const table = (name: string): TableReader<Row> => world.table(`${service.name}.${name}`);
  return protocol.authorise({ actor, credential, operation, headers, nowMs, table });
}

/** Ends a composition at the sub-step that failed; its answer becomes the tool's. */
class SubStepFailed extends OperationFailed {
  readonly run: Run;
  constructor(operation: string, input: JsonObject, run: Run) {
    super({ operation, input, status: run.status, body: run.response });
    this.run = run;
  }
}

/**
 * Runs the operations of a composed tool. Each is a call of the service, which its protocol completes: what
 * that counts stays. A sub-step's answer is the composition's to work on as the operation gave it; only that
 * of one which failed is completed, as it becomes the tool's. Arguments that the tool itself refuses never
 * were a call of the service.
 */
function executeComposed(execution: Execution, tool: Tool, service: Service): Executed {
  const parsed =
    execution.malformed === undefined
      ? parseInput(tool.accepts ?? tool.input, execution.input)
      : { issues: NOT_JSON };
  if ('issues' in parsed) return refusedByTool(execution, tool, parsed.issues);
  const operations: { id: string; status: number }[] = [];
  const changes: RowChange[] = [];
  const events: ServiceEvent[] = [];
  let { world } = execution;
  const invoke: Invoke = (operationId, input, headers) => {
    const operation = service.operations.find((candidate) => candidate.id === operationId);
    if (!operation || !tool.operations.includes(operationId)) {
      throw new InvariantError(`${tool.name} invokes ${operationId}, which it does not declare`);
    }
    const asked = headers ? { ...execution, headers: { ...execution.headers, ...headers } } : execution;
    const run = runChecked(asked, { service, operation, world, input });
    world = run.world;
    changes.push(...run.changes);
    events.push(...run.events);
    operations.push({ id: operationId, status: run.status });
    if (run.error) throw new SubStepFailed(operationId, input, run);
    return run.response;
  };
  try {
    const response = tool.compose?.(invoke, parsed.value as never) ?? null;
    const net = operations.length > 1 ? execution.world.diff(world) : changes;
    return { world, changes: net, events, operations, outcome: 'ok', status: 200, response };
  } catch (failure) {
    const failed = failure instanceof ToolFailed ? failure.cause : failure;
    const made = { world, changes: execution.world.diff(world), events, operations };
    const said = failure instanceof ToolFailed && { response: failure.body };
    if (failed instanceof SubStepFailed) return { ...failed.run, ...made, ...said };
    if (!said) throw compositionBroke(tool, failure);
    const error = service.protocol.invalidInput([{ path: '', message: String(failure) }]);
    return { ...made, ...errorAnswer(error), ...said, outcome: 'error' };
  }
}

/** Arguments that a composed tool refuses itself. */
function refusedByTool(
  { callable, fallback, world }: Execution,
  tool: Tool,
  issues: readonly InputIssue[],
): Executed {
  const service = callable?.service ?? fallback;
  const error = service.protocol.invalidInput(issues);
  const refusal = refusedBy({ service, operation: undefined, world }, error);
  const response = tool.refusal ? tool.refusal(issues) : refusal.response;
  return { ...refusal, response, operations: [], outcome: 'invalid-input' };
}

/** Anything but a sub-step's error that a composition throws is a gap in the service, as in an operation. */
function compositionBroke(tool: Tool, failure: unknown): unknown {
  if (failure instanceof InvariantError || failure instanceof UsageError) return failure;
  const reason = failure instanceof Error ? failure.message : String(failure);
  return new InvariantError(`the composition ${tool.name} broke: ${reason}`, { cause: failure });
}
