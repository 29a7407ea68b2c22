import type { Json, JsonObject } from '../../base/json.ts';
import type { FaultPlan, FaultRule } from '../../faults/types.ts';
import type { Actor, Service } from '../../service/types.ts';
import type { Budgets, CallRequest, SessionOptions } from '../../session/index.ts';
import type { EndReason, Trajectory } from '../../trajectory/index.ts';
import type { UserScript } from '../../users/index.ts';

/**
 * What a session is to be opened on: a scenario, or seeded services to play in freely. Plain JSON: it is
 * logged.
 */
export interface OpenRequest {
  /** One of the source's choices, such as `refund-88213`, or `refund-88213~2` for a variant. */
  readonly scenario?: string;
  /** `NAME` or `NAME/SIZE`, such as `helpdesk/standard`, where no scenario is named. */
  readonly services?: readonly string[];
  /** With the scenario and the trial it seeds agent and world streams, never the seed rows. */
  readonly seed?: string;
  readonly trial?: number;
  /** Milliseconds since 1970 at virtual time 0; the scenario's own, or the services', when left out. */
  readonly epochMs?: number;
  /** One actor called `agent` when left out. */
  readonly actors?: readonly Actor[];
  readonly faults?: FaultPlan;
  readonly budgets?: Budgets;
}

/** What a scenario makes of an episode. */
export interface Verdict {
  readonly success: boolean;
  /** Why the episode says nothing about the agent; null when it does. */
  readonly void: { readonly reason: string; readonly detail: string } | null;
  /** The whole score, for people and files. */
  readonly report: JsonObject;
}

/** What an agent is told. */
export interface ServedTask {
  readonly text: string;
  readonly intent?: JsonObject;
}

/** Everything that a session is opened from, as the source made it of a request. */
export interface Environment {
  /** The scenario's id, or the services: `helpdesk/small+notes/small`. */
  readonly name: string;
  readonly services: readonly Service[];
  readonly options: SessionOptions;
  /** Null where no scenario sets a task. */
  readonly task: ServedTask | null;
  /** The rules of all its services, Markdown; empty where there are none. */
  readonly policy: string;
  /** The scripted user of a conversation; null where there is none. */
  readonly user: UserScript | null;
  /** Scores a finished episode; null where no scenario says what is right. */
  readonly score: ((trajectory: Trajectory) => Verdict) | null;
}

/**
 * Where environments come from. The gateway names no service and loads no bank: whoever starts it hands this
 * in. The same request gives the same environment, in this process and after a restart.
 */
export interface EnvironmentSource {
  /** Scenario ids that can be opened, variants included, in the bank's order; empty for free play. */
  readonly choices: readonly string[];
  /** What a session without wishes is opened on. */
  readonly defaults: OpenRequest;
  /** All services that sessions of this source can have: their routes are the route table. */
  readonly services: readonly Service[];
  /** @throws UsageError for a scenario, service or size that it does not have. */
  open(request: OpenRequest): Environment;
}

/** Which network door a call came through; kept beside the trajectory, never in it. */
export type DoorName = 'rest' | 'mcp' | 'openenv' | 'control';

/** W3C trace context of the caller, as it came: kept beside the trajectory, never in a digest. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/**
 * One input of a hosted session. The open request and these, in order, are the session: applying them again
 * gives the same digests. Plain JSON: this is what the log holds.
 */
export type SessionInput =
  | {
      readonly type: 'call';
      readonly call: CallRequest;
      readonly door: DoorName;
      readonly trace?: TraceContext;
      /** Aliases drawn for tokens that the operation issued: world's token → client's. */
      readonly issued?: Readonly<Record<string, string>>;
    }
  | { readonly type: 'wait'; readonly durationMs: number }
  /** Something the agent says to the user, whose reply follows from it. */
  | { readonly type: 'say'; readonly text: string }
  /** The end: the agent's answer, or a reason without one. */
  | {
      readonly type: 'end';
      readonly answer: string | null;
      readonly reason: EndReason;
      readonly detail?: string;
    }
  /** Back to the state after the first `at` steps; 0 is the start. */
  | { readonly type: 'rollback'; readonly at: number }
  | { readonly type: 'checkpoint'; readonly name: string }
  /** Fault rules that hold from the next call on. */
  | { readonly type: 'inject'; readonly rules: readonly FaultRule[] }
  /** Actors who may call from now on. */
  | { readonly type: 'join'; readonly actors: readonly Actor[] };

/**
 * A token and what it opens. `service` is null for the token of the session itself, which MCP, the path
 * prefix and the session header take.
 */
export interface Credential {
  readonly token: string;
  readonly session: string;
  readonly service: string | null;
  readonly actor: string;
  /** Set for the alias of a token that an operation issued: the world's own. */
  readonly worldToken?: string;
}

/** What is said back to an agent that spoke. */
export interface SayOutcome {
  /** The user's reply; null where nobody is there, or the message budget ended the episode. */
  readonly reply: { readonly text: string; readonly ended: boolean } | null;
  readonly ended: EndReason | null;
}

/** Where a session stands, for the control plane and for logs. */
export interface SessionSummary {
  readonly id: string;
  readonly environment: string;
  readonly steps: number;
  readonly messages: number;
  readonly clockMs: number;
  readonly ended: EndReason | null;
  readonly actors: readonly string[];
  readonly checkpoints: Readonly<Record<string, number>>;
  readonly content: string;
  readonly full: string;
  readonly forkOf?: Json;
}
