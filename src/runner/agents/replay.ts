import { UsageError } from '../../base/errors.ts';
import { requestOf } from '../../session/index.ts';
import type { EndRecord, StepRecord, Trajectory } from '../../trajectory/index.ts';
import { AgentFailure } from '../agent-failure.ts';
import type { Agent, AgentAction, HistoryEntry, ToolCall } from '../types.ts';

/** Repeats what the agent of a recorded trajectory did, on whatever world it is put into. */
export function replayAgent(trajectory: Trajectory, file: string): Agent {
  const deeds = deedsOf(trajectory);
  return {
    name: 'replay',
    config: { seal: trajectory.end?.seal ?? null },
    start(task) {
      const recorded = trajectory.header.scenario?.id;
      if (recorded !== undefined && recorded !== task.scenario) {
        throw new UsageError(
          'other-scenario',
          `${file} was recorded on ${recorded}, not on ${task.scenario}`,
          {
            hint: `run ${recorded} with it`,
          },
        );
      }
      return {
        next: (history) => actionAfter(deeds, doneIn(history)) ?? lastAction(trajectory, doneIn(history)),
        usage: () => trajectory.end?.usage ?? {},
      };
    },
  };
}

/** One call, or one line said. Calls of one turn share a batch. */
type Deed =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'call'; readonly batch: string | undefined; readonly call: Call };

type Call = ToolCall & { readonly waitMs?: number };

function deedsOf(trajectory: Trajectory): Deed[] {
  const deeds: Deed[] = [];
  const say = (step: number): void => {
    for (const { afterStep, role, text } of trajectory.messages) {
      if (afterStep === step && role === 'agent') deeds.push({ type: 'say', text });
    }
  };
  for (const step of trajectory.steps) {
    say(step.index);
    deeds.push({ type: 'call', batch: step.batch, call: callOf(step) });
  }
  say(trajectory.steps.length);
  return deeds;
}

function callOf(step: StepRecord): Call {
  const { input, malformed, waitedMs } = requestOf(step);
  return {
    tool: step.tool,
    ...(input !== undefined && { arguments: input }),
    ...(malformed !== undefined && { malformed }),
    ...(waitedMs !== undefined && { waitMs: waitedMs }),
  };
}

/** How much of the record stands in a history: step-wise scoring asks in the middle. */
function doneIn(history: readonly HistoryEntry[]): number {
  return history.reduce((count, entry) => count + (entry.type === 'user' ? 0 : 1), 0);
}

function actionAfter(deeds: readonly Deed[], done: number): AgentAction | null {
  const deed = deeds[done];
  if (!deed) return null;
  if (deed.type === 'say') return deed;
  if (deed.batch === undefined) return { type: 'call', ...deed.call };
  const calls: Call[] = [];
  for (const other of deeds.slice(done)) {
    if (other.type !== 'call' || other.batch !== deed.batch) break;
    calls.push(other.call);
  }
  return { type: 'calls', calls };
}

/** A tool that no world has: where the recorded budget does not end the episode, it changes nothing. */
const UNRECORDED = 'unrecorded';

/**
 * How the record ends. A budget ends an episode at a call or a message that is not made any more, and so is
 * in no record: one is tried.
 * @throws AgentFailure as recorded
 */
function lastAction({ end, steps, messages }: Trajectory, done: number): AgentAction {
  const reason = end?.reason ?? 'agent-stopped';
  const said = messages.reduce((count, { role }) => count + (role === 'agent' ? 1 : 0), 0);
  if (reason === 'answer') {
    const { detail } = end ?? {};
    return { type: 'answer', text: end?.answer ?? '', ...(detail !== undefined && { detail }) };
  }
  if (done === steps.length + said) {
    if (reason === 'budget-messages') return { type: 'say', text: UNRECORDED };
    if (reason === 'budget-calls' || reason === 'budget-clock') return { type: 'call', tool: UNRECORDED };
  }
  throw failureOf(end, reason);
}

function failureOf(end: EndRecord | null, reason: EndRecord['reason']): AgentFailure {
  const recorded = reason.startsWith('agent-') ? (reason as AgentFailure['reason']) : 'agent-stopped';
  return new AgentFailure(recorded, end?.detail ?? 'the record ends here');
}
