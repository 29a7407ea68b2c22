import type { Json, JsonObject } from '../base/json.ts';

/** When an exchange was recorded: 2023 or later, 2019-06 to 2022, before, or nobody says. */
export type Era = 'current' | 'recent' | 'legacy' | 'undated';

/** What was cut from a recorded body, and how much there was of it. */
export interface Cut {
  readonly at: string;
  readonly why: 'array' | 'text' | 'content' | 'signature';
  readonly kept?: number;
  readonly of: number;
}

/** One line of a corpus: what was asked of the real service, and what it answered. */
export interface CorpusRecord {
  readonly id: string;
  /** Where it was recorded, such as `hub4j/github-api`. */
  readonly source: string;
  /** `recorded`, `official-fixture` or `spec-example`. */
  readonly kind: string;
  readonly scenario: string;
  readonly seq: number;
  /** `YYYY-MM-DD`; null where nobody says. */
  readonly recordedAt: string | null;
  readonly era: Era;
  /** `METHOD /path/{template}`; null for a path that the vendor does not have. */
  readonly endpoint: string | null;
  readonly operation: string | null;
  readonly request: CorpusRequest;
  readonly response: Answered & { readonly cuts: readonly Cut[] };
  /** Pointers into the response body whose value the request fixed. */
  readonly determined: readonly string[];
}

export interface CorpusRequest {
  readonly method: string;
  readonly host: string | null;
  readonly path: string;
  readonly query: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  /** How it proved who calls: none, token, bearer, basic, other, or unknown where that was not kept. */
  readonly auth: string;
  readonly body: Json;
}

/** An answer as it came over HTTP: header names in lower case; a body that is not JSON is a text. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  /** What was cut from the body of a stand-in, which is a recording itself. */
  readonly cuts?: readonly Cut[];
}

/** Exchanges that share state, in order. */
export interface CorpusScenario {
  readonly name: string;
  readonly records: readonly CorpusRecord[];
}

/** What a check is about; `strict` ones count for the strict score alone. */
export type CheckKind =
  | 'status'
  | 'error'
  | 'presence'
  | 'type'
  | 'invention'
  | 'header'
  | 'determined'
  | 'strict'
  | 'unserved'
  | 'seeding'
  | 'transport';

/** A check that did not hold. */
export interface Miss {
  readonly kind: CheckKind;
  /** A pointer into the body with `*` for every index, or the name of a header. */
  readonly at: string;
  readonly expected: Json;
  readonly got: Json;
}

/** How an answer compares with the recorded one. */
export interface Comparison {
  /** Checks of the rules 1 to 7 that field% counts: all but inventions. */
  readonly checks: number;
  readonly agreeing: number;
  /** Leaves that rule 8 compares. */
  readonly strictChecks: number;
  readonly strictAgreeing: number;
  readonly misses: readonly Miss[];
}

/** A recorded exchange and what became of it here. */
export interface ExchangeResult {
  readonly record: CorpusRecord;
  readonly comparison: Comparison;
  readonly passes: boolean;
  readonly isStrict: boolean;
  readonly isServed: boolean;
  /** A write, or anything after a write of the same scenario. */
  readonly isStateful: boolean;
  /** A read of what the scenario wrote, or of what it shows through a second view. */
  readonly isProofRead: boolean;
  /** What was sent and answered; null where nothing was sent. */
  readonly sent: CorpusRequest | null;
  readonly answer: Answered | null;
}
