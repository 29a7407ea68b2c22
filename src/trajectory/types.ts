/**
 * Trajectory format, version 1. One JSON object a line (JSONL): a header, then steps and messages in the
 * order in which they happened, then one end. `docs/trajectory-format.md` is the description for readers in
 * other languages. Fields only get added within a version; anything else is a new version with an upgrade
 * step.
 */
import type { Digest } from '../base/digest.ts';
import type { Json, JsonObject } from '../base/json.ts';

/**
 * A changed row, as `RowChange` of the world engine; written out here because this folder sees only `base`.
 */
export type ChangeRecord =
  | { readonly op: 'insert' | 'delete'; readonly table: string; readonly key: Json; readonly row: JsonObject }
  | {
      readonly op: 'update';
      readonly table: string;
      readonly key: Json;
      readonly cells: Readonly<Record<string, { readonly from?: Json; readonly to?: Json }>>;
    };

/** Identity of the code that made the world behave: engine and each service. */
export interface BehaviourRecord {
  readonly engine: string;
  readonly services: Readonly<Record<string, string>>;
}

/** The recipe of the starting world, complete enough to build it again, and what it came to. */
export interface WorldRecord {
  /** Each service with its seed size, or `loaded` when its rows came from the user's own files. */
  readonly services: readonly { readonly name: string; readonly seed: string }[];
  /** Row changes laid over the seed. */
  readonly overlay: readonly ChangeRecord[];
  /** Seeds id, random and latency streams; never the seed rows. */
  readonly streamSeed: string;
  /** Milliseconds since 1970 at virtual time 0. */
  readonly epochMs: number;
  readonly content: Digest;
  readonly full: Digest;
  readonly merkle: Digest;
}

export interface HeaderRecord {
  readonly type: 'header';
  readonly format: 'groundhog.trajectory';
  readonly version: 1;
  readonly scenario?: { readonly id: string; readonly hash: Digest; readonly variant?: number };
  readonly trial?: number;
  readonly agent?: { readonly name: string; readonly config?: Json };
  readonly behaviour: BehaviourRecord;
  readonly world: WorldRecord;
  readonly actors: readonly {
    readonly id: string;
    readonly roles?: readonly string[];
    readonly attributes?: JsonObject;
  }[];
  readonly tools: readonly {
    readonly name: string;
    readonly service: string;
    readonly effect: 'read' | 'write';
  }[];
  readonly task?: { readonly text: string; readonly intent?: JsonObject };
  readonly budgets: JsonObject;
  readonly faults?: Json;
  /** State invariants that the recorder evaluates at every step. */
  readonly watches?: Json;
}

/** How a call ended in the true world. */
export type StepOutcome = 'ok' | 'error' | 'invalid-input' | 'unknown-tool' | 'unmodelled';

