import { readTrajectory, type StepRecord, type Trajectory } from '../trajectory/index.ts';
import type { TraceCall, TraceEnd, TraceRun } from './types.ts';

/** Our own format as a run of a trace; the trajectory itself is kept, with its states. @throws UsageError */
export function readOwn(file: string, text: string): TraceRun {
  const trajectory = readTrajectory(text, { file });
  const { header, steps, messages, end } = trajectory;
  return {
    name: '1',
    format: 'groundhog',
    task: header.task?.text ?? null,
    calls: steps.map(callOf),
    messages: messages.map(({ afterStep, role, text: said }) => ({ afterCall: afterStep, role, text: said })),
    end: endOf(trajectory),
    usage: end?.usage ?? {},
    losses: [],
    trajectory,
  };
}

/** What the agent was given counts: a fault may hide how a call truly ended. */
function callOf(step: StepRecord): TraceCall {
  const { delivered } = step;
  return {
    tool: step.tool,
    id: null,
    actor: step.actor,
    turn: step.batch ?? null,
    arguments:
      step.malformed === undefined
        ? { kind: 'json', value: step.input }
        : { kind: 'malformed', text: step.malformed },
    result: delivered?.lost ? null : { value: delivered ? delivered.body : step.response },
    failed: delivered ? delivered.lost === true || delivered.status >= 400 : step.outcome !== 'ok',
  };
}

function endOf({ end }: Trajectory): TraceEnd {
  if (end === null) return { kind: 'unknown', detail: 'the trajectory was cut short' };
  if (end.reason === 'answer' && end.answer !== null) return { kind: 'answer', text: end.answer };
  const detail = end.detail ?? end.reason;
  return end.reason === 'user-ended' ? { kind: 'user-ended', detail } : { kind: 'no-answer', detail };
}
