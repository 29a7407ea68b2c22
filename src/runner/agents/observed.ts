import type { Agent, AgentAction, AgentRun } from '../types.ts';
import { checkedAgent } from './checked.ts';

/** Hears what an agent does while it does it. */
export interface AgentObserver {
  /** The agent is asked for an action, and has the thread for itself. */
  asked(): void;
  /** It gave one, or (null) failed. */
  gave(action: AgentAction | null): void;
}

/** An agent whose actions are reported before anything comes of them. */
export function observedAgent(agent: Agent, observer: AgentObserver): Agent {
  const checked = checkedAgent(agent);
  return {
    ...checked,
    start: async (task, record) => observedRun(await checked.start(task, record), observer),
  };
}

function observedRun(run: AgentRun, observer: AgentObserver): AgentRun {
  return {
    ...run,
    next: async (history) => {
      let action: AgentAction | null = null;
      observer.asked();
      try {
        action = await run.next(history);
        return action;
      } finally {
        observer.gave(action);
      }
    },
  };
}