export interface StepRecord {
  readonly type: 'step';
  /** Position among the steps, from 0. */
  readonly index: number;
  readonly tool: string;
  /** The operations that ran, in order; more than one for a composed tool, none for an unknown tool. */
  readonly operations: readonly { readonly id: string; readonly status: number }[];
  readonly actor: string;
  /** The service that was called, where the tool's name alone does not say so: an input. */
  readonly service?: string;
  /** Calls of one model turn share a batch. */
  readonly batch?: string;
  /** Virtual milliseconds that the agent waited before the call: an input. */
  readonly waited?: number;
  /** The token that the caller showed, where an operation of this world issued it: an input. */
  readonly credential?: string;
  /** What the request's headers asked for, names in lower case, sorted: an input. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Actors who may call from this step on: an input. */
  readonly joined?: HeaderRecord['actors'];
  /** Fault rules that hold from this step on: an input. */
  readonly injected?: Json;
  /**
   * The arguments, members sorted; `null` when they were not JSON. Random values of the client's own, such as
   * idempotency keys, stand as `unhashed-1`, `unhashed-2`, … by order of first appearance.
   */
  readonly input: Json;
  /** The arguments as they came when they were not JSON. */
  readonly malformed?: string;
  readonly outcome: StepOutcome;
  readonly error?: { readonly code: string; readonly message: string };
  /** HTTP status of the true answer. */
  readonly status: number;
  /** The true answer: the view, or the vendor's error envelope. */
  readonly response: Json;
  /** What the agent was given where a fault made it differ; `body` is null with `lost` when nothing came. */
  readonly delivered?: {
    readonly status: number;
    readonly body: Json;
    readonly headers?: Readonly<Record<string, string>>;
    readonly lost?: true;
    /** With `lost`: the connection broke at once, where a time-out takes its time. */
    readonly reset?: true;
    /** `body` is the text of a body that broke on its way. */
    readonly broken?: true;
  };
  readonly headers?: Readonly<Record<string, string>>;
  readonly events: readonly { readonly type: string; readonly data: Json }[];
  readonly fault?: {
    readonly rule: string;
    readonly kind: string;
    readonly label: string;
    /** How many calls this rule has struck, this one included. */
    readonly hit: number;
    /** The place in the answer that it changed. */
    readonly at?: string;
    /** Rules that stand and struck beside it. */
    readonly also?: readonly string[];
  };
  /** State invariants that this step's world breaks. */
  readonly breaches: readonly { readonly id: string; readonly table: string; readonly key: Json }[];
  /** Virtual milliseconds since the epoch when the answer was delivered. */
  readonly clock: number;
  /** Content digests before and after, full digest after. */
  readonly before: Digest;
  readonly after: Digest;
  readonly full: Digest;
  readonly diff: readonly ChangeRecord[];
  /** SHA-256 of the line of the step before; of the header line for step 0. */
  readonly prev: Digest;
}

export interface MessageRecord {
  readonly type: 'message';
  /** Position among the messages, from 0. */
  readonly index: number;
  /** How many steps had been made when it was said. */
  readonly afterStep: number;
  readonly role: 'user' | 'agent';
  readonly actor: string;
  readonly text: string;
  /** SHA-256 of the line of the message before; of the header line for message 0. */
  readonly prev: Digest;
}

/** Why an episode ended. `answer` is the proper end; every other has a name that a person understands. */
export type EndReason =
  | 'answer'
  | 'budget-calls'
  | 'budget-messages'
  | 'budget-clock'
  | 'agent-stopped'
  | 'agent-crashed'
  | 'agent-timeout'
  | 'agent-protocol'
  | 'user-ended'
  /** Groundhog itself broke: the trial is void, and the detail says in which call. */
  | 'infrastructure';

/** What the agent has used, and nobody else; what is not known is left out. */
export interface UsageRecord {
  /** In the currency of the prices. */
  readonly cost?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Part of the input tokens that the provider had cached. */
  readonly cachedInputTokens?: number;
  /** Requests to a model that were answered. */
  readonly turns?: number;
  /** The model that answered, as its provider names it. */
  readonly model?: string;
  /** Settings that the provider did not take, such as `seed`. */
  readonly ignored?: readonly string[];
}

export interface EndRecord {
  readonly type: 'end';
  readonly reason: EndReason;
  /** The final answer; null when the episode ended without one. */
  readonly answer: string | null;
  /** What went wrong in one sentence, for ends that are no answer or no whole one. */
  readonly detail?: string;
  readonly usage: UsageRecord;
  readonly clock: number;
  readonly steps: number;
  readonly messages: number;
  readonly content: Digest;
  readonly full: Digest;
  readonly merkle: Digest;
  /** SHA-256 of the last step's line and of the last message's line (of the header's where there is none). */
  readonly lastStep: Digest;
  readonly lastMessage: Digest;
  /** SHA-256 of this line without this member. */
  readonly seal: Digest;
}

export type TrajectoryRecord = HeaderRecord | StepRecord | MessageRecord | EndRecord;

/**
 * A whole trajectory in memory. `end` is null for one that was cut short (only readers that ask for it get
 * one).
 */
export interface Trajectory {
  readonly header: HeaderRecord;
  readonly steps: readonly StepRecord[];
  readonly messages: readonly MessageRecord[];
  readonly end: EndRecord | null;
}
