import type { Json, JsonObject } from '../../base/json.ts';
import { detector } from './detect.ts';
import type { DetectCall, DetectRun, DetectTool, Finding } from './types.ts';

/** A call as a test writes it: tool, arguments, what came back; then what is out of the ordinary. */
export type WrittenCall = readonly [
  tool: string,
  input: JsonObject,
  output: Json,
  more?: Partial<DetectCall>,
];

/** A run of these calls; a reply makes it end by an answer. */
export function runOf(calls: readonly WrittenCall[], more: Partial<DetectRun> = {}): DetectRun {
  return {
    name: 'run',
    cluster: 'task',
    task: null,
    instructions: null,
    calls: calls.map(([tool, input, output, special]) => ({
      tool,
      arguments: { kind: 'json', value: input },
      result: { value: output },
      failed: false,
      status: 200,
      thought: null,
      ...special,
    })),
    messages: [],
    reply: 'Done.',
    ended: 'answer',
    tools: [],
    ...more,
  };
}

/** What is said of a run without any learning. */
export function found(run: DetectRun): readonly Finding[] {
  return detector(null)(run);
}

/** Findings in short: `step kind rule`. */
export function briefly(findings: readonly Finding[]): string[] {
  return findings.map(({ step, kind, rule }) => `${step} ${kind} ${rule}`);
}

export function toolOf(name: string, more: Partial<DetectTool> = {}): DetectTool {
  return { name, effect: null, inputSchema: null, ...more };
}
