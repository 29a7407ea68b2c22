import type { AgentFailure } from '../agent-failure.ts';
import type { Agent, AgentAction } from '../types.ts';
import { type ScriptConfig, scriptAgent } from './script.ts';

/**
 * The script agent of a trial that was cut short from outside: it does again what the script had done, then
 * fails as it failed. Worlds are deterministic, so the trial comes out as it stood.
 */
export function cutShort(
  { name, config }: Agent,
  actions: readonly AgentAction[],
  failure: AgentFailure,
): Agent {
  let index = 0;
  const next = (): AgentAction => {
    const action = actions[index];
    index += 1;
    if (action) return action;
    throw failure;
  };
  return scriptAgent(name, next, config as ScriptConfig);
}
