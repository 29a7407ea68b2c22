import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import type { Actor, LatencyModel, RequestHeaders, Service } from '../service/types.ts';
import { type ChangeRecord, type StepRecord, writeLine, writeRecord } from '../trajectory/index.ts';
import { actorsAt, withAdditions } from './additions.ts';
import { type ClientValues, nameClientValues, withClientValues } from './client-values.ts';
import type { Episode } from './episode.ts';
import type { Executed, Execution } from './execute.ts';
import { faulted, type Standing } from './faulted.ts';
import { acceptedInput } from './input.ts';
import { appendEntry, type LogEntry, lastStepHash } from './log.ts';
import type { Callable } from './toolbox.ts';
import type { CallRequest, Delivery } from './types.ts';
import { breachesOf } from './watch.ts';

/** The longest wait before one call, a leap year: dates then stay dates however often an agent waits. */
export const LONGEST_WAIT_MS = 366 * 86_400_000;

/** One call from request to log entry: fault before, execution, fault after, watches, record. */
export function makeStep(
  episode: Episode,
  standing: Standing,
  request: CallRequest,
): { entry: LogEntry; delivery: Delivery } {
  const { head } = standing;
  const additions = withAdditions(episode, head, request);
  const { callable, execution, clientValues, service } = prepare(
    episode,
    additions === head.additions ? head : { ...head, additions },
    request,
  );
  const name = callable?.name ?? request.tool;
  const struck = faulted(episode, standing, { execution, name, additions });
  const { executed, altered, fault } = struck;
  const world = executed.world.advance(durationOf(episode, callable, head.stepCount) + struck.extraMs);
  const record: StepRecord = {
    type: 'step',
    index: head.stepCount,
    tool: name,
    operations: executed.operations,
    actor: execution.actor.id,
    ...(service !== undefined && { service }),
    ...(request.batch !== undefined && { batch: request.batch }),
    ...(request.waitedMs !== undefined && request.waitedMs > 0 && { waited: request.waitedMs }),
    ...inputsOf(request, execution.headers),
    input: execution.input,
    ...(request.malformed !== undefined && { malformed: request.malformed }),
    outcome: executed.outcome,
    ...(executed.error && { error: { code: executed.error.code, message: executed.error.message } }),
    status: executed.status,
    response: executed.response,
    ...(altered && { delivered: altered }),
    ...(executed.error?.headers && { headers: executed.error.headers }),
    events: executed.events,
    ...(fault && { fault }),
    breaches: breachesOf(episode.options.watches ?? [], world, executed.changes),
    clock: world.clockMs,
    before: head.world.contentDigest(),
    after: world.contentDigest(),
    full: world.fullDigest(),
    diff: executed.changes as readonly ChangeRecord[],
    prev: lastStepHash(head, episode.headerHash),
  };
  const entry = appendEntry(head, {
    kind: 'step',
    line: writeLine(record),
    lastMessage: head.lastMessage,
    stepCount: head.stepCount + 1,
    messageCount: head.messageCount,
    agentMessageCount: head.agentMessageCount,
    world,
    faults: struck.progress,
    clientValues,
    additions,
  });
  return { entry, delivery: deliveryOf(record, { ...struck, clientValues }) };
}

/** What a call brings with it besides its arguments, as the record holds it. */
function inputsOf(
  { credential, joined, injected }: CallRequest,
  headers: RequestHeaders,
): Partial<StepRecord> {
  return {
    ...(credential !== undefined && { credential }),
    ...(headers !== NO_HEADERS && { requestHeaders: headers }),
    ...(joined !== undefined && joined.length > 0 && { joined }),
    ...(injected !== undefined && injected.length > 0 && { injected: injected as unknown as Json }),
  };
}

const NO_HEADERS: RequestHeaders = {};

/** Request headers as they are recorded: sorted, so that the same ones are the same text. */
function acceptedHeaders(headers: RequestHeaders | undefined): RequestHeaders {
  const names = headers ? Object.keys(headers) : [];
  if (!headers || names.length === 0) return NO_HEADERS;
  return Object.fromEntries(names.sort().map((name): [string, string] => [name, headers[name] ?? '']));
}

function prepare(
  episode: Episode,
  head: LogEntry,
  request: CallRequest,
): {
  callable: Callable | undefined;
  execution: Execution;
  clientValues: ClientValues | null;
  service: string | undefined;
} {
  if (typeof request.tool !== 'string') {
    throw new UsageError('bad-call', 'a call names its tool by a text', {
      hint: '{tool: "lookup_order", input: {…}}',
    });
  }
  const { named, fallback, service } = lookedUp(episode, request);
  const { offersAll } = episode;
  // What is not on offer is, to this agent, a name that does not exist.
  const isOffered = offersAll && !named?.tool?.optional;
  const callable = isOffered || (named?.tool && episode.offered.has(named.name)) ? named : undefined;
  const waitedMs = acceptedWait(request.waitedMs ?? 0);
  const accepted =
    request.malformed === undefined ? acceptedInput(request.input === undefined ? {} : request.input) : null;
  const { input, values } = nameClientValues(callable, accepted, head.clientValues);
  return {
    callable,
    clientValues: values,
    service,
    execution: {
      toolbox: episode.toolbox,
      world: waitedMs > 0 ? head.world.advance(waitedMs) : head.world,
      name: request.tool,
      named: request.service,
      offersAll,
      callable,
      input,
      came: request.input,
      headers: acceptedHeaders(request.headers),
      malformed: request.malformed,
      actor: actorNamed(actorsAt(episode, head), request.actor, callable?.service ?? fallback),
      credential: request.credential,
      epochMs: episode.options.epochMs,
      fallback,
    },
  };
}

