import type { z } from 'zod';
import { InvariantError, type ProviderError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { typedTables } from '../world/index.ts';
import type { RowChange, Schema, Transaction, WorldValue } from '../world/types.ts';
import { providerError } from './protocol.ts';
import type {
  Actor,
  ErrorTable,
  InputIssue,
  Operation,
  OperationContext,
  Reply,
  RequestHeaders,
  Service,
  ServiceEvent,
} from './types.ts';

/** How one operation ended in the true world. */
export interface OperationRun {
  readonly world: WorldValue;
  readonly changes: readonly RowChange[];
  readonly events: readonly ServiceEvent[];
  readonly status: number;
  /** The view, or the error envelope. */
  readonly response: Json;
  readonly error?: ProviderError;
  /** What the operation said of its answer; null when it said nothing. */
  readonly reply: Reply | null;
}

/**
 * Checks arguments against a schema. Types only pass through: the parsed value is what the operation gets.
 */
export function parseInput(
  schema: z.ZodType,
  input: Json | undefined,
): { value: unknown } | { issues: InputIssue[] } {
  const parsed = schema.safeParse(input === undefined ? {} : input);
  if (parsed.success) return { value: parsed.data };
  return {
    issues: parsed.error.issues.map((issue) => ({
      path: issue.path.map(String).join('.'),
      message: messageOf(issue, input),
      received: valueAt(issue, input),
      ...alternativesOf(issue),
    })),
  };
}

/** Of alternatives none of which fits, the schema does not say that nothing was sent at all. */
function messageOf(issue: z.core.$ZodIssue, input: Json | undefined): string {
  const isUnsaid = issue.code === 'invalid_union' && valueAt(issue, input) === undefined;
  return isUnsaid ? `${issue.message}: received undefined` : issue.message;
}

function alternativesOf(issue: z.core.$ZodIssue): Pick<InputIssue, 'alternatives'> {
  if (issue.code !== 'invalid_union') return {};
  return { alternatives: issue.errors.map(([first]) => first?.message ?? '') };
}

function valueAt({ path }: z.core.$ZodIssue, input: Json | undefined): unknown {
  return path.reduce<unknown>(
    (at, part) => (at as Record<PropertyKey, unknown> | null | undefined)?.[part],
    input,
  );
}

/** Runs one operation with parsed input in a transaction of its own. */
export function runOperation(request: {
  readonly service: Service;
  readonly operation: Operation;
  readonly world: WorldValue;
  readonly input: unknown;
  readonly actor: Actor;
  readonly headers: RequestHeaders;
  readonly epochMs: number;
}): OperationRun {
  const { service, operation, world } = request;
  const said: Said = { events: [], reply: null };
  const result = world.transact((tx) => operation.run(contextOf(request, tx, said), request.input as never));
  const { events, reply } = said;
  if (!result.ok) {
    assertDeclared(operation, result.error);
    const { error } = result;
    return {
      world: result.world,
      changes: result.changes,
      events: error.commit ? events : [],
      status: error.status,
      response: service.protocol.errorBody(error, operation.id),
      error,
      reply,
    };
  }
  if (operation.effect === 'read' && result.changes.length > 0) {
    throw new InvariantError(`${service.name}: the read ${operation.id} changed rows`, {
      details: { table: result.changes[0]?.table ?? null },
    });
  }
  return {
    world: result.world,
    changes: result.changes,
    events,
    status: reply?.status ?? operation.http?.status ?? 200,
    response: (result.value ?? null) as Json,
    reply,
  };
}

/** What an operation says besides its answer, while it runs. */
interface Said {
  readonly events: ServiceEvent[];
  reply: Reply | null;
}

function contextOf(
  request: Parameters<typeof runOperation>[0],
  tx: Transaction,
  said: Said,
): OperationContext<Schema, ErrorTable> {
  const { service } = request;
  return {
    tx: typedTables(tx, service.name, service.schema),
    nowMs: request.epochMs + tx.clockMs,
    actor: request.actor,
    headers: request.headers,
    random: tx.random,
    nextId: (table) => tx.nextId(`${service.name}.${table}`),
    emit: (event) => {
      said.events.push(event);
    },
    reply: (reply) => {
      said.reply = said.reply ? together(said.reply, reply) : reply;
    },
    fail: (code, details?: JsonObject, options?: { readonly commit?: boolean }) => {
      throw providerError(service.errors, code, {
        ...(details === undefined ? {} : { details }),
        ...(options?.commit === undefined ? {} : { commit: options.commit }),
      });
    },
  };
}

/** Of two replies the later one's word on each thing: status, form, each header, each fact. */
function together(earlier: Reply, later: Reply): Reply {
  return {
    ...earlier,
    ...later,
    ...(earlier.headers && { headers: { ...earlier.headers, ...later.headers } }),
    ...(earlier.facts && { facts: { ...earlier.facts, ...later.facts } }),
  };
}

/** An error that the operation does not declare is a gap in the service, not an answer to the agent. */
function assertDeclared(operation: Operation, error: ProviderError): void {
  if (!operation.errors.includes(error.code)) {
    throw new InvariantError(`${operation.id} gave the error ${error.code}, which it does not declare`);
  }
}
