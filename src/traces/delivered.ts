import type { Json } from '../base/json.ts';
import type { StepRecord, Trajectory } from '../trajectory/index.ts';

/** A tool as other formats describe it beside a run. */
export interface WrittenTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Json;
}

/** What stands for an answer that never came. */
const NO_ANSWER = 'no answer: the call timed out';

/** The answer to a step as the agent was given it: JSON as its text, a text as it is. */
export function answerText({ delivered, response }: StepRecord): string {
  if (delivered?.lost) return NO_ANSWER;
  const body = delivered ? delivered.body : response;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** The status that the agent was given; null where no answer came. */
export function answerStatus({ delivered, status }: StepRecord): number | null {
  if (delivered?.lost) return null;
  return delivered?.status ?? status;
}

/** Calls of one model turn, or something said. */
export type Turn =
  | { readonly kind: 'calls'; readonly steps: readonly StepRecord[] }
  | { readonly kind: 'said'; readonly role: 'user' | 'agent'; readonly text: string };

/** What happened, in order: calls that share a batch are one turn. */
export function turnsOf({ steps, messages }: Trajectory): readonly Turn[] {
  const turns: Turn[] = [];
  const sayUntil = (step: number): void => {
    for (const { afterStep, role, text } of messages) {
      if (afterStep === step) turns.push({ kind: 'said', role, text });
    }
  };
  for (const step of steps) {
    sayUntil(step.index);
    const last = turns.at(-1);
    const isSame = last?.kind === 'calls' && step.batch !== undefined && last.steps[0]?.batch === step.batch;
    if (isSame) turns[turns.length - 1] = { kind: 'calls', steps: [...last.steps, step] };
    else turns.push({ kind: 'calls', steps: [step] });
  }
  sayUntil(steps.length);
  return turns;
}
