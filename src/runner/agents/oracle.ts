import type { Json } from '../../base/json.ts';
import { type PreparedScenario, runReference } from '../prepare.ts';
import type { Agent } from '../types.ts';

/** Plays the reference. It is the proof that a scenario can be solved, not an agent to compare with. */
export function oracleAgent(scenarioOf: (id: string) => PreparedScenario): Agent {
  return {
    name: 'oracle',
    config: {},
    start(task) {
      const prepared = scenarioOf(task.scenario);
      const { calls } = runReference(prepared, task.seed);
      const { answer } = prepared.scenario.reference;
      return {
        next: (history) => {
          const made = history.filter((entry) => entry.type === 'call').length;
          const call = calls[made];
          if (call) return { type: 'call', tool: call.tool, arguments: call.input as Json };
          return { type: 'answer', text: answer };
        },
        usage: () => ({ cost: 0 }),
      };
    },
  };
}
