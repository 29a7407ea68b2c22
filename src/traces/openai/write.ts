import type { Json, JsonObject } from '../../base/json.ts';
import type { StepRecord, Trajectory } from '../../trajectory/index.ts';
import { answerText, turnsOf, type WrittenTool } from '../delivered.ts';

/**
 * A trajectory as messages of OpenAI's Chat Completions: the task as the user's first, calls with their
 * answers, the final answer last. What the agent was given counts, not what truly happened: states, faults
 * and statuses are left out.
 * @param system what stands before the task, such as a policy; no such message where it is empty
 */
export function openAiMessages(trajectory: Trajectory, system: string): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  if (system !== '') messages.push({ role: 'system', content: system });
  const task = trajectory.header.task?.text;
  if (task !== undefined) messages.push({ role: 'user', content: task });
  for (const turn of turnsOf(trajectory)) {
    if (turn.kind === 'said') {
      messages.push({ role: turn.role === 'user' ? 'user' : 'assistant', content: turn.text });
      continue;
    }
    messages.push({ role: 'assistant', content: null, tool_calls: turn.steps.map(toolCall) });
    for (const step of turn.steps) {
      messages.push({ role: 'tool', tool_call_id: callId(step), content: answerText(step) });
    }
  }
  const answer = trajectory.end?.answer ?? null;
  if (answer !== null) messages.push({ role: 'assistant', content: answer });
  return messages;
}

/** Tools as Chat Completions take them. */
export function openAiTools(tools: readonly WrittenTool[]): readonly JsonObject[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
}

function toolCall(step: StepRecord): Json {
  return {
    id: callId(step),
    type: 'function',
    function: { name: step.tool, arguments: step.malformed ?? JSON.stringify(step.input) },
  };
}

function callId({ index }: StepRecord): string {
  return `call_${index}`;
}
