import { InvariantError, type ProviderError } from '../base/errors.ts';
import { compareText, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Actor, BodyForm, Completion, Operation, RequestHeaders, Service } from '../service/types.ts';
import type { RowChange, WorldValue } from '../world/types.ts';

/** An answer before the service's protocol completed it, and after. */
export interface Made {
  readonly world: WorldValue;
  readonly changes: readonly RowChange[];
  readonly status: number;
  readonly response: Json;
  readonly error?: ProviderError;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: BodyForm;
  /** What the operation told the protocol, its own affair. */
  readonly facts?: JsonObject;
}

/** What a call was, as far as the protocol's `complete` is told. */
export interface MadeBy {
  readonly service: Service;
  readonly operation: Operation | undefined;
  readonly actor: Actor;
  readonly credential: string | undefined;
  readonly headers: RequestHeaders;
  readonly input: Json;
  readonly epochMs: number;
  /** The world before the call. */
  readonly before: WorldValue;
}

/**
 * The answer as the service's protocol completes it, in a transaction of its own on what the call left
 * behind: so what it counts stays also where the call failed.
 * @throws InvariantError when it writes a table that is not ambient, or fails.
 */
export function completed<M extends Made>(made: M, by: MadeBy): M {
  const { complete } = by.service.protocol;
  if (!complete) return made;
  const { world, status, response: body, error, headers = {}, form = 'json', facts = {} } = made;
  const nowMs = by.epochMs + world.clockMs;
  const { service, before: _before, epochMs: _epochMs, ...call } = by;
  const result = world.transact((tx) => {
    const table: Completion['table'] = (name) => tx.table(`${service.name}.${name}`);
    const answer = { status, headers, body, form };
    return complete({ ...call, nowMs, answer, error, facts, table });
  });
  if (!result.ok) throw brokeOff(service, result.error);
  const changed = result.changes.find((change) => world.spec(change.table).ambient !== true);
  if (changed) {
    throw new InvariantError(`${service.name}: completing an answer changed ${changed.table}, not ambient`);
  }
  const answer = result.value;
  assertSendable(service, answer);
  return {
    ...made,
    world: result.world,
    changes: bothChanges(made, by.before, result),
    status: answer.status,
    response: answer.body,
    headers: answer.headers,
    form: answer.form,
  };
}

/**
 * What no door could send is a gap in the service.
 * @throws InvariantError for a status that ends no request, and for text or base64 that is no text.
 */
export function assertSendable(
  service: Service,
  { status, form, body }: { readonly status: number; readonly form: BodyForm; readonly body: Json },
): void {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new InvariantError(`${service.name} answers with the status ${status}`);
  }
  if ((form === 'text' || form === 'base64') && typeof body !== 'string') {
    throw new InvariantError(`${service.name} answers with a body sent as ${form} that is no text`);
  }
}

function bothChanges(
  made: Made,
  before: WorldValue,
  result: { readonly world: WorldValue; readonly changes: readonly RowChange[] },
): readonly RowChange[] {
  if (result.changes.length === 0) return made.changes;
  if (made.changes.length === 0) return result.changes;
  const tables = new Set(made.changes.map(({ table }) => table));
  if (result.changes.some(({ table }) => tables.has(table))) return before.diff(result.world);
  // Both are in order of table and key, and share no table.
  return [...made.changes, ...result.changes].sort((one, other) => compareText(one.table, other.table));
}

function brokeOff(service: Service, { code }: ProviderError): InvariantError {
  return new InvariantError(`${service.name}: completing an answer gave the error ${code}`);
}

/** Accepted arguments in the order in which the caller wrote the outermost members. */
export function inCallersOrder(accepted: Json, came: Json | undefined): Json {
  if (!isJsonObject(accepted) || !isJsonObject(came)) return accepted;
  const members = Object.keys(came).map((name): [string, Json | undefined] => [name, accepted[name]]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
