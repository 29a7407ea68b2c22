import type { Json, JsonObject } from '../../base/json.ts';
import type { StepRecord, Trajectory } from '../../trajectory/index.ts';
import { answerStatus, answerText, turnsOf } from '../delivered.ts';

/** The version of the Agent Trajectory Interchange Format that is written: Harbor's RFC 0001. */
const VERSION = 'ATIF-v1.7';

/**
 * A trajectory in ATIF 1.7. Times are the world's own; no language model was asked where the agent is a
 * script, so steps count no calls of one and have no metrics. What the agent was given counts, not what truly
 * happened: states and faults are left out, the status stands in a result's `extra`.
 * @param id becomes `trajectory_id`
 */
export function atifTrajectory(trajectory: Trajectory, id: string): JsonObject {
  const { header, end } = trajectory;
  const { epochMs } = header.world;
  const steps: JsonObject[] = [];
  let clockMs = 0;
  const add = (step: JsonObject): void => {
    const timestamp = new Date(epochMs + clockMs).toISOString();
    steps.push({ step_id: steps.length + 1, timestamp, ...step });
  };
  if (header.task) add({ source: 'user', message: header.task.text });
  for (const turn of turnsOf(trajectory)) {
    if (turn.kind === 'said') {
      add({ ...(turn.role === 'user' ? USER : AGENT), message: turn.text });
      continue;
    }
    clockMs = turn.steps.at(-1)?.clock ?? clockMs;
    add({
      ...AGENT,
      message: '',
      tool_calls: turn.steps.map(toolCall),
      observation: { results: turn.steps.map(result) },
    });
  }
  clockMs = end?.clock ?? clockMs;
  if (end?.answer !== null && end?.answer !== undefined) add({ ...AGENT, message: end.answer });
  const { name = 'agent' } = header.agent ?? {};
  return {
    schema_version: VERSION,
    trajectory_id: id,
    agent: { name, version: '1' },
    steps,
    final_metrics: { total_steps: steps.length },
  };
}

const USER = { source: 'user' } as const;
const AGENT = { source: 'agent', llm_call_count: 0 } as const;

/** Arguments that were no JSON object have no place of their own: they stand as text under one name. */
function toolCall(step: StepRecord): Json {
  const isObject = typeof step.input === 'object' && step.input !== null && !Array.isArray(step.input);
  const input = isObject && step.malformed === undefined ? step.input : { raw: step.malformed ?? step.input };
  return { tool_call_id: callId(step), function_name: step.tool, arguments: input };
}

function result(step: StepRecord): Json {
  return { source_call_id: callId(step), content: answerText(step), extra: { status: answerStatus(step) } };
}

function callId({ index }: StepRecord): string {
  return `call_${index}`;
}
