import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { MessageRecord, StepRecord, Trajectory } from '../../trajectory/index.ts';
import type { Verdict } from '../host/index.ts';

/** What one line of `results.jsonl` is made of. */
export interface Collected {
  readonly trajectory: Trajectory;
  /** Null where nothing says what is right; then the reward is null too. */
  readonly verdict: Pick<Verdict, 'success' | 'void' | 'report'> | null;
  /** `SCENARIO[~VARIANT]#TRIAL` of the trajectory when left out. */
  readonly episodeId?: string;
  /** The rules that the agent was given, Markdown: the system message. */
  readonly policy?: string;
  readonly extra?: JsonObject;
}

/** One line of `results.jsonl`, as `openenv collect` writes it: an episode in the words of a chat model. */
export interface CollectRecord {
  readonly episode_id: string;
  readonly messages: readonly JsonObject[];
  readonly reward: number | null;
  readonly done: boolean;
  readonly tool_trace: readonly JsonObject[];
  readonly metrics: JsonObject;
  readonly verify_metrics: JsonObject;
  readonly artifacts: JsonObject;
  readonly task: string | null;
  readonly extra: JsonObject;
}

/** The record of an episode. Pure: the same trajectory and verdict give the same record. */
export function collectRecord({
  trajectory,
  verdict,
  episodeId,
  policy = '',
  extra = {},
}: Collected): CollectRecord {
  const { header, steps, end } = trajectory;
  return {
    episode_id: episodeId ?? idOf(trajectory),
    messages: messagesOf(trajectory, policy),
    reward: verdict && (verdict.success && verdict.void === null ? 1 : 0),
    done: end !== null,
    tool_trace: steps.map((step, index) => traceEntry(step, end !== null && index === steps.length - 1)),
    metrics: { tool_calls: steps.length, turns: turnsOf(steps).length, end_reason: end?.reason ?? null },
    verify_metrics: verdict ? { success: verdict.success, void: verdict.void } : {},
    artifacts: {},
    task: header.task?.text ?? null,
    extra: {
      ...(header.scenario && { scenario: header.scenario }),
      ...(header.trial !== undefined && { trial: header.trial }),
      ...(end && { content: end.content, seal: end.seal }),
      ...extra,
    },
  };
}

function idOf({ header: { scenario, trial = 0, world } }: Trajectory): string {
  if (!scenario) return `${world.services.map(({ name, seed }) => `${name}/${seed}`).join('+')}#${trial}`;
  const variant = scenario.variant === undefined ? '' : `~${scenario.variant}`;
  const id = scenario.id.endsWith(variant) ? scenario.id : `${scenario.id}${variant}`;
  return `${id}#${trial}`;
}

/** Steps of one model turn stand together. */
function turnsOf(steps: readonly StepRecord[]): StepRecord[][] {
  const turns: StepRecord[][] = [];
  for (const step of steps) {
    const last = turns.at(-1);
    if (last && step.batch !== undefined && last[0]?.batch === step.batch) last.push(step);
    else turns.push([step]);
  }
  return turns;
}

function messagesOf({ header, steps, messages, end }: Trajectory, policy: string): JsonObject[] {
  const told: JsonObject[] = [];
  if (policy !== '') told.push({ role: 'system', content: policy });
  if (header.task) told.push({ role: 'user', content: header.task.text });
  let said = 0;
  const sayUpTo = (step: number): void => {
    for (; said < messages.length; said += 1) {
      const message = messages[said];
      if (!message || message.afterStep > step) return;
      told.push(spoken(message));
    }
  };
  for (const turn of turnsOf(steps)) {
    sayUpTo(turn[0]?.index ?? 0);
    told.push({ role: 'assistant', content: '', tool_calls: turn.map(toolCall) });
    told.push(...turn.map(toolMessage));
  }
  sayUpTo(steps.length);
  if (end && end.answer !== null) told.push({ role: 'assistant', content: end.answer });
  return told;
}

function spoken({ role, text }: MessageRecord): JsonObject {
  return { role: role === 'user' ? 'user' : 'assistant', content: text };
}

function callId({ index }: StepRecord): string {
  return `call_${index}`;
}

function toolCall(step: StepRecord): JsonObject {
  const text = step.malformed ?? JSON.stringify(step.input);
  return { id: callId(step), type: 'function', function: { name: step.tool, arguments: text } };
}

function toolMessage(step: StepRecord): JsonObject {
  const { body, lost, reset } = deliveredOf(step);
  const nothing = reset ? 'The connection was reset.' : 'The call timed out.';
  const content = lost ? nothing : typeof body === 'string' ? body : JSON.stringify(body);
  return { role: 'tool', tool_call_id: callId(step), name: step.tool, content };
}

/** What the agent was given, which faults may make differ from what happened. */
function deliveredOf(step: StepRecord): {
  readonly body: Json;
  readonly status: number;
  readonly lost: boolean;
  readonly reset: boolean;
} {
  const given = step.delivered ?? { body: step.response, status: step.status };
  return { lost: false, reset: false, ...given };
}

function traceEntry(step: StepRecord, done: boolean): JsonObject {
  const { body, status, lost, reset } = deliveredOf(step);
  const error = reset
    ? 'transport_error'
    : lost
      ? 'timeout'
      : step.error
        ? `${step.error.code}: ${step.error.message}`
        : null;
  return {
    tool_name: step.tool,
    arguments: isJsonObject(step.input) ? step.input : {},
    result: { data: body, done, metadata: { status, outcome: step.outcome }, error },
  };
}
