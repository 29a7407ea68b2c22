import type { Json, JsonObject } from '../base/json.ts';
import type { Predicate } from '../base/predicate.ts';
import type { Schema } from '../world/types.ts';
import type { Actor, RequestHeaders, Seeding } from './types.ts';

/**
 * One fact about a service that somebody looked up: a request on the small seed, what its answer must show,
 * and where that is known from. The conformance kit runs every probe.
 */
export interface Probe {
  readonly operation: string;
  /** Tells it from the operation's other probes; a few words. */
  readonly title: string;
  /** `{$token: index}` in it stands for the token that the call of that index in `after` was given. */
  readonly input: JsonObject;
  /** The request shows the token that the call of this index in `after` was given. */
  readonly tokenOf?: number;
  /** Who makes the call, an actor that the contract test names; its first when left out. */
  readonly actor?: string;
  /** Request headers, as the protocol would pick them. */
  readonly headers?: RequestHeaders;
  /** Calls that come first, on the same world. */
  readonly after?: readonly {
    readonly operation: string;
    readonly input: JsonObject;
    readonly tokenOf?: number;
    readonly actor?: string;
    readonly headers?: RequestHeaders;
  }[];
  readonly expect: {
    /** HTTP status of the answer; 200 when left out. */
    readonly status?: number;
    /** Tests by dotted path into the answer; the empty path is the whole answer. */
    readonly facts: Readonly<Record<string, Predicate | Json>>;
  };
  /** Where the fact is from: a document's address, a recording, or the service's own README. */
  readonly source: string;
  /** When it was looked up, YYYY-MM-DD. */
  readonly date: string;
}

/** One exchange of a recording, in the order of its scenario. */
export interface RecordedExchange {
  /** The vendor's operation id; null for a path that is no operation. */
  readonly operation: string | null;
  /** Arguments of path, query and body together. */
  readonly input: Json;
  readonly status: number;
  readonly response: Json;
  /** The request as it was sent, where the recording is one of HTTP. */
  readonly request?: RecordedRequest;
  /** Response headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Lists of the response that were cut: a JSON pointer each, and how many items there were. */
  readonly cut?: readonly { readonly at: string; readonly of: number }[];
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: string;
  readonly body: Json;
}

/** What a recording shows besides rows. */
export interface Observation {
  /** Who made the calls, as an actor of the session. */
  readonly actor: Actor;
}

/**
 * Writes the rows that must have existed before the first exchange, as far as the recording shows them:
 * requests, and the first answer that mentions a thing which no earlier request made. Never stores answers.
 */
export type Observer<S extends Schema> = (
  seeding: Seeding<S>,
  exchanges: readonly RecordedExchange[],
) => Observation;