/** What a name calls, who answers when it calls nothing, and the service where only that tells it apart. */
function lookedUp(
  { toolbox, options }: Episode,
  { tool, service: name }: CallRequest,
): { named: Callable | undefined; fallback: Service; service: string | undefined } {
  const [first] = options.services;
  if (!first) throw new UsageError('no-services', 'a session needs at least one service');
  const anywhere = toolbox.byName.get(tool);
  if (name === undefined) return { named: anywhere, fallback: first, service: undefined };
  const fallback = options.services.find((service) => service.name === name);
  if (!fallback) throw new UsageError('unknown-service', `this session has no service named ${name}`);
  const named = toolbox.byService.get(name)?.get(tool);
  const told = named === anywhere && (named !== undefined || fallback === first);
  return { named, fallback, service: told ? undefined : name };
}

/** @throws UsageError for a wait that is no whole number of milliseconds, or too long. */
export function acceptedWait(waitedMs: number): number {
  if (Number.isSafeInteger(waitedMs) && waitedMs >= 0 && waitedMs <= LONGEST_WAIT_MS) return waitedMs;
  throw new UsageError(
    'bad-wait',
    `a wait is a whole number of milliseconds from 0 to ${LONGEST_WAIT_MS}, not ${waitedMs}`,
  );
}

/** What the client is given: of the record, but with the client's own values in place of their names. */
function deliveryOf(
  record: StepRecord,
  {
    executed: { headers: own, form: ownForm },
    form = ownForm,
    trickleMs = 0,
    clientValues: values,
  }: {
    readonly executed: Executed;
    readonly form?: Executed['form'];
    readonly trickleMs?: number | undefined;
    readonly clientValues: ClientValues | null;
  },
): Delivery {
  const { delivered } = record;
  const { status, body, lost = false } = delivered ?? { status: record.status, body: record.response };
  const headers = delivered?.headers ?? (lost ? undefined : own);
  return {
    step: record.index,
    ok: delivered ? status < 400 : record.outcome === 'ok',
    status,
    body: withClientValues(body, values),
    ...(headers && { headers: withClientValues(headers, values) as NonNullable<Delivery['headers']> }),
    ...(form !== undefined && form !== 'json' && !lost && { form }),
    ...(lost && { lost }),
    ...(delivered?.reset && { reset: true }),
    ...(delivered?.broken && { broken: true }),
    ...(trickleMs > 0 && { trickleMs }),
  };
}

export function messageEntry(
  head: LogEntry,
  message: { readonly role: 'user' | 'agent'; readonly actor?: string; readonly text: string },
  firstActor: string,
): LogEntry {
  const { role, text } = message;
  const written = writeRecord({
    type: 'message',
    index: head.messageCount,
    afterStep: head.stepCount,
    role,
    actor: message.actor ?? (role === 'user' ? 'user' : firstActor),
    text,
    prev: head.lastMessage,
  });
  return appendEntry(head, {
    kind: 'message',
    line: written.line,
    lastMessage: written.hash,
    stepCount: head.stepCount,
    messageCount: head.messageCount + 1,
    agentMessageCount: head.agentMessageCount + (role === 'agent' ? 1 : 0),
    world: head.world,
    faults: head.faults,
    clientValues: head.clientValues,
    additions: head.additions,
  });
}

/**
 * The latency of a call: an entry of the operation's (or its service's) table, picked by seed and step index.
 */
function durationOf(episode: Episode, callable: Callable | undefined, step: number): number {
  const model: LatencyModel =
    callable?.operation?.latencyMs ?? callable?.service.latencyMs ?? DEFAULT_LATENCY_MS;
  const mixed = Math.imul(episode.latencySeed ^ Math.imul(step + 1, 0x9e37_79b1), 0x85eb_ca6b);
  return model[((mixed ^ (mixed >>> 15)) >>> 0) % model.length] ?? 0;
}

const DEFAULT_LATENCY_MS: LatencyModel = [40, 45, 50, 60, 80, 120];

/** Besides the session's own actors, whoever calls a service without a credential, where it lets them in. */
function actorNamed(actors: readonly Actor[], id: string | undefined, service: Service): Actor {
  const actor = id === undefined ? actors[0] : actors.find((candidate) => candidate.id === id);
  if (actor) return actor;
  const { anonymous } = service.protocol;
  if (anonymous?.id === id && anonymous) return anonymous;
  const known = actors.map((candidate) => candidate.id);
  throw new UsageError('unknown-actor', `there is no actor named ${id} in this session`, {
    hint: `actors are ${known.join(', ')}`,
  });
}
