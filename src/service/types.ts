import type { z } from 'zod';
import type { ProviderError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { SeededRandom } from '../base/random.ts';
import type { Row, Schema, TableReader, TableWriter, WriteTables } from '../world/types.ts';
import type { Observer } from './evidence.ts';

/** Who calls: an actor of the session. `roles` and `attributes` are what the service's rules ask for. */
export interface Actor {
  readonly id: string;
  readonly roles?: readonly string[];
  readonly attributes?: JsonObject;
}

/** Something the operation caused besides its rows: a webhook, an e-mail. Recorded in the step. */
export interface ServiceEvent {
  readonly type: string;
  readonly data: Json;
}

/**
 * One error a service can give. `reach` says what causes it: state, only a fault plan, or only a door (a
 * request without a credential never reaches a session).
 */
export interface ErrorSpec {
  readonly status: number;
  /** The vendor's words; `{name}` is replaced by the detail of that name. */
  readonly message: string;
  readonly reach?: 'state' | 'fault' | 'door';
}

export type ErrorTable = Readonly<Record<string, ErrorSpec>>;

/** What an operation works with: everything it may know, nothing ambient. */
export interface OperationContext<S extends Schema, E extends ErrorTable, Tables = WriteTables<S>> {
  readonly tx: Tables;
  /** Virtual time, milliseconds since 1970-01-01T00:00:00Z. */
  readonly nowMs: number;
  readonly actor: Actor;
  /** What the request's headers say, as `Protocol.requestHeaders` picked them; empty for most doors. */
  readonly headers: RequestHeaders;
  readonly random: SeededRandom;
  /** The next id of a table's stream. */
  nextId(table: keyof S & string): string;
  emit(event: ServiceEvent): void;
  /** What the answer is besides its body; a later word on the same thing holds. */
  reply(reply: Reply): void;
  /** Ends the operation with one of the service's errors; with `commit` the writes so far are kept. */
  fail(code: keyof E & string, details?: JsonObject, options?: { readonly commit?: boolean }): never;
}

/** Request headers by name in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * How a body is sent: as JSON, as the text that it is, as the bytes that its base64 stands for, or not at
 * all.
 */
export type BodyForm = 'json' | 'text' | 'base64' | 'empty';

/** What an operation says of its answer besides the body. */
export interface Reply {
  /** In place of the status that its binding declares. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: BodyForm;
  /** For the protocol's `complete`: which page of how many this is, and the like. */
  readonly facts?: JsonObject;
}

export interface HttpBinding {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` parameters; `{name*}` at its end takes the rest of the path, slashes included. */
  readonly path: string;
  /** Status of success; 200 when left out. */
  readonly status?: number;
  /**
   * Further paths of the operation, such as those by id. `values` give inputs: texts in which `{name}` stands
   * for the path's own parameter of that name.
   */
  readonly aliases?: readonly { readonly path: string; readonly values: Readonly<Record<string, string>> }[];
  /** The input that takes a JSON body which is no object, such as a bare list. */
  readonly bareBody?: string;
  /**
   * The input that takes the body as it came, in base64, whatever it is: a file. Its type goes to the input
   * `content_type`.
   */
  readonly rawBody?: string;
}

/** How long a call takes in virtual time: a table of durations that the session draws from, seeded. */
export type LatencyModel = readonly number[];

/** One declared operation as the session runs it; authors write it with `operation(...)`, which types it. */
export interface Operation {
  /** The vendor's operation id, such as `orders.get`. */
  readonly id: string;
  readonly summary: string;
  readonly effect: 'read' | 'write';
  readonly http?: HttpBinding;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /**
   * Inputs left out of digests, such as a random idempotency key. The door puts `unhashed-1`, `unhashed-2`, …
   * in their place, equal for equal values, before the operation runs: so their schema must take any short
   * text.
   */
  readonly unhashedInputs?: readonly string[];
  /**
   * Members of the answer that are access tokens which the operation issues. Clients are given an unguessable
   * alias in their place; the world and all digests know its own.
   */
  readonly issuedTokens?: readonly string[];
  /** An input that works on the small seed. */
  readonly example: JsonObject;
  /** Error codes this operation can give, from the service's table. */
  readonly errors: readonly string[];
  readonly latencyMs?: LatencyModel;
  readonly run: (ctx: OperationContext<Schema, ErrorTable>, input: never) => unknown;
}

/** What the agent sees. A tool is bound to one operation, or composes several as sub-steps of one step. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** What the agent's arguments must look like; the operation's own input schema when bound to one. */
  readonly input: z.ZodType;
  readonly operations: readonly string[];
  /** Absent for a tool that is one operation: the arguments are its input. */
  readonly compose?: (invoke: Invoke, input: never) => Json;
  /** What calls of a composed tool are held to, where that is not what it announces. */
  readonly accepts?: z.ZodType;
  /** Of a composed tool: what is said of arguments that do not fit; the protocol's words when left out. */
  readonly refusal?: (issues: readonly InputIssue[]) => Json;
  /** On offer only where it is asked for by name, such as an older name of another tool. */
  readonly optional?: true;
  /**
   * `content` where the answer is `{content: […]}`, a list of the parts that a result of the Model Context
   * Protocol is made of; that door then gives them as they are.
   */
  readonly answers?: 'content';
}

/**
 * Runs an operation of a composed tool, as the calling actor, with these request headers.
 * @throws OperationFailed when the operation gives an error.
 */
export type Invoke = (operationId: string, input: JsonObject, headers?: RequestHeaders) => Json;

export interface InputIssue {
  /** The path of the member, such as `items.0.quantity`; empty for the whole input. */
  readonly path: string;
  readonly message: string;
  /** What is there; undefined where nothing is. */
  readonly received?: unknown;
  /** What each of several alternatives, of which none fits, says of it. */
  readonly alternatives?: readonly string[];
}

/** Everything vendor-shaped that is not an operation. */
export interface Protocol {
  /** The body of an error, in the vendor's envelope; `operation` is what was called, where that is known. */
  errorBody(error: ProviderError, operation?: string): Json;
  /** The vendor's answer to arguments that its schema refuses. */
  invalidInput(issues: readonly InputIssue[], operation?: string): ProviderError;
  /** The vendor's answer to a name, or to a `METHOD /path`, that it does not have. */
  unknownOperation(name: string): ProviderError;
  /** The vendor's answer to a request without a credential, or with one that it does not know (any more). */
  unauthenticated(reason: 'missing' | 'unknown' | 'expired'): ProviderError;
  /**
   * Who calls without a credential, where the session is known otherwise (by path or header). Left out by
   * services that let nobody in like that.
   */
  readonly anonymous?: Actor;
  /**
   * Of all request headers (names in lower case) those that change what happens, as they are recorded with
   * the call; undefined when none does. Headers that say what is the case anyway are left out.
   */
  requestHeaders?(headers: Readonly<Record<string, string | undefined>>): RequestHeaders | undefined;
  /**
   * Whether this call may be made, before its arguments are looked at: gives the actor that it runs as, or
   * the error that refuses it (a revoked token, a scope that is missing, a limit that is reached). Every call
   * may, as its actor, when left out.
   */
  authorise?(call: Authorisation): Actor | ProviderError;
  /**
   * Completes every answer of the service, errors and unknown names included: headers, conditional requests,
   * counting. May write ambient tables, whatever became of the call; nothing else. Of a composed tool each
   * operation is completed; only the answer of one that failed is given to anybody.
   */
  complete?(call: Completion): Answer;
  /** The vendor's answers under stress. Its own status may be another one: some refuse a flood with 403. */
  refusal(refusal: Refusal, call: RefusedCall): ProviderError;
}

/** A call that is refused, as far as a vendor's words about that may depend on it. */
export interface RefusedCall {
  readonly actor: Actor;
  /** The world's moment, milliseconds since 1970. */
  readonly nowMs: number;
  /** A table of the service by its short name. */
  table(name: string): TableReader<Row>;
}

/** That a service is not to be had, and for how long. */
export interface Refusal {
  readonly status: 429 | 500 | 502 | 503;
  /** Left out where nobody knows. */
  readonly retryAfterSeconds?: number;
  /** `rate-limit` (of 429) and outage (of the others) when left out. */
  readonly reason?: 'rate-limit' | 'quota' | 'maintenance';
}

/** A call that asks to be let in. */
export interface Authorisation {
  readonly actor: Actor;
  /** The world's own token, one that an operation issued; undefined for the session's own actors. */
  readonly credential: string | undefined;
  readonly operation: Pick<Operation, 'id' | 'effect' | 'http'>;
  readonly headers: RequestHeaders;
  readonly nowMs: number;
  /** A table of the service by its short name. */
  table(name: string): TableReader<Row>;
}

/** What a call is answered with. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  readonly form: BodyForm;
}

/** A call that was made, and the answer as far as the operation, or its error, gives it. */
export interface Completion {
  /** As `authorise` gave it; the session's own where it was refused, or not asked. */
  readonly actor: Actor;
  readonly credential: string | undefined;
  /** Undefined for a name that the service does not have or model, and for a refused composed tool. */
  readonly operation: Pick<Operation, 'id' | 'effect' | 'http'> | undefined;
  /**
   * The arguments as they came; null when they were not JSON. Outermost members stand in the caller's order,
   * which a record does not keep: nothing but headers may depend on it.
   */
  readonly input: Json;
  readonly headers: RequestHeaders;
  readonly nowMs: number;
  readonly answer: Answer;
  /** The error that the answer is, if it is one. */
  readonly error: ProviderError | undefined;
  /** What the operation said in `reply`. */
  readonly facts: JsonObject;
  /** A table of the service by its short name, after the call; only ambient ones may be written. */
  table(name: string): TableWriter<Row>;
}

export interface CoverageEntry {
  readonly operation: string;
  readonly status: 'supported' | 'partial' | 'absent';
  readonly note?: string;
  /** Where the vendor has an absent operation: a request there is unmodelled, not a mistake of the agent. */
  readonly http?: Pick<HttpBinding, 'method' | 'path'>;
}

/** Where in a request a token may stand. */
export type TokenPlace =
  /** `Authorization: Bearer …`; `scheme` for vendors with a word of their own, such as `token`. */
  | { readonly in: 'authorization'; readonly scheme: string }
  /** `Authorization: Basic …`, as the user name or the password. */
  | { readonly in: 'basic'; readonly part: 'user' | 'password' }
  | { readonly in: 'header' | 'query' | 'body'; readonly name: string };

/** How clients reach a service over the network and prove who they are. */
export interface Access {
  /** Host names that programs have hard-coded, such as `api.notes.example`. */
  readonly hosts: readonly string[];
  /**
   * The origins among the URLs in answers that are the service itself, such as `https://api.notes.example`:
   * a client that came to another base URL finds that one in their place. None when left out.
   */
  readonly origins?: readonly string[];
  /** Environment variables in which programs look for a token. */
  readonly environment: readonly string[];
  /** What a token looks like: an adapter draws `length` characters of `alphabet` behind `prefix`. */
  readonly token: { readonly prefix: string; readonly length: number; readonly alphabet?: string };
  /** Where a token may stand, in the order in which the vendor looks. */
  readonly places: readonly TokenPlace[];
}

export type SeedSize = 'small' | 'standard' | 'large';

/** What a seed or a loader writes with. Seeds draw only from `random` and `nextId`. */
export interface Seeding<S extends Schema> {
  readonly tx: WriteTables<S>;
  readonly random: SeededRandom;
  nextId(table: keyof S & string): string;
}

/** One service: a value. Catalog, session and doors need nothing else. */
export interface Service {
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  readonly schema: Schema;
  readonly errors: ErrorTable;
  readonly operations: readonly Operation[];
  readonly tools: readonly Tool[];
  readonly protocol: Protocol;
  readonly access: Access;
  readonly coverage: readonly CoverageEntry[];
  /**
   * The moment the seeds are written for: milliseconds since 1970. Scenarios start here unless they say
   * otherwise.
   */
  readonly epochMs: number;
  readonly seeds: Readonly<Partial<Record<SeedSize, (seeding: Seeding<Schema>) => void>>>;
  /** Builds the world from a user's own documents (parsed JSON by file name), where a service has that. */
  readonly load?: (seeding: Seeding<Schema>, documents: Readonly<Record<string, Json>>) => void;
  /** Rebuilds what a recording started from, where the service can. */
  readonly observe?: Observer<Schema>;
  /** The rules that an agent is given, Markdown. */
  readonly policy?: string;
  readonly latencyMs?: LatencyModel;
}
