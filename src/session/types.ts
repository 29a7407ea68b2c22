import type { Json, JsonObject } from '../base/json.ts';
import type { Predicate } from '../base/predicate.ts';
import type { FaultPlan, FaultRule } from '../faults/types.ts';
import type { Actor, BodyForm, RequestHeaders, Service } from '../service/types.ts';
import type {
  BehaviourRecord,
  ChangeRecord,
  EndReason,
  StepRecord,
  Trajectory,
  UsageRecord,
} from '../trajectory/types.ts';
import type { WorldValue } from '../world/types.ts';
import type { Callable } from './toolbox.ts';

/** What an episode may use; reaching a bound ends it with the bound's own name. */
export interface Budgets {
  /** Tool calls. The call that would exceed it is not made. */
  readonly calls?: number;
  /** Messages of the agent to the user. */
  readonly messages?: number;
  /** Virtual milliseconds. */
  readonly clockMs?: number;
}

/** A state invariant: every row of the table must pass, at every step. `table` is `service.table`. */
export interface Watch {
  readonly id: string;
  readonly table: string;
  readonly where?: Readonly<Record<string, Predicate | Json>>;
  readonly check: Readonly<Record<string, Predicate | Json>>;
}

/** Everything that fixes an episode before its first step. */
export interface SessionOptions {
  readonly services: readonly Service[];
  /** The starting world, as `buildWorld` made it, before the overlay. */
  readonly world: WorldValue;
  /** How the starting world was made, for the header. */
  readonly seeds: Readonly<Record<string, string>>;
  readonly overlay?: readonly ChangeRecord[];
  readonly streamSeed: string;
  /** Milliseconds since 1970 at virtual time 0. */
  readonly epochMs: number;
  readonly behaviour: BehaviourRecord;
  readonly actors?: readonly Actor[];
  /** Names of the tools offered; all of the services' when left out. */
  readonly tools?: readonly string[];
  readonly budgets?: Budgets;
  readonly faults?: FaultPlan;
  readonly watches?: readonly Watch[];
  readonly scenario?: { readonly id: string; readonly hash: string; readonly variant?: number };
  readonly trial?: number;
  readonly agent?: { readonly name: string; readonly config?: Json };
  readonly task?: { readonly text: string; readonly intent?: JsonObject };
}

/** One call as it comes through a door. */
export interface CallRequest {
  /** A tool's name, or an operation's id where a door speaks operations. */
  readonly tool: string;
  readonly input?: Json;
  /**
   * The service that the call is for, where a door knows it: its name is then looked for there alone, and a
   * name that it does not have is refused in its words. Among all services when left out.
   */
  readonly service?: string;
  /** The arguments as they came, when they were not JSON; then `input` is left out. */
  readonly malformed?: string;
  /** The calling actor; the first declared when left out. */
  readonly actor?: string;
  readonly batch?: string;
  /** Virtual milliseconds waited before the call. */
  readonly waitedMs?: number;
  /** A token that an operation of this world issued, where the caller shows one: the world's own text. */
  readonly credential?: string;
  /** What the request's headers ask for, as the service's protocol picked them. */
  readonly headers?: RequestHeaders;
  /** Actors who may call from this call on. */
  readonly joined?: readonly Actor[];
  /** Fault rules that hold from this call on. */
  readonly injected?: readonly FaultRule[];
  /** Which door: kept outside the step digest. */
  readonly transport?: string;
}

/** What the caller is given. */
export interface Delivery {
  readonly step: number;
  readonly ok: boolean;
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** How a network door sends the body; as JSON when left out. */
  readonly form?: BodyForm;
  /** True when the answer never arrived: the agent sees a time-out. */
  readonly lost?: boolean;
  /** With `lost`: the connection broke at once. */
  readonly reset?: boolean;
  /** True when the body is a text that broke on its way: what is left of the one that was due. */
  readonly broken?: boolean;
  /** Virtual milliseconds over which the body comes in, behind the headers; at once when left out. */
  readonly trickleMs?: number;
  /** Set when the call was not made because a budget was reached; then `step` is -1 and `status` 0. */
  readonly ended?: EndReason;
}

/** The one door into a world. */
export interface SessionPort {
  readonly world: WorldValue;
  readonly stepCount: number;
  /** Why the episode is over, or null while it goes on. */
  readonly ended: EndReason | null;
  /** Runs one call. @throws UsageError when the episode is over or the actor is unknown. */
  call(request: CallRequest): Delivery;
  /** Calls of one model turn, serialised in this order under one batch id. */
  callBatch(requests: readonly CallRequest[]): readonly Delivery[];
  /**
   * Lets virtual time pass before the next call, which records it as `waited`. Nobody really waits.
   * @throws UsageError when the episode is over or the duration is not a whole number of milliseconds.
   */
  wait(durationMs: number): void;
  /**
   * Lets further actors call from now on; the next call records them as `joined`.
   * @throws UsageError when the episode is over or an id is taken.
   */
  join(actors: readonly Actor[]): void;
  /**
   * Adds rules to the fault plan from now on; the next call records them as `injected`.
   * @throws UsageError when the episode is over or a rule's id is taken.
   */
  inject(rules: readonly FaultRule[]): void;
  /** The actors who may call. */
  readonly actors: readonly Actor[];
  readonly messageCount: number;
  /** What a name calls, as far as it is on offer. */
  callableNamed(name: string): Callable | undefined;
  /** Records something said; returns false when that ended the episode (message budget). */
  say(message: { readonly role: 'user' | 'agent'; readonly actor?: string; readonly text: string }): boolean;
  /** An independent session that goes on from here, or from after the first `atStep` steps. O(1). */
  fork(atStep?: number): SessionPort;
  /** Goes back to the state after the first `atStep` steps; later steps and messages are gone. */
  rollback(atStep: number): void;
  /** The steps so far. */
  steps(): readonly StepRecord[];
  /** Ends the episode (once) and returns the whole trajectory. */
  finish(end: {
    readonly reason: EndReason;
    readonly answer?: string | null;
    readonly detail?: string;
    readonly usage?: UsageRecord;
  }): Trajectory;
}
