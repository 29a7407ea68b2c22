import { offeredTools } from './offered-tools.ts';
import { faultsOf, type PreparedScenario } from './prepare.ts';
import type { AgentTask } from './types.ts';

/** What an agent is told about one trial. Nothing of the reference or the graders is in it. */
export function agentTask(
  prepared: PreparedScenario,
  trial: { readonly seed: string; readonly trial: number },
): AgentTask {
  const { scenario, services } = prepared;
  return {
    scenario: scenario.id,
    trial: trial.trial,
    seed: trial.seed,
    text: scenario.task.text,
    ...(scenario.task.intent && { intent: scenario.task.intent }),
    policy: prepared.policy,
    tools: offeredTools(services, { names: scenario.tools, plan: faultsOf(prepared) }),
    conversational: scenario.user !== undefined,
    now: new Date(scenario.world.epochMs).toISOString(),
  };
}
