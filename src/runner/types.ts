import type { Json, JsonObject } from '../base/json.ts';
import type { UsageRecord } from '../trajectory/types.ts';

/** A tool as an agent is offered it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
  readonly effect: 'read' | 'write';
}

/** What an agent is told. Reference calls are never in it. */
export interface AgentTask {
  readonly scenario: string;
  readonly trial: number;
  /** Seeds the agent's own choices: the same trial seed, the same agent run. */
  readonly seed: string;
  readonly text: string;
  /** The task in structure, for script agents. */
  readonly intent?: JsonObject;
  readonly policy: string;
  readonly tools: readonly OfferedTool[];
  /** True when a user answers messages. */
  readonly conversational: boolean;
  /** Virtual time at the start, ISO 8601. */
  readonly now: string;
}

export interface ToolCall {
  readonly tool: string;
  readonly arguments?: Json;
  /** Arguments that were not JSON, as they came. */
  readonly malformed?: string;
}

/** What an agent does next. */
export type AgentAction =
  | ({ readonly type: 'call'; readonly waitMs?: number } & ToolCall)
  | { readonly type: 'calls'; readonly calls: readonly ToolCall[] }
  | { readonly type: 'say'; readonly text: string }
  | {
      readonly type: 'answer';
      readonly text: string;
      readonly usage?: UsageRecord;
      /** Why it is no proper answer, such as a text that was cut off. */
      readonly detail?: string;
    };

/** What happened so far, as the agent saw it. */
export type HistoryEntry =
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'call'; readonly call: ToolCall; readonly result: ToolResult };

export interface ToolResult {
  readonly ok: boolean;
  readonly status: number;
  readonly body: Json;
  /** True when no answer came: the call may have happened. */
  readonly lost?: boolean;
  /** With `lost`: the connection broke at once, where a time-out takes its time. */
  readonly reset?: boolean;
  /** True when `body` is a text that broke on its way: what is left of the one that was due. */
  readonly broken?: boolean;
}

/** One agent at work on one trial. */
export interface AgentRun {
  /**
   * The next action, given everything so far. Step-wise scoring calls it with histories of its own making.
   */
  next(history: readonly HistoryEntry[]): AgentAction | Promise<AgentAction>;
  /** What the run has cost so far; `{}` when unknown. */
  usage?(): UsageRecord;
  /** Releases what the run holds (a process); called exactly once. */
  close?(): void | Promise<void>;
}

/** An agent: starts one run per trial. */
export interface Agent {
  readonly name: string;
  /** Goes into the configuration hash of a run. */
  readonly config: Json;
  /**
   * @param record what recordings of this trial go by (scenario and fault plan); never for a prompt
   */
  start(task: AgentTask, record?: string): AgentRun | Promise<AgentRun>;
}
