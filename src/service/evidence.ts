import type { Json, JsonObject } from '../base/json.ts';
import type { Predicate } from '../base/predicate.ts';
import type { Schema } from '../world/types.ts';
import type { Seeding } from './types.ts';

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
  /** Calls that come first, on the same world. */
  readonly after?: readonly {
    readonly operation: string;
    readonly input: JsonObject;
    readonly tokenOf?: number;
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

/** One exchange of a recording, as far as a service needs it. */
export interface RecordedExchange {
  readonly operation: string;
  readonly input: Json;
  readonly status: number;
  readonly response: Json;
}

/**
 * Writes the rows that must have existed before an exchange, as far as its answer shows them. Never stores
 * answers; an exchange that shows nothing is passed over.
 */
export type Observer<S extends Schema> = (seeding: Seeding<S>, exchange: RecordedExchange) => void;
