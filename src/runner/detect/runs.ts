import type { DetectCall, DetectRun, DetectTool } from '../../scoring/detect/index.ts';
import type { TraceCall, TraceRun } from '../../traces/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';

/** A run as its agent saw it: nothing of the world, of digests or faults comes along. */
export function detectRunOf(name: string, run: TraceRun, tools: readonly DetectTool[]): DetectRun {
  const { messages, end } = run;
  const lastWord = messages.findLast(({ role }) => role === 'agent')?.text ?? null;
  return {
    name,
    cluster: run.trajectory?.header.scenario?.id ?? run.task ?? name,
    task: run.task,
    instructions: null,
    calls: run.calls.map((call, index) => callOf(run, call, index)),
    messages,
    reply: end.kind === 'answer' ? end.text : end.kind === 'user-ended' ? lastWord : null,
    ended: end.kind,
    tools,
  };
}

function callOf({ trajectory, messages }: TraceRun, call: TraceCall, index: number): DetectCall {
  const said = messages.filter(({ role, afterCall }) => role === 'agent' && afterCall === index);
  // What was said to a user is no thought; what stands right before a call with no answer between is.
  const answered = messages.some(({ role, afterCall }) => role === 'user' && afterCall === index);
  return {
    tool: call.tool,
    arguments: call.arguments,
    result: call.result,
    failed: call.failed,
    status: trajectory === undefined ? null : statusOf(trajectory, index),
    thought: said.length === 0 || answered ? null : said.map(({ text }) => text).join(' '),
  };
}

function statusOf(trajectory: Trajectory, index: number): number | null {
  const step = trajectory.steps[index];
  if (step === undefined || step.delivered?.lost) return null;
  return step.delivered?.status ?? step.status;
}

/** The tools that the header of our own format lists, without schemas. */
export function toolsOfHeader({ trajectory }: TraceRun): DetectTool[] {
  const tools = trajectory?.header.tools ?? [];
  return tools.map(({ name, effect }) => ({ name, effect, inputSchema: null }));
}
