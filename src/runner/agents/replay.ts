import { UsageError } from '../../base/errors.ts';
import { requestOf } from '../../session/index.ts';
import type { Trajectory } from '../../trajectory/index.ts';
import type { Agent, AgentAction } from '../types.ts';

/** Repeats what the agent of a recorded trajectory did, on whatever world it is put into. */
export function replayAgent(trajectory: Trajectory, file: string): Agent {
  const actions = actionsOf(trajectory);
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
      let index = 0;
      return {
        next: () => {
          const action = actions[index];
          index += 1;
          return action ?? { type: 'answer', text: trajectory.end?.answer ?? '' };
        },
        usage: () => trajectory.end?.usage ?? {},
      };
    },
  };
}

function actionsOf(trajectory: Trajectory): AgentAction[] {
  const actions: AgentAction[] = [];
  const say = (step: number): void => {
    for (const message of trajectory.messages) {
      if (message.afterStep === step && message.role === 'agent')
        actions.push({ type: 'say', text: message.text });
    }
  };
  for (const step of trajectory.steps) {
    say(step.index);
    const { input, malformed, waitedMs } = requestOf(step);
    actions.push({
      type: 'call',
      tool: step.tool,
      ...(input !== undefined && { arguments: input }),
      ...(malformed !== undefined && { malformed }),
      ...(waitedMs !== undefined && { waitMs: waitedMs }),
    });
  }
  say(trajectory.steps.length);
  return actions;
}
